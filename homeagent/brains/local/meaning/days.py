"""Which day, or days, a sentence speaks of: "tomorrow", "on saturday", "this weekend"."""

from __future__ import annotations

from datetime import datetime

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.request import Period
from homeagent.ha.home import Home

_SECTIONS = ("ahead", "weekdays", "horizon")
_WEEK = 7
_MONTH = 31
_SATURDAY = 5


def day_meant(reading: Reading, home: Home) -> Period | None:
    """The local days that are meant, counted from today; None where the clause names none.

    A weekday is the next one to come, and today's name means today in a week. Of the past it is the last one.
    """
    if reading.has("periods", "yesterday"):
        return Period(days_ago=1)
    if (ahead := reading.first("ahead")) is not None:
        return Period(days_ago=-int(ahead))
    today = datetime.now(home.config.time_zone).date().weekday()
    if (weekday := reading.first("weekdays")) is not None:
        away = (int(weekday) - today) % _WEEK or _WEEK
        return Period(days_ago=(_WEEK - away) or _WEEK) if reading.has("past") else Period(days_ago=-away)
    return _stretch(reading.first("horizon"), today, past=reading.has("past"))


def when_said(reading: Reading) -> str:
    """The words that name the day, as they were said; empty for a weekday, which has a name of its own."""
    spots = [*reading.of("ahead", "horizon"), *(s for s in reading.of("periods") if s.concept == "yesterday")]
    longest = max(spots, key=lambda s: len(s.positions), default=None)
    return reading.words_at(longest.positions) if longest is not None else ""


def day_positions(reading: Reading) -> frozenset[int]:
    """The positions of the words that name a day, or when it is."""
    return frozenset(p for s in reading.spots if s.section in (*_SECTIONS, "past", "future") for p in s.positions)


def _stretch(which: str | None, today: int, *, past: bool) -> Period | None:
    if which == "last_week":
        return Period(days_ago=today + _WEEK, days=_WEEK)
    if which == "weekend" and past:
        return Period(days_ago=(today - _SATURDAY) % _WEEK or _WEEK, days=2)
    if which == "weekend":
        return Period(days_ago=-max(_SATURDAY - today, 0), days=min(2, _WEEK - today))
    if which == "week":
        return Period(days_ago=today, days=_WEEK) if past else Period(days_ago=0, days=_WEEK - today)
    if which == "next_week":
        return Period(days_ago=today - _WEEK, days=_WEEK)
    return Period(days_ago=0, days=_MONTH) if which == "month" else None
