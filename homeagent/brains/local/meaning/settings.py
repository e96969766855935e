"""The settings that a clause says: brightness, colour, temperature, position, volume, modes, and steps of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from homeagent.brains.language.reading import Number, Reading
from indexer.mentions import MentionKind

_LIGHT = frozenset({"brightness_pct", "brightness_step_pct", "color", "color_temp_kelvin"})
_STEP_PERCENT = 10
_STEP_DEGREES = 1
_LARGE = 2

_STEPS: Mapping[str, tuple[str, int, int]] = {
    "brightness_up": ("brightness_step_pct", 1, _STEP_PERCENT),
    "brightness_down": ("brightness_step_pct", -1, _STEP_PERCENT),
    "temperature_up": ("temperature_step", 1, _STEP_DEGREES),
    "temperature_down": ("temperature_step", -1, _STEP_DEGREES),
    "volume_up": ("volume_step_pct", 1, _STEP_PERCENT),
    "volume_down": ("volume_step_pct", -1, _STEP_PERCENT),
    "speed_up": ("percentage_step", 1, _STEP_PERCENT),
    "speed_down": ("percentage_step", -1, _STEP_PERCENT),
    "position_up": ("position_step", 1, _STEP_PERCENT),
    "position_down": ("position_step", -1, _STEP_PERCENT),
    "value_up": ("value_step", 1, 1),
    "value_down": ("value_step", -1, 1),
}
_BY_DOMAIN = {
    "light": "brightness",
    "climate": "temperature",
    "water_heater": "temperature",
    "media_player": "volume",
    "fan": "speed",
    "cover": "position",
    "valve": "position",
    "humidifier": "humidity",
    "number": "value",
    "input_number": "value",
}
_BY_ATTRIBUTE = {
    "brightness": "brightness",
    "temperature": "temperature",
    "target_temperature": "temperature",
    "volume": "volume",
    "fan_speed": "speed",
    "position": "position",
    "tilt": "tilt",
    "humidity": "humidity",
}
_ABSOLUTE = {
    "brightness": ("brightness_pct", 1.0),
    "temperature": ("temperature", 1.0),
    "volume": ("volume_level", 0.01),
    "speed": ("percentage", 1.0),
    "position": ("position", 1.0),
    "tilt": ("tilt_position", 1.0),
    "humidity": ("humidity", 1.0),
    "value": ("value", 1.0),
}

_ALL = 100.0
_LEVELLED = frozenset({"brightness", "volume", "speed", "position"})
"""What is set in parts of a whole."""
_LEAST = {"brightness": 1.0, "volume": 0.0, "humidity": 0.0}
"""Where "all the way down" ends; a light that is dimmed stays on."""
_MOVES = {"open": "up", "close": "down"}
"""Which way what opens and closes goes."""
_BLOWING: Mapping[str, Mapping[str, Any]] = {
    "oscillate": {"oscillating": True},
    "still": {"oscillating": False},
    "reverse": {"direction": "reverse"},
    "forward": {"direction": "forward"},
}
"""How a fan blows, besides how fast."""
_SIGNS = {"-": "down", "−": "down", "–": "down", "+": "up"}
_SPEEDS = {"low": 33, "medium": 66, "high": 100}

REMEDIES: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "dark": ("turn_on", {}),
    "bright": ("turn_on", {"brightness_step_pct": -_STEP_PERCENT}),
    "cold": ("set_value", {"temperature_step": _STEP_DEGREES}),
    "hot": ("set_value", {"temperature_step": -_STEP_DEGREES}),
    "loud": ("set_value", {"volume_step_pct": -_STEP_PERCENT}),
    "quiet": ("set_value", {"volume_step_pct": _STEP_PERCENT}),
}
"""What helps against what people complain of."""


def is_light(parameters: Mapping[str, Any]) -> bool:
    return bool(_LIGHT & parameters.keys())


def says_setting(reading: Reading) -> bool:
    """Whether the clause says something that a device can be set to."""
    return bool(reading.numbers or reading.of("adjust", "levels", "whites", "colors", "modes", "sources", "blowing"))


def settings_of(reading: Reading, domains: Sequence[str] = ()) -> dict[str, Any]:
    """Parameters of ``ha_control`` that the clause says of things of these domains; empty where it says none."""
    spoken = tuple(domains) or _spoken_domains(reading)
    if "fan" in spoken and (way := reading.first("blowing")):
        return dict(_BLOWING[way])
    if "climate" in spoken and (bounds := _range(reading)):
        return bounds
    parameters: dict[str, Any] = {**_color(reading, spoken), **_mode(reading, spoken)}
    dimension = _dimension(reading, spoken, bool(parameters))
    if dimension:
        parameters.update(_amount(reading, dimension))
    return parameters


def _range(reading: Reading) -> dict[str, Any]:
    """ "Between 19 and 23 degrees"."""
    said = sorted(n.value for n in reading.numbers if n.unit in ("", "degree"))
    if len(said) != 2 or not reading.has("ranges"):
        return {}
    return {"target_temp_low": _tidy(said[0]), "target_temp_high": _tidy(said[1])}


def dimension_of(parameters: Mapping[str, Any], domain: str) -> str | None:
    """What these parameters set; where there are none, what is set of things of this domain."""
    for dimension, (name, _) in _ABSOLUTE.items():
        if name in parameters:
            return dimension
    for key, (name, _, _) in _STEPS.items():
        if name in parameters:
            return key.rpartition("_")[0]
    return None if parameters else _BY_DOMAIN.get(domain)


def change_of(reading: Reading, dimension: str, loosely: str = "", *, bare: bool = False) -> dict[str, Any]:
    """The parameters of a mere "10 more", "a bit less" or "40 percent"; empty where it does not fit the dimension.

    ``loosely``: the direction of a word that is said of more than its own dimension. ``bare``: a number needs neither
    unit nor "to".
    """
    unit = "degree" if dimension == "temperature" else "percent"
    if any(n.unit not in ("", unit) for n in reading.numbers):
        return {}
    number, level = _number(reading, dimension), _level(reading)
    if level is not None:
        fits = dimension in _LEVELLED and number is None and not (dimension == "position" and level == _ALL)
        return _set_to(dimension, _reached(reading, dimension, level) or 0) if fits else {}
    said = next((s.concept for s in reading.of("more", "adjust")), "")
    own = said.removeprefix(f"{dimension}_")
    direction = _signed(reading, number) or (loosely if "_" in own and loosely else own)
    if direction not in ("up", "down"):
        absolute = number is not None and not direction and bool(bare or number.unit or number.led_by == "to")
        return _set_to(dimension, number.value) if number is not None and absolute else {}
    return _stepped(reading, f"{dimension}_{direction}", number)


def _stepped(reading: Reading, adjustment: str, number: Number | None) -> dict[str, Any]:
    """A step by so much, or by as much as is usual; empty where there is no such step."""
    if adjustment not in _STEPS:
        return {}
    name, sign, usual = _STEPS[adjustment]
    step = number.value if number is not None else usual * (_LARGE if reading.has("amounts", "large") else 1)
    return {name: _tidy(sign * step)}


def _set_to(dimension: str, value: float) -> dict[str, Any]:
    name, scale = _ABSOLUTE[dimension]
    return {name: _tidy(round(value * scale, 4))}


def _signed(reading: Reading, number: Number | None) -> str:
    """The direction that a sign before the number says: "-10"."""
    start = reading.words[number.positions[0]].start if number is not None else 0
    return _SIGNS.get(reading.text[start - 1 : start], "") if start else ""


def _dimension(reading: Reading, spoken: Sequence[str], colored: bool) -> str | None:
    """What the number or the "more" is of: as said, else as the thing is set that is spoken of."""
    for spot in reading.of("adjust"):
        if "_" in spot.concept and not (spoken and _misfit(spot.concept, spoken)):
            return spot.concept.rpartition("_")[0]
    if any(n.unit == "degree" for n in reading.numbers):
        return "temperature"
    percent = any(n.unit == "percent" for n in reading.numbers)
    for spot in reading.of("attributes"):
        if percent and _BY_ATTRIBUTE.get(spot.concept) == "temperature":
            continue  # "a warm 30 percent"
        if dimension := _BY_ATTRIBUTE.get(spot.concept):
            return dimension
    found = next((_BY_DOMAIN[d] for d in spoken if d in _BY_DOMAIN), None)
    if found is None and colored:
        return "brightness"
    return found


def _misfit(adjustment: str, spoken: Sequence[str]) -> bool:
    """Whether an adjustment is not one of these things: "softer" of a lamp is no volume."""
    dimension = adjustment.rpartition("_")[0]
    own = [_BY_DOMAIN[d] for d in spoken if d in _BY_DOMAIN]
    return bool(own) and dimension not in own and dimension == "volume"


def _spoken_domains(reading: Reading) -> tuple[str, ...]:
    kinds = [v for m in reading.of_kind(MentionKind.DOMAIN) for v in m.values]
    named = [v.partition(".")[0] for m in reading.of_kind(MentionKind.NAME) for v in m.values]
    return tuple(dict.fromkeys((*named, *kinds)))


def _amount(reading: Reading, dimension: str) -> dict[str, Any]:
    number = _number(reading, dimension)
    adjust = next((s.concept for s in reading.of("adjust")), None)
    direction = adjust.rpartition("_")[2] if adjust else None
    level = _level(reading) if number is None else None
    relative = direction is not None and level is None and (number is None or number.led_by != "to")
    if relative and number is not None and number.led_by != "by" and dimension in ("brightness", "position"):
        relative = False  # "dim the lamp 30 percent" says where to, "turn the volume down 20" says how far
    if relative:
        return _stepped(reading, f"{dimension}_{direction}", number)
    value = number.value if number is not None else _reached(reading, dimension, level)
    return _set_to(dimension, value) if value is not None else {}


def direction_of(reading: Reading) -> str:
    """ "up" or "down", as the clause says which way something is to go; empty where it does not."""
    adjust = next((s.concept.rpartition("_")[2] for s in reading.of("adjust")), "")
    moved = next((_MOVES[s.concept] for s in reading.ordered("actions") if s.concept in _MOVES), "")
    return moved or adjust


def _reached(reading: Reading, dimension: str, level: float | None) -> float | None:
    """How far "all the way" goes: down it ends at the least, and what is closed by a quarter is open by three."""
    if level is None or direction_of(reading) != "down":
        return level
    if dimension == "position":
        return level if reading.has("to") else _ALL - level
    return _LEAST.get(dimension, level) if level == _ALL else level


def _number(reading: Reading, dimension: str) -> Number | None:
    unit = "degree" if dimension == "temperature" else "percent"
    numbers = [n for n in reading.numbers if n.unit in ("", unit)]
    return next((n for n in numbers if n.unit == unit), numbers[0] if numbers else None)


def _level(reading: Reading) -> float | None:
    level = reading.first("levels")
    return float(level) if level is not None else None


def _tidy(value: float) -> float | int:
    return int(value) if float(value).is_integer() else value


def _color(reading: Reading, spoken: Sequence[str]) -> dict[str, Any]:
    for number in reading.numbers:
        if number.unit == "kelvin":
            return {"color_temp_kelvin": int(number.value)}
    if spoken and "light" not in spoken:
        return {}
    if white := reading.first("whites"):
        return {"color_temp_kelvin": int(white)}
    if color := reading.first("colors"):
        return {"color": color}
    return {}


def _mode(reading: Reading, spoken: Sequence[str]) -> dict[str, Any]:
    mode = reading.first("modes")
    if mode is None or mode == "off":
        return {}
    if mode in _SPEEDS and "fan" in spoken:
        return {"percentage": _SPEEDS[mode]}
    if "climate" not in spoken:
        return {}
    if mode in ("eco", "away", "comfort", "sleep", "boost", "home"):
        return {"preset_mode": mode}
    if mode in _SPEEDS or reading.has("attributes", "fan_mode"):
        return {"fan_mode": mode}
    return {"hvac_mode": mode}
