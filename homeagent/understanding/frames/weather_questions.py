"""The weather, now or on a day."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from datetime import date

from homeagent.domains.weather import SKIES
from homeagent.languages.concepts import (
    Attribute,
    Clock,
    Complaint,
    DayWord,
    Dimension,
    Extreme,
    Heading,
    Level,
    Particle,
    Question,
    Reference,
    Role,
    Sky,
    Topic,
    Unit,
    Verb,
    Way,
)
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.days_said import (
    PAST_DAYS,
    SMALL,
    WEEKDAYS,
    asks_only_for_a_day,
    day_as_said,
    day_said,
    day_spoken_of,
)
from homeagent.understanding.frames.outdoors import contrasts, is_of_a_fan, measure_said
from homeagent.understanding.frames.outside import sensor_outside
from homeagent.understanding.frames.question_form import form_of, is_of_the_speaker, subjects
from homeagent.understanding.frames.weather_measures import measured
from homeagent.understanding.noun_phrases import Target, target_of
from homeagent.understanding.past_times import is_past
from homeagent.understanding.request import Act, Asked, Details, Period, Request, Scope
from homeagent.understanding.spans import InArea, Named, OnFloor
from indexer.selector import Selector

_LOOKED_AHEAD = 7
"""So many days a forecast is looked through for when it will be so."""
_WEATHER = "weather"
_ENDS = (0, 100)
"""Levels in percent that are the end of a scale: "the maximum"."""


def weather(clause: Clause, today: date) -> Iterator[Frame]:
    """A frame for the weather now or on a day; a question about warmth is one where it names a day or the open air, and
    no area.
    """
    skies = list(clause.said(Sky))
    outdoors = clause.at(Topic.OUTDOORS) if clause.names.of_domain(_WEATHER) else set()
    warmth = clause.at(Complaint.COLD, Complaint.HOT, Attribute.TEMPERATURE)
    peak = _peak(clause)
    topic = clause.at(Topic.WEATHER) | _how_it_will_be(clause) | peak.keys()
    if contrasts(clause) or is_of_a_fan(clause):
        return
    if clause.last is not None and clause.last.orders and not (clause.asks or clause.of(Question)):
        topic -= clause.at(Reference.AGAIN)  # one word for both, in Dutch
    days, times = clause.days, clause.times
    measure = measure_said(clause)
    if not (topic or skies or measure or (warmth and (days or outdoors))) or clause.at(*PAST_DAYS):
        return
    goes_on = clause.last is not None and not (clause.of(Question, Sky) | days) and topic <= clause.at(Topic.OUTDOORS)
    period = day_said(clause, today) or day_spoken_of(clause)
    if period is not None and not days:
        days = clause.at(Reference.THEN, Reference.THERE)
    if period is None and times:
        period = Period(days_ago=0)
    if measure and (period is None or (days <= clause.at(DayWord.TODAY) and form_of(clause) is Asked.VALUE)):
        yield measured(clause, measure, topic | outdoors | days | times)
        return
    warm = clause.at(Attribute.TEMPERATURE) or not (skies or clause.names.of_domain(_WEATHER) or _says_more(clause))
    if warm and topic and period is None and (sensors := _outdoors(clause)):
        cells = topic | clause.of(Question) | clause.at(Attribute.TEMPERATURE)
        request = Request(Act.QUERY, Scope((sensors,)), asked=Asked.VALUE)
        yield frame(clause, ActKind.WEATHER, request, cells, _place(clause, cells))
        return
    states = tuple(dict.fromkeys(raw for _, sky in skies for raw in SKIES[sky.value]))
    named = {i for i, n in clause.said(Named) if all(e.startswith(f"{_WEATHER}.") for e in n.entity_ids)}
    asked = clause.of(Question) - (clause.at(Topic.CALENDAR) - topic)
    cells = topic | outdoors | warmth | named | days | times | clause.of(Sky) | asked
    cells |= clause.at(Verb.HEAR, Role.STATEMENT, *SMALL)
    until = clause.at(Verb.STOP, Verb.START) if skies and clause.at(Question.WHEN) else set()
    cells |= until | (clause.at(Role.TO, Role.PRONOUN) if until else set())
    states = () if until else states  # "when does it stop raining": no yes and no no
    if not clause.of(Particle) - topic - outdoors:
        cells |= clause.neutral  # "zet hem weer uit" is an order
    rain = any(sky is Sky.RAIN for _, sky in skies)
    last, sky = len(clause.cells) - 1, min((i for i, _ in skies), default=0)
    # behind the sky it leads a condition: "is it raining when I leave"
    when = any(i < sky or i == last or not clause.cells[i].says(Role.CONDITION) for i in clause.at(Question.WHEN))
    comes = bool(states and when and period is None)
    which = {*peak.values()} if period is None or period.days > 1 else set()
    cells |= peak.keys() | clause.at(Clock.DATE, Unit.DAY) if peak else set()
    period = Period(days=_LOOKED_AHEAD) if comes or (peak and period is None) else period
    request = Request(
        Act.QUERY,
        Scope(selector=Selector(domains=(_WEATHER,))),
        asked=Asked.WHEN if comes else which.pop() if which else Asked.YESNO if states else Asked.VALUE,
        states=states,
        attribute="forecast" if period is not None else "weather",
        period=period,
        details=Details(when=day_as_said(clause), rain=rain),
    )
    weak = not (clause.of(Question) or clause.asks or topic)
    extra = {Feature.WEAK_QUESTION: 1.0} if weak or goes_on else {}
    yield frame(clause, ActKind.WEATHER, request, cells, _place(clause, cells), extra=extra)


def _peak(clause: Clause) -> dict[int, Asked]:
    """The words for the warmest or the coldest of the days to come, by their indexes; empty where it asks for none, or
    where a thing or a place is named."""
    asks_day = clause.at(Clock.DATE) | (clause.at(Unit.DAY) if clause.at(Question.WHICH, Question.VALUE) else set())
    ahead = clause.of(DayWord) - clause.at(DayWord.TODAY)
    if clause.at(*PAST_DAYS) or len(clause.at(*WEEKDAYS)) > 1:
        return {}  # of the days to come, and of all of them
    asks = clause.asks or clause.of(Question) or asks_day
    if not (asks_day or ahead) or not asks or clause.of(Named, InArea, OnFloor) or not clause.names.of_domain(_WEATHER):
        return {}
    ways = {i: e.way for i, e in clause.said(Extreme) if e.attribute in (None, Attribute.TEMPERATURE)}
    ways |= {i: Way.UP if level.percent else Way.DOWN for i, level in clause.said(Level) if level.percent in _ENDS}
    if asks_day:
        ways |= {i: h.way for i, h in clause.said(Heading) if h.dimension is Dimension.TEMPERATURE}
    if ways and is_past(clause.tokens, clause.names.pack.language):
        return {}
    return {i: Asked.HIGHEST if way is Way.UP else Asked.LOWEST for i, way in ways.items()}


def _how_it_will_be(clause: Clause) -> set[int]:
    """The indexes of all words where it is only asked how "it" will be on a day: that is the weather."""
    ahead = clause.of(DayWord) - clause.at(DayWord.TODAY)
    if not ahead or not asks_only_for_a_day(clause) or is_of_the_speaker(clause):
        return set()
    return set(range(len(clause.cells))) if any(Role.PRONOUN in said for said in subjects(clause)) else set()


def _says_more(clause: Clause) -> bool:
    """Whether it speaks of anything but the weather."""
    small = (*SMALL, Role.STATEMENT, Role.JOIN)
    return not all(c.says(Topic.WEATHER, *small) or c.has(Question, Attribute) for c in clause.cells)


def _place(clause: Clause, cells: AbstractSet[int]) -> Target | None:
    """The target of a question about the weather; None where it names a thing, which the weather leaves unexplained."""
    target = target_of(clause, cells)
    of_things = target is not None and any(p.entity_ids or p.kinds for p in target.phrases)
    return None if of_things else target


def _outdoors(clause: Clause) -> tuple[str, ...]:
    """The sensor of the air outside that is called so; in a home that knows no weather else one in a room outside."""
    found = sensor_outside(clause, Attribute.TEMPERATURE.value, by_name=bool(clause.names.of_domain(_WEATHER)))
    return (found.entity_id,) if found is not None else ()
