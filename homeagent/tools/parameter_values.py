"""A parameter's value as it was given, checked against what the entity supports and turned into what is sent."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from homeagent.domains import Kind, Param
from homeagent.errors import InvalidParameters, UnsupportedAction
from homeagent.ha.home import State
from homeagent.values.colors import parse_color
from homeagent.values.name_matching import listed, plain
from homeagent.values.timespan import parse_duration

_YES = frozenset({"true", "on", "yes", "1"})
_NO = frozenset({"false", "off", "no", "0"})


def checked(param: Param, value: object, state: State, zone: ZoneInfo) -> Any:
    """The value in its own unit, within its limits. Raises InvalidParameters, naming the limits or the options."""
    if param.kind in (Kind.NUMBER, Kind.INTEGER):
        return _within(param, number(param.name, value), state)
    if param.kind is Kind.OPTION:
        return _option(param, value, state)
    if param.kind is Kind.TEXT:
        return _text(param, value, state)
    if param.kind is Kind.TEXTS:
        return _texts(param, value)
    if param.kind is Kind.MAPPING:
        if not isinstance(value, Mapping):
            raise InvalidParameters(f"{param.name} must be an object.")
        return dict(value)
    if param.kind is Kind.RGB:
        return rgb(param.name, value)
    if param.kind is Kind.FLAG:
        return _flag(param.name, value)
    return _moment(param, value, zone)


def sent(param: Param, value: object) -> Any:
    """A checked value as Home Assistant takes it."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    scaled = value * param.sent_scale
    if param.kind is Kind.INTEGER:
        return round(scaled)
    rounded = round(scaled, 4)
    return int(rounded) if rounded == int(rounded) else rounded


def stepped(param: Param, step: object, state: State) -> float:
    """Where a step leads from here, kept within the limits, in the parameter's unit.

    Raises UnsupportedAction where the entity does not tell where it is, InvalidParameters where it is at the end.
    """
    by = number(param.name, step)
    held = state.state if param.reads == "state" else state.attributes.get(param.reads)
    if held is None:
        held = param.base
    try:
        now = float(held) / param.shown_scale  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise UnsupportedAction(
            f"{state.entity_id} does not tell its {param.reads}, so it cannot be changed by a step.",
            hint="Give the value itself.",
        ) from None
    low, high = limits(param, state)
    target = min(max(now + by, -math.inf if low is None else low), math.inf if high is None else high)
    if math.isclose(target, now, abs_tol=1e-6) and by:
        end = high if by > 0 else low
        raise InvalidParameters(f"{state.entity_id} is already at its {'highest' if by > 0 else 'lowest'}, {end:g}.")
    return target


def limits(param: Param, state: State) -> tuple[float | None, float | None]:
    """Lowest and highest value for this entity; None: no limit."""
    return _limit(param.low, state), _limit(param.high, state)


def tolerance(param: Param, state: State) -> float:
    """How far the shown value may be off: a fan with three speeds rounds 50 % to 66 %."""
    if isinstance(param.tolerance, str):
        return _limit(param.tolerance, state) or 0.0
    return param.tolerance


def number(name: str, value: Any) -> float:
    """A finite number, also from a text such as ``50`` or ``50 %``."""
    if isinstance(value, str):
        value = value.strip().removesuffix("%").strip().removesuffix("°")
    try:
        found = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not math.isfinite(found):
        raise InvalidParameters(f"{name} must be a number, not {value!r}.")
    return found


def rgb(name: str, value: object) -> list[int]:
    """Three numbers 0 to 255, from a list or any way to write a colour."""
    if isinstance(value, str):
        color = parse_color(value)
        value = color.rgb or ()
    if not isinstance(value, Sequence) or len(value) != 3:
        raise InvalidParameters(f"{name} must be three numbers 0 to 255: [red, green, blue].")
    parts = [number(name, part) for part in value]
    if not all(0 <= part <= 255 for part in parts):
        raise InvalidParameters(f"{name} must be three numbers 0 to 255: [red, green, blue].")
    return [round(part) for part in parts]


def _within(param: Param, value: float, state: State) -> float:
    low, high = limits(param, state)
    if (low is not None and value < low - 1e-9) or (high is not None and value > high + 1e-9):
        span = f"{'' if low is None else f'{low:g}'} to {'' if high is None else f'{high:g}'}".strip()
        raise InvalidParameters(f"{param.name} must be {span} for {state.entity_id}, not {value:g}.")
    return value


def _limit(limit: float | str | None, state: State) -> float | None:
    held = state.attributes.get(limit) if isinstance(limit, str) else limit
    return float(held) if isinstance(held, int | float) and not isinstance(held, bool) else None


def _option(param: Param, value: object, state: State) -> str:
    options = state.attributes.get(param.options) if isinstance(param.options, str) else param.options
    if not options:
        raise UnsupportedAction(f"{state.entity_id} has no {param.name} to choose from.")
    for option in options:
        if plain(str(option)) == plain(str(value)):
            return str(option)
    raise InvalidParameters(
        f"{param.name} of {state.entity_id} cannot be {value!r}.", hint=f"It has: {listed(options)}."
    )


def _text(param: Param, value: object, state: State) -> str:
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise InvalidParameters(f"{param.name} must be a text.")
    text = str(value)
    if param.required and not text.strip() and param.low is None:
        raise InvalidParameters(f"{param.name} must not be empty.")
    low, high = limits(param, state)
    if (low is not None and len(text) < low) or (high is not None and len(text) > high):
        raise InvalidParameters(f"{param.name} of {state.entity_id} must have {low or 0:g} to {high:g} characters.")
    return text


def _texts(param: Param, value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    if not values or not all(isinstance(part, str) and part.strip() for part in values):
        raise InvalidParameters(f"{param.name} must be a text or a list of texts.")
    return values


def _flag(name: str, value: object) -> bool:
    said = str(value).casefold()
    if said not in _YES | _NO:
        raise InvalidParameters(f"{name} must be true or false.")
    return said in _YES


def _moment(param: Param, value: object, zone: ZoneInfo) -> str:
    """Dates, times, durations as Home Assistant reads them: ISO, in the home's time zone; ``HH:MM:SS``."""
    text = str(value).strip()
    if param.kind is Kind.DURATION:
        seconds = round((timedelta(seconds=float(text)) if text.isdecimal() else parse_duration(text)).total_seconds())
        return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    try:
        if param.kind is Kind.DATE:
            return date.fromisoformat(text).isoformat()
        if param.kind is Kind.TIME:
            return time.fromisoformat(text).replace(tzinfo=None, microsecond=0).isoformat()
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidParameters(f"{param.name} must be a {param.kind}, in ISO form, not {value!r}.") from None
    local = moment if moment.tzinfo is None else moment.astimezone(zone)
    return local.strftime("%Y-%m-%d %H:%M:%S")
