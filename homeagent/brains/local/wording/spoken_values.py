"""States, attributes and moments as people say them, and since when a thing is as it is."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from homeagent.brains.language.responses import Phrases
from homeagent.domains import MeasureUnit
from homeagent.domains.dates import KEEPS_A_TIME
from homeagent.domains.states import READINGS, SETTINGS
from homeagent.ha.home import UNAVAILABLE, UNKNOWN, Home
from indexer.entity import Entity

_ALL = 100
_WHOLE_MINUTE = ":00"


def state_words(entity: Entity | None, raw: str, phrases: Phrases) -> str:
    """A state in words, a number with its unit."""
    if raw in (UNAVAILABLE, UNKNOWN):
        return phrases.state("default", raw)
    number = as_number(raw)
    if number is not None:
        return with_unit(number, entity.unit if entity else None, phrases)
    if entity is None:
        return phrases.state("default", raw)
    if entity.domain in KEEPS_A_TIME and raw.endswith(_WHOLE_MINUTE):
        return raw.removesuffix(_WHOLE_MINUTE)
    kind = entity.device_class if entity.domain == "binary_sensor" and entity.device_class else "default"
    return phrases.state(kind, raw)


def attribute_words(name: str, value: object, phrases: Phrases, home: Home) -> str:
    """An attribute's or a parameter's value with its unit: brightness in percent, temperatures in the home's unit."""
    if isinstance(value, bool):
        return phrases.state("default", str(value).lower())
    if isinstance(value, int | float):
        reading = READINGS.get(name) or SETTINGS.get(name)
        if reading is None:
            return phrases.number(float(value))
        if reading.unit is MeasureUnit.PERCENT:
            share = float(value) if reading.whole == _ALL else round(_ALL * value / reading.whole)
            return f"{phrases.number(share)}%"
        unit = home.config.temperature_unit if reading.unit is MeasureUnit.DEGREE else reading.unit
        return f"{phrases.number(float(value))} {unit}"
    if isinstance(value, list | tuple):
        return ", ".join(str(v) for v in value)
    return phrases.state("default", str(value)) if str(value).islower() else str(value)


def with_unit(number: float, unit: str | None, phrases: Phrases) -> str:
    """The number to two decimal places, and its unit: % right behind it, any other after a blank."""
    text = phrases.number(number, 2)
    if not unit:
        return text
    return f"{text}{unit}" if unit == "%" else f"{text} {unit}"


def as_number(raw: object) -> float | None:
    """The number that a state or attribute is; None where it is none. True and false are none."""
    if isinstance(raw, bool):
        return None
    try:
        return float(str(raw))
    except ValueError:
        return None


def duration(seconds: float, phrases: Phrases) -> str:
    """A length of time in its two largest units."""
    parts: list[str] = []
    rest = max(0, round(seconds))  # two clocks differ by some seconds
    for one, many, size in (("day", "days", 86_400), ("hour", "hours", 3600), ("minute", "minutes", 60)):
        count, rest = divmod(rest, size)
        if count:
            parts.append(phrases.say(one if count == 1 else many, n=count))
    if not parts:
        parts.append(phrases.say("seconds", n=rest))
    return " ".join(parts[:2])


Line = Mapping[str, Any]


def since(entity_id: str, line: Line, home: Home, phrases: Phrases) -> str:
    """Since when a thing has been in its state, from its recorded past (``line``, may be empty); else from the live
    state, which begins anew when Home Assistant starts.
    """
    state, entity = home.state(entity_id), home.entity(entity_id)
    name = entity.name if entity is not None else entity_id
    if state is None or not state.available:
        return phrases.say("unavailable", names=name)
    entered = line.get("last") or line.get("first")
    told = str(entered["at"]) if entered else str(line["from"]) if line.get("at_start") == state.state else None
    changed = state.last_changed if told is None else min(state.last_changed, datetime.fromisoformat(told))
    longer = changed < state.last_changed and (not entered or "recorded_since" in line)
    held = (home.now() - changed).total_seconds()
    said = {"name": name, "state": state_words(entity, state.state, phrases), "duration": duration(held, phrases)}
    return phrases.say("since_or_longer" if longer else "since", **said)


def moment_words(text: str, home: Home) -> str:
    """A moment as people say it: the time today, with the date on other days."""
    moment = datetime.fromisoformat(text).astimezone(home.config.time_zone)
    today = home.now().date()
    return f"{moment:%H:%M}" if moment.date() == today else f"{moment:%Y-%m-%d %H:%M}"
