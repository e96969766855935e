"""Readings of meters that begin anew, and recorded states as rows of statistics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from homeagent.ha.history import HistoryRow, StatisticsRow
from homeagent.history.sums import Aggregate, as_number, figure
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
    if not rows or (mean := figure(rows, span, Aggregate.AVG)) is None:
        return None
    name = rows[0].entity_id
    if meter:
        counted = figure(rows, span, Aggregate.SUM, meter=True, net=net)
        return StatisticsRow(name, span.start, span.end, change=counted.value if counted else None)
    low, high = figure(rows, span, Aggregate.MIN), figure(rows, span, Aggregate.MAX)
    assert low is not None
    assert high is not None
    return StatisticsRow(name, span.start, span.end, mean=mean.value, min=low.value, max=high.value)
