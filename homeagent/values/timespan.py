"""Spans of time as people and models write them: ``1h30m``, ``7d``, ``today``, from and to. In the home's time zone."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from homeagent.errors import InvalidParameters

LONGEST = timedelta(days=3660)
_UNITS = {
    "s": 1,
    "sec": 1,
    "second": 1,
    "m": 60,
    "min": 60,
    "minute": 60,
    "h": 3600,
    "hr": 3600,
    "hour": 3600,
    "d": 86_400,
    "day": 86_400,
    "w": 604_800,
    "week": 604_800,
    "month": 30 * 86_400,
    "y": 365 * 86_400,
    "year": 365 * 86_400,
}
_PART = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)\s*([a-z]+)")
_CLOCK = re.compile(r"(\d{1,4}):([0-5]\d)(?::([0-5]\d))?")
_ISO = re.compile(r"p(?:(\d{1,5})d)?(?:t(?:(\d{1,6})h)?(?:(\d{1,7})m)?(?:(\d{1,9})s)?)?")
_DAYS = ("today", "yesterday", "this week", "last week", "this month", "last month")
_LENGTH_HELP = "Write it like 90s, 10m, 1h30m, 2d."
_SPAN_HELP = f"Write it like 30m, 24h, 7d, 1h30m, or one of {', '.join(_DAYS)}; or give from and to."


@dataclass(frozen=True, slots=True)
class Span:
    """From ``start`` to ``end``, aware, start before end."""

    start: datetime
    end: datetime

    @property
    def seconds(self) -> float:
        """From ``start`` to ``end``."""
        return (self.end - self.start).total_seconds()


def parse_duration(text: str, *, longest: timedelta = LONGEST, hint: str = _LENGTH_HELP) -> timedelta:
    """A length of time: ``90s``, ``1h30m``, ``1.5 hours``, ``01:30:00`` (h:m:s), ``PT1H``. More than nothing, at most
    ``longest``. Raises InvalidParameters; ``hint``: what it says of how a length is written."""
    said = " ".join(text.replace("_", " ").split()).casefold()
    seconds = _clock(said) or _iso(said) or _parts(said)
    if not seconds:
        raise InvalidParameters(f"{text!r} is not a length of time.", hint=hint)
    if seconds > longest.total_seconds():
        raise InvalidParameters(f"{text!r} is too long: at most {longest.days} days.")
    return timedelta(seconds=seconds)


def parse_span(*, duration: str | None, start: str | None, end: str | None, now: datetime, zone: ZoneInfo) -> Span:
    """The span that is meant. With a duration only, it ends now; the future is cut off. Raises InvalidParameters.

    A date as ``end`` means the end of that day; a time without zone is in ``zone``.
    """
    if duration is not None and start is not None and end is not None:
        raise InvalidParameters("Give duration, or from and to, not all three.")
    if duration is not None and start is None and end is None and (named := _named(duration, now, zone)):
        return named
    if duration is None and start is None:
        raise InvalidParameters("history needs duration or from.", hint=_SPAN_HELP)
    first = parse_moment(start, now, zone) if start is not None else None
    last = parse_moment(end, now, zone, end_of_day=True) if end is not None else None
    if duration is not None:
        length = parse_duration(duration, hint=_SPAN_HELP)
        if first is not None:
            last = first + length
        else:
            last = last or now
            first = last - length
    assert first is not None
    last = min(last or now, now)
    if first >= last:
        said = f"from {first.astimezone(zone):%Y-%m-%d %H:%M} to {last.astimezone(zone):%Y-%m-%d %H:%M}"
        raise InvalidParameters(f"The time {said} is empty.", hint="from must be in the past, and before to.")
    if last - first > LONGEST:
        raise InvalidParameters("That is too long: at most ten years.")
    return Span(first, last)


def parse_moment(text: str, now: datetime, zone: ZoneInfo, *, end_of_day: bool = False) -> datetime:
    """A point in time: ISO date or date and time, ``08:30`` (today), ``today``, ``yesterday``, ``now``, ``-2h``.

    A bare date is its midnight, or with ``end_of_day`` the midnight after it. Raises InvalidParameters.
    """
    said = " ".join(text.split()).casefold()
    today = now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    if said == "now":
        return now
    if said in ("today", "yesterday"):
        day = _days_on(today, 0 if said == "today" else -1)
        return _days_on(day, 1) if end_of_day else day
    if said.startswith("-"):
        return now - parse_duration(said[1:])
    if match := _CLOCK.fullmatch(said):
        if int(match[1]) > 23:
            raise InvalidParameters(f"{text!r} is not a time of day.")
        return today.replace(hour=int(match[1]), minute=int(match[2]), second=int(match[3] or 0)).astimezone(UTC)
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise InvalidParameters(
            f"{text!r} is not a date or time.", hint="Write it like 2026-05-31, 2026-05-31T08:30, or 08:30."
        ) from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone)
    if end_of_day and re.fullmatch(r"\d{4}-?\d{2}-?\d{2}", said):
        moment = _days_on(moment, 1)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise InvalidParameters(f"{text!r} is out of range.") from None


def _days_on(midnight: datetime, days: int) -> datetime:
    """The midnight so many days on: on the clock, so that a day may have 23 or 25 hours."""
    try:
        return midnight + timedelta(days=days)
    except OverflowError:
        raise InvalidParameters("That date is out of range.") from None


def _named(text: str, now: datetime, zone: ZoneInfo) -> Span | None:
    said = " ".join(text.replace("_", " ").split()).casefold()
    if said not in _DAYS:
        return None
    midnight = datetime.combine(now.astimezone(zone).date(), time(), zone)
    week = _days_on(midnight, -midnight.weekday())
    month = midnight.replace(day=1)
    start, end = {
        "today": (midnight, now),
        "yesterday": (_days_on(midnight, -1), midnight),
        "this week": (week, now),
        "last week": (_days_on(week, -7), week),
        "this month": (month, now),
        "last month": (_days_on(month, -1).replace(day=1), month),
    }[said]
    start = start.astimezone(UTC)
    return Span(start, max(end.astimezone(UTC), start + timedelta(seconds=1)))


def _clock(said: str) -> float | None:
    match = _CLOCK.fullmatch(said)
    return int(match[1]) * 3600 + int(match[2]) * 60 + int(match[3] or 0) if match else None


def _iso(said: str) -> float | None:
    match = _ISO.fullmatch(said)
    if match is None:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return days * 86_400 + hours * 3600 + minutes * 60 + seconds


def _parts(said: str) -> float | None:
    total, at = 0.0, 0
    for match in _PART.finditer(said):
        if said[at : match.start()].strip(" ,") not in ("", "and"):
            return None
        unit = _UNITS.get(match[2]) or _UNITS.get(match[2].removesuffix("s"))
        if unit is None:
            return None
        total += float(match[1]) * unit
        at = match.end()
    return total if not said[at:].strip() else None


def describe_seconds(seconds: float) -> str:
    """A length of time in short words: ``45 s``, ``12 min``, ``3 h 5 min``, ``2 d 4 h``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    days, hours = divmod(hours, 24)
    return f"{days} d {hours} h" if hours else f"{days} d"


