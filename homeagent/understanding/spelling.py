"""What a misspelt word may be meant for. A word that exists is never a misspelling of another."""

from __future__ import annotations

from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from homeagent.languages.dictionary import is_word
from homeagent.languages.pack import Pack
from homeagent.understanding.tokeniser import Token

_SHORTEST = 5
"""Of shorter words, down to ``_LEAST`` letters, only two letters that changed places are a slip."""
_LEAST = 3
_LONG = 8
"""From so many letters on two of them may be wrong, not one."""
_OTHER_BEGINNING = 0.6
"""People rarely get the first letter wrong."""
_MOST = 3


def is_correctable(token: Token, pack: Pack) -> bool:
    """Whether a word is long enough to be corrected, and neither a word of the language nor an adverb."""
    word = token.text
    if len(word) < _LEAST or not word.isalpha() or is_word(token.raw, pack.language):
        return False
    return not (pack.adverb_endings and word.endswith(pack.adverb_endings))


@lru_cache(maxsize=2048)
def corrections(word: str, vocabulary: frozenset[str]) -> tuple[tuple[str, float], ...]:
    """The nearest known words, each with its Damerau-Levenshtein distance (another first letter adds to it), nearest
    first; may be empty.
    """
    allowed = 1 if len(word) < _LONG else 2
    near = process.extract(word, vocabulary, scorer=DamerauLevenshtein.distance, score_cutoff=allowed, limit=None)
    if len(word) < _SHORTEST:
        near = [n for n in near if n[0][0] == word[0] and sorted(n[0]) == sorted(word)]
    found = [
        (distance + (0.0 if known[0] == word[0] else _OTHER_BEGINNING), known)
        for known, distance, _ in near
        if len(known) >= min(len(word), _SHORTEST - 1) and distance
    ]
    return tuple((known, distance) for distance, known in sorted(found)[:_MOST])
