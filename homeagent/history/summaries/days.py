"""The home's local days, through changes of the clock, and times of day in words."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from homeagent.values.timespan import Span


def day_of(at: datetime, zone: ZoneInfo) -> date:
    """The local day in which the moment lies."""
    return at.astimezone(zone).date()


def day_span(day: date, zone: ZoneInfo) -> Span:
    """From midnight to midnight in the home's zone, in UTC: 23 to 25 hours where the clock is changed."""
    return Span(_midnight(day, zone), _midnight(day + timedelta(days=1), zone))


def days_back(last: date, count: int) -> Iterator[date]:
    """``count`` days, ``last`` first, going back."""
    for back in range(count):
        yield last - timedelta(days=back)


def clock(at: datetime, zone: ZoneInfo) -> str:
    """``07:31``; with the zone's name in the hour that comes twice when the clock is put back."""
    local = at.astimezone(zone)
    text = f"{local:%H:%M}"
    twice = local.utcoffset() != local.replace(fold=1 - local.fold).utcoffset()
    return f"{text} {local.tzname()}" if twice else text


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    """Where the clock skips midnight, this is the moment at which it does."""
    return datetime.combine(day, time(), zone).astimezone(UTC)
