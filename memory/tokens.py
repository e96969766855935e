"""A text cut into its sentences, and into the words that are compared, in any script."""

from __future__ import annotations

import re

from indexer.normalise import straight, unaccented
from memory.memory_words import Language, language

WORD = re.compile(r"\w+")
PAIRED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
"""Letters of scripts that are cut into pairs."""


def tokens(text: str) -> list[str]:
    """The words of ``text`` for matching: lower case, no accents, pairs of letters for Chinese, Korean, Thai …"""
    return [part for word in whole_words(text) for part in parts_of(word)]


def whole_words(text: str) -> list[str]:
    """The words in lower case and without accents, not yet cut into pairs."""
    return WORD.findall(unaccented(text))


def parts_of(word: str) -> list[str]:
    """What a whole word is compared by: itself, or pairs of its letters."""
    parts: list[str] = []
    at = 0
    for run in PAIRED.finditer(word):
        parts += [word[at : run.start()]] if run.start() > at else []
        letters = run.group()
        parts += [letters[i : i + 2] for i in range(max(1, len(letters) - 1))]
        at = run.end()
    return [*parts, word[at:]] if at < len(word) else parts


_BETWEEN = re.compile(r"(?<!\b[A-Z][b-df-hj-np-tv-xz]\.)(?<=[.!?;…。！？])\s+|(?<=,)\s+(?=¿)|\n+")
_TAG = re.compile(r"(?<=\w\w\w\w),\s+[^\W\d]+(?:\s[^\W\d]+)?\s?[?？]$")
"""A word or two that ask for a nod after a statement: ", ja?", ", all right?"."""
_ORDINAL = re.compile(r"(\S+)\s+\d{1,2}\.$")
"""At the end of what is no sentence yet, after certain words."""


def sentences(text: str, code: str | None = None) -> list[str]:
    """The sentences of a text. ``code``: its language, which tells an ordinal's full stop from that of a sentence."""
    known = language(code)
    found: list[str] = []
    for piece in filter(None, map(str.strip, _BETWEEN.split(straight(text)))):
        piece = _TAG.sub(".", piece)
        if found and known and _ends_with_ordinal(found[-1], known):
            found[-1] += f" {piece}"
        elif found and known and _is_general(piece, known):
            found[-1] = f"{found[-1].rstrip('.!…。')}, {piece}"
        else:
            found.append(piece)
    return found


def passages(text: str, code: str | None = None) -> list[str]:
    """The sentences of a text, letter by letter as they stand in it."""
    known = language(code)
    found: list[slice] = []
    start = 0
    for end, after in [*(between.span() for between in _BETWEEN.finditer(text)), (len(text), len(text))]:
        piece = text[start:end]
        if found and known and (_ends_with_ordinal(text[found[-1]], known) or _is_general(piece, known)):
            found[-1] = slice(found[-1].start, end)
        elif piece.strip():
            found.append(slice(start, end))
        start = after
    return [text[one].strip() for one in found]


def _ends_with_ordinal(piece: str, known: Language) -> bool:
    ordinal = _ORDINAL.search(piece)
    return ordinal is not None and unaccented(ordinal[1]) in known.before_ordinals


def _is_general(piece: str, known: Language) -> bool:
    """Whether it is one word that belongs to the sentence before: "Always."."""
    words = whole_words(piece)
    return len(words) == 1 and not piece.endswith(("?", "？")) and "general" in known.at(words, 0)[1]