_SETTING_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
_SETTING_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|min|[smhdw])", re.ASCII)
_SETTING = re.compile(rf"(?:{_SETTING_PART.pattern}\s*)+", re.ASCII)


def parse_seconds(text: str | int | float) -> float:
    """Seconds, 0 or more. A bare number is in seconds; units are ms, s, m (or min), h, d, w, largest first or not.

    Raises ValueError for anything else: another unit, a sign, nothing at all, a number without end.
    """
    if isinstance(text, bool):
        raise ValueError("a length of time is a number of seconds, or a text such as 30s, 5m, 1h30m or 7d")
    try:
        seconds = float(text) if isinstance(text, int | float) else _seconds_from(text.strip().lower())
    except OverflowError:
        seconds = math.inf
    if not math.isfinite(seconds) or seconds < 0:
        raise ValueError("a length of time is zero or more, and has an end")
    return seconds


def _seconds_from(text: str) -> float:
    if re.fullmatch(r"\d+(\.\d+)?", text, re.ASCII):
        return float(text)
    if not _SETTING.fullmatch(text):
        raise ValueError("write a length of time as a number of seconds, or such as 30s, 5m, 1h30m or 7d")
    return sum(float(number) * _SETTING_UNITS[unit] for number, unit in _SETTING_PART.findall(text))
