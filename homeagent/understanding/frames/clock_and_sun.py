"""Questions that a thing of its own answers: the clock, the sun, what wakes one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from homeagent.domains.dates import KEEPS_A_TIME
from homeagent.languages.concepts import (
    Clock,
    DayWord,
    Purpose,
    Question,
    Reference,
    Role,
    SafetyState,
    SafetyWord,
    StateWord,
    Topic,
    Unit,
    Verb,
)
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.days_said import day_said
from homeagent.understanding.frames.playing_and_making import serving
from homeagent.understanding.request import Act, Asked, Period, Request, Scope
from homeagent.understanding.spans import Named

_SUN = "sun"
_LONGEST_MONTH = 31
_NEXT = {Topic.SUNRISE: "next_rising", Topic.SUNSET: "next_setting"}
_UNKNOWN_SUN = "no_sun"
_BESIDE = (Role.STATEMENT, Role.EVERY, Role.HERE, Role.CONDITION, Role.AT)


def clock(clause: Clause, today: date) -> Iterator[Frame]:
    """What time it is, which day it is, or the date or weekday of another day."""
    kept = {i: n.entity_ids for i, n in clause.said(Named) if _keeps_a_time(n)}
    for place, asked in clause.said(Clock):
        if kept:  # "what time is the wake-up time set to"
            cells = {place, *kept} | clause.of(Question, StateWord) | clause.neutral | clause.at(*_BESIDE)
            request = Request(Act.QUERY, Scope(tuple(kept.values()), every=True))
            yield frame(clause, ActKind.ASKING, request, cells)
            continue
        if asked is Clock.TIME and asks_of_an_event(clause):
            continue
        cell = clause.cells[place]
        weak = cell.end - cell.first == 1 and not clause.of(Question)
        cells = {place} | clause.of(Question) | clause.at(DayWord.TODAY)
        period = None
        if asked is Clock.DATE:
            period, said = _other_day(clause, today)
            cells |= said
            if clause.days - clause.at(DayWord.TODAY) - said:
                continue  # "the third friday of this month"
        request = Request(Act.TIME if asked is Clock.TIME else Act.DATE, period=period)
        yield frame(clause, ActKind.CLOCK, request, cells, extra={Feature.WEAK_QUESTION: 1.0} if weak else {})


def asks_of_an_event(clause: Clause) -> bool:
    """Whether it only asks at what time, right after an answer about what is planned: "what time was that again?"."""
    before = clause.last.request if clause.last is not None and clause.last.fresh else None
    if before is None or before.attribute != "events":
        return False
    said = clause.at(Clock.TIME, Question.WHEN)
    small = (*_BESIDE, Role.FILLER, Role.COURTESY, Role.COPULA, Role.AUXILIARY, Role.PRONOUN, Role.TO, Role.PLACE)
    leaning = (Role.JOIN, Reference.AGAIN, Reference.TOO, Reference.THERE, SafetyWord.WAS)
    rest = [c for i, c in enumerate(clause.cells) if i not in said and not c.says(*small, *leaning)]
    phrases = clause.names.pack.phrases
    tokens = clause.tokens[clause.cells[0].first : clause.cells[-1].end]
    of_now = any(Role.COPULA in phrases.get(t.text, ()) for t in tokens)
    led = any(i and clause.cells[i - 1].says(Role.TO, Role.AT, Role.PLACE) for i in clause.at(Clock.TIME))
    own = led or clause.at(Question.WHEN, Reference.AGAIN, SafetyWord.WAS)
    return bool(said) and not rest and (bool(own) or not of_now)


def _keeps_a_time(named: Named) -> bool:
    """Whether it names times that are kept, or by a part of its name one of them."""
    return (not named.part or len(named.entity_ids) == 1) and all(
        i.partition(".")[0] in KEEPS_A_TIME for i in named.entity_ids
    )


def _other_day(clause: Clause, today: date) -> tuple[Period | None, set[int]]:
    """The day that is asked about and the indexes that say it: a day word, "in 3 days", or the next day of the month
    with that number.
    """
    if clause.dated is not None:
        return Period(days_ago=(today - clause.dated[0]).days), clause.days | clause.at(Role.PLACE)
    numbers = [n for n in clause.numbers if n.unit in (None, Unit.NTH, Unit.DAY) and n.value.is_integer()]
    if len(numbers) == 1 and 0 < (value := int(numbers[0].value)) <= _LONGEST_MONTH:
        cells = {*numbers[0].cells} | clause.at(Role.PLACE)
        # "15일" is the day with that number, "15일 뒤" is so many days from now
        if numbers[0].unit is Unit.DAY and (clause.at(Role.TIME) or not clause.postpositions):
            return Period(days_ago=-value), cells
        ahead = next((i for i in range(2 * _LONGEST_MONTH + 1) if (today + timedelta(i)).day == value), 0)
        return Period(days_ago=-ahead), cells
    period = day_said(clause, today)
    single = period is not None and period.days == 1 and len(clause.of(DayWord)) <= 1
    return (period, clause.days | clause.at(Role.PLACE)) if single else (None, set())


def sun(clause: Clause) -> Iterator[Frame]:
    """The next sunrise or sunset; for another day the answer that it is not known."""
    asks = clause.of(Clock) or clause.at(Question.WHEN, Question.VALUE) or clause.asks
    said = [(i, topic) for i, topic in clause.said(Topic) if topic in _NEXT]
    if not said or not asks or clause.of(Verb) - clause.neutral:
        return
    entity = next((e for e in clause.names.entities if e.domain == _SUN), None)
    other_day = clause.of(DayWord) - clause.at(DayWord.TODAY)
    if entity is None or other_day:
        request = Request(Act.SAY, say=_UNKNOWN_SUN)
    else:
        request = Request(Act.QUERY, Scope(((entity.entity_id,),)), asked=Asked.VALUE, attribute=_NEXT[said[0][1]])
    cells = {i for i, _ in said} | clause.of(Clock, Question, DayWord) | clause.at(Role.TIME, Role.STATEMENT)
    cells |= clause.neutral
    yield frame(clause, ActKind.CLOCK, request, cells)


def waking(clause: Clause) -> Iterator[Frame]:
    """The state of what wakes the speaker, where the home has such a thing."""
    said = clause.at(Purpose.WAKING)
    asks = {i for i in clause.of(Question) if not clause.cells[i].says(Role.COURTESY)}
    verbs = clause.of(Verb) - clause.neutral - asks - clause.at(Topic.UPCOMING)
    leads = clause.cells[: min(asks, default=0)]
    opens = bool(asks) and all(c.says(Role.COURTESY, Role.FILLER, Role.JOIN) for c in leads)
    if not said or not opens or verbs or clause.of(StateWord) - said:
        return
    ids = tuple(e.entity_id for e in serving(Purpose.WAKING, clause))
    if not ids:
        return
    cells = said | clause.of(Question, DayWord, Clock) | clause.times | clause.neutral | clause.at(*_BESIDE)
    cells |= {place for n in clause.numbers for place in n.cells} | clause.at(
        Topic.UPCOMING, Role.TIMER, SafetyState.ALARMED
    )
    request = Request(Act.QUERY, Scope(tuple((i,) for i in ids), every=True), asked=Asked.VALUE)
    yield frame(clause, ActKind.CLOCK, request, cells)
