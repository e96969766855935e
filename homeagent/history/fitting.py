"""Keeps what is told of the past short, whatever the range."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from homeagent.history.entity_history import Detail

LIMIT = 560
"""Tokens. With the frame around a tool's result it stays below 600."""
_CHARACTERS_PER_TOKEN = 2.4
"""Of JSON full of ids, times and numbers; other letters than Latin ones are counted by their bytes."""
_DETAILS = (
    Detail(),
    Detail(24),
    Detail(14),
    Detail(8),
    Detail(5, 6),
    Detail(5, 4, entities=8),
    Detail(3, 3, entities=6),
    Detail(2, 2, entities=4),
    Detail(2, 2, entities=2),
    Detail(2, 1, entities=1),
)


def fitted(tell: Callable[[Detail], Mapping[str, object]]) -> Mapping[str, object]:
    """What is told in the greatest detail that fits."""
    for detail in _DETAILS:
        told = tell(detail)
        if tokens(told) <= LIMIT:
            break
    return told


def tokens(told: Mapping[str, object]) -> int:
    """How many tokens this is as JSON; rather too many than too few."""
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"), default=str)
    latin = sum(c.isascii() for c in text)
    other = len(text.encode(errors="replace")) - latin
    return round(latin / _CHARACTERS_PER_TOKEN + other / 2)
