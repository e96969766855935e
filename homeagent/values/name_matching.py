"""Comparing names as people say and write them, and finding those that are nearest to one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from indexer.normalise import caseless

_NEAREST = 5
_CUTOFF = 55.0
_SAME_DOMAIN = 8.0
_LOOKED_AT = 40


@lru_cache(maxsize=20_000)
def plain(text: str) -> str:
    """A name for comparing: case, accents' form, and what parts words do not count."""
    return " ".join(re.sub(r"[\W_]+", " ", caseless(text)).split())


def near(text: str, candidates: Iterable[str]) -> list[str]:
    """Up to five candidates that look like the text, nearest first."""
    likeness = _likeness(plain(text), {candidate: plain(candidate) for candidate in candidates}, _CUTOFF)
    return _best(likeness)


def near_ids(entity_id: str, candidates: Iterable[str]) -> list[str]:
    """Up to five entity ids that look like this one, nearest first; those of its domain are a little nearer.

    Where none looks like it, the least unlike of its domain.
    """
    domain, _, name = entity_id.partition(".")
    names = {candidate: plain(candidate.partition(".")[2]) for candidate in candidates}
    likeness = _likeness(plain(name), names, _CUTOFF - _SAME_DOMAIN)
    scores = {found: score + _SAME_DOMAIN * found.startswith(f"{domain}.") for found, score in likeness.items()}
    if best := _best({found: score for found, score in scores.items() if score >= _CUTOFF}):
        return best
    return _best(_likeness(plain(name), {c: n for c, n in names.items() if c.startswith(f"{domain}.")}, 0.0))


def _likeness(wanted: str, names: Mapping[str, str], cutoff: float) -> dict[str, float]:
    """The best candidates with 0 to 100: letters in their order whatever parts the words, or words in any order."""
    from rapidfuzz import fuzz, process

    joined = {candidate: name.replace(" ", "") for candidate, name in names.items()}
    by_letters = process.extract(wanted.replace(" ", ""), joined, scorer=fuzz.ratio, limit=_LOOKED_AT)
    by_words = process.extract(wanted, names, scorer=fuzz.token_set_ratio, limit=_LOOKED_AT)
    scores = {candidate: score for _, score, candidate in by_letters}
    for _, score, candidate in by_words:
        scores[candidate] = max(scores.get(candidate, 0.0), 0.9 * score)
    return {candidate: score for candidate, score in scores.items() if score >= cutoff}


def _best(scores: Mapping[str, float]) -> list[str]:
    return sorted(scores, key=lambda candidate: -scores[candidate])[:_NEAREST]


def listed(names: Iterable[str], most: int = 12) -> str:
    """Names in order, each once, as ``a, b and 3 more``; ``none`` where there are none. ``most``: how many appear."""
    every = sorted(set(names))
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return (", ".join(every[:most]) or "none") + more
