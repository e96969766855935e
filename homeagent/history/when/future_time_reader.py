"""Reads times to come from the words for them: "in ten minutes", "tomorrow at half past six", "at sunset".

The words are those of times gone by; where a word means another thing of a time to come, the section ``ahead`` of
``times.yaml`` tells. There a kind may be two ("delay|plus"): what stands beside it settles which.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from homeagent.history.when.future_times import Clock, Date, Piece, Slot, Solar, Value
from homeagent.history.when.time_row import TimeRow, means
from homeagent.history.when.time_words import Token, groups, parted, time_words
from homeagent.timers.due import Sun, Weekday
from homeagent.understanding.tokeniser import tokenise

_OVER = frozenset({"ago", "since", "last", "rolling"})
"""What speaks of a time gone by."""
_HALVES = {"after": 30, "before": -30}
_POINTS = {"noon": 12 * 60, "midnight": 0}
_HOURS, _MINUTES = 24, 60
_MOST = 180
"""More than this is no number of minutes."""
_QUARTER = 15
_HALF_DAY = 12 * 60
_JOINTS = ("until", "to", "toward", "hours", "at")
"""What stands between the two times of a span."""
_EARLY = 10
"""From this number on a second one is minutes as it stands: "seven thirty"."""
_DAYS = {
    "all": frozenset(Weekday),
    "weekdays": frozenset(Weekday) - {Weekday.SATURDAY, Weekday.SUNDAY},
    "weekend": frozenset({Weekday.SATURDAY, Weekday.SUNDAY}),
}
_WEEK = 7


def pieces_of(text: str, language: str, taken: Sequence[tuple[int, int]] = ()) -> list[Piece]:
    """All that a sentence says of times to come, in order. Empty where the language has no words for them.

    ``taken``: from where to where in the text something is named that is no time.
    """
    known = time_words(language, ahead=True)
    if known is None:
        return []
    words = parted(tokenise(text).tokens, known)
    free = [not any(w.start < end and start < w.end for start, end in taken) for w in words]
    found = groups(words, known, free)
    made = []
    for run in _side_by_side(found):
        if any(means(t, kind) for t in run for kind in _OVER) or any(t.kind == "day" and t.number < 0 for t in run):
            continue
        made += [
            Piece(slot, value, words[first].start, words[last].end, before)
            for slot, value, first, last, before in _Reader(run, known).pieces()
        ]
    return made


def _side_by_side(found: Sequence[list[Token]]) -> Iterator[list[Token]]:
    run: list[Token] = []
    for group in found:
        if run and group[0].first != run[-1].last + 1:
            yield run
            run = []
        run += group
    if run:
        yield run


def _is(token: Token, kind: str) -> bool:
    return kind in token.kind.split("|")


_ON = frozenset({Slot.DAY, Slot.WEEKDAY, Slot.DATE, Slot.DAYS, Slot.PART})
"""Before these stands a word that leads a day: "on Friday"."""


_Read = tuple[Slot, Value, int] | None
"""What was read, and the place behind it."""


class _Reader(TimeRow):
    """The pieces of a row of words for time."""

    def pieces(self) -> Iterator[tuple[Slot, Value, int, int, bool]]:
        at = 0
        while at < len(self._run):
            start = at
            if (both := self._from_to(at)) is not None:
                (begins, joint), (ends, at) = both
                yield Slot.CLOCK, begins, self._run[start].first, self._run[joint - 1].last, False
                yield Slot.UNTIL, ends, self._run[joint].first, self._run[at - 1].last, False
                continue
            read = self._piece(at, led=False)
            while read is None and self._is(at, "lead", "at", "toward", "hours"):
                at += 1
                read = self._piece(at, led=self._is(at - 1, "at"))
            if read is None:
                at = start + 1
                continue
            slot, value, end = read
            while slot not in _ON and start < at and self._is(start, "lead") and not self._is(start, "toward"):
                start += 1
            while self._is(end, "filler") and self._known.postfix:
                end += 1  # what hangs on the last word
            if self._known.postfix and slot is Slot.CLOCK and self._is(end, "until"):
                slot, end = Slot.UNTIL, end + 1
            yield slot, value, self._run[start].first, self._run[end - 1].last, self._is_before(slot, end)
            if self._known.postfix and slot is Slot.CLOCK and self._is(end, "every"):
                yield Slot.DAYS, _DAYS["all"], self._run[end].first, self._run[end].last, False
                end += 1
            at = end

    def _is_before(self, slot: Slot, end: int) -> bool:
        """Whether a length that ends before a place is one before something: the word for that also leads what a span
        is for."""
        behind = slot is Slot.LENGTH and self._is(end, "minus") and not self._is(end, "toward")
        return behind or (slot in (Slot.LENGTH, Slot.SPAN) and self._is(end - 1, "minus"))

    def _piece(self, at: int, *, led: bool) -> _Read:
        return (
            self._until(at)
            or self._solar(at)
            or self._days(at)
            or self._timed(at)
            or self._day(at)
            or (None if led or self._is(at - 1, "hours") else self._length(at))
            or self._clock(at, led=led)
            or self._part(at)
            or self._bare(at)
        )

    def _from_to(self, at: int) -> tuple[tuple[Clock, int], tuple[Clock, int]] | None:
        """The two times of "from 9 to 11", each with the place behind it."""
        if not self._is(at, "from") or self._known.postfix:
            return None
        joints = (i for i in range(at + 2, len(self._run)) if self._is(i, *_JOINTS))
        joint = next((i for i in joints if not self._is(i, "at") or self._is(i - 1, "number", "unit", "oclock")), 0)
        first = _Reader(self._run[:joint], self._known).edge(at + 1)
        last = self.edge(joint + 1) if first is not None and first[1] == joint else None
        if first is None or last is None:
            return None
        if self._is(last[1] - 1, "pm") and not first[0].exact and first[0].minutes + _HALF_DAY < last[0].minutes:
            first = (replace(first[0], minutes=first[0].minutes + _HALF_DAY), joint)  # "from 9 to 11 pm"
        both, loose = (first, last), first[0].bare and last[0].bare and not self._is(joint, "until")
        (begins, joint), (ends, end) = ((replace(clock, loose=loose, bare=False), place) for clock, place in both)
        return (begins, joint), (ends, end)

    def edge(self, at: int) -> tuple[Clock, int] | None:
        """A time of the clock that begins or ends a span, with its half of the day, and the place behind it."""
        read = self._clock(self._skip(at), led=True)
        if read is None or not isinstance(read[1], Clock):
            return None
        clock, end = read[1], read[2]
        if not self._is(end, "am", "pm"):
            return clock, end
        return Clock(clock.minutes % _HALF_DAY + _HALF_DAY * self._is(end, "pm"), exact=True), end + 1

    def _until(self, at: int) -> _Read:
        if self._is(at, "until") and (read := self._clock(self._skip(at + 1), led=True)):
            return Slot.UNTIL, read[1], read[2]
        return None

    def _solar(self, at: int) -> _Read:
        """Sunrise or sunset, with a length before or after it where one is said."""
        length, behind = self._seconds(at)
        sign = 1 if self._is(behind, "plus") else -1 if self._is(behind, "minus") else 0
        place = self._skip(behind + 1) if length and sign else at
        if length and not sign:
            return None
        if not self._is(place, "sun"):
            return None
        sun = Sun(self._value(place))
        if length:
            return Slot.SUN, Solar(sun, sign * timedelta(seconds=length)), place + 1
        length, behind = self._seconds(place + 1)
        sign = 1 if self._is(behind, "plus") else -1 if self._is(behind, "minus") else 0
        if self._known.postfix and length and sign:
            return Slot.SUN, Solar(sun, sign * timedelta(seconds=length)), behind + 1
        return Slot.SUN, Solar(sun), place + 1

    def _days(self, at: int) -> _Read:
        """Days of the week on which it is each time."""
        every = self._is(at, "every")
        place = self._skip(at + 1) if every else at
        if every and (length := self._seconds(place))[0] and self._number(place) is not None:
            return Slot.AGAIN, timedelta(seconds=length[0]), length[1]
        if self._is(place, "days"):
            said = self._value(place)
            days = _DAYS[said] if said in _DAYS else frozenset({Weekday(int(said))})
            return Slot.DAYS, self._and_days(days, place + 1)[0], self._and_days(days, place + 1)[1]
        if every and self._is(place, "unit") and self._value(place) == "day":
            return Slot.DAYS, _DAYS["all"], place + 1
        if every and self._is(place, "weekend"):
            return Slot.DAYS, _DAYS["weekend"], place + 1
        if every and self._is(place, "part"):
            return Slot.DAYS, _DAYS["all"], place
        if not self._is(place, "weekday"):
            return None
        first = Weekday(int(self._value(place)))
        till = place + 1
        while self._is(till, "from", "filler") and self._known.postfix:
            till += 1
        reaches = self._is(till, "to", "until", "toward", "hours") and not self._known.postfix
        joint = self._skip(till + 1) if reaches else till
        if joint > place + 1 and self._is(joint, "weekday"):
            last = int(self._value(joint))
            days = frozenset(Weekday((first + n) % _WEEK) for n in range((last - first) % _WEEK + 1))
            end = joint + 1
            while self._is(end, "until") and self._known.postfix:
                end += 1
            return Slot.DAYS, days, end
        days, end = self._and_days(frozenset({first}), place + 1)
        each = every or (self._known.postfix and self._is(end, "every"))
        if each or len(days) > 1:
            return Slot.DAYS, days, end + (not every and self._is(end, "every"))
        return None

    def _and_days(self, days: frozenset[Weekday], at: int) -> tuple[frozenset[Weekday], int]:
        while True:
            place = at + 1 if self._is(at, "and") else at
            place = self._skip(place)
            if (self._is(place, "days") and self._value(place).isdigit()) or self._is(place, "weekday"):
                days |= {Weekday(int(self._value(place)))}
            else:
                return days, at
            at = place + 1

    def _timed(self, at: int) -> _Read:
        """A length with the word that tells what it is for, before it or behind."""
        for kind, slot in (("delay", Slot.DELAY), ("span", Slot.SPAN)):
            if self._is(at, kind) and (length := self._seconds(self._skip(at + 1)))[0]:
                end = length[1] + self._is(length[1], kind)
                return slot, timedelta(seconds=length[0]), end
        length = self._seconds(at)
        behind = self._known.postfix or not self._is(length[1], "lead")  # "ten minutes in the kitchen"
        if behind and length[0] and self._is(length[1], "delay") and not self._hour_behind(length[1] + 1):
            return Slot.DELAY, timedelta(seconds=length[0]), length[1] + 1
        if length[0] and self._is(length[1], "span") and not self._hour_behind(length[1] + 1):
            return Slot.SPAN, timedelta(seconds=length[0]), length[1] + 1
        return None

    def _hour_behind(self, at: int) -> bool:
        return self._number(at) is not None or self._is(at, "half", "sun")

    def _length(self, at: int) -> _Read:
        length, end = self._seconds(at)
        return (Slot.LENGTH, timedelta(seconds=length), end) if length else None

    def _day(self, at: int) -> _Read:
        if self._is(at, "day"):
            return Slot.DAY, int(self._value(at)), at + 1
        if self._is(at, "this") and self._value(at + 1) in ("night", "evening"):
            return Slot.DAY, 0, at + 1
        if self._is(at, "morning_or_next"):
            before = self._is(at - 1, "day", "weekday", "oclock", "clock", "number", "lead")
            return (Slot.PART, "morning", at + 1) if before else (Slot.DAY, 1, at + 1)
        place = at + 1 if self._is(at, "next", "this") else at
        if self._is(place, "weekday"):
            return Slot.WEEKDAY, int(self._value(place)), place + 1
        if self._is(at, "date"):
            behind = self._skip(at + 1)
            if self._is(behind, "month"):
                return Slot.DATE, Date(int(self._value(at)), int(self._value(behind))), behind + 1
            return Slot.DATE, Date(int(self._value(at))), at + 1
        number = self._number(at)
        behind = self._skip(at + 1)
        if number is not None and number.is_integer() and self._is(behind, "month"):
            return Slot.DATE, Date(int(number), int(self._value(behind))), behind + 1
        if self._is(at, "month"):
            behind = self._skip(at + 1)
            day = self._run[behind].number if self._is(behind, "number", "date") else None
            return (Slot.DATE, Date(int(day), int(self._value(at))), behind + 1) if day else None
        if self._known.postfix and number is not None and self._is(at + 1, "monthmark"):
            day = self._number(at + 2)
            if day is not None:
                return Slot.DATE, Date(int(day), int(number)), at + 3 + self._is(at + 3, "unit")
        return None

    def _part(self, at: int) -> _Read:
        if self._is(at, "part"):
            if (point := _POINTS.get(self._value(at))) is not None:
                return Slot.CLOCK, Clock(point, exact=True), at + 1
            return Slot.PART, self._value(at), at + 1
        return (Slot.PART, self._run[at].kind, at + 1) if self._is(at, "am", "pm") else None

    def _bare(self, at: int) -> _Read:
        number = self._number(at)
        alone = number is not None and _HOURS < number <= _MOST and self._alone(at, at + 1)
        return (Slot.NUMBER, number, at + 1) if alone and number is not None else None

    def _clock(self, at: int, *, led: bool) -> _Read:
        """A time of the clock. A bare number is one where it is ``led`` to, or its half of the day is said."""
        read = self._by_hour(at)
        if read is None:
            return None
        minutes, end, sure, exact = read
        if not sure and not led and self._number(at) == 1:
            return None  # an article
        told = self._is(at - 1, "part", "am", "pm", "day", "weekday", "date") or self._is(end, "am", "pm")
        told = told or (self._is(end, "part") and self._value(end) not in _POINTS)
        if not sure and not led and not told:
            return (Slot.CLOCK, Clock(minutes, loose=True), end) if self._alone(at, end) else None
        whole = exact or minutes >= 13 * 60 or minutes < 60
        return Slot.CLOCK, Clock(minutes, exact=whole, bare=not sure and not told), end

    def _alone(self, at: int, end: int) -> bool:
        """Whether a bare number counts nothing, and is no article."""
        return self._number(at) not in (0.5, 1) and not self._is(end, "unit", "number", "half", "month", "monthmark")

    def _by_hour(self, at: int) -> tuple[int, int, bool, bool] | None:
        """Minutes, the place behind, whether it can be nothing but a time, and whether it is one of a day's 24."""
        if self._is(at, "clock"):
            end = at + 1 + self._is(at + 1, "oclock")
            minutes = int(self._value(at))
            written = self._known.clock == _HOURS
            return minutes, end, True, written
        if self._is(at, "half") and (hour := self._hour(self._skip(at + 1))) is not None:
            return hour[0] * 60 + _HALVES[self._value(at)], hour[1], True, False
        if self._is(at, "quarter3") and (hour := self._hour(at + 1)) is not None:
            return hour[0] * 60 - _QUARTER, hour[1], True, False
        if (past := self._past_hour(at)) is not None:
            return past
        hour = self._hour(at)
        if hour is None:
            return None
        minutes, end, sure = hour[0] * 60, hour[1], hour[2]
        if self._is(end, "half"):
            return minutes + abs(_HALVES[self._value(end)]), end + 1 + self._is(end + 1, "oclock"), True, False
        joint = self._skip(end + 1)
        if self._is(end, "and") and any(self._is(i, "at") for i in range(end + 1, joint)):
            return minutes, end, sure, False  # "a las 7 y a las 8"
        sign = 1 if self._is(end, "plus", "and") else -1 if self._is(end, "minus") else 0
        if sign and self._is(joint, "quarter"):
            return minutes + sign * _QUARTER, joint + 1, True, False
        adds = sign and (not self._is(end, "and") or (self._is(end, "minutes") and self._is(at - 1, "at")))
        if adds and (more := self._number(joint)) is not None and more < _MINUTES and not self._is(joint + 1, "unit"):
            return minutes + sign * int(more), joint + 1, True, False
        nought = self._is(end, "zero") or (self._number(end) == 0 and self._number(end + 1) is not None)
        end += nought  # "seven oh five"
        more = self._number(end)
        minute = more is not None and more.is_integer() and 0 <= more < _MINUTES
        if (
            minute
            and more is not None
            and (sure or nought or more >= _EARLY)
            and not self._is(end + 1, "oclock", "month")
        ):
            unit = self._is(end + 1, "unit") and self._value(end + 1) == "minute"
            if unit and self._known.postfix and self._is(end + 2, "minus"):  # "일곱 시 십 분 전"
                return minutes - int(more), end + 3, True, False
            told = unit and (sure or self._known.postfix)  # "a 12 minute timer" tells no hour
            if told or not self._is(end + 1, "unit"):
                return minutes + int(more), end + 1 + unit, sure or unit, False
        return minutes, end - nought, sure, False

    def _past_hour(self, at: int) -> tuple[int, int, bool, bool] | None:
        """Minutes before or after an hour, or half of one: "ten past seven". Returns as `_by_hour`."""
        number = self._number(at)
        if self._is(at, "quarter"):
            count, place = float(_QUARTER), at + 1
        elif number is not None and number < _MINUTES:
            count, place = number, at + 1
            place += self._is(place, "unit") and self._value(place) == "minute"
        else:
            return None
        sign = 1 if self._is(place, "plus") else -1 if self._is(place, "minus") else 0
        if not sign or self._is(place, "less"):  # "las siete menos diez"
            return None
        place = self._skip(place + 1)
        half = _HALVES[self._value(place)] if self._is(place, "half") else 0
        hour = self._hour(place + bool(half))
        return (hour[0] * 60 + half + sign * int(count), hour[1], True, False) if hour is not None else None

    def _hour(self, at: int) -> tuple[int, int, bool] | None:
        """An hour of the day, the place behind it, and whether it is said to be one."""
        number = self._number(at)
        if number is None or not number.is_integer() or not 0 <= number <= _HOURS:
            return None
        hours = self._known.hour_is_clock and self._is(at + 1, "unit") and self._value(at + 1) == "hour"
        led = self._is(at - 1, "at", "hours", "plus", "minus", "half", "filler", "lead", "until", "from", "to")
        if hours and led:
            return int(number), at + 2, True
        oclock = self._is(at + 1, "oclock")
        if self._is(at + 1, "unit"):
            return None
        return int(number), at + 1 + oclock, oclock
