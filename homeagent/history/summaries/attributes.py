"""What attributes tell of a day beside the state: what a thermostat did, how warm it was there, what it was set to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

from homeagent.ha.recorder import HistoryRow
from homeagent.history.numbers import as_number, in_words, measured
from homeagent.history.summaries.days import clock
from homeagent.history.summaries.kinds import Telling
from homeagent.history.summaries.spells import by_word, spells, tell_word
from homeagent.history.sums import Stretch, attribute_rows, stretches
from homeagent.values.timespan import Span

_MOST_SETTINGS = 6


@dataclass(frozen=True, slots=True)
class AttributeHistory:
    """``first``: what is told before the state; ``then``: after it. ``gist``: without figures."""

    first: Sequence[str] = ()
    then: Sequence[str] = ()
    gist: Sequence[str] = ()
    figures: dict[str, Any] = field(default_factory=dict)


def tell_attributes(
    telling: Telling, rows: Sequence[HistoryRow], span: Span, zone: ZoneInfo, running: bool
) -> AttributeHistory:
    """From rows with attributes; nothing where the kind of thing has no such attributes, or the thing shows none."""
    first: list[str] = []
    then: list[str] = []
    gist: list[str] = []
    figures: dict[str, Any] = {}
    if telling.does is not None:
        times = by_word(spells(stretches(attribute_rows(rows, telling.does), span), telling))
        done = [t for t in times.values() if t.word not in telling.idle]
        first, gist = [tell_word(t, telling, span, zone, running) for t in done], [t.word for t in done]
        figures |= {"does": {t.word: round(t.seconds) for t in done}} if done else {}
    if telling.measures is not None and (shown := measured(attribute_rows(rows, telling.measures), span)) is not None:
        low, high, mean = (in_words(v) for v in (shown.low, shown.high, shown.mean))
        then.append(f"measured {low if low == high else f'{low}–{high}'}{telling.unit}, mean {mean}")
        figures["measured"] = {"min": shown.low, "max": shown.high, "mean": shown.mean}
    if telling.set_to is not None and (settings := _settings(attribute_rows(rows, telling.set_to), span)):
        then.append(_tell_settings(settings, telling.unit, zone))
    return AttributeHistory(first, then, gist, figures)


def _settings(rows: Sequence[HistoryRow], span: Span) -> list[Stretch]:
    return [part for part in stretches(rows, span) if as_number(part.state) is not None]


def _tell_settings(settings: Sequence[Stretch], unit: str, zone: ZoneInfo) -> str:
    """``set to 17°, 21° from 06:30 on, 17° from 22:00 on``."""
    told = [
        f"{in_words(float(s.state))}{unit}" + (f" from {clock(s.start, zone)} on" if s.entered else "")
        for s in settings[:_MOST_SETTINGS]
    ]
    left = len(settings) - len(told)
    return f"set to {', '.join(told)}" + (f", and {left} more times" if left else "")
