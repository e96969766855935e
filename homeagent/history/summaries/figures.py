"""What a day's measurements come to: range, mean weighted by time, what a meter counted. Made for 100,000 points."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from homeagent.ha.history import HistoryRow, StatisticsRow
from homeagent.history.sums import as_number
from homeagent.values.timespan import Span

_RESET_SHARE = 0.9
"""A rising meter that shows less than this share of what it showed has begun anew; less of a fall is noise. As Home
Assistant's own statistics have it."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Numbers of a span, and the seconds of it that they cover. Extremes with their moments."""

    low: float
    low_at: datetime
    high: float
    high_at: datetime
    mean: float
    last: float
    seconds: float
    first_at: datetime


@dataclass(frozen=True, slots=True)
class Metered:
    """What a meter counted in a span. ``resets``: how often it began anew."""

    change: float
    resets: int
    seconds: float
    first_at: datetime


def measured(rows: Sequence[HistoryRow], span: Span) -> Measured | None:
    """None where no number held in the span. A value holds until the next row; what is no number is a gap."""
    seconds = weighted = 0.0
    low = high = last = math.nan
    low_at = high_at = first_at = span.start
    for value, start, end in _holding(rows, span):
        if math.isnan(last):
            low, high, low_at, high_at, first_at = value, value, start, start, start
        elif value < low:
            low, low_at = value, start
        elif value > high:
            high, high_at = value, start
        held = (end - start).total_seconds()
        seconds += held
        weighted += value * held
        last = value
    if math.isnan(last):
        return None
    mean = min(high, max(low, weighted / seconds)) if seconds else last
    return Measured(low, low_at, high, high_at, mean, last, seconds, first_at)


def metered(rows: Sequence[HistoryRow], span: Span, *, only_rises: bool) -> Metered | None:
    """What was added to the value that held at the start. ``only_rises``: a fall is a new start from 0, else it counts.

    None where no number held in the span.
    """
    change = seconds = 0.0
    resets = 0
    before: float | None = None
    first_at: datetime | None = None
    for value, start, end in _holding(rows, span, replaced=True):
        first_at = first_at or start
        seconds += (end - start).total_seconds()
        if before is not None:
            began_anew = only_rises and value < _RESET_SHARE * before
            resets += began_anew
            change += value if began_anew else value - before
        before = value
    return Metered(change, resets, seconds, first_at) if first_at is not None else None


def measured_in_statistics(rows: Sequence[StatisticsRow], span: Span) -> Measured | None:
    """As `measured`, from long-term statistics: moments are those of their periods."""
    parts = [r for r in rows if r.mean is not None and span.start <= r.start < span.end]
    if not parts:
        return None
    lows = [(r.mean if r.min is None else r.min, r.start) for r in parts]
    highs = [(r.mean if r.max is None else r.max, r.start) for r in parts]
    lengths = [(r.end - r.start).total_seconds() for r in parts]
    mean = math.fsum((r.mean or 0.0) * held for r, held in zip(parts, lengths, strict=True)) / math.fsum(lengths)
    low, low_at = min(lows, key=_value)
    high, high_at = max(highs, key=_value)
    assert low is not None
    assert high is not None
    last = parts[-1].mean or 0.0
    return Measured(low, low_at, high, high_at, mean, last, math.fsum(lengths), parts[0].start)


def metered_in_statistics(rows: Sequence[StatisticsRow], span: Span) -> Metered | None:
    """As `metered`; Home Assistant has counted new starts in."""
    parts = [r for r in rows if r.change is not None and span.start <= r.start < span.end]
    if not parts:
        return None
    seconds = math.fsum((r.end - r.start).total_seconds() for r in parts)
    return Metered(math.fsum(r.change or 0.0 for r in parts), 0, seconds, parts[0].start)


def in_words(value: float) -> str:
    """A number with as many digits as its size is worth: ``1013``, ``21.4``, ``0.37``."""
    size = abs(value)
    digits = 0 if size >= 1000 else 1 if size >= 10 else 2
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def _holding(
    rows: Sequence[HistoryRow], span: Span, *, replaced: bool = False
) -> Iterator[tuple[float, datetime, datetime]]:
    """Each number with when it began and ceased to hold, within the span, in order.

    ``replaced``: also those replaced in the moment in which they (or the span) began: a step from them counts.
    """
    ordered = rows if _is_sorted(rows) else sorted(rows, key=lambda row: row.at)
    for row, following in itertools.zip_longest(ordered, ordered[1:]):
        end = min(following.at, span.end) if following else span.end
        start = max(row.at, span.start)
        if row.at >= span.end:
            break
        if end < start or (end == start and following and not replaced):  # over before the span
            continue
        value = as_number(row.state)
        if value is not None:
            yield value, start, end


def _is_sorted(rows: Sequence[HistoryRow]) -> bool:
    return all(a.at <= b.at for a, b in itertools.pairwise(rows))


def _value(pair: tuple[float | None, datetime]) -> float:
    assert pair[0] is not None
    return pair[0]
