"""The history of entities over a span: aggregates, time and count per state, change points."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from homeagent.errors import HomeAgentError, NotFound
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.history import HistoryRow, Period, StatisticsRow
from homeagent.history.sums import (
    METERS,
    Aggregate,
    Figure,
    Stretch,
    attribute_rows,
    describe_seconds,
    figure,
    figure_from_statistics,
    is_numeric,
    known_seconds,
    shares,
    stretches,
)
from homeagent.values.timespan import Span
from indexer.entity import Entity

_RAW_KEPT = timedelta(days=10)
"""What Home Assistant's recorder keeps in full, as delivered."""
_HOURLY = timedelta(days=60)
_LATE = timedelta(hours=1)
"""Raw history that begins so much after the span was cut short by the recorder."""
_MOST_CHANGES = 50
_MOST_PERIODS = 62


class HistoryReader:
    """Reads and sums up."""

    def __init__(self, ha: HomeAssistant) -> None:
        self._ha = ha

    async def read(
        self, entities: Sequence[Entity], span: Span, aggregate: Aggregate | None, attribute: str | None
    ) -> tuple[list[dict[str, Any]], list[HomeAgentError]]:
        """One line per entity, and the errors of those without data (whose lines have ``error``)."""
        ids = [entity.entity_id for entity in entities]
        long = span.end - span.start > _RAW_KEPT and attribute is None
        statistics = await self._statistics(entities, span) if long else {}
        raw_ids = [i for i in ids if not _answers(statistics.get(i, ()), aggregate, self._is_meter(i))]
        raw = await self._ha.history(raw_ids, span.start, span.end, attributes=attribute is not None) if raw_ids else {}
        if attribute is not None:
            raw = {i: attribute_rows(rows, attribute) for i, rows in raw.items()}
        elif not long:
            short = [e for e in entities if _cut_short(raw.get(e.entity_id, ()), span)]
            statistics = await self._statistics(short, span)
        return await asyncio.to_thread(self._lines, entities, span, aggregate, attribute, raw, statistics)

    async def _statistics(self, entities: Sequence[Entity], span: Span) -> dict[str, list[StatisticsRow]]:
        ids = [e.entity_id for e in entities if self._has_statistics(e.entity_id)]
        if not ids:
            return {}
        period: Period = "hour" if span.end - span.start <= _HOURLY else "day"
        return await self._ha.statistics(ids, span.start, span.end, period)

    def _lines(
        self,
        entities: Sequence[Entity],
        span: Span,
        aggregate: Aggregate | None,
        attribute: str | None,
        raw: dict[str, list[HistoryRow]],
        statistics: dict[str, list[StatisticsRow]],
    ) -> tuple[list[dict[str, Any]], list[HomeAgentError]]:
        lines: list[dict[str, Any]] = []
        errors: list[HomeAgentError] = []
        for entity in entities:
            head: dict[str, Any] = {"entity_id": entity.entity_id, "name": entity.name}
            if attribute:
                head["attribute"] = attribute
            rows, stats = raw.get(entity.entity_id, []), statistics.get(entity.entity_id, [])
            try:
                lines.append(head | self._line(entity, span, aggregate, attribute, rows, stats))
            except NotFound as error:
                errors.append(error)
                lines.append(head | {"error": error.message})
        return lines, errors

    def _line(
        self,
        entity: Entity,
        span: Span,
        aggregate: Aggregate | None,
        attribute: str | None,
        rows: Sequence[HistoryRow],
        stats: Sequence[StatisticsRow],
    ) -> dict[str, Any]:
        meter = attribute is None and self._is_meter(entity.entity_id)
        if _answers(stats, aggregate, meter) and (not rows or stats[0].start < rows[0].at - _LATE):
            return self._from_statistics(entity, span, aggregate, stats, meter)
        parts = stretches(rows, span)
        if not known_seconds(parts):
            raise self._nothing(entity, span, attribute, bool(parts))
        line = self._coverage(parts, span)
        if not is_numeric(parts):
            return line | self._text_states(parts, aggregate)
        if aggregate is None:
            return line | self._unit(entity, attribute) | self._changes(parts)
        found = figure(rows, span, aggregate, meter=meter)
        assert found is not None  # something is known, and all of it is numbers
        return line | self._unit(entity, attribute, aggregate) | self._figure(found, aggregate, meter)

    def _figure(self, found: Figure, aggregate: Aggregate, meter: bool) -> dict[str, Any]:
        line: dict[str, Any] = {
            "aggregate": aggregate.value,
            "value": _rounded(found.value),
            "readings": found.readings,
        }
        if found.at is not None:
            line["at"] = self._local(found.at)
        if aggregate is Aggregate.SUM:
            line["meaning"] = "what the meter counted" if meter else "all recorded values added up"
        return line

    def _text_states(self, parts: Sequence[Stretch], aggregate: Aggregate | None) -> dict[str, Any]:
        total = known_seconds(parts)
        states = {
            state: {
                "seconds": round(share.seconds),
                "time": describe_seconds(share.seconds),
                "percent": round(100 * share.seconds / total, 1),
                "count": share.count,
            }
            for state, share in shares(parts).items()
        }
        line: dict[str, Any] = {"states": states}
        if not parts[0].entered:
            line["at_start"] = parts[0].state
        return line if aggregate else line | self._changes(parts)

    def _changes(self, parts: Sequence[Stretch]) -> dict[str, Any]:
        entered = [part for part in parts if part.entered]
        shown = [
            {"state": part.state, "at": self._local(part.start), "for": describe_seconds(part.seconds)}
            for part in entered[-_MOST_CHANGES:]
        ]
        line: dict[str, Any] = {"changes": shown, "total_changes": len(entered)}
        if not parts[0].entered:
            line["at_start"] = parts[0].state
        if len(entered) > _MOST_CHANGES:
            line["narrow"] = f"These are the last {_MOST_CHANGES}: ask for a shorter time, or with aggregate."
        return line

    def _coverage(self, parts: Sequence[Stretch], span: Span) -> dict[str, Any]:
        """What of the span is known: gaps are told, and so is a history that begins late."""
        line: dict[str, Any] = {}
        if unknown := sum(part.seconds for part in parts if not part.known):
            line["gaps"] = f"not available for {describe_seconds(unknown)}"
        if parts[0].start > span.start + timedelta(minutes=5):
            line["recorded_since"] = self._local(parts[0].start)
        return line

    def _from_statistics(
        self,
        entity: Entity,
        span: Span,
        aggregate: Aggregate | None,
        stats: Sequence[StatisticsRow],
        meter: bool,
    ) -> dict[str, Any]:
        line: dict[str, Any] = {"source": "long-term statistics", **self._unit(entity, None, aggregate)}
        if stats[0].start > span.start + timedelta(days=1):
            line["recorded_since"] = self._local(stats[0].start)
        if aggregate is None:
            return line | {"periods": [self._period(row) for row in _by_day(stats)[-_MOST_PERIODS:]]}
        found = figure_from_statistics(stats, aggregate, meter=meter)
        assert found is not None  # _answers has looked
        return line | self._figure(found, aggregate, meter)

    def _period(self, row: StatisticsRow) -> dict[str, Any]:
        values = {name: getattr(row, name) for name in ("mean", "min", "max", "change")}
        return {"from": self._local(row.start)} | {k: _rounded(v) for k, v in values.items() if v is not None}

    def _nothing(self, entity: Entity, span: Span, attribute: str | None, was_there: bool) -> NotFound:
        of = f"{entity.entity_id}{f' {attribute}' if attribute else ''}"
        when = f"from {self._local(span.start)} to {self._local(span.end)}"
        if was_there and not attribute:
            return NotFound(f"{of} was unavailable or unknown all the time {when}: there is no value to tell.")
        return NotFound(
            f"Nothing is recorded of {of} {when}.",
            hint="Home Assistant's recorder may leave it out, or keep fewer days.",
        )

    def _unit(self, entity: Entity, attribute: str | None, aggregate: Aggregate | None = None) -> dict[str, Any]:
        return {"unit": entity.unit} if entity.unit and not attribute and aggregate is not Aggregate.COUNT else {}

    def _has_statistics(self, entity_id: str) -> bool:
        state = self._ha.home.state(entity_id)
        return state is not None and bool(state.attributes.get("state_class"))

    def _is_meter(self, entity_id: str) -> bool:
        state = self._ha.home.state(entity_id)
        return state is not None and state.attributes.get("state_class") in METERS

    def _local(self, moment: datetime) -> str:
        return moment.astimezone(self._ha.home.config.time_zone).isoformat(timespec="seconds")


