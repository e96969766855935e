"""Things found by their names in a text: an index, so that the text need not be held against each name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from memory.extract import LiveThing, LiveView
from memory.function_words import function_words
from memory.tokens import tokens


class KnownThings:
    """Finds things by name in a text: all words of a name must stand in it, in order; or those of its area."""

    def __init__(self, things: Iterable[LiveThing]) -> None:
        self._names = ByName((name, thing) for thing in things for name in (*thing.names, thing.area or ""))

    def named(self, text: str) -> Sequence[LiveThing]:
        """Each thing once, those named first in the text first."""
        return tuple({thing.entity_id: thing for thing in self._names.within(text)}.values())


def is_thing(view: LiveView, phrase: str) -> bool:
    """Whether the phrase is the whole name of a thing, an article before it or not."""
    ways = bare(tokens(phrase))
    return any(tuple(tokens(name)) in ways for thing in view.named(phrase) for name in thing.names)


def bare(words: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The words as they are, and without an article before them."""
    whole = tuple(words)
    return (whole, whole[1:]) if len(whole) > 1 and whole[0] in function_words() else (whole,)


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
