"""The words by which people ask something of memory: what each may do in such a request. They are data, the ``acts`` of
memory.yaml.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import cache

from indexer.normalise import straight, unaccented

_CHOICE = re.compile(r"\(([^()]*)\)")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_ELIDED = frozenset({"j", "l", "n", "d", "s", "m", "t", "c", "qu"})
"""What stands before an apostrophe and is a word of its own."""


class Part(StrEnum):
    """What a word or phrase may do in a request to memory."""

    KEEP = "keep"
    KEEP_THIS = "keep_this"
    """Asks to keep what it points at itself: "write that down"."""
    KEEP_WEAK = "keep_weak"
    """Asks so only where the statement is marked: "save that …"."""
    FORGET = "forget"
    ERASE = "erase"
    """Asks to forget something else just as well: "delete …"."""
    ENDED = "ended"
    """Says that something no longer holds: "… is cancelled"."""
    NEGATION = "negation"
    LEAD = "lead"
    """May stand before what asks."""
    AFTER = "after"
    """May stand behind it."""
    YOU = "you"
    SELF = "self"
    SPEAKS = "speaks"
    """Who speaks, as the one who does something: "I"."""
    ASKS = "asks"
    MODAL = "modal"
    POINT = "point"
    THAT = "that"
    TODO = "todo"
    """Makes what follows something to be done: "remember to …"."""
    NOT_IT = "not_it"
    """What no statement begins with that is to be kept: "remember when …"."""
    CORRECT = "correct"
    CORRECT_WEAK = "correct_weak"
    CHANGE = "change"
    """Says within a statement that it was otherwise before."""
    LIGHT = "light"
    """Says nothing of what is to be forgotten: "the thing about …"."""
    ORDER = "order"
    """What orders and questions to the home begin with."""
    ORDER_ENDINGS = "order_endings"
    JOIN = "join"
    HYPOTHETICAL = "hypothetical"
    """Says that it is not so, or perhaps: "if I liked …", "maybe"."""
    THAT_ENDINGS = "that_endings"
    """What is written to the end of a statement that a verb behind it speaks of: Korean."""
    THAT_NOUNS = "that_nouns"


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a sentence. ``mark``: the punctuation behind it."""

    text: str
    start: int
    end: int
    mark: str = ""


def tokens_of(text: str) -> tuple[Token, ...]:
    """The words of a text in comparable spelling, with their places in it."""
    spots = [spot for match in _WORD.finditer(straight(text)) for spot in _parts(match)]
    ends = [*(start for _, start, _ in spots[1:]), len(text)] if spots else []
    marks = (re.sub(r"[\s'’]", "", text[end:until]) for (_, _, end), until in zip(spots, ends, strict=True))
    return tuple(Token(word, start, end, mark) for (word, start, end), mark in zip(spots, marks, strict=True))


def _parts(match: re.Match[str]) -> list[tuple[str, int, int]]:
    word, start = match.group(), match.start()
    before, apostrophe, behind = word.partition("'")
    if apostrophe and unaccented(before) in _ELIDED:
        return [
            (unaccented(before), start, start + len(before)),
            (unaccented(behind.replace("'", "")), start + len(before) + 1, match.end()),
        ]
    return [(unaccented(word.replace("'", "")), start, match.end())]


@dataclass(frozen=True, slots=True)
class PhraseBook:
    """``whole``: part -> first word -> phrases, the longest first. ``loose``: those with a word of which only the
    beginning or the end is told ("말*", "*말")."""

    whole: Mapping[str, Mapping[str, Sequence[tuple[str, ...]]]] = field(default_factory=dict)
    loose: Mapping[str, Sequence[tuple[str, ...]]] = field(default_factory=dict)
    endings: Sequence[tuple[str, str]] = ()
    """Of a statement that is spoken of, with what is left of each, the longest first."""

    def at(self, tokens: Sequence[Token], place: int, *parts: str) -> int:
        """How many words from ``place`` on are one phrase of any of these parts; 0: none is. The longest counts."""
        if place >= len(tokens):
            return 0
        return max((self._length(tokens, place, part) for part in parts), default=0)

    def ending_at(self, tokens: Sequence[Token], end: int, *parts: str) -> int:
        """How many words before ``end`` are one phrase of any of these parts."""
        for first in range(max(0, end - _LONGEST), end):
            if any(self._fits_to(tokens, first, end, part) for part in parts):
                return end - first
        return 0

    def has(self, tokens: Sequence[Token], part: str) -> bool:
        """Whether a phrase of this part stands anywhere in them."""
        return any(self._length(tokens, place, part) for place in range(len(tokens)))

    def _fits_to(self, tokens: Sequence[Token], first: int, end: int, part: str) -> bool:
        return any(len(phrase) == end - first for phrase in self._phrases(tokens, first, part))

    def _length(self, tokens: Sequence[Token], place: int, part: str) -> int:
        return max((len(phrase) for phrase in self._phrases(tokens, place, part)), default=0)

    def _phrases(self, tokens: Sequence[Token], place: int, part: str) -> list[tuple[str, ...]]:
        known = self.whole.get(part, {}).get(tokens[place].text, ())
        found = [one for one in known if _there(one, tokens, place)]
        return found + [one for one in self.loose.get(part, ()) if _there(one, tokens, place)]


_LONGEST = 8


def _there(phrase: Sequence[str], tokens: Sequence[Token], place: int) -> bool:
    if place + len(phrase) > len(tokens):
        return False
    return all(_fits(word, tokens[place + i].text) for i, word in enumerate(phrase))


def _fits(word: str, said: str) -> bool:
    return fnmatchcase(said, word) if "*" in word else word == said


def phrase_book(data: Mapping[str, Sequence[str]], parts: type[StrEnum] = Part) -> PhraseBook:
    """The words of a language, as its file has them: "(a|b) c" is "a c" and "b c". Raises ValueError for a part that is
    none of ``parts``."""
    whole: dict[str, dict[str, list[tuple[str, ...]]]] = {}
    loose: dict[str, list[tuple[str, ...]]] = {}
    for name, entries in data.items():
        part = parts(name)
        for entry in entries if part is not Part.THAT_ENDINGS else ():
            for phrase in map(_words, _written_out(entry)):
                if any("*" in word for word in phrase):
                    loose.setdefault(part, []).append(phrase)
                elif phrase:
                    whole.setdefault(part, {}).setdefault(phrase[0], []).append(phrase)
    endings = (entry.partition("/") for entry in data.get(Part.THAT_ENDINGS, ()))
    left = [(unaccented(ending), unaccented(rest)) for ending, _, rest in endings]
    return PhraseBook(whole, loose, sorted(left, key=lambda pair: -len(pair[0])))


def _written_out(entry: str) -> list[str]:
    places = _CHOICE.split(entry)
    choices = [part.split("|") if i % 2 else [part] for i, part in enumerate(places)]
    return ["".join(chosen) for chosen in itertools.product(*choices)]


@cache
def _words(phrase: str) -> tuple[str, ...]:
    """In comparable spelling; what is written with an apostrophe as it is said."""
    said = []
    for word in phrase.split():
        said += [unaccented(word)] if "*" in word else [token.text for token in tokens_of(word)]
    return tuple(said)
