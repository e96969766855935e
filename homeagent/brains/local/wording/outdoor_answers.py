"""What is said of the wind, the humidity and the pressure outside, and of how inside and outside differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from homeagent.brains.language.responses import Phrases
from homeagent.brains.local.wording.entity_names import unique_names
from homeagent.brains.local.wording.spoken_values import as_number, with_unit
from homeagent.ha.home import UNAVAILABLE, UNKNOWN, Home
from homeagent.languages.concepts import Attribute, Way
from homeagent.understanding.request import Asked, Request, WeatherMeasure

_WINDY = 30.0
"""Kilometres an hour from which on it is windy: leaves and small branches move all the time."""
_KILOMETRES = {"km/h": 1.0, "m/s": 3.6, "mph": 1.609, "kn": 1.852, "ft/s": 1.097}
"""How many kilometres an hour one of a unit of speed is."""
_TOLD = {
    WeatherMeasure.WIND: "wind_speed",
    WeatherMeasure.HUMIDITY: "humidity",
    WeatherMeasure.PRESSURE: "pressure",
}
_READ = ("current_temperature", "temperature", "current_humidity", "humidity")
_GONE = (UNAVAILABLE, UNKNOWN)

Line = Mapping[str, Any]


def measured(request: Request, measure: WeatherMeasure, line: Line, home: Home, phrases: Phrases) -> str:
    """The wind, the humidity or the pressure that the weather service tells; of the wind whether it is windy."""
    if line.get("state") in _GONE:
        return phrases.say("unavailable", names=line["name"])
    attributes = line.get("attributes") or {}
    number = as_number(attributes.get(_TOLD[measure]))
    if number is None:
        windy = request.asked is Asked.YESNO and line.get("state") in request.states
        return phrases.say("yes") if windy else phrases.say("weather_not_told", name=line["name"])
    state = home.state(str(line["entity_id"]))
    known = state.attributes if state is not None else {}
    unit = "%" if measure is WeatherMeasure.HUMIDITY else str(known.get(f"{_TOLD[measure]}_unit") or "")
    told = phrases.say(f"weather_{measure.value}", value=with_unit(number, unit, phrases))
    if request.asked is not Asked.YESNO or unit not in _KILOMETRES:
        return told
    windy = number * _KILOMETRES[unit] >= _WINDY or line.get("state") in request.states
    return f"{phrases.say('yes' if windy else 'no')} {told}"


def contrasted(request: Request, lines: Sequence[Line], home: Home, phrases: Phrases) -> str:
    """The value outside and the mean of those inside, and their difference, or whether it is as the question says."""
    asked = request.details.contrast
    assert asked is not None
    numbers = [(n, line) for line in lines if (n := _number(line, asked.of.value)) is not None]
    out = next(((n, line) for n, line in numbers if line["entity_id"] == asked.outside), None)
    inside = [(n, line) for n, line in numbers if line["entity_id"] != asked.outside]
    if out is None or not inside:
        gone = [str(line["entity_id"]) for line in lines if not any(line is known for _, known in numbers)]
        return phrases.say("unavailable", names=phrases.names(unique_names(gone, home)))
    mean = sum(n for n, _ in inside) / len(inside)
    unit = "%" if asked.of is Attribute.HUMIDITY else home.config.temperature_unit
    name = unique_names([str(inside[0][1]["entity_id"])], home)[0] if len(inside) == 1 else phrases.say("inside")
    told = [(out[0], phrases.say("outside")), (mean, name)]
    first, second = reversed(told) if asked.inside_first else told
    apart = round(first[0] - second[0], 1)
    values = [with_unit(round(n, 1), unit, phrases) for n, _ in (first, second)]
    key = "same" if not apart else "higher" if apart > 0 else "lower"
    said = phrases.say(key, name=first[1], value=values[0], other=second[1], less=values[1])
    said = said[:1].upper() + said[1:]
    if asked.how_far or asked.way is None:
        return f"{said} {phrases.say('apart', value=with_unit(abs(apart), unit, phrases))}"
    so = apart > 0 if asked.way is Way.UP else apart < 0
    return f"{phrases.say('yes' if so else 'no')} {said}"


def _number(line: Line, of: str) -> float | None:
    """What is measured: the state of a sensor, an attribute of what else tells it."""
    attributes = line.get("attributes") or {}
    told = (attributes[a] for a in _READ if of in a and attributes.get(a) is not None)
    return as_number(line.get("state")) if as_number(line.get("state")) is not None else as_number(next(told, None))
