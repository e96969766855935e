"""Whether a word that was said is a word of a name: typos, inflections, compounds. No language in here."""

from __future__ import annotations

from functools import lru_cache

from rapidfuzz.distance import DamerauLevenshtein

from homeagent.brains.language.lexicon import words_of
from indexer.entity import Area, Floor
from indexer.words import is_syllabic

_SHORTEST = 4
"""Shorter words are compared exactly."""
_SHORTEST_MISSPELT = 5
"""In shorter words one wrong letter makes too many other words: "mail", "rail"."""


@lru_cache(maxsize=20_000)
def name_words(name: str) -> tuple[str, ...]:
    """The folded words of a name."""
    return tuple(w.text for w in words_of(name))


def alike(said: str, word: str) -> bool:
    """Whether ``said`` is ``word``, or that inflected or joined with another word."""
    if said == word:
        return True
    if is_syllabic(said) or is_syllabic(word):
        return len(word) >= 2 and (said.startswith(word) or (len(said) >= 2 and word.startswith(said)))
    shorter, longer = sorted((said, word), key=len)
    if len(shorter) < _SHORTEST:
        # "tvs", "lamps": a short word with an ending of one letter
        return (
            len(shorter) >= 2 and len(longer) == len(shorter) + 1 and longer.startswith(shorter) and longer[-1] == "s"
        )
    if longer.startswith(shorter) and len(longer) - len(shorter) <= 2:
        return True
    if shorter in longer and len(shorter) * 2 >= len(longer):
        return longer.startswith(shorter) or longer.endswith(shorter)
    return False


def misspelt(said: str, word: str) -> bool:
    """Whether ``said`` is ``word`` with a letter or two wrong; another first letter makes another word."""
    shorter, longer = sorted((said, word), key=len)
    if len(shorter) < _SHORTEST_MISSPELT or said[0].isdigit() or word[0].isdigit():
        return False
    if said[0] != word[0] and said[1:] == word[1:]:
        return False  # "table" is no "cable"
    allowed = 1 if len(longer) < 8 else 2
    return DamerauLevenshtein.distance(said, word, score_cutoff=allowed) <= allowed


@lru_cache(maxsize=2_000)
def place_words(place: Area | Floor) -> frozenset[str]:
    """The words that an area or a floor is called by."""
    return frozenset(w for n in (place.name, *place.aliases) for w in name_words(n))
