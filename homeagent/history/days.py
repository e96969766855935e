"""Statistics by the hour, joined to local days."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import timedelta
from zoneinfo import ZoneInfo

from homeagent.ha.recorder import StatisticsRow
from homeagent.history.numbers import measured_in_statistics, metered_in_statistics
from homeagent.history.summaries.days import day_of


def by_day(rows: Sequence[StatisticsRow], zone: ZoneInfo) -> list[StatisticsRow]:
    """One row a local day; rows that are days already stay."""
    if not rows or rows[0].end - rows[0].start >= timedelta(hours=23):
        return list(rows)
    days = itertools.groupby(rows, key=lambda row: day_of(row.start, zone))
    return [_joined(list(part)) for _, part in days]


def _joined(part: Sequence[StatisticsRow]) -> StatisticsRow:
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
