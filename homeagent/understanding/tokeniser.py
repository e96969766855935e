"""A sentence as comparable words, with the marks between them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from indexer.words import tokens

_MARKS = frozenset(",.;:!?…。、，？！")
_HYPHENS = frozenset("-‐‑")
_POINTS = frozenset(".,")
_QUOTATION = re.compile(r"“[^”]+”|„[^“”]+[“”]|«[^»]+»|「[^」]+」|\"[^\"]+\"")
_APOSTROPHES = frozenset("'’`´")
_ASKING = re.compile(r"[?？]\s*$")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number or a sign. ``text`` is comparable, ``raw`` as typed; ``start`` and ``end`` are offsets.

    ``mark``: the punctuation before it, empty for none and for the first token. ``glued``: a number that is written to
    the word before it. ``quoted``: it stands within quotation marks. ``gap``: all that stands between it and the token
    before it, or before the first one.
    """

    text: str
    raw: str
    start: int
    end: int
    mark: str = ""
    glued: bool = False
    quoted: bool = False
    gap: str = ""

    @property
    def hangs(self) -> bool:
        """Whether a hyphen joins it to the word before ("allume-la")."""
        return self.gap in _HYPHENS

    @property
    def follows_an_apostrophe(self) -> bool:
        """Whether an apostrophe joins it to the word before ("d'appeler", "light's")."""
        return bool(self.gap) and self.gap in _APOSTROPHES


@dataclass(frozen=True, slots=True)
class Sentence:
    """What was said. ``asks``: it ends with a question mark."""

    text: str
    tokens: tuple[Token, ...]
    asks: bool = False


def tokenise(text: str) -> Sentence:
    """The words of a sentence. Decimals ("21.5", "21,5") and times of the day ("7:30") are one token each."""
    quotations = [m.span() for m in _QUOTATION.finditer(text)]
    found: list[Token] = []
    for word in tokens(text):
        between = text[found[-1].end if found else 0 : word.start]
        last = found[-1] if found else None
        if last is not None and (joined := _joined(last.text, between, word.text)):
            found[-1] = Token(
                joined, text[last.start : word.end], last.start, word.end, last.mark, last.glued, gap=last.gap
            )
            continue
        mark = "".join(c for c in between if c in _MARKS) if found else ""
        glued = bool(last and not between and word.text[0].isdigit() and last.text.isalpha())
        quoted = any(start <= word.start < end for start, end in quotations)
        found.append(Token(word.text, text[word.start : word.end], word.start, word.end, mark, glued, quoted, between))
    return Sentence(text, tuple(found), bool(_ASKING.search(text)))


def is_time_of_day(text: str) -> bool:
    """Whether a token is a time such as "7:30"."""
    return ":" in text


def _joined(before: str, between: str, after: str) -> str:
    """Two numbers as one token where only a decimal sign or the colon of a time stands between them; else empty."""
    if not (before.isdigit() and after.isdigit()):
        return ""
    if between in _POINTS:
        return f"{before}.{after}"
    if between == ":" and len(after) == 2 and int(before) < 24:
        return f"{before}:{after}"
    return ""
