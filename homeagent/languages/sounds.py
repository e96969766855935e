"""How words of a language sound, near enough to tell which ones are heard for each other: "lus", "luz"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from indexer.normalise import decomposed

_TWICE = re.compile(r"(.)\1+")
_KEPT = 20_000
_SPELLED = 4
"""Longer words without a vowel are said as words."""
_ROUGH = str.maketrans(
    {
        **dict(zip("bdgvzm", "ptkfsn", strict=True)),
        **dict.fromkeys("iyEI", "e"),
        **dict.fromkeys("uOU", "o"),
        "A": "a",
    }
)
"""Sounds that differ by the voice alone, or of vowels by little, are one."""
_VOWELS = frozenset("aeo") | {chr(c) for c in range(0x1161, 0x1176)}
_SHORT, _LEAST = 4, 3
"""Sounds: of fewer than these one that is lacking or another makes much of a difference, of fewer than those too
much."""
FAR = 2.0
"""How far off a short word is of which one sound is lacking or another; it has to be known by its neighbours."""
_DIFFERENT = 1.4
"""The same for a longer one, where 1 is a word with the same rough sounds."""


@dataclass(frozen=True)
class Sounds:
    """``rules``: patterns of letters with what they sound like, each on what the ones before leave; a syllable that is
    written as one sign is its letters. ``words``, ``phrases``: those that may be heard; a phrase has several words.
    ``letters``: what those are called of which abbreviations are made.
    """

    rules: tuple[tuple[re.Pattern[str], str], ...] = ()
    words: frozenset[str] = frozenset()
    phrases: frozenset[str] = frozenset()
    letters: Mapping[str, str] = field(default_factory=dict)
    _known: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    def of(self, text: str) -> str:
        """The sound of words in comparable spelling, in signs of our own, without what parts them."""
        return _TWICE.sub(r"\1", "".join(self._of_word(word) for word in text.split()))

    @cached_property
    def alike(self) -> Mapping[str, tuple[str, ...]]:
        """The words by their sound."""
        return self.by_sound(self.words)

    @cached_property
    def near(self) -> NearSounds:
        """Which of the words' sounds others are nearly like."""
        return NearSounds(self.alike)

    @cached_property
    def phrases_alike(self) -> Mapping[str, tuple[str, ...]]:
        """The phrases by their sound."""
        return self.by_sound(self.phrases)

    def by_sound(self, texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Texts by their sound; none where the language has no rules."""
        found: dict[str, tuple[str, ...]] = {}
        for text in sorted(texts) if self.rules else ():
            sound = self.of(text)
            found[sound] = (*found.get(sound, ()), text)
        return found

    def _of_word(self, word: str) -> str:
        sound = self._known.get(word)
        if sound is None:
            if len(self._known) >= _KEPT:
                self._known.clear()
            if 1 < len(word) <= _SPELLED and self.letters.keys() >= set(word):
                self._known[word] = sound = self.of(" ".join(self.letters[letter] for letter in word))
                return sound
            sound = decomposed(word)
            for pattern, like in self.rules:
                sound = pattern.sub(like, sound)
            self._known[word] = sound = _TWICE.sub(r"\1", sound)
        return sound


def sounds_of(
    rules: Mapping[str, str],
    words: frozenset[str] = frozenset(),
    phrases: frozenset[str] = frozenset(),
    letters: Mapping[str, str] | None = None,
) -> Sounds:
    """The sounds of a pack: its rules, what it has of words and phrases, and what letters are called. Raises
    `re.error`.
    """
    return Sounds(tuple((re.compile(said), like) for said, like in rules.items()), words, phrases, letters or {})


class NearSounds:
    """Finds the sounds that others are nearly like: with the same rough sounds, but for one that is lacking or is
    another vowel.
    """

    def __init__(self, sounds: Iterable[str]) -> None:
        self._by_size: dict[int, tuple[list[str], list[str]]] = {}
        for sound in sounds:
            rough = _rough(sound)
            roughs, own = self._by_size.setdefault(len(rough), ([], []))
            roughs.append(rough)
            own.append(sound)

    def of(self, asked: Sequence[str]) -> list[dict[str, float]]:
        """For each sound those that are near to it and not the same, with how far they are: 1 or more."""
        found: list[dict[str, float]] = [{} for _ in asked]
        roughs = [_rough(sound) for sound in asked]
        for size, (choices, own) in self._by_size.items():
            places = [i for i, r in enumerate(roughs) if abs(len(r) - size) <= 1]
            if not places or not size:
                continue
            table = process.cdist(
                [roughs[i] for i in places], choices, scorer=Levenshtein.distance, score_cutoff=1, dtype=np.uint8
            )
            for row, at in zip(*np.nonzero(table <= 1), strict=True):
                place, sound = places[row], own[at]
                shorter = min(size, len(roughs[place]))
                if sound == asked[place]:
                    continue
                if not table[row, at]:
                    found[place][sound] = 1.0
                elif shorter >= _LEAST and _may_be_heard_for(roughs[place], choices[at]):
                    found[place][sound] = _DIFFERENT if shorter >= _SHORT else FAR
        return found


def _may_be_heard_for(one: str, other: str) -> bool:
    """Whether of two that differ in one rough sound this is lacking, or a vowel for another."""
    differ = [{a, b} for a, b in zip(one, other, strict=False) if a != b] if len(one) == len(other) else []
    return all(pair <= _VOWELS for pair in differ)


def _rough(sound: str) -> str:
    return _TWICE.sub(r"\1", sound.translate(_ROUGH))
