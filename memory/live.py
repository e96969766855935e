"""A live view over things that are at hand as a list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memory.by_name import ByName
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
