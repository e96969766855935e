"""What can be known of entities over a span: recorded states, or long-term statistics where these reach further."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from homeagent.ha.connection import HomeAssistant
from homeagent.ha.recorder import HistoryRow, Period, StatisticsRow
from homeagent.history.numbers import as_number, as_statistics, without_resets
from homeagent.history.sums import METERS, Aggregate, attribute_rows, figure_from_statistics
from homeagent.values.timespan import Span
from indexer.entity import Entity

RAW_KEPT = timedelta(days=10)
"""What Home Assistant's recorder keeps in full, as delivered."""
_HOURLY = timedelta(days=60)
_LATE = timedelta(hours=1)
"""Recorded states that begin so much after the span were cut short by the recorder."""
_SHORT = timedelta(hours=6)
_FINELY_KEPT = timedelta(days=9)
"""So long statistics of five minutes are there for sure."""
_DENSE = 60_000
"""More states than this are not read one by one where statistics tell the same."""
_MOMENT = timedelta(seconds=1)
_MOST_LOOKED_INTO = 3
_EARLIEST = timedelta(days=3660)


@dataclass(frozen=True, slots=True)
class Past:
    """What is known of one entity. ``statistics`` are there only where they are to be used instead of ``rows``;
    ``begins`` is when the records begin, where they hold nothing of the span."""

    rows: Sequence[HistoryRow] = ()
    statistics: Sequence[StatisticsRow] = ()
    begins: datetime | None = None


@dataclass(slots=True)
class _Found:
    rows: dict[str, list[HistoryRow]] = field(default_factory=dict)
    statistics: dict[str, list[StatisticsRow]] = field(default_factory=dict)


