"""Fills the history index: the days that are over, as far as something is missing, and the running day."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

from homeagent.ha.connection import HomeAssistant
from homeagent.history.recording.reader import DayReader, Recorded, recorded
from homeagent.history.summaries.days import day_of, days_back
from homeagent.history.summaries.kinds import Kind
from homeagent.history.summaries.summary import Summary, summarise_area
from indexer.history_index import AREA, HistoryDay, HistoryIndex

Progress = Callable[[str, int, int], None]
"""Called with what is being done (``days``, ``vectors``), how much of it is done, and how much there is."""

_SETTLED = timedelta(minutes=5)
"""After midnight: what the recorder still writes of the day."""
_BUSY = 20_000
"""Points a day from which a sensor's statistics are read instead."""
_BUSY_DAYS = timedelta(days=7)
_MEASURED_EVERY = timedelta(hours=1)
_EMPTY_DAYS = 2
"""So many days without anything recorded, going back, and the recorder knows nothing older."""
_SILENT_HOME = 20
"""In a home of so many things a day without any change is one on which nothing was recorded."""


class Filling:
    """Sums days up and puts them into the index, some things at a time. Not to be used twice at once."""

    def __init__(self, ha: HomeAssistant, index: HistoryIndex, now: Callable[[], datetime]) -> None:
        self._ha = ha
        self._index = index
        self._reader = DayReader(ha)
        self._now = now
        self._measured_at = datetime.min.replace(tzinfo=UTC)
        self._today_is = date.min
        """The day of which everything was told at least once."""
        self._nothing_until = date.min
        """The last day of which, and of those before it, the recorder knew nothing when it was asked."""

    async def past(self, known: Mapping[str, Recorded], days: int, progress: Progress | None = None) -> tuple[int, int]:
        """What is missing of the last ``days`` days that are over, the latest first; ``days`` counts today in.

        Returns of how many days something was told, and how many days of things. Raises HomeAssistantError.
        """
        missing = await self._missing(known, days)
        total, done, filled, summaries, empty = sum(len(ids) for _, ids in missing), 0, 0, 0, 0
        busy = await self._index.busy((self._now() - _BUSY_DAYS).date(), _BUSY) if missing else set()
        for day, ids in missing:
            some = [known[i] for i in ids if i in known]
            told = await self._fill_day(day, some, busy, whole=len(some) == len(known))
            if told is not None:
                await self._put_areas(day, over=True, wanted=[i for i in ids if i.startswith(AREA)])
            done, filled, summaries = done + len(ids), filled + bool(told), summaries + (told or 0)
            empty = empty + 1 if told is None else 0
            if empty == _EMPTY_DAYS:
                self._nothing_until, done = day + timedelta(days=_EMPTY_DAYS - 1), total
            if progress is not None:
                progress("days", done, total)
            if empty == _EMPTY_DAYS:
                break
        return filled, summaries

    async def live(self, entity_ids: Collection[str]) -> dict[str, HistoryDay]:
        """The running day of these entities as it is this moment, of those that have one worth telling."""
        now = self._now()
        known = await self.recorded(entity_ids)
        day = day_of(now, self._ha.home.config.time_zone)
        found: dict[str, HistoryDay] = {}
        async for some in self._reader.read(day, [r.thing for r in known.values()], until=now):
            found |= {i: thing_day(known[i], s, day, over=False) for i, s in some.items()}
        return found

    async def recorded(self, entity_ids: Collection[str] | None = None) -> dict[str, Recorded]:
        """Those of the exposed entities (of these, or of all) whose days are told."""
        home = self._ha.home
        if entity_ids is None:
            entities = home.exposed()
        else:
            entities = tuple(e for i in entity_ids if (e := home.entity(i)) and e.exposed)
        states = {e.entity_id: home.state(e.entity_id) for e in entities}
        return await asyncio.to_thread(recorded, entities, states)

    async def _missing(self, known: Mapping[str, Recorded], days: int) -> list[tuple[date, list[str]]]:
        """What is not final yet: entities, and areas, of each day."""
        last = self._last_over()
        wanted = [*known, *dict.fromkeys(area_about(r) for r in known.values())]
        over = await self._index.over(last - timedelta(days=days), last)
        past = [day for day in days_back(last, days - 1) if day > self._nothing_until]

        def missing() -> list[tuple[date, list[str]]]:
            found = ((day, [i for i in wanted if i not in over.get(day, ())]) for day in past)
            return [(day, ids) for day, ids in found if ids]

        return await asyncio.to_thread(missing)

    def _last_over(self) -> date:
        """The last day that is over, and of which everything is recorded."""
        zone = self._ha.home.config.time_zone
        return day_of(self._now() - _SETTLED, zone) - timedelta(days=1)

    async def _fill_day(
        self, day: date, things: Sequence[Recorded], busy: Collection[str], *, whole: bool
    ) -> int | None:
        """Sum up a day of things (``whole``: of all); returns of how many something is recorded.

        None where the recorder knows nothing of the whole home, nor of any time before: the day may be asked for again.
        """
        by_id = {r.entity.entity_id: r for r in things}
        silent: dict[str, Summary] = {}
        told = 0
        async for some in self._reader.read(day, [r.thing for r in things], busy):
            if any(s.points for s in some.values()):
                await self._put(by_id, some, day, over=True)
                told += known_of(some)
            else:
                silent |= some
        if whole and not told:
            if not known_of(silent):
                return None
            if len(things) >= _SILENT_HOME:
                silent = dict.fromkeys(silent, Summary(Kind.NOTHING))
        await self._put(by_id, silent, day, over=True)
        return told + known_of(silent)

    async def today(self, known: Mapping[str, Recorded], changed: Collection[str]) -> set[str]:
        """The running day of what has ``changed`` since it was told last, or of everything on the first look at it.

        Returns what was told. What measures is looked at once an hour: it changes all the time.
        """
        now = self._now()
        day = day_of(now, self._ha.home.config.time_zone)
        first, measures = day != self._today_is, now - self._measured_at >= _MEASURED_EVERY
        things = {i: r for i, r in known.items() if first or (i in changed and (measures or not r.thing.measures))}
        if first or measures:
            self._measured_at = now
        async for some in self._reader.read(day, [r.thing for r in things.values()], until=now):
            await self._put(things, some, day, over=False)
        if things:
            await self._put_areas(day, over=False)
        self._today_is = day
        return set(things)

    async def _put(self, things: Mapping[str, Recorded], some: Mapping[str, Summary], day: date, *, over: bool) -> None:
        await self._index.put([thing_day(things[i], summary, day, over=over) for i, summary in some.items()])

    async def _put_areas(self, day: date, *, over: bool, wanted: Collection[str] = ()) -> None:
        """The day of every area in which something is told, and of those ``wanted`` in which nothing was then."""
        things = await self._index.read(day, day)
        areas: dict[str | None, list[HistoryDay]] = {}
        for told in things:
            if not told.about.startswith(AREA) and told.over == over:
                areas.setdefault(told.area_id, []).append(told)
        home = self._ha.home.config.name
        days = [area_day(some, day, home, over=over) for some in areas.values()]
        told_of = {d.about for d in days}
        await self._index.put([*days, *(nothing_of(about, day) for about in wanted if about not in told_of)])


