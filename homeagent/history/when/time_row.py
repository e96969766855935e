"""Words for time that stand side by side: what stands at a place, and how long a length is."""

from __future__ import annotations

import math
from collections.abc import Sequence

from homeagent.history.when.time_words import TimeWords, Token

_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
_MINUTES = 60


def means(token: Token, kind: str) -> bool:
    """Whether a word is of a kind, or may be."""
    return kind in token.kind.split("|")


class TimeRow:
    """A row of words for time. Places are counted from 0; one beyond the row has no kind, no value and no number."""

    def __init__(self, run: Sequence[Token], known: TimeWords) -> None:
        self._run, self._known = run, known

    def _is(self, at: int, *kinds: str) -> bool:
        """Whether a word of one of these kinds stands at a place."""
        return 0 <= at < len(self._run) and any(means(self._run[at], kind) for kind in kinds)

    def _value(self, at: int) -> str:
        return self._run[at].value if at < len(self._run) else ""

    def _number(self, at: int) -> float | None:
        """The number that stands at a place."""
        return self._run[at].number if self._is(at, "number") else None

    def _skip(self, at: int) -> int:
        """The place behind the words that only lead a time."""
        while self._is(at, "filler", "lead", "at", "toward", "hours") and not self._is(at, "minus", "plus"):
            at += 1
        return at

    def _seconds(self, at: int) -> tuple[float, int]:
        """How long a length is that begins here, and the place behind it; 0 where none does."""
        total, place, smallest = 0.0, at, math.inf
        while True:
            start = place + 1 if total and self._is(place, "and") else place
            count, end = self._count(start)
            if count is None or not self._is(end, "unit") or self._value(end) not in _SECONDS:
                return self._minutes_behind(total, place)
            unit = _SECONDS[self._value(end)]
            if unit >= smallest:
                return total, place  # "five minutes and ten minutes" are two
            smallest, end = unit, end + 1
            if self._is(end, "half") and self._number(end + 1) is None:
                count, end = count + 0.5, end + 1
            total, place = total + count * unit, end

    def _minutes_behind(self, total: float, at: int) -> tuple[float, int]:
        """A length with the number behind its hours, which is minutes: "1 h 30"."""
        hours = total and self._is(at - 1, "unit") and self._value(at - 1) == "hour"
        number = self._number(at) if hours else None
        if number is not None and number < _MINUTES and not self._known.postfix:
            return total + 60 * number, at + 1
        return total, at

    def _count(self, at: int) -> tuple[float | None, int]:
        """How many units, and the place behind; None where no number begins here."""
        count = self._number(at)
        if count is None:
            return None, at
        at += 1 + self._is(at + 1, "more")
        if count == 1 and (part := self._number(at)) is not None and part < 1:
            return part, at + 1  # "eine halbe"
        if self._is(at, "half") and self._is(at + 1, "unit"):
            return count + 0.5, at + 1
        return count, at
