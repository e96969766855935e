"""The settings that a clause says: brightness, colour, temperature, position, volume, modes, and steps of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from homeagent.brains.language.reading import Number, Reading

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
_SIGNS = {"-": "down", "−": "down", "–": "down", "+": "up"}

REMEDIES: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "dark": ("turn_on", {}),
    "bright": ("turn_on", {"brightness_step_pct": -_STEP_PERCENT}),
    "cold": ("set_value", {"temperature_step": _STEP_DEGREES}),
    "hot": ("set_value", {"temperature_step": -_STEP_DEGREES}),
    "loud": ("set_value", {"volume_step_pct": -_STEP_PERCENT}),
    "quiet": ("set_value", {"volume_step_pct": _STEP_PERCENT}),
}
"""What helps against what people complain of."""


def says_setting(reading: Reading) -> bool:
    """Whether the clause says something that a device can be set to."""
    return bool(reading.numbers or reading.of("adjust", "levels", "whites", "colors", "modes", "sources", "blowing"))


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
