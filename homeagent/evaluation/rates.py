"""Figures that are parts of a whole."""

from __future__ import annotations

from collections.abc import Iterable


def share(right: Iterable[bool]) -> float:
    """How many of them are true, 0 to 1, to four digits; 0 where there are none."""
    counted = list(right)
    return round(sum(counted) / max(1, len(counted)), 4)
