"""Keeps the history index filled: days that are over once, the running day again and again, what is too old no longer.

What was summed up is in the database at once, some things at a time: whatever ends the work, it goes on from there.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from homeagent.background_tasks import ended, in_background
from homeagent.errors import DatabaseError, HomeAgentError, HomeAssistantUnavailable
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.home import ChangeKind, HomeChange
from homeagent.history.summaries.days import day_of
from indexer.errors import IndexerError
from indexer.history_index import HistoryDay, HistoryIndex

if TYPE_CHECKING:
    from homeagent.history.recording.filling import Filling, Progress
    from homeagent.history.recording.reader import Recorded

T = TypeVar("T")

_log = logging.getLogger(__name__)
_FIRST = 60.0
"""Seconds from the start to the first filling: people's first sentences come before it."""
_MUCH = 200
"""Vectors written, after which the child process is let give memory back."""


@dataclass(frozen=True, slots=True)
class RecordingReport:
    """What a filling did.

    ``days``: over, and something was missing; ``summaries``: days of things; ``written``, ``embedded``, ``removed``:
    vectors stored, those of them that had to be computed, those that were replaced or dropped.
    """

    days: int = 0
    summaries: int = 0
    written: int = 0
    embedded: int = 0
    removed: int = 0
    seconds: float = 0.0


class Recording:
    """Runs from ``start`` to ``stop``; one piece of work at a time.

    ``keep_days``: how long days are kept; ``fill_days``: how far back they are filled in by itself. ``rest`` is awaited
    after much embedding. ``now``: the clock.
    """

    def __init__(
        self,
        ha: HomeAssistant,
        index: HistoryIndex,
        *,
        keep_days: int,
        fill_days: int,
        rest: Callable[[], Awaitable[None]] | None = None,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        self.index = index
        self._ha = ha
        self._now = now or (lambda: ha.home.now().astimezone(UTC))
        self._loaded: Filling | None = None
        self._rest = rest
        self.keep_days = keep_days
        self._fill_days = min(fill_days, keep_days)
        self._turn = asyncio.Lock()
        self._changed: set[str] = set()
        self._ids: Mapping[str, str] = {}
        """Entity ids by registry id, as they were followed last."""
        self._tasks: set[asyncio.Task[object]] = set()
        self._end_listening: Callable[[], None] | None = None

    def start(self) -> None:
        """Follow what changes, and fill in what is missing a minute from now."""
        self._end_listening = self._ha.home.listen(self._on_change)
        self._beside(self._first(), "first filling of the history")

    async def stop(self) -> None:
        """End what is going on; what was summed up and embedded is kept."""
        if self._end_listening is not None:
            self._end_listening()
            self._end_listening = None
        await ended(*self._tasks)

    async def tick(self) -> RecordingReport:
        """What is to be done every so often: all of it, as far as there is something to do.

        Raises HomeAgentError, IndexerError; what was done until then stays.
        """
        if not self._ha.status.connected or not self._ha.home.ready:
            return RecordingReport()
        return await self._begin(self._tick(), "keep the history")

    async def fill(self, days: int, progress: Progress | None = None) -> RecordingReport:
        """Fill in what is missing of the last ``days`` days, today included, with vectors; at most what is kept."""
        if not self._ha.home.ready:
            raise HomeAssistantUnavailable("Home Assistant has not answered yet.")
        return await self._begin(self._fill_and_sync(min(days, self.keep_days), progress), "fill the history")

    async def live(self, entity_ids: Collection[str]) -> dict[str, HistoryDay]:
        """The running day of these entities as it is this moment, of those that have one worth telling."""
        return await (await self._filling()).live(entity_ids)

    def _on_change(self, change: HomeChange) -> None:
        if change.kind is ChangeKind.STATES:
            self._changed |= change.entity_ids
        elif self._ids and any(self._ids.get(r, i) != i for r, i in self._registered(change.entity_ids).items()):
            self._beside(self._renamed(), "follow renamed entities")

    def _registered(self, entity_ids: Collection[str]) -> dict[str, str]:
        found = (e for i in entity_ids if (e := self._ha.home.entity(i)) is not None)
        return {e.registry_id: e.entity_id for e in found if e.registry_id}

    def _begin(self, work: Coroutine[object, object, T], name: str) -> asyncio.Task[T]:
        return self._kept(asyncio.create_task(work, name=name))

    def _beside(self, work: Coroutine[object, object, None], name: str) -> None:
        """Begin what nobody awaits."""
        self._kept(in_background(work, name))

    def _kept(self, task: asyncio.Task[T]) -> asyncio.Task[T]:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _first(self) -> None:
        started = time.monotonic()
        while not await self._ha.wait_ready(_FIRST):
            pass
        await self._renamed()
        await asyncio.sleep(max(0.0, started + _FIRST - time.monotonic()))
        try:
            await self._tick()
        except (HomeAgentError, IndexerError) as error:
            _log.warning("the history could not be filled in, and will be tried again: %s", error)

    async def _tick(self) -> RecordingReport:
        await self._follow()
        report = await self._fill_and_sync(self._fill_days, None)
        if report.summaries:
            _log.info("history: %s", report)
        return report

    async def _fill_and_sync(self, days: int, progress: Progress | None) -> RecordingReport:
        started = time.perf_counter()
        async with self._turn:
            filling = await self._filling()
            known = await filling.recorded()
            filled, summaries = await filling.past(known, days, progress)
            summaries += await self._today(filling, known)
            synced = await self.index.sync(partial(progress, "vectors") if progress else None)
            if self._rest is not None and synced.written > _MUCH:
                await self._rest()
        seconds = round(time.perf_counter() - started, 3)
        return RecordingReport(filled, summaries, synced.written, synced.embedded, synced.removed, seconds)

    async def _today(self, filling: Filling, known: Mapping[str, Recorded]) -> int:
        changed, self._changed = self._changed, set()
        told: set[str] = set()
        try:
            told = await filling.today(known, changed)
        finally:
            self._changed |= {i for i in changed if i in known} - told
        return len(told)

    async def _follow(self) -> None:
        """Follow entities that were renamed or are exposed no longer, and drop what is too old."""
        await self._follow_ids()
        entities = tuple(self._ha.home.entities.values())
        shown = {e.entity_id for e in entities if e.exposed}
        await self.index.withdraw({e.entity_id for e in entities} - shown, shown)
        today = day_of(self._now(), self._ha.home.config.time_zone)
        await self.index.forget_before(today - timedelta(days=self.keep_days))

    async def _renamed(self) -> None:
        try:
            await self._follow_ids()
        except DatabaseError as error:
            _log.warning("renamed entities could not be followed, and will be with the next filling: %s", error)

    async def _follow_ids(self) -> None:
        """Give days, and records that Home Assistant may have left behind, to the ids that their things have now."""
        ids = self._registered(self._ha.home.entities)
        self._ha.former_ids = await self.index.rename(ids, datetime.now(UTC).timestamp())
        self._ids = ids

    async def _filling(self) -> Filling:
        """What sums days up, loaded when it is first needed: the start does not wait for it."""
        if self._loaded is None:
            module = await asyncio.to_thread(import_module, "homeagent.history.recording.filling")
            self._loaded = self._loaded or module.Filling(self._ha, self.index, self._now)
        return self._loaded
