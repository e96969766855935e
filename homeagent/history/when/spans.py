"""A period that is given in words instead of as a length or as from and to."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from homeagent.history.when.find_times import find_times
from homeagent.values.timespan import Span

_ENGLISH = "en"
_FRAME = 8
"""Letters that may stand around the words: "in", "the", "during"."""


def spoken_span(text: str, language: str, now: datetime, zone: ZoneInfo) -> Span | None:
    """The one stretch of the past that a text is all about, in the given language or in English; else None."""
    for code in dict.fromkeys((language, _ENGLISH)):
        found = find_times(text, code, now, zone)
        if len(found) == 1 and len(text.strip()) - (found[0].last - found[0].first) <= _FRAME:
            return Span(found[0].start, found[0].end)
    return None
