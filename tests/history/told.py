"""Whether what was told is the figure that SQL over the records gives."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from homeagent.evaluation.history.questions import moment
from homeagent.evaluation.history.recorder_tables import Expected

_MOMENTS = ("first", "last", "when_max", "gone")


def agrees(told: Any, wanted: float | None, expected: Expected, zone: ZoneInfo) -> bool:
    """Moments to the second, lengths to the second, numbers as they are rounded."""
    if wanted is None:
        return False
    if expected.tell in _MOMENTS:
        return bool(told == moment(wanted).astimezone(zone).isoformat())
    return abs(float(told) - wanted) <= (0.51 if expected.tell == "time" else 0.0006)
