"""Finds the days that a question is about: by the things and places it names, by its time, by what it means."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from homeagent.ha.connection import HomeAssistant
from homeagent.history.recording.recording import Recording
from homeagent.history.summaries.days import day_of
from homeagent.history.when.find_times import find_times
from indexer.errors import IndexerError
from indexer.history_index import AREA, HistoryDay
from indexer.mentions import MentionKind
from indexer.retrieval import Retrieval

_NOTHING = "nothing"
"""The kind of a day of which nothing is recorded."""
_MOMENT = timedelta(seconds=1)
_LEAST_SIMILAR = 0.25
_MOST_MEANT = 20
"""Things of a set whose days are looked at."""


@dataclass(frozen=True, slots=True)
class FoundDay:
    """A day of a thing or an area, as it may be told now.

    ``name`` is what it is called now. ``gone``: Home Assistant has the thing no longer. ``named``: the question named
    it, or its place; else it was found by meaning.
    """

    day: HistoryDay
    name: str
    gone: bool = False
    named: bool = True

    @property
    def line(self) -> str:
        """``Friday 2026-11-27, Garage: opened once …``."""
        return f"{self.day.day:%A} {self.day.day.isoformat()}, {self.name}: {self.day.text}"


@dataclass(frozen=True, slots=True)
class FoundDays:
    """``missing``: why it could not be looked for meaning (None: it was, or there was no need)."""

    days: tuple[FoundDay, ...]
    first: date
    last: date
    missing: str | None = None


class HistoryFinder:
    """Asks the history index, and Home Assistant for the running day. Only what is exposed this moment is told."""

    def __init__(self, ha: HomeAssistant, recording: Recording) -> None:
        self._ha = ha
        self._recording = recording

    def _now(self) -> datetime:
        return self._ha.home.now().astimezone(UTC)

    async def find(self, query: str, language: str, retrieval: Retrieval, limit: int) -> FoundDays:
        """At most ``limit`` days that ``query`` is about, the best first; ``retrieval`` is what it may mean.

        Raises HomeAssistantError.
        """
        first, last = self._days(query, language)
        abouts = self._meant(retrieval)
        index = self._recording.index
        days = await index.read(first, last, abouts, 4 * limit) if abouts else []
        found = await self._told(days, named=True)
        missing = None
        if len(found) < limit:
            try:
                near = await index.near(query, first, last, 4 * limit)
            except IndexerError as error:
                near, missing = [], str(error)
            known = {(f.day.about, f.day.day) for f in found}
            more = [d for d, similar in near if similar >= _LEAST_SIMILAR and (d.about, d.day) not in known]
            found += await self._told(more, named=False)
        return FoundDays(tuple(found[:limit]), first, last, missing)

    async def about(self, text: str, language: str, retrieval: Retrieval, limit: int) -> tuple[str, ...]:
        """The days that a sentence is about, a line each; none where it names no time gone by.

        Raises HomeAssistantError.
        """
        if not find_times(text, language, self._now(), self._ha.home.config.time_zone):
            return ()
        return tuple(f.line for f in (await self.find(text, language, retrieval, limit)).days)

    def _days(self, query: str, language: str) -> tuple[date, date]:
        """The local days that the query names; else all that are kept."""
        zone, now = self._ha.home.config.time_zone, self._now()
        times = find_times(query, language, now, zone)
        today = day_of(now, zone)
        if not times:
            return today - timedelta(days=self._recording.keep_days), today
        start, end = min(t.start for t in times), max(t.end for t in times)
        return day_of(start, zone), day_of(max(start, end - _MOMENT), zone)

    def _meant(self, retrieval: Retrieval) -> list[str]:
        """Entities and areas: what is named, else the kinds of things in the places named, else these places."""
        mentions = retrieval.mentions
        if names := mentions.values(MentionKind.NAME):
            return list(names)
        if mentions.of(MentionKind.DOMAIN) or mentions.of(MentionKind.DEVICE_CLASS):
            return [e.entity_id for e in retrieval.entities[:_MOST_MEANT]]
        floors = set(mentions.values(MentionKind.FLOOR))
        on_floors = [a.area_id for a in self._ha.home.areas.values() if a.floor_id in floors]
        return [f"{AREA}{area_id}" for area_id in (*mentions.values(MentionKind.AREA), *on_floors)]

    async def _told(self, days: Sequence[HistoryDay], *, named: bool) -> list[FoundDay]:
        things = await self._things([d for d in days if not d.about.startswith(AREA)])
        areas = await asyncio.gather(*(self._area(d) for d in days if d.about.startswith(AREA)))
        known = {(f.day.about, f.day.day): f for f in (*things, *(a for a in areas if a))}
        found = [f for d in days if (f := known.get((d.about, d.day)))]
        return [replace(f, named=named) for f in found if named or not f.day.quiet]

    async def _things(self, days: Sequence[HistoryDay]) -> list[FoundDay]:
        home = self._ha.home
        there = {d.about for d in days if home.entity(d.about)}
        exposed = await self._ha.is_exposed(there)
        today = day_of(self._now(), home.config.time_zone)
        running = {d.about for d in days if d.day == today and exposed.get(d.about)}
        live = await self._recording.live(running) if running else {}
        told = [live.get(d.about, d) if d.day == today else d for d in days if exposed.get(d.about, True)]
        return [self._named(d) for d in told if d.kind != _NOTHING]

    async def _area(self, area: HistoryDay) -> FoundDay | None:
        """An area's day, told anew from those of its things that are exposed now."""
        from homeagent.history.recording.filling import area_day  # not for every start

        things = await self._recording.index.of_area(area.area_id, area.day)
        shown = [f.day for f in await self._things(things)]
        if not shown:
            return None
        home = self._ha.home.config.name
        day = area_day(shown, area.day, home, over=area.over)
        known = self._ha.home.areas.get(area.area_id or "")
        return FoundDay(day, known.name if known else day.name) if day.text else None

    def _named(self, day: HistoryDay) -> FoundDay:
        entity = self._ha.home.entity(day.about)
        return FoundDay(day, entity.name if entity else day.name, gone=entity is None)
