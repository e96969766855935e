"""What stretch of time an atom means, by the home's clock.

Conventions: a morning is 5–12, a forenoon 8–12, an afternoon 12–18, an evening 18–24, a night 21–6 and named after the
day on which it begins. "Last night" is the one that began yesterday. Weeks begin on Monday. A weekday or a month is the
latest that has begun, a weekday never today. "The last 3 days" and "the past week" end now; "last week" is the one
before this. A time of day without its day is the latest that has been.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from homeagent.history.when.atoms import Atom
from homeagent.history.when.local_days import DAY, at, midnight, month_start, months_before, wall_before

_PARTS = {
    "morning": (5 * 60, 12 * 60),
    "forenoon": (8 * 60, 12 * 60),
    "afternoon": (12 * 60, 18 * 60),
    "evening": (18 * 60, DAY),
    "night": (21 * 60, DAY + 6 * 60),
}
_POINTS = {"noon": 12 * 60, "midnight": DAY}
_HALF = 12 * 60
_SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_DAYS = {"day": 1, "week": 7}
_MONTHS = {"month": 1, "year": 12}
_INSTANT = timedelta(minutes=1)
_TRIES = 9
"""Years, or months, that are looked through for the 29th of February, or the 31st."""
_NIGHT_OWLS = 9 * 60
"""An hour before this, of a night, is on the morning after the night began."""
_WAKING = 7 * 60
"""By a clock of twelve hours "at 3 yesterday" is in the afternoon, from 7 on in the morning."""


@dataclass(frozen=True, slots=True)
class Interval:
    """From ``start`` up to, not including, ``end``: aware, UTC. An ``instant`` is a minute long.

    ``gone``: said as one that is past, as "last night" is while it still lasts.
    """

    start: datetime
    end: datetime
    instant: bool = False
    gone: bool = False


def is_bare(atom: Atom) -> bool:
    """Whether a time of day is said so that it can be either half of the day."""
    said = atom.minute_of_day
    return said is not None and said <= _HALF and not (atom.exact or atom.part or atom.meridiem)


class Resolver:
    """``now`` and ``zone`` are the home's; ``clock`` is 12 or 24, as in `TimeWords`."""

    def __init__(self, now: datetime, zone: ZoneInfo, clock: int) -> None:
        self._now, self._zone, self._clock = now.astimezone(UTC), zone, clock
        self._local = now.astimezone(zone)
        self._today = self._local.date()

    @property
    def now(self) -> datetime:
        """The home's present moment, aware, UTC."""
        return self._now

    def interval(self, atom: Atom, *, since: bool = False, ahead: bool = False) -> Interval | None:
        """None where it says no time, or one to come unless ``ahead``. ``since``: "3 hours" are the last three."""
        if atom.mod == "next":
            return None
        try:
            found = self._counted(atom, since=since) if atom.number is not None and atom.unit else None
            found = found or self._of_day(atom) or self._of_calendar(atom)
        except (OverflowError, ValueError):
            return None
        return found if found is not None and (ahead or found.start < self._now) else None

    def following(self, moment: datetime, atom: Atom) -> datetime:
        """The first moment after another at which the clock shows the atom's time; either half of the day where it is
        not said which."""
        step = _HALF if is_bare(atom) else DAY
        minutes = (_POINTS[atom.part] if atom.minute_of_day is None and atom.part else self._minutes(atom)) % step
        day = moment.astimezone(self._zone).date()
        times = (at(day, minutes + n * step, self._zone) for n in range(2 * DAY // step + 1))
        return next(t for t in times if t > moment)

    def day_of(self, moment: datetime) -> Interval:
        """The local day on which a moment is."""
        return self._on(moment.astimezone(self._zone).date(), Atom())

    def _counted(self, atom: Atom, *, since: bool) -> Interval | None:
        """So many units back from now: a stretch, or with "ago" what was then."""
        count = atom.number or 0
        start = self._back(str(atom.unit), count)
        if start is None or count <= 0:
            return None
        if not atom.ago:
            return Interval(start, self._now) if atom.mod or since else None
        if atom.unit in _SECONDS:
            return Interval(start, start + _INSTANT, instant=True)
        return self._on(start.astimezone(self._zone).date(), atom)

    def _back(self, unit: str, count: float) -> datetime | None:
        if unit in _SECONDS:
            return self._now - timedelta(seconds=count * _SECONDS[unit])
        if unit in _DAYS:
            return wall_before(self._now, self._zone, count * _DAYS[unit])
        if unit in _MONTHS:
            day = months_before(self._today, max(1, round(count * _MONTHS[unit])))
            return at(day, self._local.hour * 60 + self._local.minute, self._zone)
        return None

    def _of_day(self, atom: Atom) -> Interval | None:
        """A day, a part of it, or a time on it."""
        if (day := self._day(atom)) is not None:
            return self._on(day, atom)
        if atom.part is None and atom.minute_of_day is None:
            return None
        if atom.part == "night" and (atom.mod or atom.minute_of_day is None):
            return self._on(self._night(atom), atom)
        if atom.mod == "last":
            return self._latest(atom, before=self._today)
        return self._latest(atom)

    def _latest(self, atom: Atom, before: date | None = None) -> Interval:
        """The latest such time that has begun; of the hours that are said without their half of the day, either."""
        days = [(before or self._today + timedelta(days=1)) - timedelta(days=d) for d in (1, 2)]
        found = [i for day in days for i in self._readings(day, atom)]
        begun = [i for i in found if i.start < self._now]
        return max(begun or found, key=lambda i: i.start)

    def _readings(self, day: date, atom: Atom) -> list[Interval]:
        minutes = atom.minute_of_day
        if minutes is None or not is_bare(atom):
            return [self._on(day, atom)]
        return [self._point(day, minutes % _HALF), self._point(day, minutes % _HALF + _HALF)]

    def _on(self, day: date, atom: Atom) -> Interval:
        if atom.minute_of_day is not None:
            return self._point(day, self._minutes(atom))
        if atom.part in _POINTS:
            return self._point(day, _POINTS[atom.part])
        if atom.part in _PARTS:
            first, last = _PARTS[atom.part]
            gone = atom.mod == "last" or (atom.day is not None and atom.day < 0)
            return Interval(at(day, first, self._zone), at(day, last, self._zone), gone=gone)
        return Interval(midnight(day, self._zone), midnight(day + timedelta(days=1), self._zone))

    def _point(self, day: date, minutes: int) -> Interval:
        moment = at(day, minutes, self._zone)
        return Interval(moment, moment + _INSTANT, instant=True)

    def _minutes(self, atom: Atom) -> int:
        """The time on the day's clock of 24 hours; of a night beyond 24 where it is after midnight."""
        said = atom.minute_of_day or 0
        if atom.meridiem == "night":
            said += _HALF if _NIGHT_OWLS <= said < _HALF else 0
        elif atom.meridiem is not None and said <= _HALF + 59:
            said = said % _HALF + (_HALF if atom.meridiem == "pm" else 0)
        elif atom.part in ("afternoon", "evening") and said < _HALF:
            said += _HALF
        elif atom.part == "night":
            said = said + DAY if said < _NIGHT_OWLS else said + _HALF if said < _HALF else said
        elif not (atom.exact or atom.part) and self._clock == 12 and 0 < said < _WAKING:
            said += _HALF
        return said

    def _night(self, atom: Atom) -> date:
        """The day on which the night began that is meant: tonight only once it has begun, and never "last"."""
        begun = self._local.hour * 60 + self._local.minute >= _PARTS["night"][0]
        return self._today if begun and atom.mod != "last" else self._today - timedelta(days=1)

    def _day(self, atom: Atom) -> date | None:
        if atom.day is not None:
            return (
                self._night(atom) if atom.day == 0 and atom.part == "night" else self._today + timedelta(days=atom.day)
            )
        if atom.weekday is not None:
            back = (self._today.weekday() - atom.weekday) % 7 or (0 if atom.mod == "this" else 7)
            return self._today - timedelta(days=back)
        if atom.date is not None:
            return self._dated(atom.date, atom.month, atom.year)
        return None

    def _dated(self, day: int, month: int | None, year: int | None) -> date:
        """The day of the month, or of a year; where these are not said, the latest that there is and that has begun."""
        first = month_start(year or self._today.year, month or self._today.month)
        for _ in range(_TRIES if year is None else 1):
            there_is = day <= monthrange(first.year, first.month)[1]
            if there_is and (year is not None or first.replace(day=day) <= self._today):
                return first.replace(day=day)
            first = month_start(first.year - 1, first.month) if month else month_start(first.year, first.month - 1)
        raise ValueError(f"there is no day {day} in that month")

    def _of_calendar(self, atom: Atom) -> Interval | None:
        if atom.month is not None:
            year = atom.year or self._today.year - (atom.month > self._today.month)
            year -= atom.mod == "last" and atom.year is None and atom.month == self._today.month
            return self._months(month_start(year, atom.month), 1)
        if atom.year is not None and atom.unit in (None, "year") and atom.mod is None:
            return self._months(date(atom.year, 1, 1), 12)
        if atom.unit == "weekend":
            return self._weekend(atom)
        if atom.mod is None or atom.unit is None or atom.number is not None:
            return None
        if atom.mod == "rolling" or (atom.mod == "last" and atom.unit in (*_SECONDS, "day")):
            start = self._back(atom.unit, 1)
            return Interval(start, self._now) if start is not None else None
        return self._running(atom.unit, earlier=atom.mod == "last")

    def _running(self, unit: str, *, earlier: bool) -> Interval | None:
        """The unit of the calendar that runs now, or the one before it."""
        if unit == "week":
            first = self._today - timedelta(days=self._today.weekday() + (7 if earlier else 0))
            return Interval(midnight(first, self._zone), midnight(first + timedelta(days=7), self._zone))
        if unit in _MONTHS:
            month = 1 if unit == "year" else self._today.month
            return self._months(month_start(self._today.year, month - earlier * _MONTHS[unit]), _MONTHS[unit])
        if unit == "day":
            return self._on(self._today, Atom())
        start = self._local.replace(minute=0 if unit == "hour" else self._local.minute, second=0, microsecond=0)
        return Interval(start.astimezone(UTC), self._now)

    def _months(self, first: date, count: int) -> Interval:
        after = month_start(first.year, first.month + count)
        return Interval(midnight(first, self._zone), midnight(after, self._zone))

    def _weekend(self, atom: Atom) -> Interval:
        """The latest that has begun; the last one is over."""
        saturday = self._today - timedelta(days=(self._today.weekday() - 5) % 7)
        if atom.mod == "last" and self._today <= saturday + timedelta(days=1):
            saturday -= timedelta(days=7)
        return Interval(midnight(saturday, self._zone), midnight(saturday + timedelta(days=2), self._zone))
