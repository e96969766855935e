"""What can be said of a time to come, piece by piece: a time of the clock, a day, how long from now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from homeagent.timers.due import Sun, Weekday


class Slot(StrEnum):
    """What a piece of a time says."""

    CLOCK = "clock"
    DAY = "day"
    WEEKDAY = "weekday"
    DATE = "date"
    PART = "part"
    DAYS = "days"
    SUN = "sun"
    DELAY = "delay"
    SPAN = "span"
    LENGTH = "length"
    """So long, without a word that tells for what."""
    NUMBER = "number"
    """A bare number that is no hour."""
    UNTIL = "until"
    AGAIN = "again"
    """Again and again after so long, which nothing can be set to."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of the clock in minutes since midnight. ``exact``: it can mean only one of the two half days. ``loose``: a
    bare number, which is a time only where one is asked for. ``bare``: a number that only a word before it makes a
    time."""

    minutes: int
    exact: bool = False
    loose: bool = False
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Solar:
    """Sunrise or sunset, and by how much after it."""

    sun: Sun
    offset: timedelta = timedelta()


@dataclass(frozen=True, slots=True)
class Date:
    """A day of a month; of the next one that has it, where no month is said."""

    day: int
    month: int | None = None


Value = Clock | Solar | Date | timedelta | frozenset[Weekday] | str | int | float
"""Of a DAY so many days from today; of a PART its name."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing said of a time to come, and from where to where in the text. ``before``: it is so long before what is
    said beside it, as far as its own words tell.
    """

    slot: Slot
    value: Value
    first: int
    last: int
    before: bool = False
