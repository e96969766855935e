"""A text cut into its sentences."""

from __future__ import annotations

import re
import unicodedata

from memory.memory_words import language, plain

_BETWEEN = re.compile(r"(?<=[.!?;…。！？])\s+|\n+")
_ORDINAL = re.compile(r"(\S+)\s+\d{1,2}\.$")
"""At the end of what is no sentence yet, after certain words."""


def sentences(text: str, code: str | None = None) -> list[str]:
    """The sentences of a text. ``code``: its language, which tells an ordinal's full stop from that of a sentence."""
    known = language(code)
    found: list[str] = []
    for piece in filter(None, map(str.strip, _BETWEEN.split(one_shape(text)))):
        ordinal = _ORDINAL.search(found[-1]) if found and known else None
        if ordinal and known and plain(ordinal[1]) in known.before_ordinals:
            found[-1] += f" {piece}"
        else:
            found.append(piece)
    return found


def one_shape(text: str) -> str:
    """The text with one way to write its apostrophes and blanks."""
    return unicodedata.normalize("NFC", text).replace("\u2019", "'").replace("\u2018", "'").replace("\u00a0", " ")
