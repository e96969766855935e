"""Dates, times of day and numbers in digits: ``24.11.2026``, ``2026-11-24``, ``14:30``, ``14.30 Uhr``, ``1,5``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from homeagent.understanding.tokeniser import Token

Said = tuple[tuple[str, str], ...]
"""Kinds and values, as in a language's file."""

_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::\d{2})?")
_DOTTED_CLOCK = re.compile(r"(\d{1,2})\.(\d{2})")
_DOTTED_DATE = re.compile(r"\d{1,4}\.\d{1,2}(?:\.\d{1,4})?")
_DIGITS = re.compile(r"\d{1,4}")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_JOINTS = frozenset(".,:")
"""Marks within one number, date or time of day."""
_DATE = 3
"""Numbers of a whole date."""
_LAST = 31
_YEAR = 1000
"""A number from which on it is a year with its century."""


def in_digits(words: Sequence[Token], at: int, *, is_clock: bool, is_date: bool, month_first: bool) -> tuple[int, Said]:
    """How many words from ``at`` on are one time or number, and what they say; nothing for other words with digits.

    ``is_clock``: two numbers with a dot are a time of day here; ``is_date``: they are a day and a month, and one number
    is a day. ``month_first``: a date in other marks begins with the month.
    """
    size, text = _together(words, at)
    if (clock := _CLOCK.fullmatch(text) or (_DOTTED_CLOCK.fullmatch(text) if is_clock else None)) is not None:
        hours, minutes = int(clock[1]), int(clock[2])
        return size, (("clock", str(hours * 60 + minutes)),) if hours <= 24 and minutes < 60 else ()
    parts = text.split(".")
    if _DOTTED_DATE.fullmatch(text) and (len(parts) == _DATE or is_date):
        return size, _date([int(p) for p in parts], month_first=False)
    beside = words[at : at + _DATE]
    if len(beside) == _DATE and all(_DIGITS.fullmatch(w.text) for w in beside) and _joined(beside):
        numbers = [int(w.text) for w in beside]
        if max(numbers[0], numbers[-1]) >= _YEAR and (date := _date(numbers, month_first=month_first)):
            return _DATE, date
    if is_date and not is_clock and _DIGITS.fullmatch(text) and 1 <= int(text) <= _LAST:
        return size, (("date", text),)
    number = _NUMBER.fullmatch(text)
    return size, (("number", f"{float(text.replace(',', '.')):.10g}"),) if number else ()


def _together(words: Sequence[Token], at: int) -> tuple[int, str]:
    """How many words with digits from ``at`` on are written as one, and that one as typed."""
    size, text = 1, words[at].raw
    for word in words[at + 1 :]:
        if word.gap not in _JOINTS or not word.text[0].isdigit():
            break
        size, text = size + 1, f"{text}{word.gap}{word.raw}"
    return size, text


def _joined(words: Sequence[Token]) -> bool:
    """Whether there is a mark between each two of them, and nothing more than a space."""
    return all(b.start - a.end <= 2 for a, b in pairwise(words))


def _date(parts: Sequence[int], *, month_first: bool) -> Said:
    """Day, month and year in any of the orders that are in use; nothing where it is no date."""
    year: int | None = None
    if len(parts) == _DATE:
        if parts[0] >= _YEAR:
            year, month, day = parts
        else:
            day, month, year = parts
            year += 2000 if year < 100 else 0
    else:
        day, month = parts
    if month > 12 or (month_first and day <= 12 and parts[0] < _YEAR):
        day, month = month, day
    if not (1 <= day <= _LAST and 1 <= month <= 12 and (year is None or 2000 <= year < 2100)):
        return ()
    said = (("date", str(day)), ("month", str(month)))
    return said if year is None else (*said, ("number", str(year)))
