"""What an incomplete sentence makes of the turn before: the same for another thing, once more, undone, an answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from homeagent.domains import profile_of
from homeagent.domains.actions import ITEM_OPPOSITE
from homeagent.languages.concepts import (
    Amount,
    Count,
    DayWord,
    Dimension,
    Heading,
    Level,
    ListAction,
    Ordinal,
    Particle,
    PastWord,
    Question,
    Reference,
    Role,
    Sky,
    StateWord,
    Verb,
    Way,
)
from homeagent.understanding.clause_form import worded_as_question
from homeagent.understanding.clauses import THINGS, Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import OPEN_WORD, frame
from homeagent.understanding.frames.clock_and_sun import asks_of_an_event
from homeagent.understanding.frames.corrections import (
    called_off,
    for_it,
    free_word,
    how_it_was,
    parted,
    the_other_way_round,
    too_much,
)
from homeagent.understanding.frames.days_said import day_as_said, day_said
from homeagent.understanding.frames.history_questions import past, periods_of, scope_of
from homeagent.understanding.frames.list_items import said_items
from homeagent.understanding.frames.undo_requests import says_undo, taken_back
from homeagent.understanding.grounding import Wanted, ground
from homeagent.understanding.history_targets import same_kind
from homeagent.understanding.noun_phrases import target_of
from homeagent.understanding.previous_turn import OpenQuestion, PreviousTurn, each
from homeagent.understanding.reference import chosen, means_several, once_more, place_meant, pointed_at
from homeagent.understanding.repeated_request import same_for
from homeagent.understanding.request import Act, Asked, Past, Period, Request, Scope, Tell
from homeagent.understanding.spans import TimeGone
from homeagent.understanding.statement_clauses import copulas
from homeagent.understanding.value_changes import SCALES

_LEADING = (Reference.SAME, Reference.TOO, Reference.INSTEAD)
_SMALL = (Role.FILLER, Role.COURTESY, Role.JOIN, Role.PRONOUN, Role.STATEMENT)
_LEADING_TIME = (Role.AT, Role.TO, Role.PLACE)
_RESTS = (Verb.STOP.value, Verb.PAUSE.value)
"""After these "again" is going on."""
_MOST_ITEM_WORDS = 4
_OF_DAYS = ("weather", "forecast", "events")


def following(clause: Clause, today: date) -> Iterator[Frame]:
    """The frames of a clause that is incomplete without the previous turn. What was ordered is ordered again by "the
    study lamp?", and never by a whole question: "is the study lamp hot?".
    """
    compares = clause.at(Reference.LIKED) and not clause.cells[0].has(Question)  # "wie vorher war's besser"
    asks = (worded_as_question(clause) and not compares) or (clause.asks and bool(copulas(clause)))
    for found in _following(clause, today):
        if not (asks and found.request is not None and found.request.act is Act.CONTROL):
            yield found


def _following(clause: Clause, today: date) -> Iterator[Frame]:
    last = clause.last
    if last is None:
        return
    if last.waiting is not None and not clause.asks:
        yield from _answer(clause, last.waiting)
    if last.undo_steps is not None:
        yield from taken_back(clause, last.undo_steps)
    if last.request is None:
        return
    parts = tuple(parted(clause, last, last.request)) if last.fresh and last.orders else ()
    yield from parts or _the_same(clause, last, last.request)
    yield from _another_day(clause, last.request, today)
    yield from _which_are_left(clause, last)
    yield from how_it_was(clause, last)
    yield from _why_it_is_so(clause, last)
    if last.fresh and last.request.past is not None:
        yield from _past_again(clause, last.request, last.request.past)
    if last.fresh and last.orders:
        yield from _whiter(clause, last, last.request)
        yield from the_other_way_round(clause, last)
        yield from too_much(clause, last)
        yield from _one_more_item(clause, last.request)
    if last.fresh:
        yield from _again(clause, last, last.request)
        yield from _did_it_work(clause, last, last.request)
        yield from _at_what_time(clause, last.request)
        yield from _where_it_takes_place(clause, last.request)
        yield from called_off(clause, last)


def _answer(clause: Clause, waiting: OpenQuestion) -> Iterator[Frame]:
    """The answer to a question asked back: one of the candidates, or, without candidates, any one thing."""
    target = target_of(clause, clause.at(*_LEADING))
    others = clause.of(Verb, Particle, Heading, Count, Level, Question) | clause.at(Role.NEGATION, Reference.OTHER)
    others |= clause.at(Role.STATEMENT, Role.COPULA) - clause.at(Role.FILLER, Reference.CORRECTS)
    if target.excepted or (target.unknown and others - clause.neutral):
        return
    request = waiting.request
    if ids := chosen(clause, target, waiting.candidates):
        said = clause.at(Reference.BOTH, Role.PRONOUN, *_LEADING) | clause.of(Ordinal) | free_word(clause, target)
        if not others - clause.neutral:
            said |= {i for i, c in enumerate(clause.cells) if c.free} | clause.at(*_SMALL)
        scope = each(ids) if target.only_places or means_several(clause, target) else Scope((ids,))
        yield for_it(clause, replace(request, scope=scope), replace(target, unknown=frozenset()), said, ids)
    elif not waiting.candidates and target.phrases:
        found = ground(target, Wanted(request.action, tuple(request.parameters)), clause.names)
        if len(found.entity_ids) == 1:
            yield for_it(clause, replace(request, scope=each(found.entity_ids)), target, set(), found.entity_ids)


def _the_same(clause: Clause, last: PreviousTurn, request: Request) -> Iterator[Frame]:
    """The previous request for what the clause points at or names ("the other one", "and in the kitchen?", "no, I meant
    the hall").
    """
    said = _leading(clause)
    target = target_of(clause, {i for i in said if not clause.cells[i].has(*THINGS)})
    there = place_meant(clause, target)
    if (target.unknown and there is None) or (target.excepted and not target.phrases):
        return
    inherited = {Feature.INHERITED: 1.0}
    pointed = list(pointed_at(clause, target, last))
    for meant in pointed if request.act in (Act.CONTROL, Act.QUERY) else ():
        ids = tuple(i for p in meant.phrases for i in p.entity_ids)
        scope = each(ids) if meant.every or request.act is Act.QUERY else Scope((ids,))
        yield for_it(clause, replace(request, scope=scope, intent=""), meant, said, ids, inherited)
    if not (said or clause.leading_joins or clause.asks) or last.request is None:
        return
    meant = target if there is None else there
    if not meant.unknown and (made := same_for(clause, meant, last)) is not None:
        found = clause.names.select(made.scope.selector) if not made.scope.named else ()
        ids = tuple(i for group in made.scope.named for i in group) or tuple(e.entity_id for e in found)
        yield for_it(clause, made, meant, said | clause.at(Role.PRONOUN) | free_word(clause, meant), ids, inherited)


def _leading(clause: Clause) -> set[int]:
    """The indexes of words that introduce a new target ("too", "instead"); one that may be a "not" counts only as the
    first word.
    """
    said = {i for i in clause.at(*_LEADING) if i == 0 or not clause.cells[i].says(Role.NEGATION)}
    return said | (clause.neutral if clause.at(Reference.SAME) else set())


def _again(clause: Clause, last: PreviousTurn, request: Request) -> Iterator[Frame]:
    """The previous request once more, where the clause says nothing else."""
    # behind a number "a bit more" is a direction of its own: "10 less" - "a bit more"
    stepped = any("_step" in name for name in request.parameters) and not last.counts
    if says_undo(clause):
        return  # "wieder wie vorher"
    if last.way is not None and last.dimension is not None:  # "half closed" - "a bit further"
        scale = SCALES[last.dimension]
        request = replace(request, parameters={scale.step: scale.usual if last.way is Way.UP else -scale.usual})
        stepped = True
    said = clause.at(Reference.AGAIN, Reference.SAME) | (once_more(clause) if stepped else set())
    steps = clause.of(Amount, Heading) & said if not stepped else clause.of(Amount) | once_more(clause)
    if steps and not stepped:
        return  # a bit more of nothing
    small = (*_SMALL, Verb.DO, Reference.TOO)
    rest = [c for i, c in enumerate(clause.cells) if i not in said | steps and not c.says(*small)]
    if request.action in _RESTS:  # "off you go again"
        request, said = replace(request, action=Verb.PLAY.value), said if clause.neutral else set()
    other = clause.of(Verb) - clause.neutral - said
    if said and not rest and not clause.asks and not other:
        again = replace(request, scope=each(last.entity_ids)) if last.entity_ids else request
        yield for_it(clause, again, None, said | steps | clause.neutral, last.entity_ids)


def _another_day(clause: Clause, request: Request, today: date) -> Iterator[Frame]:
    """The previous question about weather or the calendar, for another day ("and on sunday?")."""
    days = clause.of(DayWord) or clause.at(Reference.NEXT_DAY)
    if request.attribute not in _OF_DAYS or not days:
        return
    before = request.period.days_ago if request.period is not None else 0
    period = day_said(clause, today) if clause.of(DayWord) else Period(days_ago=before - 1)
    if period is None or (request.attribute != "events" and period.days_ago > 0):
        return
    attribute = "events" if request.attribute == "events" else "forecast"
    details = replace(request.details, when=day_as_said(clause))
    again = replace(request, attribute=attribute, period=period, details=details)
    yield for_it(clause, again, None, days | clause.at(*_LEADING, Role.PLACE), ())


def _at_what_time(clause: Clause, request: Request) -> Iterator[Frame]:
    """The previous question about the calendar once more, answered with its times ("at what time?")."""
    if asks_of_an_event(clause):
        yield for_it(clause, request, None, set(range(len(clause.cells))), ())


def _past_again(clause: Clause, request: Request, before: Past) -> Iterator[Frame]:
    """The previous question about the past, for another time or another thing ("and yesterday?")."""
    times, leads = clause.of(TimeGone), clause.at(*_LEADING)
    asks = clause.of(Question) - leads - clause.at(PastWord.WAS)
    if clause.of(Verb) - leads - times or (asks and not times):
        return
    cells = times | leads | clause.at(PastWord.BESIDE, PastWord.WAS)
    target = target_of(clause, cells - clause.of(*THINGS))
    if times:
        periods, said = periods_of(clause)
        before = replace(before, periods=periods, said=said, away=None)
    if target.phrases and before.tell is Tell.HAPPENED:
        request = replace(request, scope=scope_of(target))
    elif target.phrases:
        before = replace(before, of=same_kind(clause, target, before))
    if (times or target.phrases) and (before.of or before.tell is Tell.HAPPENED):
        inherited = {Feature.INHERITED: 1.0}
        yield frame(clause, ActKind.PAST, replace(request, past=before), cells, target, None, inherited)


def _did_it_work(clause: Clause, last: PreviousTurn, request: Request) -> Iterator[Frame]:
    """How that is now which the previous order was for ("did that work?")."""
    said = clause.at(Reference.WORKED)
    rest = [c for i, c in enumerate(clause.cells) if i not in said and not c.says(*_SMALL, Role.COPULA, Role.AUXILIARY)]
    if said and not rest and clause.asks and last.orders and last.entity_ids:
        set_by = (p for d in last.domains for service in profile_of(d).setters for p in service.params)
        attribute = next((p.reads for p in set_by if p.name in request.parameters and p.reads != "state"), "")
        attribute = "items" if request.action in ITEM_OPPOSITE else attribute
        told = Request(Act.QUERY, each(last.entity_ids), asked=Asked.VALUE, attribute=attribute)
        yield for_it(clause, told, None, {*range(len(clause.cells))}, last.entity_ids)


def _which_are_left(clause: Clause, last: PreviousTurn) -> Iterator[Frame]:
    """The last question for things in a state, once more ("which ones are left?")."""
    said = clause.at(Reference.LEFT)
    if not said or last.which is None or not (clause.asks or clause.of(Question)):
        return
    counts = clause.at(Question.HOW_MANY)
    again = replace(last.which, asked=Asked.HOW_MANY if counts else Asked.WHICH)
    states = {raw for _, word in clause.said(StateWord) for _, raw in word.raw}
    if not states or states & set(again.states):
        cells = said | clause.of(Question, StateWord) | clause.at(Role.PRONOUN)
        yield for_it(clause, again, None, cells, ())


def _whiter(clause: Clause, last: PreviousTurn, request: Request) -> Iterator[Frame]:
    """A step of the colour temperature, where "warmer" or "cooler" follows an order to lamps."""
    ways = {h.way for _, h in clause.said(Heading) if h.dimension is Dimension.TEMPERATURE}
    if last.shades and len(ways) == 1 and not clause.numbers:
        whiter = replace(
            request,
            scope=each(last.entity_ids),
            action="set_value",
            parameters={"temperature_step": 1 if Way.UP in ways else -1},
            intent="",
        )
        cells = clause.of(Heading, Amount) | clause.neutral | clause.at(Role.PRONOUN)
        yield for_it(clause, whiter, None, cells, last.entity_ids)


def _why_it_is_so(clause: Clause, last: PreviousTurn) -> Iterator[Frame]:
    """That the person asked for it, where it is asked why something is as this conversation brought it to be."""
    for found in past(clause) if last.ours and clause.at(PastWord.WHY) else ():
        about = found.request.past if found.request is not None else None
        if about is not None and about.tell is Tell.WHY and not about.periods and found.entity_ids & {*last.ours}:
            request = Request(Act.SAY, each(sorted(found.entity_ids & {*last.ours})), say="you_asked")
            yield replace(found, act=ActKind.FOLLOWING, request=request)


def _one_more_item(clause: Clause, request: Request) -> Iterator[Frame]:
    """What is only joined to what was put on a list, or taken off it, and is no thing of the home: "oh, and cheese"."""
    leads = clause.at(Role.JOIN, Reference.TOO)
    other = clause.cells[0].says(Role.JOIN) or clause.asks or bool(clause.of(*THINGS, Verb, Question, Particle))
    if request.action not in ITEM_OPPOSITE or not leads or other:
        return
    content = [i for i, c in enumerate(clause.cells) if i not in leads and (c.free or not c.says(*_SMALL))]
    joins = clause.at(Role.JOIN)
    items = [i for i in content if not joins or clause.postpositions or i > min(joins)]
    if not items or len(content) - len(items) > 1 or len(items) > _MOST_ITEM_WORDS:
        return
    if clause.cells[items[-1]].says(Role.NEGATION):
        return  # "Gurken doch nicht"
    said = said_items(clause, range(items[0], items[-1] + 1))
    again = replace(request, parameters={**request.parameters, "item": said})
    extra = {Feature.INHERITED: 1.0, Feature.OPEN_TEXT: OPEN_WORD * len(items)}
    ids = [i for group in request.scope.named for i in group]
    yield for_it(clause, again, None, leads | set(items), ids, extra)


def _where_it_takes_place(clause: Clause, request: Request) -> Iterator[Frame]:
    """The previous question about the calendar once more, answered with its places ("where do I have to go?")."""
    said = clause.at(Question.WHERE)
    if request.attribute != "events" or not said or clause.of(*THINGS, Heading, Particle, ListAction):
        return
    small = (*_SMALL, *_LEADING_TIME, Role.COPULA, Reference.THEN, Reference.THERE, Role.AUXILIARY, Verb.DO)
    rest = [c for i, c in enumerate(clause.cells) if i not in said and not c.says(*small)]
    if len(rest) <= 1 and not any(c.has(DayWord, Sky) for c in rest):
        where = replace(request, asked=Asked.WHERE)
        yield for_it(clause, where, None, set(range(len(clause.cells))), ())
