"""What a person says against the turn before: not those, only that one, too much, never mind, how it was."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from homeagent.domains.actions import BROUGHT_BY, OPPOSITE
from homeagent.languages.concepts import (
    Amount,
    Attribute,
    Chat,
    Complaint,
    Dimension,
    Heading,
    Level,
    ListAction,
    Particle,
    PastWord,
    Question,
    Reference,
    Role,
    Unit,
    Verb,
)
from homeagent.timers.timer import TimerAction
from homeagent.understanding.clauses import THINGS, Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.control import BY_PARTICLE
from homeagent.understanding.frames.no_action import REMEDIES
from homeagent.understanding.grounding import Grounded, TargetFit
from homeagent.understanding.noun_phrases import Target, target_of
from homeagent.understanding.previous_turn import PreviousTurn, each
from homeagent.understanding.reference import picked
from homeagent.understanding.request import LEFT_ALONE, Act, Request, Timing
from homeagent.understanding.spans import Free
from homeagent.understanding.value_changes import SCALES

_SMALL = (Role.FILLER, Role.COURTESY, Role.JOIN, Role.PRONOUN, Role.STATEMENT, Role.COPULA, Role.TO, Role.AT)
_TAKES_BACK = (Reference.CORRECTS, Reference.INSTEAD, Role.NEGATION)


def parted(clause: Clause, last: PreviousTurn, request: Request) -> Iterator[Frame]:
    """What is said of some of the things of the last order against the rest: it is put back for these ("not the right
    one", "keep the left one on"), or for all but these ("no, only the lamp", "leave just the lamp").
    """
    opposite = OPPOSITE.get(request.action)
    if not opposite or request.parameters or clause.asks:
        return
    only = clause.at(Role.ONLY)
    states = clause.particles(*BY_PARTICLE) if clause.at(Verb.KEEP) else set()
    back = any(BY_PARTICLE[p].value == opposite for i, p in clause.said(Particle) if i in states)
    kept = clause.at(Verb.KEEP) if only or back or clause.at(Reference.INSTEAD) else set()
    if clause.of(Verb) - kept - states - (clause.neutral if only else set()):
        return
    if only and not back:
        yield from _only_those(clause, last, request, only | kept | states)
    elif denied := kept | clause.at(Role.NEGATION) | ({0} & clause.at(Role.EXCEPT)):
        yield from _not_those(clause, last, opposite, denied | states)


def _not_those(clause: Clause, last: PreviousTurn, opposite: str, said: set[int]) -> Iterator[Frame]:
    """The opposite of the last order for what is named of its several things, if that was really changed."""
    target = target_of(clause, said)
    pool = [clause.names.by_id[i] for i in last.entity_ids if i in clause.names.by_id]
    found = picked(clause, target, pool)
    if not found or len(found) == len(last.entity_ids):
        return
    ids = found if last.changed is None else tuple(i for i in found if i in last.changed)
    back = Request(Act.CONTROL, each(ids), action=opposite) if ids else Request(Act.SAY, say=LEFT_ALONE)
    cells = said | clause.at(Role.PRONOUN, Reference.INSTEAD, Role.ONLY) | free_word(clause, target)
    yield for_it(clause, back, target, cells, ids)


def too_much(clause: Clause, last: PreviousTurn) -> Iterator[Frame]:
    """The remedy for a complaint right after an order to the one thing that can remedy it, where nothing but a courtesy
    follows: an order behind it says what to do itself.
    """
    behind = (clause.names.pack.phrases.get(t.text, ()) for t in clause.tokens[clause.cells[-1].end :])
    if not all(Role.COURTESY in said for said in behind):
        return
    for place, said in clause.said(Complaint):
        domain, action, parameters = REMEDIES[said]
        dimension = next((d for d, scale in SCALES.items() if scale.step in parameters), None)
        told = clause.at(*_SMALL) | clause.of(Amount) | {place}
        if clause.asks or len(told) < len(clause.cells) or len(last.entity_ids) != 1 or last.domains != (domain,):
            continue
        if dimension is not None:
            remedy = Request(Act.CONTROL, each(last.entity_ids), action=action, parameters=parameters)
            yield for_it(clause, remedy, None, told, last.entity_ids)


def _only_those(clause: Clause, last: PreviousTurn, request: Request, only: set[int]) -> Iterator[Frame]:
    """The opposite of the last order for all but what is named now, which has the order carried out for it where it was
    not among them.
    """
    said = only | clause.at(*_TAKES_BACK, Role.PRONOUN)
    target = target_of(clause, said - clause.of(*THINGS))
    pool = [clause.names.by_id[i] for i in last.entity_ids if i in clause.names.by_id]
    kept = picked(clause, target, pool)
    named = kept or tuple(i for p in target.phrases for i in p.entity_ids)
    domains = {i.partition(".")[0] for i in named}
    if not named or target.unknown or target.excepted or not domains <= {*last.domains}:
        return
    done = last.entity_ids if last.changed is None else last.changed
    others = tuple(i for i in done if i not in named)
    back = Request(Act.CONTROL, each(others), action=OPPOSITE[request.action])
    again = replace(request, scope=each(named), intent="")
    if kept:
        made = back if others else Request(Act.SAY, say=LEFT_ALONE)
    else:
        made = Request(Act.UNDO, each((*others, *named)), undoes=(back, again) if others else (again,))
    yield for_it(clause, made, target, said, (*others, *(() if kept else named)))


def the_other_way_round(clause: Clause, last: PreviousTurn) -> Iterator[Frame]:
    """Each of the things that the last orders were for brought to its other state."""
    said = clause.at(Reference.SWAPPED)
    behind = [i for i in range(max(said, default=-1) + 1, len(clause.cells)) if clause.mark(i)]
    explained = bool(behind) and bool(clause.at(Role.NEGATION)) and bool(clause.at(Reference.OTHER))
    told = clause.cells[: behind[0]] if explained else clause.cells  # "al revés: la del techo sí y la otra no"
    rest = [c for i, c in enumerate(told) if i not in said and not c.says(*_SMALL, *_TAKES_BACK, Role.OR)]
    ids = last.several or last.entity_ids
    if said and ids and not rest and not clause.asks and last.request is not None and last.request.action in OPPOSITE:
        swapped = Request(Act.CONTROL, each(ids), action=Verb.TOGGLE.value)
        yield for_it(clause, swapped, None, set(range(len(clause.cells))), ids)


def called_off(clause: Clause, last: PreviousTurn) -> Iterator[Frame]:
    """What was just done or set is taken back by a "never mind" that corrects, too, or stands beside a word that does
    ("just kidding", "actually scrap that"): by itself it may be meant for nothing.
    """
    said = clause.at(Chat.NOTHING)
    corrects = clause.at(*_TAKES_BACK) - said
    corrects |= {i for i in said if clause.cells[i].means(Reference.CORRECTS, Reference.INSTEAD)}
    first = clause.cells[0].first
    phrases = clause.names.pack.phrases
    before = {c for t in clause.tokens[:first] for c in phrases.get(t.text, ())}
    if not said or clause.of(*THINGS, Free) or clause.asks or not (corrects or before.intersection(_TAKES_BACK)):
        return
    if (request := call_off(last)) is not None:
        ids = [i for r in (request, *request.undoes) for group in r.scope.named for i in group]
        yield for_it(clause, request, None, said | corrects | clause.at(Role.PRONOUN) | clause.neutral, ids)


def call_off(last: PreviousTurn) -> Request | None:
    """The request that takes back what the very last turn set or did; None where it did nothing that can be."""
    if last.timer is not None and last.timer.fresh:
        return Request(Act.TIMER, timing=Timing(TimerAction.CANCEL, last.timer.kind, timer_id=last.timer.timer_id))
    done = last.fresh and last.orders and last.undo is not None and last.undo.act is not Act.SAY
    return last.undo if done else None


def how_it_was(clause: Clause, last: PreviousTurn) -> Iterator[Frame]:
    """What the last thing that was changed was at before ("what was it on before?")."""
    said = clause.at(Reference.BEFORE)
    asks = clause.asks or bool(clause.of(Question, Attribute))
    back = last.undo_steps(1) if said and asks and last.undo_steps is not None else None
    if back is None or back.act is not Act.CONTROL or clause.of(Heading, ListAction):
        return
    cells = said | clause.of(Question, Attribute, Dimension, Unit) | clause.at(PastWord.WAS, *_SMALL) | clause.neutral
    target = target_of(clause, cells - clause.of(*THINGS))
    ids = [i for group in back.scope.named for i in group]
    if target.unknown or any(not {*p.entity_ids} & {*ids} and p.entity_ids for p in target.phrases):
        return
    state = next((s for s, action in BROUGHT_BY.items() if action == back.action), "")
    setting = next(((k, v) for k, v in back.parameters.items()), ("", state))
    if setting[1] in ("", None):
        return
    told = Request(Act.SAY, each(ids), say="was_before", parameters={setting[0] or "state": setting[1]})
    yield for_it(clause, told, target, cells | clause.of(Level), ids)


def free_word(clause: Clause, target: Target) -> set[int]:
    """The index of the only unexplained word, which may begin a name; empty where the target has phrases."""
    return set() if target.phrases else {i for i, c in enumerate(clause.cells) if c.free}


def for_it(
    clause: Clause,
    request: Request,
    target: Target | None,
    cells: set[int],
    ids: Collection[str],
    extra: Mapping[Feature, float] | None = None,
) -> Frame:
    """The frame of a request that needs nothing else of the clause."""
    grounded = Grounded(request.scope, TargetFit.EXACT, frozenset(ids))
    return frame(clause, ActKind.FOLLOWING, request, cells, target, grounded, extra)