class Recorded:
    """Reads the past from Home Assistant."""

    def __init__(self, ha: HomeAssistant) -> None:
        self._ha = ha

    async def read(
        self, entities: Sequence[Entity], span: Span, aggregate: Aggregate | None, attribute: str | None
    ) -> dict[str, Past]:
        """The past of each, by id."""
        ids = [entity.entity_id for entity in entities]
        if attribute is not None:
            raw = await self._ha.history(ids, span.start, span.end, attributes=True)
            return {i: Past(attribute_rows(raw.get(i, ()), attribute)) for i in ids}
        found = await self._found(ids, span, aggregate)
        pasts = {}
        for i in ids:
            rows, statistics = self._with_now(i, found.rows.get(i, []), span), found.statistics.get(i, [])
            reach_further = not rows or (statistics and statistics[0].start < rows[0].at - _LATE)
            if reach_further and self._answers(i, statistics, aggregate):
                pasts[i] = Past(statistics=await self._to_the_end(i, statistics, span))
            else:
                pasts[i] = Past(rows)
        return await self._with_beginnings(pasts, span)

    async def moment_of_extreme(self, row: StatisticsRow, aggregate: Aggregate) -> datetime | None:
        """When within a row of statistics its lowest or highest value was, where states are still recorded."""
        raw = await self._ha.history([row.entity_id], row.start, row.end)
        wanted = row.min if aggregate is Aggregate.MIN else row.max
        rows = raw.get(row.entity_id, ())
        return next((r.at for r in rows if wanted is not None and _near(r.state, wanted)), None)

    def meter(self, entity_id: str) -> str | None:
        """The state class of an entity that counts, else None."""
        state = self._ha.home.state(entity_id)
        kind = state.attributes.get("state_class") if state is not None else None
        return kind if kind in METERS else None

    async def _found(self, ids: Sequence[str], span: Span, aggregate: Aggregate | None) -> _Found:
        measured = [i for i in ids if self._has_statistics(i)]
        long = span.end - span.start > RAW_KEPT
        instead = measured if long else await self._dense(measured, span)
        found = _Found(statistics=await self._statistics(instead, span))
        told = {i for i in instead if self._answers(i, found.statistics.get(i, ()), aggregate)}
        found.rows = await self._rows([i for i in ids if i not in told], span)
        if not long:
            short = [i for i in measured if i not in instead and begins_late(found.rows.get(i, ()), span.start)]
            found.statistics |= await self._statistics(short, span)
        return found

    async def _rows(self, ids: Sequence[str], span: Span) -> dict[str, list[HistoryRow]]:
        resetting = [i for i in ids if self._tells_resets(i)]
        plain = [i for i in ids if i not in resetting]
        rows = await self._ha.history(plain, span.start, span.end) if plain else {}
        if resetting:
            told = await self._ha.history(resetting, span.start, span.end, attributes=True)
            rows |= {i: without_resets(told.get(i, ())) for i in resetting}
        return rows

    async def _dense(self, ids: Sequence[str], span: Span) -> list[str]:
        """Those that change so often that their states are too many to read, by the last hour of the span."""
        if not ids or span.end - span.start <= _SHORT:
            return []
        hours = span.seconds / 3600
        last = await self._ha.history(ids, span.end - timedelta(hours=1), span.end)
        return [i for i in ids if len(last.get(i, ())) * hours > _DENSE]

    async def _statistics(self, ids: Sequence[str], span: Span) -> dict[str, list[StatisticsRow]]:
        if not ids:
            return {}
        fine = self._ha.home.now() - span.start < _FINELY_KEPT
        period: Period = "5minute" if fine else "hour" if span.end - span.start <= _HOURLY else "day"
        return await self._ha.statistics(list(ids), span.start, span.end, period)

    async def _to_the_end(
        self, entity_id: str, statistics: Sequence[StatisticsRow], span: Span
    ) -> Sequence[StatisticsRow]:
        """With what happened since the last whole hour or day, of which there are no statistics yet."""
        rest = Span(statistics[-1].end, span.end)
        if rest.end - rest.start < timedelta(minutes=1) or rest.end - rest.start > timedelta(days=2):
            return statistics
        rows = self._with_now(entity_id, (await self._rows([entity_id], rest)).get(entity_id, []), rest)
        meter = self.meter(entity_id)
        tail = as_statistics(rows, rest, meter=meter is not None, net=meter == "total")
        return [*statistics, tail] if tail is not None else statistics

    async def _with_beginnings(self, pasts: Mapping[str, Past], span: Span) -> dict[str, Past]:
        empty = [i for i, past in pasts.items() if not past.rows and not past.statistics]
        begins = {i: await self._beginning(i, span.end) for i in empty[:_MOST_LOOKED_INTO]}
        return {i: replace(past, begins=begins.get(i)) for i, past in pasts.items()}

    async def _beginning(self, entity_id: str, after: datetime) -> datetime | None:
        """When the records of an entity begin that has none up to ``after``; None where it has none at all."""
        late = self._ha.home.now().astimezone(UTC)
        early = max(after, late - _EARLIEST)
        if late - early < _MOMENT or not await self._is_recorded(entity_id, late):
            return None
        while late - early > timedelta(hours=1):
            middle = early + (late - early) / 2
            if await self._is_recorded(entity_id, middle):
                late = middle
            else:
                early = middle
        rows = (await self._ha.history([entity_id], early, late)).get(entity_id)
        return rows[0].at if rows else late

    async def _is_recorded(self, entity_id: str, at: datetime) -> bool:
        return bool((await self._ha.history([entity_id], at - _MOMENT, at)).get(entity_id))

    def _with_now(self, entity_id: str, rows: list[HistoryRow], span: Span) -> list[HistoryRow]:
        """With the state that the entity is in: what changed seconds ago is not written yet, and a door that has been
        closed for weeks may have no record left at all."""
        state = self._ha.home.state(entity_id)
        if state is None or state.last_changed >= span.end or self._tells_resets(entity_id):
            return rows
        if rows and (rows[-1].at >= state.last_changed or rows[-1].state == state.state):
            return rows
        return [*rows, HistoryRow(entity_id, state.state, state.last_changed)]

    def _answers(self, entity_id: str, statistics: Sequence[StatisticsRow], aggregate: Aggregate | None) -> bool:
        """Whether statistics can tell what was asked."""
        if not statistics or aggregate is None:
            return bool(statistics)
        return figure_from_statistics(statistics, aggregate, meter=self.meter(entity_id) is not None) is not None

    def _has_statistics(self, entity_id: str) -> bool:
        state = self._ha.home.state(entity_id)
        return state is not None and bool(state.attributes.get("state_class"))

    def _tells_resets(self, entity_id: str) -> bool:
        state = self._ha.home.state(entity_id)
        return state is not None and self.meter(entity_id) == "total" and "last_reset" in state.attributes


def begins_late(rows: Sequence[HistoryRow], start: datetime) -> bool:
    """Whether recorded states that were asked for from ``start`` on were cut short by the recorder."""
    return not rows or rows[0].at > start + _LATE


def _near(state: str, value: float) -> bool:
    number = as_number(state)
    return number is not None and abs(number - value) < 1e-6
