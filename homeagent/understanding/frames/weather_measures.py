"""What the weather is asked for by what is measured of it: the wind, the humidity, the pressure of the air."""

from __future__ import annotations

from homeagent.domains.weather import SKIES
from homeagent.languages.concepts import Amount, Attribute, Dimension, Level, Question, Role, Sky, Topic, Unit
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.inside_and_outside import outside_of
from homeagent.understanding.frames.outdoors import outdoors_said
from homeagent.understanding.frames.question_form import CLOSED, form_of
from homeagent.understanding.noun_phrases import target_of
from homeagent.understanding.request import Act, Asked, Details, Request, Scope, WeatherMeasure
from indexer.selector import Selector

_WEATHER = "weather"
_SMALL = (Role.PLACE, Role.COURTESY, Role.FILLER, Role.COPULA, Role.STATEMENT, Role.PRONOUN)


def measured(clause: Clause, measure: WeatherMeasure, cells: set[int]) -> Frame:
    """A frame for a measure of the weather service, or for the humidity of an outdoor sensor where there is one.
    ``cells``: the indexes already known to be about the weather.
    """
    wind = measure is WeatherMeasure.WIND
    cells = (
        cells | outdoors_said(clause) | clause.of(Question, Sky) | clause.at(*_SMALL, Topic.WEATHER) | clause.neutral
    )
    if wind:
        cells |= clause.of(Amount) | _of_wind(clause)
    else:
        cells |= clause.at(Attribute(measure.value), Dimension.HUMIDITY, Level(100), Unit.PERCENT)
    form = form_of(clause)
    closed = wind and form in CLOSED
    sensor = "" if wind else outside_of(clause, measure.value)
    served = not sensor or sensor.startswith(f"{_WEATHER}.")
    request = Request(
        Act.QUERY,
        Scope(selector=Selector(domains=(_WEATHER,))) if served else Scope(((sensor,),)),
        asked=Asked.YESNO if closed else Asked.VALUE,
        states=SKIES[Sky.WIND.value] if closed else (),
        attribute="weather" if served else "",
        details=Details(measure=measure if served else None),
    )
    target = target_of(clause, cells)
    of_things = any(p.entity_ids or p.kinds for p in target.phrases)
    weak = {Feature.WEAK_QUESTION: 1.0} if not (clause.of(Question) or clause.asks) else {}
    return frame(clause, ActKind.WEATHER, request, cells, None if of_things else target, extra=weak)


def _of_wind(clause: Clause) -> set[int]:
    """The indexes of the words that say that it blows, and how hard."""
    said = clause.names.pack.of_wind
    return {i for i, c in enumerate(clause.cells) if any(t.text in said for t in clause.tokens[c.first : c.end])}
