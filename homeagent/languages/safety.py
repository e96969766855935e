"""The words of a language about the safety of a home: what is asked, what things are called, what is answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Generic, TypeVar

from pydantic import Field

from homeagent.languages.concepts import SafetyKind, SafetySign, SafetyState, SafetyWord
from homeagent.languages.folder import Part
from homeagent.languages.pack_schema import Phrase, Phrases, Strict, read_part_as
from indexer.words import normalise, words

OfSafety = SafetyKind | SafetySign | SafetyState | SafetyWord
C = TypeVar("C")
_STEM = "+"
"""Stands behind a phrase whose last word may have something hanging on it."""


class _SafetyFile(Strict):
    kinds: dict[SafetyKind, Phrases]
    """What they are called, in sentences and in names."""
    signs: dict[SafetyKind, Phrases] = Field(default_factory=dict)
    said: dict[SafetyWord, Phrases]
    how: dict[SafetyState, Phrases]
    """Words for states that are states only where safety is asked about: "secured", "the alarm went off"."""
    beside: Phrases
    """Words that make a name that of something else: "oven light"."""
    lacking: dict[SafetyKind, Phrase]
    """What is told not to be there."""
    states: dict[SafetyKind, dict[Phrase, Phrase]]
    """How a detector is said to be, by raw state."""
    phrases: dict[Phrase, Phrase]


@dataclass(frozen=True, slots=True)
class Said(Generic[C]):
    """What phrases in comparable spelling stand for, as they are, and by what their last word begins with.

    ``longest``: how many words the longest one has.
    """

    whole: Mapping[str, tuple[C, ...]]
    stems: Mapping[str, tuple[C, ...]]
    longest: int

    def at(self, said: Sequence[str]) -> tuple[C, ...]:
        """What these words stand for."""
        phrase = " ".join(said)
        if (found := self.whole.get(phrase)) or not self.stems or not said:
            return found or ()
        begins = (phrase[:end] for end in range(len(phrase), len(phrase) - len(said[-1]), -1))
        return next((self.stems[b] for b in begins if b in self.stems), ())


@dataclass(frozen=True, slots=True)
class SafetyWords:
    """``said``: what is said in sentences. ``lacking``, ``states``, ``phrases``: for answers."""

    language: str
    said: Said[OfSafety]
    lacking: Mapping[SafetyKind, str]
    states: Mapping[SafetyKind, Mapping[str, str]]
    phrases: Mapping[str, str]
    _kinds: Said[SafetyKind]
    _beside: frozenset[str]

    def kinds_in(self, name: Sequence[str]) -> Iterator[tuple[SafetyKind, range]]:
        """The kinds that the words of a name say, with their places; of words within each other the longest."""
        first = 0
        while first < len(name):
            ends = range(min(len(name), first + self._kinds.longest), first, -1)
            end = next((e for e in ends if self._kinds.at(name[first:e])), first)
            yield from ((kind, range(first, end)) for kind in self._kinds.at(name[first:end]))
            first = max(end, first + 1)

    def kinds_called(self, name: str) -> frozenset[SafetyKind]:
        """The kinds that a name tells; none where it is that of something beside one."""
        called = words(name)
        found = list(self.kinds_in(called))
        told = {place for _, places in found for place in places}
        if any(word in self._beside for place, word in enumerate(called) if place not in told):
            return frozenset()
        return frozenset(kind for kind, _ in found)


@cache
def safety_words(language: str) -> SafetyWords | None:
    """The words of a language; None where there are none. Blocks: reads a file. Raises `InvalidLanguagePack`."""
    read = read_part_as(language, Part.SAFETY, _SafetyFile)
    if read is None:
        return None
    code, file = read
    return SafetyWords(
        code,
        _said(
            [
                *file.kinds.items(),
                *((SafetySign(k), p) for k, p in file.signs.items()),
                *file.said.items(),
                *file.how.items(),
            ]
        ),
        file.lacking,
        file.states,
        file.phrases,
        _said(file.kinds.items()),
        frozenset(map(normalise, file.beside)),
    )


def _said(said: Iterable[tuple[C, Iterable[str]]]) -> Said[C]:
    found: tuple[dict[str, dict[C, None]], ...] = ({}, {})
    for concept, phrases in said:
        for phrase in phrases:
            found[phrase.endswith(_STEM)].setdefault(normalise(phrase), {})[concept] = None
    whole, stems = ({p: tuple(c) for p, c in by_phrase.items()} for by_phrase in found)
    return Said(whole, stems, max((p.count(" ") + 1 for p in (*whole, *stems)), default=1))
