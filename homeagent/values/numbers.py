"""Numbers in digits, as people write them."""

from __future__ import annotations

import re

_PLAIN = re.compile(r"\d+(?:[.,]\d+)?")
_GROUPED = re.compile(r"\d{1,3}(?:([.,])\d{3})+(?!\1)[.,]\d+")


def written_number(text: str) -> float | None:
    """The number that the whole text is: ``50``, ``21.5``, ``21,5``, ``1.234,5``; None for a date, a clock."""
    if _PLAIN.fullmatch(text):
        return float(text.replace(",", "."))
    if _GROUPED.fullmatch(text):
        whole, _, fraction = text.replace(",", ".").rpartition(".")
        return float(f"{whole.replace('.', '')}.{fraction}")
    return None
