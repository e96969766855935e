"""Questions that a thing of its own answers: the clock, the sun, what wakes one."""

from __future__ import annotations

from collections.abc import Iterator

from homeagent.brains.local.meaning.request import Act, Asked, Request, Scope
from homeagent.languages.concepts import Clock, DayWord, Purpose, Question, Role, StateWord, Topic, Verb
from homeagent.understanding.clauses import Clause
from homeagent.understanding.features import frame
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frames.media import serving

_SUN = "sun"
_NEXT = {Topic.SUNRISE: "next_rising", Topic.SUNSET: "next_setting"}
_UNKNOWN_SUN = "no_sun"
_BESIDE = (Role.STATEMENT, Role.EVERY, Role.HERE, Role.CONDITION, Role.AT)


def clock(clause: Clause) -> Iterator[Frame]:
    """What time it is, which day."""
    for place, asked in clause.said(Clock):
        cell = clause.cells[place]
        weak = cell.end - cell.first == 1 and not clause.of(Question)
        cells = {place} | clause.of(Question) | clause.at(DayWord.TODAY)
        request = Request(Act.TIME if asked is Clock.TIME else Act.DATE)
        yield frame(clause, ActKind.CLOCK, request, cells, extra={Feature.WEAK_QUESTION: 1.0} if weak else {})


def sun(clause: Clause) -> Iterator[Frame]:
    """When the sun rises or sets next; of another day that is not known."""
    asks = clause.of(Clock) or clause.at(Question.WHEN, Question.VALUE) or clause.asks
    said = [(i, topic) for i, topic in clause.said(Topic) if topic in _NEXT]
    if not said or not asks or clause.of(Verb):
        return
    entity = next((e for e in clause.names.entities if e.domain == _SUN), None)
    other_day = clause.of(DayWord) - clause.at(DayWord.TODAY)
    if entity is None or other_day:
        request = Request(Act.SAY, say=_UNKNOWN_SUN)
    else:
        request = Request(Act.QUERY, Scope(((entity.entity_id,),)), asked=Asked.VALUE, attribute=_NEXT[said[0][1]])
    cells = {i for i, _ in said} | clause.of(Clock, Question, DayWord) | clause.at(Role.TIME, Role.STATEMENT)
    yield frame(clause, ActKind.CLOCK, request, cells)


def waking(clause: Clause) -> Iterator[Frame]:
    """When one is woken, where something of the home tells that."""
    said = clause.at(Purpose.WAKING)
    asks = {i for i in clause.of(Question) if not clause.cells[i].says(Role.COURTESY)}
    verbs = clause.of(Verb) - clause.neutral - asks
    leads = clause.cells[: min(asks, default=0)]
    opens = bool(asks) and all(c.says(Role.COURTESY, Role.FILLER, Role.JOIN) for c in leads)
    if not said or not opens or verbs or clause.of(StateWord) - said:
        return
    ids = tuple(e.entity_id for e in serving(Purpose.WAKING, clause))
    if not ids:
        return
    cells = said | clause.of(Question, DayWord, Clock) | clause.times | clause.neutral | clause.at(*_BESIDE)
    cells |= {place for n in clause.numbers for place in n.cells} | clause.at(Topic.UPCOMING, Role.TIMER)
    request = Request(Act.QUERY, Scope(tuple((i,) for i in ids), every=True), asked=Asked.VALUE)
    yield frame(clause, ActKind.CLOCK, request, cells)
