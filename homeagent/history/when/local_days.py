"""The home's clock and calendar: local days and times as moments, through changes of the clock."""

from __future__ import annotations

import calendar
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

DAY = 24 * 60
"""Minutes of a day on the clock; how long it lasts is up to the zone."""


def at(day: date, minutes: float, zone: ZoneInfo) -> datetime:
    """The moment at which a local clock shows so many minutes after midnight of ``day``; 1440 and more are on the
    following days.

    A time that the clock skips is the moment of the skip's length later; one that it shows twice is the first.
    """
    days, rest = divmod(round(minutes), DAY)
    wall = datetime.combine(day + timedelta(days=days), time(rest // 60, rest % 60), zone)
    return wall.astimezone(UTC)


def midnight(day: date, zone: ZoneInfo) -> datetime:
    """The moment a local day begins, aware, UTC; where the clock skips midnight, an hour later."""
    return at(day, 0, zone)


def month_start(year: int, month: int) -> date:
    """The first of a month; months count on beyond 12 and below 1."""
    years, rest = divmod(month - 1, 12)
    return date(year + years, rest + 1, 1)


def months_before(day: date, months: int) -> date:
    """The same day so many months earlier, or the last one of a shorter month."""
    first = month_start(day.year, day.month - months)
    return first.replace(day=min(day.day, calendar.monthrange(first.year, first.month)[1]))


def wall_before(now: datetime, zone: ZoneInfo, days: float) -> datetime:
    """The moment at which the local clock showed what it shows now, so many whole days ago; a part of a day is taken
    as hours."""
    whole = int(days)
    local = now.astimezone(zone)
    wall = datetime.combine(local.date() - timedelta(days=whole), local.time(), zone)
    return wall.astimezone(UTC) - timedelta(hours=24 * (days - whole))
