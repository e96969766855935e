"""Finds phrases with gaps in a row of words: for lists of words that are no pack.

A list maps a section ("deed") to concepts ("locked") to phrases. A phrase is a few words; ``_`` stands for one or more
words in between ("turn _ off"), a word that ends in ``+`` for every word that begins so, and a first word that begins
with ``+`` for every word that ends so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from indexer.words import normalise

_GAP = "_"
_LONGEST_GAP = 9
Sections = Mapping[str, Mapping[str, Sequence[str]]]


@dataclass(frozen=True, slots=True)
class PhraseMatch:
    """A concept found in a row of words: the positions of its words, ascending."""

    section: str
    concept: str
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Pattern:
    section: str
    concept: str
    items: tuple[str, ...]
    size: int


class PhraseMatcher:
    """Phrases by their first words. What they are found in is in comparable spelling."""

    def __init__(self, sections: Sections) -> None:
        self._by_first: dict[str, list[_Pattern]] = {}
        self._prefixes: dict[str, list[_Pattern]] = {}
        self._suffixes: dict[str, list[_Pattern]] = {}
        for pattern in _patterns(sections):
            first = pattern.items[0]
            if first.startswith("+"):
                self._suffixes.setdefault(first[1:], []).append(pattern)
                continue
            table, key = (self._prefixes, first[:-1]) if first.endswith("+") else (self._by_first, first)
            table.setdefault(key, []).append(pattern)

    def matches(self, words: Sequence[str], masked: Collection[int] = ()) -> tuple[PhraseMatch, ...]:
        """Every concept that the words hold. Longer phrases win; a word belongs to one concept per section.

        A phrase's gap may run over ``masked`` places, its own words may not stand there.
        """
        found: list[tuple[int, int, PhraseMatch]] = []
        for start, word in enumerate(words):
            if start in masked:
                continue
            for pattern in self._starting(word):
                if (positions := _match(pattern.items, words, masked, start)) is not None:
                    spot = PhraseMatch(pattern.section, pattern.concept, positions)
                    found.append((-pattern.size, positions[-1] - positions[0], spot))
        taken: set[tuple[str, int]] = set()
        chosen: list[PhraseMatch] = []
        for _, _, spot in sorted(found, key=lambda f: (f[0], f[1], f[2].positions)):
            places = {(spot.section, p) for p in spot.positions}
            if not places & taken:
                taken |= places
                chosen.append(spot)
        return tuple(sorted(chosen, key=lambda s: s.positions))

    def _starting(self, word: str) -> Iterable[_Pattern]:
        yield from self._by_first.get(word, ())
        for length in range(1, len(word) + 1) if self._prefixes else ():
            yield from self._prefixes.get(word[:length], ())
        for suffix, patterns in self._suffixes.items():
            if word.endswith(suffix):
                yield from patterns


def _patterns(sections: Sections) -> Iterator[_Pattern]:
    for section, concepts in sections.items():
        for concept, phrases in concepts.items():
            for phrase in phrases:
                items = tuple(item for piece in phrase.split() for item in _items(piece))
                if items:
                    yield _Pattern(section, concept, items, sum(i != _GAP for i in items))


def _items(piece: str) -> list[str]:
    if piece == _GAP:
        return [_GAP]
    items = normalise(piece).split()
    if items and piece.startswith("+"):
        items[0] = f"+{items[0]}"
    if items and piece.endswith("+"):
        items[-1] = f"{items[-1]}+"
    return items


def _match(items: Sequence[str], words: Sequence[str], masked: Collection[int], start: int) -> tuple[int, ...] | None:
    """Positions of the phrase's words when it begins at ``start``; the shortest gaps win."""
    positions: list[int] = []
    place, gap = start, False
    for item in items:
        if item == _GAP:
            gap = True
            continue
        reach = range(place + 1, place + 1 + _LONGEST_GAP) if gap else range(place, place + 1)
        hit = next((i for i in reach if i < len(words) and i not in masked and _fits(item, words[i])), None)
        if hit is None:
            return None
        positions.append(hit)
        place, gap = hit + 1, False
    return tuple(positions)


def _fits(item: str, word: str) -> bool:
    if item.startswith("+"):
        return word.endswith(item[1:])
    return word.startswith(item[:-1]) if item.endswith("+") else word == item
