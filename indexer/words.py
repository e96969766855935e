"""Words as people type them, made comparable: one spelling, tokens, character pieces, nearness of names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz, process
from rapidfuzz.distance import Prefix

from indexer.normalise import CJK, COMPARABLE, HANGUL, SIGNS, composed, is_syllabic

_TOKEN = re.compile(rf"\d+|[{CJK}]|[{HANGUL}]+|[^\W\d_{CJK}{HANGUL}]+|[{SIGNS}]")
_DIGIT = re.compile(r"\d")
_UMLAUT = re.compile("([aou])e+")
_SHORTEST_STEM = 3
_LONGEST_ENDING = 3
_STEM_SHARE = 0.6
"""What two forms of a word share at least, where not all of the shorter one."""


@lru_cache(maxsize=4096)
def _respell(token: str) -> str:
    """``ae``, ``oe``, ``ue`` are how umlauts are typed without an umlaut key; both spellings become one."""
    return _UMLAUT.sub(r"\1", token) if "e" in token else token


@dataclass(frozen=True, slots=True)
class Token:
    """A comparable word or number; ``start`` and ``end`` are offsets in the original text."""

    text: str
    start: int
    end: int


def tokens(text: str) -> tuple[Token, ...]:
    """The sentence's words in order: letters, numbers, single Han and kana characters, ``%`` and ``°``.

    "Lamp2" is two tokens; Hangul words keep their particles. The text is best in NFC (Hangul needs it).
    """
    folded: list[str] = []
    origin: list[int] = []
    for index, char in enumerate(text):
        piece = COMPARABLE[ord(char)]
        folded.append(piece)
        origin.extend([index] * len(piece))
    found = _TOKEN.finditer("".join(folded))
    return tuple(Token(_respell(m.group()), origin[m.start()], origin[m.end() - 1] + 1) for m in found)


@lru_cache(maxsize=2048)
def words(text: str) -> tuple[str, ...]:
    """The comparable words of a text, without offsets. Fast: used for every entity, several times for each name."""
    return tuple(_respell(t) for t in _TOKEN.findall(composed(text).translate(COMPARABLE)))


def normalise(text: str) -> str:
    """One spelling for what people take as the same name: case, accents, ``ß``, umlauts, punctuation, spaces."""
    return " ".join(words(text))


def forms_alike(one: str, other: str) -> bool:
    """Whether two words may be forms of one: they begin alike and end otherwise ("kuchnia" and "kuchni")."""
    shared = Prefix.similarity(one, other)
    shortest, longest = sorted((len(one), len(other)))
    stem = shared == shortest or shared >= _STEM_SHARE * longest
    return stem and shared >= _SHORTEST_STEM and longest - shared <= _LONGEST_ENDING


def likeness(one: str, other: str) -> float:
    """The share of the longer word that both begin with, 0 to 1. Words with digits are alike only where they are the
    same."""
    if _DIGIT.search(one + other):
        return float(one == other)
    return Prefix.similarity(one, other) / max(len(one), len(other))


def grams(texts: Iterable[str]) -> set[str]:
    """Character pieces of words: 3-grams (one marks the beginning), whole numbers, 1- and 2-grams of syllables."""
    pieces: set[str] = set()
    run = ""
    for word in texts:
        if word.isdigit():
            pieces.add(f"#{word.lstrip('0') or '0'}")
        elif is_syllabic(word):
            pieces.update(word)
            joined = run + word if len(word) == 1 else word
            pieces.update(joined[i : i + 2] for i in range(len(joined) - 1))
            run = word
            continue
        elif word not in SIGNS:
            pieces.update(_trigrams(word))
        run = ""
    return pieces


@lru_cache(maxsize=4096)
def _trigrams(word: str) -> tuple[str, ...]:
    padded = f" {word}"
    return tuple(padded[i : i + 3] for i in range(max(1, len(padded) - 2)))


def numbers(texts: Iterable[str]) -> frozenset[str]:
    """The numbers among words, without leading zeros."""
    return frozenset(w.lstrip("0") or "0" for w in texts if w.isdigit())


def nearest(name: str, candidates: Iterable[str], n: int = 3) -> tuple[str, ...]:
    """The candidates most like ``name`` (typos, order of words, other accents), best first; may be empty."""
    by_spelling: dict[str, str] = {}
    for candidate in candidates:
        by_spelling.setdefault(normalise(candidate), candidate)
    best = process.extract(normalise(name), by_spelling.keys(), scorer=fuzz.WRatio, limit=n, score_cutoff=45)
    return tuple(by_spelling[spelling] for spelling, _, _ in best)
