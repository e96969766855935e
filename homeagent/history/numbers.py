"""What recorded numbers come to: range, mean weighted by time, what a meter counted. Made for 100,000 points.

Rows are those of states, or of long-term statistics. What is no number is a gap, of which nothing is known.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from homeagent.ha.recorder import HistoryRow, StatisticsRow
from homeagent.history.summaries.days import day_of
from homeagent.values.timespan import Span

_RESET_SHARE = 0.9
"""A rising meter that shows less than this share of what it showed has begun anew; less of a fall is noise. As Home
Assistant's own statistics have it."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Numbers of a span, and the seconds of it that they cover. Extremes with their moments; ``last_at``: since when
    the last one held. ``readings``: on how many recorded values it rests."""

    low: float
    low_at: datetime
    high: float
    high_at: datetime
    mean: float
    first: float
    first_at: datetime
    last: float
    last_at: datetime
    seconds: float
    readings: int


@dataclass(frozen=True, slots=True)
class Metered:
    """What a meter counted in a span. ``resets``: how often it began anew."""

    change: float
    resets: int
    seconds: float
    first_at: datetime
    readings: int


def as_number(state: str) -> float | None:
    """The state as a finite number, or None."""
    try:
        value = float(state)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def in_words(value: float) -> str:
    """A number with as many digits as its size is worth: ``1013``, ``21.4``, ``0.37``."""
    size = abs(value)
    digits = 0 if size >= 1000 else 1 if size >= 10 else 2
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def measured(rows: Sequence[HistoryRow], span: Span) -> Measured | None:
    """None where no number held in the span. A value holds until the next row; what is no number is a gap."""
    seconds = weighted = 0.0
    readings = 0
    first = low = high = last = math.nan
    low_at = high_at = first_at = last_at = span.start
    for value, start, end in _holding(rows, span):
        if not readings:
            first, low, high, low_at, high_at, first_at = value, value, value, start, start, start
        elif value < low:
            low, low_at = value, start
        elif value > high:
            high, high_at = value, start
        if value != last:
            last, last_at = value, start
        held = (end - start).total_seconds()
        seconds += held
        weighted += value * held
        readings += 1
    if not readings:
        return None
    mean = min(high, max(low, weighted / seconds)) if seconds else last
    return Measured(low, low_at, high, high_at, mean, first, first_at, last, last_at, seconds, readings)


def metered(rows: Sequence[HistoryRow], span: Span, *, only_rises: bool) -> Metered | None:
    """What was added to the value that held at the start. ``only_rises``: a fall is a new start from 0, else it counts.

    None where no number held in the span.
    """
    change = seconds = 0.0
    resets = readings = 0
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
        readings += 1
    return Metered(change, resets, seconds, first_at, readings) if first_at is not None else None


def measured_in_statistics(rows: Sequence[StatisticsRow]) -> Measured | None:
    """As `measured`, from long-term statistics: moments are those of their periods."""
    parts = [(r, r.mean) for r in rows if r.mean is not None]
    if not parts:
        return None
    lows = [(mean if r.min is None else r.min, r.start) for r, mean in parts]
    highs = [(mean if r.max is None else r.max, r.start) for r, mean in parts]
    lengths = [(r.end - r.start).total_seconds() for r, _ in parts]
    seconds = math.fsum(lengths)
    mean = math.fsum(mean * held for (_, mean), held in zip(parts, lengths, strict=True)) / seconds
    low, low_at = min(lows, key=lambda pair: pair[0])
    high, high_at = max(highs, key=lambda pair: pair[0])
    (first_row, first), (last_row, last) = parts[0], parts[-1]
    return Measured(low, low_at, high, high_at, mean, first, first_row.start, last, last_row.start, seconds, len(parts))


def metered_in_statistics(rows: Sequence[StatisticsRow]) -> Metered | None:
    """As `metered`; Home Assistant has counted new starts in."""
    parts = [(r, r.change) for r in rows if r.change is not None]
    if not parts:
        return None
    seconds = math.fsum((r.end - r.start).total_seconds() for r, _ in parts)
    return Metered(math.fsum(change for _, change in parts), 0, seconds, parts[0][0].start, len(parts))


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


def by_day(rows: Sequence[StatisticsRow], zone: ZoneInfo) -> list[StatisticsRow]:
    """One row a local day; rows that are days already stay."""
    if not rows or rows[0].end - rows[0].start >= timedelta(hours=23):
        return list(rows)
    days = itertools.groupby(rows, key=lambda row: day_of(row.start, zone))
    return [_joined_rows(list(part)) for _, part in days]


def _joined_rows(part: Sequence[StatisticsRow]) -> StatisticsRow:
    found, counted = measured_in_statistics(part), metered_in_statistics(part)
    return StatisticsRow(
        part[0].entity_id,
        part[0].start,
        part[-1].end,
        mean=found.mean if found else None,
        min=found.low if found else None,
        max=found.high if found else None,
        change=counted.change if counted else None,
    )


def without_resets(rows: Iterable[HistoryRow]) -> list[HistoryRow]:
    """The readings of a meter that tells in ``last_reset`` when it began anew, as if it never had."""
    added, counted = 0.0, []
    last: HistoryRow | None = None
    for row in rows:
        value = as_number(row.state)
        if value is None:
            counted.append(row)
            continue
        if last is not None and row.attributes.get("last_reset") != last.attributes.get("last_reset"):
            added += float(last.state)
        last = row
        counted.append(HistoryRow(row.entity_id, str(added + value), row.at))
    return counted


def as_statistics(rows: Sequence[HistoryRow], span: Span, *, meter: bool, net: bool = False) -> StatisticsRow | None:
    """Recorded states summed up as one row of statistics; None where nothing is known of numbers."""
    if (found := measured(rows, span)) is None:
        return None
    name = rows[0].entity_id
    if meter:
        counted = metered(rows, span, only_rises=not net)
        return StatisticsRow(name, span.start, span.end, change=counted.change if counted else None)
    return StatisticsRow(name, span.start, span.end, mean=found.mean, min=found.low, max=found.high)
