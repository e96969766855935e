"""When something is due, as people say it: after a while, at a time, again and again, at the sun, upon a state."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time, timedelta
from enum import IntEnum, StrEnum


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
    """As soon as a thing comes into a state, having been in another one: "when the washing machine is done"."""

    entity_id: str
    state: str


Due = After | At | Every | AtSun | Upon
