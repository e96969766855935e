"""When something is due, from what was said of a time to come.

A time of the clock that may be in either half of the day is the next one that fits; of another day, and where somebody
is to be woken, it is as it was said. In languages that count to twelve, hours before 6 of another day are in the
afternoon. A weekday is never today.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta

from homeagent.history.when.future_times import Clock, Date, Piece, Slot, Solar, Value
from homeagent.history.when.local_days import DAY
from homeagent.timers.due import After, At, AtSun, Due, Every

Said = Mapping[Slot, Value]
"""What was said of one time."""

_HALF = 12 * 60
_HOUR = 60
_DAWN = 6 * _HOUR
"""An hour before this is hardly meant of another day, nor of a night that is still to come."""
_WAKING = 4 * _HOUR
"""From this hour on one is woken in the morning."""
_NOON = range(11 * _HOUR, 13 * _HOUR)
_FIRST_HALF = frozenset({"morning", "forenoon", "early", "am"})
_SECOND_HALF = frozenset({"afternoon", "evening", "pm"})
_MIDDAY = frozenset({"noon", "midday"})
_MONTHS = 12
_WEEK = 7


def gathered(pieces: Iterable[Piece]) -> Said | None:
    """What the pieces say together of one time; None where they speak of two."""
    said: dict[Slot, Value] = {}
    for piece in pieces:
        slot, value = piece.slot, piece.value
        before = said.get(slot)
        if isinstance(value, Clock) and isinstance(before, Clock) and (value.loose or before.loose):
            value = before if value.loose else value
        elif isinstance(value, frozenset) and isinstance(before, frozenset):
            value = min(before, value, key=len)
        elif (isinstance(value, timedelta) and isinstance(before, timedelta)) or (
            before is not None and before != value
        ):
            return None
        said[slot] = value
    return said


def due_of(said: Said, now: datetime, *, halves: bool, waking: bool = False) -> Due | None:
    """When it is due at ``now``, which is in the home's zone; None where it is not wholly said, or cannot be.

    ``halves``: whether the language counts the hours to twelve. ``waking``: whether somebody is to be woken.
    """
    days = said.get(Slot.DAYS)
    on = days if isinstance(days, frozenset) else frozenset()
    delay, solar, clock = said.get(Slot.DELAY), said.get(Slot.SUN), said.get(Slot.CLOCK)
    if {Slot.AGAIN, Slot.UNTIL} & said.keys():
        return None
    if isinstance(delay, timedelta):
        alone = not ({Slot.CLOCK, Slot.SUN, Slot.DAY, Slot.DATE, Slot.WEEKDAY, Slot.DAYS} & said.keys())
        return After(delay) if alone and delay > timedelta() else None
    day = day_of(said, now.date())
    if isinstance(solar, Solar):
        later = day is not None and day != now.date()
        return None if later or isinstance(clock, Clock) else AtSun(solar.sun, solar.offset, on)
    if not isinstance(clock, Clock):
        return None
    if isinstance(said.get(Slot.DATE), Date) and day is None:
        return None
    minutes = _of_day(clock, said, now, day, repeated=bool(on), halves=halves, waking=waking)
    if day is not None:
        night = said.get(Slot.PART) == "night" and minutes % DAY < _DAWN
        day += timedelta(days=minutes // DAY + night)
    when = time(minutes % DAY // _HOUR, minutes % _HOUR)
    return Every(when, on) if on else At(when, day)


def day_of(said: Said, today: date) -> date | None:
    """The day that was said; None where none was, or it does not exist."""
    ahead, weekday, dated = said.get(Slot.DAY), said.get(Slot.WEEKDAY), said.get(Slot.DATE)
    if isinstance(ahead, int):
        return today + timedelta(days=ahead)
    if isinstance(weekday, int):
        return today + timedelta(days=(weekday - today.weekday()) % _WEEK or _WEEK)
    if not isinstance(dated, Date):
        return None
    for months in range(_MONTHS * 4 + 1):
        years, month = divmod(today.month - 1 + months, _MONTHS)
        if dated.month not in (None, month + 1):
            continue
        try:
            found = date(today.year + years, month + 1, dated.day)
        except ValueError:
            continue
        if found >= today:
            return found
    return None


def _of_day(
    clock: Clock, said: Said, now: datetime, day: date | None, *, repeated: bool, halves: bool, waking: bool
) -> int:
    """Minutes since midnight, in the half of the day that is meant."""
    minutes, part = clock.minutes, said.get(Slot.PART)
    if clock.exact and part not in _SECOND_HALF:
        return minutes
    if part in _FIRST_HALF:
        return minutes % _HALF if minutes >= _HALF and part == "am" else minutes
    if part in _SECOND_HALF or (part in _MIDDAY and minutes % DAY not in _NOON):
        return minutes if minutes > _HALF else minutes % _HALF + _HALF
    if part == "night":
        return minutes % _HALF + (_HALF if minutes % _HALF >= _DAWN else 0)
    if part in _MIDDAY or clock.exact or minutes > _HALF + _HOUR:
        return minutes
    if waking and minutes >= _WAKING:
        return minutes
    if repeated or (day is not None and day != now.date()):
        return minutes + _HALF if halves and not waking and 0 < minutes < _DAWN else minutes
    passed = now.hour * _HOUR + now.minute
    either = sorted({minutes % _HALF, minutes % _HALF + _HALF})
    ahead = [m for m in either if m > passed]
    if day is not None:
        return ahead[0] if ahead else minutes
    return ahead[0] if ahead else either[0]
