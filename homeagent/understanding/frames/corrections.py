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
from homeagent.understanding.frames.no_action import REMEDIES
from homeagent.understanding.grounding import Grounded, TargetFit
from homeagent.understanding.noun_phrases import Target, target_of
from homeagent.understanding.previous_turn import PreviousTurn, each
from homeagent.understanding.reference import among, by_beginning
from homeagent.understanding.request import Act, Request, Timing
from homeagent.understanding.value_changes import SCALES

_SMALL = (Role.FILLER, Role.COURTESY, Role.JOIN, Role.PRONOUN, Role.STATEMENT, Role.COPULA, Role.TO, Role.AT)
_TAKES_BACK = (Reference.CORRECTS, Reference.INSTEAD, Role.NEGATION)


def not_those(clause: Clause, last: PreviousTurn, request: Request) -> Iterator[Frame]:
    """The opposite of the last order for one of its several things, if that was really changed
    ("not the right one").
    """
    kept = clause.at(Verb.KEEP) if clause.at(Reference.INSTEAD) else set()  # "no, leave the counter light"
    said = clause.at(Role.NEGATION) | kept
    if clause.at(Role.ONLY):
        return  # "no, only the lamp"
    opposite = OPPOSITE.get(request.action)
    if not said or not opposite or request.parameters or clause.of(Verb) - kept:
        return
    target = target_of(clause, said)
    pool = [clause.names.by_id[i] for i in last.entity_ids if i in clause.names.by_id]
    found = among(target, pool) if target.phrases else by_beginning(clause, pool)
    if not found or len(found) == len(last.entity_ids):
        return
    ids = found if last.changed is None else tuple(i for i in found if i in last.changed)
    back = Request(Act.CONTROL, each(ids), action=opposite) if ids else Request(Act.SAY, say="left_alone")
    cells = said | clause.at(Role.PRONOUN, Reference.INSTEAD) | free_word(clause, target)
    yield for_it(clause, back, target, cells, ids)


def too_much(clause: Clause, last: PreviousTurn) -> Iterator[Frame]:
    """The remedy for a complaint right after an order to the one thing that can remedy it."""
    for place, said in clause.said(Complaint):
        domain, action, parameters = REMEDIES[said]
        dimension = next((d for d, scale in SCALES.items() if scale.step in parameters), None)
        told = clause.at(*_SMALL) | clause.of(Amount) | {place}
        if clause.asks or len(told) < len(clause.cells) or len(last.entity_ids) != 1 or last.domains != (domain,):
            continue
        if dimension is not None:
            remedy = Request(Act.CONTROL, each(last.entity_ids), action=action, parameters=parameters)
            yield for_it(clause, remedy, None, told, last.entity_ids)


def only_those(clause: Clause, last: PreviousTurn, request: Request) -> Iterator[Frame]:
    """The opposite of the last order for all but what is named now ("no, only the floor lamp"), which is kept, or has
    the order carried out for it where it was not among them.
    """
    only = clause.at(Role.ONLY) | {i for i in range(len(clause.cells)) if _says_only(clause, i)}
    opposite = OPPOSITE.get(request.action)
    if not only or not opposite or request.parameters or clause.of(Verb) - clause.neutral or clause.asks:
        return
    said = only | clause.at(*_TAKES_BACK, Role.PRONOUN)
    target = target_of(clause, said - clause.of(*THINGS))
    pool = [clause.names.by_id[i] for i in last.entity_ids if i in clause.names.by_id]
    kept = among(target, pool)
    named = kept or tuple(i for p in target.phrases for i in p.entity_ids)
    domains = {i.partition(".")[0] for i in named}
    if not named or target.unknown or target.excepted or not domains <= {*last.domains}:
        return
    done = last.entity_ids if last.changed is None else last.changed
    others = tuple(i for i in done if i not in named)
    back = Request(Act.CONTROL, each(others), action=opposite)
    again = replace(request, scope=each(named), intent="")
    if kept:
        made = back if others else Request(Act.SAY, say="left_alone")
    else:
        made = Request(Act.UNDO, each((*others, *named)), undoes=(back, again) if others else (again,))
    yield for_it(clause, made, target, said, (*others, *(() if kept else named)))


def _says_only(clause: Clause, place: int) -> bool:
    """Whether "only" hangs on the word of a thing."""
    return clause.cells[place].says(Role.ONLY) and clause.cells[place].has(*THINGS)


def called_off(clause: Clause, last: PreviousTurn) -> Iterator[Frame]:
    """What was just done or set is taken back by a "never mind" beside a word that corrects ("actually scrap that"): by
    itself it may be meant for nothing.
    """
    said = clause.at(Chat.NOTHING)
    corrects = clause.at(*_TAKES_BACK) - said
    first = clause.cells[0].first
    phrases = clause.names.pack.phrases
    before = {c for t in clause.tokens[:first] for c in phrases.get(t.text, ())}
    if not said or clause.of(*THINGS) or clause.asks or not (corrects or before.intersection(_TAKES_BACK)):
        return
    if last.timer is not None and last.timer.fresh:
        timing = Timing(TimerAction.CANCEL, last.timer.kind, timer_id=last.timer.timer_id)
        yield for_it(clause, Request(Act.TIMER, timing=timing), None, said | corrects, ())
    elif last.orders and last.undo is not None and last.undo.act is not Act.SAY:
        ids = [i for r in (last.undo, *last.undo.undoes) for group in r.scope.named for i in group]
        yield for_it(clause, last.undo, None, said | corrects | clause.at(Role.PRONOUN) | clause.neutral, ids)


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
