"""A day with the part of it that is said behind: "tomorrow in the evening", "heut nacht"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from homeagent.history.when.time_words import TimeWords, time_words
from homeagent.languages.concepts import DayWord, Role
from homeagent.understanding.spans import Span
from homeagent.understanding.tokeniser import Token

_PART = "part:"
_BETWEEN, _LONGEST = 2, 3
"""So many small words may stand between them, and so many words a part has."""
_STRETCHES = frozenset({DayWord.WEEK, DayWord.LAST_WEEK, DayWord.NEXT_WEEK, DayWord.MONTH, DayWord.WEEKEND})


def parts_of_days(tokens: Sequence[Token], found: Sequence[Sequence[Span]], language: str) -> Iterator[Span]:
    """The spans of a day and its part together, each as that day and as a time."""
    words = time_words(language, ahead=True)
    if words is None:
        return
    days = [s for spans in found for s in spans if isinstance(s.meaning, DayWord) and s.meaning not in _STRETCHES]
    for day in days:
        if (end := _end_of_part(tokens, day.end, words)) > day.end:
            yield replace(day, end=end)
            yield replace(day, end=end, meaning=Role.TIME)


def _end_of_part(tokens: Sequence[Token], first: int, words: TimeWords) -> int:
    """Where the part of a day ends that begins here, small words aside; ``first`` where none does."""
    for start in range(first, min(len(tokens), first + _BETWEEN + 1)):
        if tokens[start].mark or tokens[start].quoted:
            return first
        for end in range(min(len(tokens), start + _LONGEST), start, -1):
            said = [t.text for t in tokens[start:end]]
            if words.phrases.get(" ".join(said), "").startswith(_PART) and not any(t.mark for t in tokens[start:end]):
                return end
        if tokens[start].text not in words.fillers:
            return first
    return first
