"""The names of a home's things, and the things that have a word in theirs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from homeagent.ha.home import ChangeKind, Home, HomeChange
from indexer.mentions import Mentions
from indexer.normalise import is_syllabic
from indexer.sentence_reading import find_mentions
from indexer.vocabulary import Vocabulary
from indexer.words import words

_SHORTEST_WORD = 3
_SHORTEST_PART = 4


class Names:
    """The names of the exposed things of a home, ready to be looked for. Made anew where the home changes."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._made: tuple[Vocabulary, dict[str, frozenset[str]]] | None = None
        home.listen(self._forget)

    def mentions(self, text: str, language: str) -> Mentions:
        """What a text mentions. Blocks where the names must be made anew (20 ms for 1,000 things)."""
        return find_mentions(text, self._current()[0], language)

    def with_word(self, word: str) -> frozenset[str]:
        """Ids of the things that have the word in a name; in Hangul also a word that it begins with."""
        by_word = self._current()[1]
        if found := by_word.get(word):
            return found
        if is_syllabic(word):
            return next(
                (by_word[word[:end]] for end in range(len(word) - 1, 1, -1) if word[:end] in by_word), frozenset()
            )
        return frozenset()

    def ending_in(self, word: str) -> frozenset[str]:
        """Ids of the things with a name's word that ends so: "Haustür" is a door."""
        by_word = self._current()[1]
        long = len(word) >= _SHORTEST_WORD
        return frozenset(i for known, ids in by_word.items() if long and known.endswith(word) for i in ids)

    def called(self, kind: str) -> frozenset[str]:
        """Ids of the things with the word for a kind in a name, or with what it is the plural of: "doors"."""
        forms = [kind[:end] for end in range(len(kind), max(len(kind) - 3, _SHORTEST_WORD), -1)] or [kind]
        return next((ids for form in forms if (ids := self.with_word(form) or self.ending_in(form))), frozenset())

    def within(self, word: str) -> frozenset[str]:
        """Ids of the things with a name's word that begins or ends so; in Hangul without what is tied to the end."""
        by_word = self._current()[1]
        if is_syllabic(word):
            ends = [word[:end] for end in range(len(word), 1, -1)]
            return next((ids for end in ends if (ids := _begun(by_word, end))), frozenset())
        if len(word) < _SHORTEST_PART:
            return self.with_word(word)
        return frozenset(
            i for known, ids in by_word.items() if known.startswith(word) or known.endswith(word) for i in ids
        )

    def _current(self) -> tuple[Vocabulary, dict[str, frozenset[str]]]:
        made = self._made
        if made is None:
            vocabulary = Vocabulary()
            vocabulary.set_places(self._home.areas.values(), self._home.floors.values())
            by_word: defaultdict[str, set[str]] = defaultdict(set)
            for entity in self._home.exposed():
                vocabulary.add(entity)
                for name in entity.names:
                    for word in words(name):
                        by_word[word].add(entity.entity_id)
            made = self._made = vocabulary, {word: frozenset(ids) for word, ids in by_word.items()}
        return made

    def _forget(self, change: HomeChange) -> None:
        if change.kind is ChangeKind.ENTITIES:
            self._made = None


def _begun(by_word: Mapping[str, frozenset[str]], start: str) -> frozenset[str]:
    return frozenset(i for known, ids in by_word.items() if known.startswith(start) for i in ids)
