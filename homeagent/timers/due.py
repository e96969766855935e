"""When something is due, as people say it: after a while, at a time, again and again, at the sun, upon a state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time, timedelta
from enum import IntEnum, StrEnum
from typing import Any


class Weekday(IntEnum):
    """As `date.weekday` counts them."""

    MONDAY = 0
    TUESDAY = 1
    WEDNESDAY = 2
    THURSDAY = 3
    FRIDAY = 4
    SATURDAY = 5
    SUNDAY = 6


class Sun(StrEnum):
    """The two moments of a day that Home Assistant's `sun.sun` knows of."""

    SUNRISE = "sunrise"
    SUNSET = "sunset"


@dataclass(frozen=True)
class After:
    """So long from now: "in ten minutes"."""

    wait: timedelta


@dataclass(frozen=True)
class At:
    """Once, at a time of the home's own clock. Without a day it is the next time that the clock shows it."""

    time: time
    day: date | None = None


@dataclass(frozen=True)
class Every:
    """At a time of the home's own clock on each of these days of the week; all seven are "every day"."""

    time: time
    days: frozenset[Weekday]
    without: frozenset[date] = frozenset()
    """Days that are left out, by the home's calendar."""


@dataclass(frozen=True)
class AtSun:
    """At sunrise or sunset, moved by `offset` (negative: before it); once, or each day of `days` but those left out."""

    sun: Sun
    offset: timedelta = timedelta()
    days: frozenset[Weekday] = frozenset()
    without: frozenset[date] = frozenset()


@dataclass(frozen=True)
class Upon:
    """As soon as a thing comes into a state, having been in another one: "when the washing machine is done". As
    `Timer.only`, what has to be so at another time: if the thing is in that state.
    """

    entity_id: str
    state: str


Due = After | At | Every | AtSun | Upon


def as_json(due: Due) -> dict[str, Any]:
    """Which kind of due it is under ``type``, then its fields; `from_json` reads it."""
    match due:
        case After(wait):
            return {"type": "after", "seconds": wait.total_seconds()}
        case At(clock, day):
            return {"type": "at", "time": clock.isoformat(), "day": day.isoformat() if day else None}
        case Every(clock, days):
            return {"type": "every", "time": clock.isoformat(), "days": sorted(days), **_left_out(due.without)}
        case AtSun(sun, offset, days):
            told = {"type": "sun", "sun": sun.value, "offset": offset.total_seconds(), "days": sorted(days)}
            return told | _left_out(due.without)
        case Upon(entity_id, state):
            return {"type": "upon", "entity_id": entity_id, "state": state}


def from_json(data: Mapping[str, Any]) -> Due:
    """The due that `as_json` wrote. Raises KeyError or ValueError for anything else."""
    kind = data["type"]
    if kind == "after":
        return After(timedelta(seconds=data["seconds"]))
    if kind == "at":
        return At(time.fromisoformat(data["time"]), date.fromisoformat(data["day"]) if data["day"] else None)
    if kind == "every":
        return Every(time.fromisoformat(data["time"]), _days(data), _without(data))
    if kind == "sun":
        return AtSun(Sun(data["sun"]), timedelta(seconds=data["offset"]), _days(data), _without(data))
    if kind == "upon":
        return Upon(data["entity_id"], data["state"])
    raise ValueError(f"There is no due of type {kind!r}.")


def _days(data: Mapping[str, Any]) -> frozenset[Weekday]:
    return frozenset(map(Weekday, data["days"]))


def _left_out(without: frozenset[date]) -> dict[str, list[str]]:
    return {"without": sorted(day.isoformat() for day in without)} if without else {}


def _without(data: Mapping[str, Any]) -> frozenset[date]:
    return frozenset(map(date.fromisoformat, data.get("without", ())))
