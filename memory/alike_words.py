"""Whether two words say the same: forms of one word, words for one wish, or one within a compound."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import Prefix

from memory.statement_parts import Word

_ALIKE = 0.7
"""Share of the longer word that two forms of one word have in common at least."""
_LEAST_OF_COMPOUND = 4
"""Letters of a word that may be one part of another."""
_SHORT = 3
"""Letters of a word that has hardly another form."""
_ONE = (("wish", "dislike"), ("called",))
"""Concepts whose words all stand for one thing when statements are compared."""


def alike(one: Word, other: Word) -> bool:
    """Whether two words are forms of one, or stand for the same wish."""
    if one.bare == other.bare:
        return True
    if one.concepts and other.concepts and any(one.has(*alike) and other.has(*alike) for alike in _ONE):
        return True
    if one.bare[:_SHORT] != other.bare[:_SHORT]:  # most are no more than that: this is asked thousands of times
        return False
    shorter, longer = sorted((len(one.bare), len(other.bare)))
    if shorter == longer and one.bare[-1] == other.bare[-1]:
        return False  # grandma, grandpa: forms of one word differ at their end
    if shorter == _SHORT and longer - shorter <= 1:
        return True  # eat, eats
    return shorter > _SHORT and Prefix.similarity(one.bare, other.bare) >= _ALIKE * longer


def alike_any(word: Word, others: Sequence[Word]) -> bool:
    """Whether one of them is a form of the word, or a compound with it."""
    return any(alike(word, other) or _of_one_compound(word.bare, other.bare) for other in others)


def _of_one_compound(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= _LEAST_OF_COMPOUND and (long.startswith(short) or long.endswith(short))
