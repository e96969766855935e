"""Comparing names as people say and write them, and finding those that are nearest to one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_NEAREST = 5
_CUTOFF = 55.0
_SAME_DOMAIN = 8.0


@lru_cache(maxsize=20_000)
def plain(text: str) -> str:
    """A name for comparing: case, accents' form, and what parts words do not count."""
    return " ".join(re.sub(r"[\W_]+", " ", unicodedata.normalize("NFKC", text).casefold()).split())


def near(text: str, candidates: Iterable[str]) -> list[str]:
    """Up to five candidates that look like the text, nearest first."""
    wanted = plain(text)
    return _best({candidate: _likeness(wanted, plain(candidate)) for candidate in candidates})


def near_ids(entity_id: str, candidates: Iterable[str]) -> list[str]:
    """Up to five entity ids that look like this one, nearest first; those of its domain are a little nearer.

    Where none looks like it, the least unlike of its domain.
    """
    domain, _, name = entity_id.partition(".")
    wanted = plain(name)
    scores = {}
    for candidate in candidates:
        own_domain, _, own_name = candidate.partition(".")
        scores[candidate] = _likeness(wanted, plain(own_name)) + (_SAME_DOMAIN if own_domain == domain else 0)
    of_domain = {candidate: score for candidate, score in scores.items() if candidate.startswith(f"{domain}.")}
    return _best(scores) or _best(of_domain, cutoff=0)


def _likeness(one: str, other: str) -> float:
    """0 to 100: letters in their order whatever parts the words, or words whatever their order."""
    from rapidfuzz import fuzz

    return max(fuzz.ratio(one.replace(" ", ""), other.replace(" ", "")), 0.9 * fuzz.token_set_ratio(one, other))


def _best(scores: dict[str, float], cutoff: float = _CUTOFF) -> list[str]:
    near_enough = [candidate for candidate, score in scores.items() if score >= cutoff]
    return sorted(near_enough, key=lambda candidate: -scores[candidate])[:_NEAREST]


def listed(names: Iterable[str], most: int = 12) -> str:
    every = sorted(set(names))
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return (", ".join(every[:most]) or "none") + more
