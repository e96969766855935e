"""An answer in sentences and clauses, each with its place in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

QUESTION_MARKS = ("?", "？", "؟", "՞")
_END = re.compile(r"[.!?。！？؟…]+[\"'”’»)]*(?=\s|\Z)|[。！？](?!\Z)|\n+")
_PAUSE = re.compile(r"[,;:(–—]\s*(?!\d)|\s-\s|\)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with what follows it up to the next one; ``start`` and ``end`` are offsets in the answer."""

    text: str
    start: int
    end: int

    @property
    def asks(self) -> bool:
        """Whether it ends in a question mark, quotes and brackets behind it aside."""
        return self.text.rstrip(" \n\"'”’»)").endswith(QUESTION_MARKS)


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences; together they are the whole text."""
    start = 0
    for found in _END.finditer(text):
        end = found.end()
        while end < len(text) and text[end].isspace():
            end += 1
        if text[start:end].strip():
            yield Sentence(text[start:end], start, end)
            start = end
    if start < len(text):
        yield Sentence(text[start:], start, len(text))


def whole_until(text: str) -> int:
    """The end of the last sentence that is surely whole, however the text goes on."""
    ends = [found.end() for found in _END.finditer(text) if found.end() < len(text) or found.group()[0] in "。！？\n"]
    return ends[-1] if ends else 0


def pauses(sentence: str) -> list[int]:
    """Offsets right behind each mark that may part two clauses."""
    return [found.end() for found in _PAUSE.finditer(sentence)]
