"""What is called so, found by the words of its name: an index, so that a text need not be held against each name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from memory.tokens import tokens

T = TypeVar("T")


class ByName(Generic[T]):
    """Built once of names and what bears them; several may share a name. Names without words are left out."""

    def __init__(self, named: Iterable[tuple[str, T]]) -> None:
        self._by_words: dict[tuple[str, ...], list[T]] = {}
        for name, one in named:
            if words := tuple(tokens(name)):
                self._by_words.setdefault(words, []).append(one)
        self._longest = max(map(len, self._by_words), default=0)

    def called(self, words: Sequence[str]) -> Sequence[T]:
        """What is called by all of these words."""
        return self._by_words.get(tuple(words), ())

    def at(self, said: Sequence[str], place: int) -> Iterator[T]:
        """What a name stands for that begins at a place of these words, longer names first."""
        for end in range(min(len(said), place + self._longest), place, -1):
            yield from self._by_words.get(tuple(said[place:end]), ())

    def within(self, text: str) -> Iterator[T]:
        """What the names in a text stand for, in the order in which they stand there; one thing may come again."""
        said = tokens(text)
        for place in range(len(said)):
            yield from self.at(said, place)
