"""Readings of meters that begin anew, and recorded states as rows of statistics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from homeagent.ha.recorder import HistoryRow, StatisticsRow
from homeagent.history.numbers import as_number, measured, metered
from homeagent.values.timespan import Span


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
