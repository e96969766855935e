"""Questions that a thing of its own answers: the clock, the weather, what is planned."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from homeagent.brains.local.meaning.outlook import SKIES
from homeagent.brains.local.meaning.request import Act, Asked, Period, Request, Scope
from homeagent.languages.concepts import (
    Attribute,
    Clock,
    Complaint,
    DayWord,
    Question,
    Sky,
    Topic,
)
from homeagent.understanding.clauses import Clause
from homeagent.understanding.features import frame
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.phrases import target_of
from homeagent.understanding.spans import Named, OfKind
from indexer.selector import Selector
from indexer.words import normalise

_WEATHER, _CALENDAR = "weather", "calendar"
_AHEAD = {DayWord.TODAY: 0, DayWord.TOMORROW: 1, DayWord.AFTER_TOMORROW: 2}
_WEEKDAYS = (
    *(DayWord.MONDAY, DayWord.TUESDAY, DayWord.WEDNESDAY, DayWord.THURSDAY),
    *(DayWord.FRIDAY, DayWord.SATURDAY, DayWord.SUNDAY),
)
_WEEK = 7


def clock(clause: Clause) -> Iterator[Frame]:
    """What time it is, which day."""
    for place, asked in clause.said(Clock):
        cell = clause.cells[place]
        weak = cell.end - cell.first == 1 and not clause.of(Question)
        cells = {place} | clause.of(Question, DayWord)
        request = Request(Act.TIME if asked is Clock.TIME else Act.DATE)
        yield frame(clause, ActKind.CLOCK, request, cells, extra={Feature.WEAK_QUESTION: 1.0} if weak else {})


def weather(clause: Clause, today: date) -> Iterator[Frame]:
    """How the weather is, or will be on a day."""
    skies = list(clause.said(Sky))
    warmth = clause.at(Complaint.COLD, Complaint.HOT, Attribute.TEMPERATURE)
    topic = clause.at(Topic.WEATHER)
    if not (topic or skies or (warmth and clause.of(DayWord))):
        return
    if clause.at(Question.WHEN) and any(sky is Sky.SUN for _, sky in skies):
        return  # when it rises or sets is no weather
    period = day_said(clause, today)
    if clause.at(Attribute.TEMPERATURE) and topic and period is None and (measured := _outdoors(clause)):
        cells = topic | clause.of(Question) | clause.at(Attribute.TEMPERATURE)
        request = Request(Act.QUERY, Scope((measured,)), asked=Asked.VALUE)
        yield frame(clause, ActKind.WEATHER, request, cells, target_of(clause, cells))
        return
    states = tuple(dict.fromkeys(raw for _, sky in skies for raw in SKIES[sky.value]))
    named = {i for i, n in clause.said(Named) if all(e.startswith(f"{_WEATHER}.") for e in n.entity_ids)}
    cells = topic | clause.of(Sky, Question, DayWord) | warmth | named | clause.times
    words = {"when": _day_as_said(clause)}
    if any(sky is Sky.RAIN for _, sky in skies):
        words["chance"] = Sky.RAIN.value
    request = Request(
        Act.QUERY,
        Scope(selector=Selector(domains=(_WEATHER,))),
        asked=Asked.YESNO if states else Asked.VALUE,
        states=states,
        attribute="forecast" if period is not None else "weather",
        period=period,
        words=words,
    )
    weak = not (clause.of(Question) or clause.asks or topic)
    extra = {Feature.WEAK_QUESTION: 1.0} if weak else {}
    yield frame(clause, ActKind.WEATHER, request, cells, target_of(clause, cells), extra=extra)


def _outdoors(clause: Clause) -> tuple[str, ...]:
    """The sensors that are called what the weather is spoken of with: "outside temperature"."""
    names = clause.names
    return tuple(
        e.entity_id
        for e in names.of_domain("sensor")
        if e.device_class == "temperature"
        and any(Topic.WEATHER in names.pack.phrases.get(normalise(n), ()) for n in e.names)
    )


def calendar(clause: Clause, today: date) -> Iterator[Frame]:
    """What is planned, on a day or next."""
    said = clause.at(Topic.CALENDAR)
    said |= {i for i, n in clause.said(Named) if any(e.startswith(f"{_CALENDAR}.") for e in n.entity_ids)}
    said |= {i for i, k in clause.said(OfKind) if any(_CALENDAR in c.domains for c in k.concepts)}
    if not said:
        return
    cells = said | clause.of(Question, DayWord) | clause.at(Topic.UPCOMING) | clause.times
    first = bool(clause.at(Topic.UPCOMING) or clause.at(Question.WHEN))
    request = Request(
        Act.QUERY,
        Scope(selector=Selector(domains=(_CALENDAR,))),
        asked=Asked.WHEN if first else Asked.VALUE,
        attribute="events",
        period=day_said(clause, today),
        words={"when": _day_as_said(clause)},
    )
    weak = not (clause.of(Question) or clause.asks)
    yield frame(clause, ActKind.CALENDAR, request, cells, extra={Feature.WEAK_QUESTION: 1.0} if weak else {})


def day_said(clause: Clause, today: date) -> Period | None:
    """The days that a clause says; None where it says none. Days to come are negative."""
    word = next((d for _, d in clause.said(DayWord)), None)
    if word is None:
        return None
    if word is DayWord.WEEK:
        return Period(days_ago=0, days=_WEEK)
    if word is DayWord.WEEKEND:
        return Period(days_ago=-_until(DayWord.SATURDAY, today), days=2)
    ahead = _AHEAD.get(word)
    return Period(days_ago=-(_until(word, today) if ahead is None else ahead))


def _until(weekday: DayWord, today: date) -> int:
    return (_WEEKDAYS.index(weekday) - today.weekday()) % _WEEK


def _day_as_said(clause: Clause) -> str:
    return next((clause.text(i) for i in sorted(clause.of(DayWord))), "")
