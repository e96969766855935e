"""How words of a language sound, near enough to tell which ones are heard for each other: "lus", "luz"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from indexer.normalise import decomposed

_TWICE = re.compile(r"(.)\1+")
_KEPT = 20_000


@dataclass(frozen=True)
class Sounds:
    """``rules``: patterns of letters with what they sound like, each on what the ones before leave; a syllable that is
    written as one sign is its letters. ``words``, ``phrases``: those that may be heard; a phrase has several words."""

    rules: tuple[tuple[re.Pattern[str], str], ...] = ()
    words: frozenset[str] = frozenset()
    phrases: frozenset[str] = frozenset()
    _known: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    def of(self, text: str) -> str:
        """The sound of words in comparable spelling, in signs of our own, without what parts them."""
        return _TWICE.sub(r"\1", "".join(self._of_word(word) for word in text.split()))

    @cached_property
    def alike(self) -> Mapping[str, tuple[str, ...]]:
        """The words by their sound."""
        return self.by_sound(self.words)

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
            sound = decomposed(word)
            for pattern, like in self.rules:
                sound = pattern.sub(like, sound)
            self._known[word] = sound = _TWICE.sub(r"\1", sound)
        return sound


def sounds_of(rules: Mapping[str, str], words: frozenset[str], phrases: frozenset[str]) -> Sounds:
    """The sounds of a pack: its rules, and what it has of words and phrases. Raises `re.error`."""
    return Sounds(tuple((re.compile(said), like) for said, like in rules.items()), words, phrases)