def area_day(things: Sequence[HistoryDay], day: date, home: str, *, over: bool) -> HistoryDay:
    """The day of an area from those of its things (at least one); ``home``: the name for what has no area."""
    area_id, area = things[0].area_id, things[0].area or home
    told = summarise_area(
        (t.name, Summary(Kind(t.kind), t.text, t.gist, t.quiet, points=t.points))
        for t in things
        if t.kind != Kind.NOTHING
    )
    return HistoryDay(
        about=f"{AREA}{area_id or ''}",
        day=day,
        kind=told.kind,
        name=area,
        text=told.text,
        gist=told.gist,
        quiet=told.quiet,
        over=over,
        area_id=area_id,
        area=area,
        figures=told.figures,
        points=told.points,
    )


def nothing_of(about: str, day: date) -> HistoryDay:
    """The day of an area in which nothing was."""
    return HistoryDay(
        about, day, Kind.NOTHING, "", "", "", quiet=True, over=True, area_id=about.removeprefix(AREA) or None
    )


def thing_day(what: Recorded, summary: Summary, day: date, *, over: bool) -> HistoryDay:
    """The day of a thing, as it is called and where it is now."""
    entity = what.entity
    return HistoryDay(
        about=entity.entity_id,
        day=day,
        kind=summary.kind,
        name=entity.name,
        text=summary.text,
        gist=summary.gist,
        quiet=summary.quiet,
        over=over,
        area_id=entity.area.area_id if entity.area else None,
        area=entity.area.name if entity.area else "",
        figures=summary.figures,
        points=summary.points,
        registry_id=entity.registry_id,
    )


def known_of(some: Mapping[str, Summary]) -> int:
    """Of how many of them something is recorded."""
    return sum(s.kind is not Kind.NOTHING for s in some.values())


def area_about(what: Recorded) -> str:
    """What the day of its area is kept under."""
    return f"{AREA}{what.entity.area.area_id if what.entity.area else ''}"
