"""Lengths of time as people write them in settings and tools: ``90``, ``30s``, ``1h30m``, ``7d``."""

from __future__ import annotations

import math
import re

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|min|[smhdw])", re.ASCII)
_WHOLE = re.compile(rf"(?:{_PART.pattern}\s*)+", re.ASCII)


def parse_duration(text: str | int | float) -> float:
    """Seconds, 0 or more. A bare number is in seconds; units are ms, s, m (or min), h, d, w, largest first or not.

    Raises ValueError for anything else: another unit, a sign, nothing at all, a number without end.
    """
    if isinstance(text, bool):
        raise ValueError("a length of time is a number of seconds, or a text such as 30s, 5m, 1h30m or 7d")
    try:
        seconds = float(text) if isinstance(text, int | float) else _from_text(text.strip().lower())
    except OverflowError:
        seconds = math.inf
    if not math.isfinite(seconds) or seconds < 0:
        raise ValueError("a length of time is zero or more, and has an end")
    return seconds


def _from_text(text: str) -> float:
    if re.fullmatch(r"\d+(\.\d+)?", text, re.ASCII):
        return float(text)
    if not _WHOLE.fullmatch(text):
        raise ValueError("write a length of time as a number of seconds, or such as 30s, 5m, 1h30m or 7d")
    return sum(float(number) * _SECONDS[unit] for number, unit in _PART.findall(text))
