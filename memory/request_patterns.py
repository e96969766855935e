"""The shapes in which people ask something of memory, as regular expressions.

The shapes are data (`memory.memory_words`). Each is compiled when a sentence first holds its words: most never are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache

from indexer.normalise import composed
from memory.checks import MAX_CONTENT
from memory.memory_words import Language, language

_LONGEST = MAX_CONTENT + 200
"""Characters of a sentence that can still hold a statement and what asks to keep it."""
_FREE = "(?P<this>.+?)"
_IT = "(?P<it>.+?)"
_SPLIT = re.compile(r"(\([^()]*\)|\s*[,:]\s*|\s+|\{\w+(?::\w+)?\})")
_CHOICE = re.compile(r"\(([^()]*)\)")
"""``(a|b|)``: one of these, or nothing."""


class Thing(Enum):
    """What stands where a shape says ``{this}``."""

    POINTED_AT = 1
    """"This lamp"; or the shape has no such place."""
    ANYTHING = 2


@dataclass(frozen=True, slots=True)
class Shape:
    """``pattern`` of the whole sentence; ``words``: what must stand in it literally, folded."""

    pattern: str
    words: tuple[str, ...]


def matched(known: Language, kind: str, sentence: str) -> re.Match[str] | None:
    """The sentence in the longest shape of its kind; those that point at something ("this lamp") before all others.

    Groups: ``polite``, and ``it``, ``this``, ``name``, ``colon`` as the shape has them.
    """
    return first_match(known, kind, Thing.POINTED_AT, sentence) or first_match(known, kind, Thing.ANYTHING, sentence)


def first_match(
    known: Language, kind: str, thing: Thing, sentence: str, things: Sequence[str] = ()
) -> re.Match[str] | None:
    """``things``: what alone may stand for ``{this}``, where anything could."""
    if len(sentence) > _LONGEST:
        return None
    asked = sentence.endswith(("?", "？"))
    folded = sentence.casefold()
    for shape in _shapes(known.code, kind, thing):
        if not all(word in folded for word in shape.words):
            continue
        pattern = shape.pattern.replace(_FREE, f"(?P<this>{_any_of(things)})") if things else shape.pattern
        match = _compiled(pattern).match(sentence)
        if match and (not asked or match.group("polite")):  # "can you remember that …?" asks for it; "… ?" asks
            return match
    return None


@cache
def _shapes(code: str, kind: str, thing: Thing) -> tuple[Shape, ...]:
    """The shapes of one kind, the longest first."""
    known = language(code)
    assert known is not None
    polite = _any_of(known.outright["polite"])
    pointing = f"(?P<this>{_any_of(known.outright['this'])})"
    # Possessive: what is polite is never given back, so that a long row of it costs its length and not its square.
    before, after = rf"(?P<polite>(?:(?:{polite})[\s,]++)*+)", _politely(polite)
    shapes = []
    for shape in sorted(known.outright.get(kind, ()), key=_length, reverse=True):
        written = _pattern(shape, polite)
        if thing is Thing.POINTED_AT:
            written = written.replace(_FREE, pointing)
        elif _FREE not in written:
            continue
        shapes.append(Shape(rf"{before}{written}{after}[\s.!?？。！…]*$", _literal(shape)))
    return tuple(shapes)


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _length(shape: str) -> int:
    """Of the longest sentence frame that the shape stands for."""
    return len(_CHOICE.sub(lambda found: max(found[1].split("|"), key=len), shape))


def _literal(shape: str) -> tuple[str, ...]:
    return tuple(_SPLIT.sub(" ", composed(shape)).casefold().split())


def _any_of(words: Sequence[str]) -> str:
    return "|".join(re.escape(composed(w)) for w in sorted(words, key=len, reverse=True))


def _politely(polite: str) -> str:
    """A "please" or more of them as whole words, or none."""
    return rf"(?:[\s,]++(?:{polite})(?![\w'-]))*+"


def _pattern(shape: str, polite: str) -> str:
    """A shape as a regular expression: any blanks, a comma or colon or none, and a "please" in between. ``{it:다}``
    ends so.

    What comes after the statement needs its comma: "I can't remember that" is none.
    """
    between = _politely(polite)
    parts = _SPLIT.split(composed(shape))
    written: list[str] = []
    for part in filter(None, parts):
        if part.startswith("{"):
            place, _, end = part[1:-1].partition(":")
            written.append(f"(?P<{place}>.+?{end})")
        elif part.strip() == ":":
            written.append(rf"{between}(?:(?P<colon>\s*[,:])\s*|\s+)")
        elif part.strip() == "," and written == [_IT]:
            written.append(rf"\s*[,:;–-]{between}\s+")
        elif part.startswith("("):
            choices = (re.escape(one).replace(r"\ ", r"\s+") for one in part[1:-1].split("|"))
            written.append(f"(?:{'|'.join(choices)})")
        elif part.strip() == ",":
            written.append(rf"{between}(?:\s*[,:]\s*|\s+)")
        elif not part.strip():
            written.append(rf"{between}\s+")
        else:
            written.append(re.escape(part))
    return "".join(written)
