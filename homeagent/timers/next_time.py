"""The next moment at which something is due.

Times of day are those of the home's own clock, whatever the machine's zone is. Where a clock that is put ahead skips a
time, it counts as so many minutes after the change: 02:30 is 03:30 on that day. Where a clock that is put back shows a
time twice, the first of the two counts, once.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from homeagent.timers.due import After, At, AtSun, Due, Every, Sun, Upon, Weekday
from homeagent.timers.timer_errors import InThePast, NoSun, TooFarAhead

FARTHEST = timedelta(days=366)
_DAY = timedelta(days=1)
_A_WEEK = 8
"""Days within which each day of the week has a moment after any other."""
SunTimes = Callable[[Sun], datetime | None]
"""The next sunrise or sunset, in UTC; None where the home does not tell."""


def next_time(due: Due, now: datetime, zone: ZoneInfo, sun: SunTimes) -> datetime | None:
    """The first moment after ``now`` (both UTC); None for what waits upon a state.

    Raises InThePast, TooFarAhead (more than a year), NoSun.
    """
    match due:
        case After(wait):
            found = _later(now, wait)
        case At(clock, None):
            found = _at_clock(now, clock, frozenset(Weekday), zone)
        case At(clock, day) if day is not None:
            found = _local(day, clock, zone)
            if found <= now:
                raise InThePast(f"{datetime.combine(day, clock):%Y-%m-%d %H:%M} is over.")
        case Every(clock, days):
            found = _at_clock(now, clock, days or frozenset(Weekday), zone, due.without)
        case AtSun():
            found = _at_sun(due, now, zone, sun)
        case Upon():
            return None
    if found - now > FARTHEST:
        raise TooFarAhead("That is more than a year ahead.")
    return found


def repeats(due: Due) -> bool:
    """Whether it comes again after it was due."""
    return isinstance(due, Every) or (isinstance(due, AtSun) and bool(due.days))


def _later(now: datetime, wait: timedelta) -> datetime:
    try:
        return now + wait
    except OverflowError:
        raise TooFarAhead("That is more than a year ahead.") from None


def _local(day: date, clock: time, zone: ZoneInfo) -> datetime:
    """In UTC. ``fold=0`` is the first of two; a time that is skipped is counted on from before the change."""
    return datetime.combine(day, clock.replace(tzinfo=None, fold=0), zone).astimezone(UTC)


def _at_clock(
    now: datetime, clock: time, days: frozenset[Weekday], zone: ZoneInfo, without: frozenset[date] = frozenset()
) -> datetime:
    today, within = now.astimezone(zone).date(), _days_within(without)
    ahead = (today + _DAY * n for n in range(within))
    found = (_local(day, clock, zone) for day in ahead if day.weekday() in days and day not in without)
    return next(moment for moment in found if moment > now)


def _days_within(without: frozenset[date]) -> int:
    """So many days hold one that is not left out."""
    return _A_WEEK * (1 + len(without))


def _at_sun(due: AtSun, now: datetime, zone: ZoneInfo, sun: SunTimes) -> datetime:
    """From the next sunrise or sunset that the home tells; later days have it at nearly the same time, and are put
    right as they come near."""
    told = sun(due.sun)
    if told is None:
        raise NoSun(f"The home does not tell when {due.sun.value} is.")
    first = told + due.offset
    while first - _DAY > now:  # what the home tells is the next one; with an offset the one before may be still to come
        first -= _DAY
    first += max(0, (now - first) // _DAY) * _DAY  # what a home told that was away for days
    days = due.days or frozenset(Weekday)
    for moment in (first + _DAY * n for n in range(_days_within(due.without) + 1)):
        day = (moment - due.offset).astimezone(zone).date()
        if moment > now and day.weekday() in days and day not in due.without:
            return moment
    raise NoSun(f"The home does not tell when {due.sun.value} is.")  # no day is left: never so
