"""Times of day in words, as one value: "half past seven", "las dos y media", "huit heures moins dix", "네 시 십 분".

Each piece of a text is one letter here, so that a phrase is found as a pattern of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_LETTERS = {"clock_before": "b", "clock_after": "a", "clock_less": "s", "clock_link": "l"}
_PHRASE = re.compile(r"b+l*nu?|nu?l*a|nu?sl*(?:a|nm?)|nunm|sl*(?:a|n)")
"""A half or a quarter before the hour or behind it, what is less, minutes behind an hour; or only the latter part."""


def letter_of(concepts: Iterable[str], *, is_number: bool = False) -> str:
    """What a piece may be in a phrase: ``b``, ``a``, ``s``, ``l`` as its words say, ``n`` a number, ``u`` the word for
    the hour, ``m`` the one for minutes, ``-`` anything else."""
    if is_number:
        return "n"
    found = set(concepts)
    letter = next((letter for concept, letter in _LETTERS.items() if concept in found), None)
    if letter is None and any(concept.startswith("numbers:") for concept in found):
        return "n"
    units = {"units:hourly": "u", "units:hour": "u", "units:minute": "m"}
    return letter or next((letter for unit, letter in units.items() if unit in found), "-")


def phrase_at(letters: Sequence[str], place: int) -> int:
    """How many pieces from ``place`` on are one time of day; 0: none are, or a number alone is."""
    found = _PHRASE.match("".join(letters), place)
    return found.end() - place if found else 0
