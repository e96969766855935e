"""Key words that a memory must hold: what is checked is what it says, not how it says it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from indexer.normalise import unaccented

_SHORT = 3
"""Letters up to which a word counts only as a whole: "no" is not in "Noah"."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Fits a text that holds each of ``has`` and none of ``unless``. In each, ``a|b`` means either."""

    has: tuple[str, ...]
    unless: tuple[str, ...] = ()

    def fits(self, text: str) -> bool:
        """Whether the text fits, accents and case aside; numbers and words of few letters only as a whole."""
        plain = simplified(text)
        return all(_holds(plain, word) for word in self.has) and not any(_holds(plain, w) for w in self.unless)

    def __str__(self) -> str:
        without = f" without {', '.join(self.unless)}" if self.unless else ""
        return ", ".join(self.has) + without


def pattern(has: Sequence[object], unless: Sequence[object] = ()) -> Pattern:
    """A pattern of a file's values, which may be numbers."""
    return Pattern(tuple(str(word) for word in has), tuple(str(word) for word in unless))


@lru_cache(maxsize=4096)
def simplified(text: str) -> str:
    """Lower case, no accents, one kind of quote and blank."""
    return " ".join(unaccented(text).split())


def _holds(plain: str, alternatives: str) -> bool:
    return any(_finder(word).search(plain) for word in alternatives.split("|"))


@lru_cache(maxsize=4096)
def _finder(word: str) -> re.Pattern[str]:
    plain = simplified(word)
    whole = len(plain) <= _SHORT and plain.isalpha() and plain.isascii()
    before = r"(?<![\d])(?<!\d[.,:])" if plain[0].isdigit() else r"\b" if whole else ""
    after = r"(?![\d])(?![.,:]\d)" if plain[-1].isdigit() else r"\b" if whole else ""
    return re.compile(before + re.escape(plain) + after)
