"""One time, as the words beside each other say it in whatever order: "last night at 3", "3 Uhr", "지난 3시간"."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from homeagent.history.when.time_words import TimeWords, Token

_YEARS = range(2000, 2100)
_DATES = range(1, 32)
_MODS = frozenset({"this", "last", "rolling", "next"})


@dataclass(slots=True)
class Atom:
    """What was said of one time; what was not is None. ``date`` is a day of a ``month``; ``minute_of_day`` a clock's
    time as it was said, ``exact`` where it can mean only one of the two half days."""

    day: int | None = None
    weekday: int | None = None
    part: str | None = None
    unit: str | None = None
    number: float | None = None
    mod: str | None = None
    ago: bool = False
    month: int | None = None
    date: int | None = None
    year: int | None = None
    minute_of_day: int | None = None
    exact: bool = False
    meridiem: str | None = None
    half: str | None = None
    minutes: int = 0
    first: int = 0
    last: int = 0
    said: dict[str, None] = field(default_factory=dict)
    """The kinds of tokens that were taken in, in order."""

    @property
    def names_day(self) -> bool:
        """Whether it says which day, or night, is meant."""
        relative = self.part is not None and self.mod is not None
        back = self.ago and self.unit in ("day", "week")
        return self.day is not None or self.weekday is not None or self.date is not None or relative or back

    @property
    def is_clock(self) -> bool:
        """Whether it says a time of day: by the clock, or noon or midnight of a day that is not counted."""
        return self.minute_of_day is not None or (self.part in ("noon", "midnight") and self.unit is None)

    def take(self, token: Token) -> bool:
        """Take a token in; False where it does not belong to this time any more."""
        slot = "mod" if token.kind in _MODS else token.kind
        if slot in self.said and slot != "number":
            return False
        if slot == "number" and not self._number(token):
            return False
        if slot == "oclock":
            if self.number is None:
                return False
            self.minute_of_day, self.number = round(self.number * 60), None
        elif slot in ("am", "pm"):
            self.meridiem = slot
        elif token.value == "night" and self.said and next(reversed(self.said)) in ("oclock", "number", "clock"):
            self.meridiem = "night"  # "3 Uhr nachts" tells which 3, "gestern Nacht" which night
        elif slot not in ("number", "at"):
            self._set(slot, token)
        if set(self.said) == {"at"} and slot not in ("number", "clock", "part"):
            self.first = token.first
        if slot != "at":  # it belongs to what follows, if that is a time
            self.last = max(self.last, token.last)
        self.said.pop(slot, None)
        self.said[slot] = None
        return True

    def _set(self, slot: str, token: Token) -> None:
        if slot == "clock":
            self.minute_of_day, self.exact = int(token.value), True
        elif slot == "monthmark":
            self.month, self.number = round(self.number or 0) or None, None
        elif slot == "weekend":
            self.unit = "weekend"
        elif slot == "mod":
            self.mod = token.kind
        elif slot == "ago":
            self.ago = True
        elif slot in ("day", "weekday", "month", "date"):
            setattr(self, slot, int(token.value))
            if slot == "month" and self.number is not None and self.number in _DATES and self.unit is None:
                self.date, self.number = int(self.number), None
        else:
            setattr(self, slot, token.value)

    def _number(self, token: Token) -> bool:
        if token.number in _YEARS and self.year is None and "." not in token.value:
            self.year = int(token.number)
        elif token.number < 60 and ("oclock" in self.said or (self.unit == "hour" and self.number is not None)):
            self.minutes = int(token.number)
        elif self.month is not None and self.date is None and token.number in _DATES and "at" not in self.said:
            self.date = int(token.number)
        elif self.number is None:
            self.number = token.number
        else:
            return False
        return True

    def finished(self, known: TimeWords, *, clocky: bool, since: bool = False) -> Atom:
        """The atom with its numbers given their meaning. ``clocky``: a bare number is a time of day."""
        done = replace(self, said=dict(self.said))
        if done.month is not None and done.unit == "day":
            done.unit = None
        hours = done.unit == "hour" and not (done.mod or done.ago) and known.hour_is_clock
        if hours and not (since and known.since_hours == "duration"):
            done.unit, clocky = None, True
        clocky = clocky or "at" in done.said or done.meridiem is not None or done.half is not None
        if clocky and done.unit is None and done.number is not None and 0 <= done.number <= 24:
            done.minute_of_day, done.number = round(done.number * 60), None
        if done.minute_of_day is not None:
            done.minute_of_day += done.minutes + {"after": 30, "before": -30}.get(done.half or "", 0)
        return done

    def with_day_of(self, other: Atom | None) -> Atom:
        """This time on the day that the other names."""
        if other is None or self.names_day or not other.names_day:
            return self
        part = self.part or (other.part if self.minute_of_day is not None else None)
        return replace(
            self,
            day=other.day,
            weekday=other.weekday,
            part=part,
            mod=other.mod if other.part or other.weekday is not None else self.mod,
            month=other.month,
            year=other.year,
            date=other.date,
            number=other.number if other.ago else self.number,
            unit=other.unit if other.ago else self.unit,
            ago=other.ago,
        )