def _answers(stats: Sequence[StatisticsRow], aggregate: Aggregate | None, meter: bool) -> bool:
    """Whether statistics can tell what was asked."""
    return bool(stats) and (aggregate is None or figure_from_statistics(stats, aggregate, meter=meter) is not None)


def _cut_short(rows: Sequence[HistoryRow], span: Span) -> bool:
    return not rows or rows[0].at > span.start + _LATE


def _by_day(stats: Sequence[StatisticsRow]) -> Sequence[StatisticsRow]:
    """Rows of a day each: hours joined by 24, as they come."""
    if not stats or stats[0].end - stats[0].start >= timedelta(hours=23):
        return stats
    days = []
    for at in range(0, len(stats), 24):
        part = stats[at : at + 24]
        mean, low = figure_from_statistics(part, Aggregate.AVG, meter=False), [r.min for r in part if r.min is not None]
        high, change = [r.max for r in part if r.max is not None], [r.change for r in part if r.change is not None]
        days.append(
            StatisticsRow(
                part[0].entity_id,
                part[0].start,
                part[-1].end,
                mean=mean.value if mean else None,
                min=min(low, default=None),
                max=max(high, default=None),
                change=sum(change) if change else None,
            )
        )
    return days


def _rounded(value: float) -> float:
    rounded = round(value, 3)
    return int(rounded) if rounded == int(rounded) else rounded
