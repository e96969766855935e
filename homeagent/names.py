"""Comparing names as people say and write them, and finding those that are nearest to one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_NEAREST = 5
_CUTOFF = 55.0


@lru_cache(maxsize=20_000)
def plain(text: str) -> str:
    """A name for comparing: case, accents' form, and what parts words do not count."""
    return " ".join(re.sub(r"[\W_]+", " ", unicodedata.normalize("NFKC", text).casefold()).split())


def near(text: str, candidates: Iterable[str]) -> list[str]:
    """Up to five candidates that look like the text, nearest first."""
    from rapidfuzz import fuzz, process

    found = process.extract(
        plain(text), list(candidates), scorer=fuzz.WRatio, processor=plain, limit=_NEAREST, score_cutoff=_CUTOFF
    )
    return [candidate for candidate, _, _ in found]


def listed(names: Iterable[str], most: int = 12) -> str:
    every = sorted(set(names))
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return (", ".join(every[:most]) or "none") + more
