"""Statistics by the hour, joined to local days."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import timedelta
from zoneinfo import ZoneInfo

from homeagent.ha.history import StatisticsRow
from homeagent.history.sums import Aggregate, figure_from_statistics


def by_day(rows: Sequence[StatisticsRow], zone: ZoneInfo) -> list[StatisticsRow]:
    """One row a local day; rows that are days already stay."""
    if not rows or rows[0].end - rows[0].start >= timedelta(hours=23):
        return list(rows)
    days = itertools.groupby(rows, key=lambda row: row.start.astimezone(zone).date())
    return [_joined(list(part)) for _, part in days]


def _joined(part: Sequence[StatisticsRow]) -> StatisticsRow:
    mean = figure_from_statistics(part, Aggregate.AVG, meter=False)
    changes = [row.change for row in part if row.change is not None]
    return StatisticsRow(
        part[0].entity_id,
        part[0].start,
        part[-1].end,
        mean=mean.value if mean else None,
        min=min((row.min for row in part if row.min is not None), default=None),
        max=max((row.max for row in part if row.max is not None), default=None),
        change=sum(changes) if changes else None,
    )
