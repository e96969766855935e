"""Reads a day of things from Home Assistant's recorder and sums it up, in threads, a few things at a time."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from homeagent.ha.connection import HomeAssistant
from homeagent.ha.home import State
from homeagent.ha.recorder import HistoryRow, Period, StatisticsRow
from homeagent.history.recorded_states import begins_late
from homeagent.history.summaries.days import day_span
from homeagent.history.summaries.kinds import Kind, Thing, thing_of
from homeagent.history.summaries.summary import Summary, summarise, summarise_statistics
from indexer.entity import Entity

_AT_ONCE = 25
"""Things asked for at once: a day of them is some thousand rows."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """An entity that has a history worth telling, and what decides how it is told."""

    entity: Entity
    thing: Thing


def recorded(entities: Sequence[Entity], states: Mapping[str, State | None]) -> dict[str, Recorded]:
    """Those of the entities whose days are told, by id."""
    found = {}
    for entity in entities:
        if thing := thing_of(entity, states.get(entity.entity_id)):
            found[entity.entity_id] = Recorded(entity, thing)
    return found


class DayReader:
    """Reads days. ``busy``: things with so many points a day that their statistics are read instead."""

    def __init__(self, ha: HomeAssistant) -> None:
        self._ha = ha

    async def read(
        self, day: date, things: Sequence[Thing], busy: Collection[str] = (), *, until: datetime | None = None
    ) -> AsyncIterator[dict[str, Summary]]:
        """The day of each thing, some at a time as they are read. ``until``: now, for the day that runs.

        Raises HomeAssistantUnavailable, HomeAssistantError.
        """
        with_attributes = [t for t in things if t.telling.needs_attributes]
        many = [t for t in things if t.entity_id in busy and t.state_class]
        others = [t for t in things if not t.telling.needs_attributes and t not in many]
        for some in (with_attributes, others):
            for start in range(0, len(some), _AT_ONCE):
                yield await self._from_states(day, some[start : start + _AT_ONCE], until)
        if many:
            found = await self._from_statistics(day, many, until)
            yield found
            if rest := [t for t in many if t.entity_id not in found]:
                yield await self._from_states(day, rest, until)

    async def _from_states(self, day: date, things: Sequence[Thing], until: datetime | None) -> dict[str, Summary]:
        zone = self._ha.home.config.time_zone
        span = day_span(day, zone)
        with _uncollected():
            rows = await self._ha.history(
                [t.entity_id for t in things],
                span.start,
                min(span.end, until) if until else span.end,
                attributes=any(t.telling.needs_attributes for t in things),
            )
            found, late = await asyncio.to_thread(_summaries, things, rows, day, zone, until)
        if late:
            found |= {
                i: s for i, s in (await self._from_statistics(day, late, until)).items() if _covers_more(s, found[i])
            }
        return found

    async def _from_statistics(self, day: date, things: Sequence[Thing], until: datetime | None) -> dict[str, Summary]:
        """Of those that have any."""
        zone = self._ha.home.config.time_zone
        span = day_span(day, zone)
        period: Period = "5minute" if until else "hour"
        ids = [t.entity_id for t in things]
        rows = await self._ha.statistics(ids, span.start, span.end, period)
        return await asyncio.to_thread(_from_statistics, things, rows, day, zone)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the garbage collector, which would look through every row again and again, and stop all threads for it.

    Rows hold no cycles: they go when nobody has them any more.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _summaries(
    things: Sequence[Thing],
    rows: dict[str, list[HistoryRow]],
    day: date,
    zone: ZoneInfo,
    until: datetime | None,
) -> tuple[dict[str, Summary], list[Thing]]:
    """The summaries, and the things whose rows begin late in the day. Empties ``rows``: freeing many takes long."""
    start = day_span(day, zone).start
    found, late = {}, []
    for thing in things:
        mine = rows.pop(thing.entity_id, [])
        found[thing.entity_id] = summarise(thing, mine, day, zone, until=until)
        if thing.state_class and begins_late(mine, start):
            late.append(thing)
        del mine
    return found, late


def _from_statistics(
    things: Sequence[Thing], rows: Mapping[str, Sequence[StatisticsRow]], day: date, zone: ZoneInfo
) -> dict[str, Summary]:
    told = {t.entity_id: summarise_statistics(t, rows.get(t.entity_id, ()), day, zone) for t in things}
    return {i: s for i, s in told.items() if s.kind is not Kind.NOTHING}


def _covers_more(one: Summary, other: Summary) -> bool:
    return other.kind is Kind.NOTHING or one.figures.get("seconds", 0) > other.figures.get("seconds", 0)
