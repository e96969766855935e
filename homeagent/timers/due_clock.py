"""Looks when something is due, and notices when the wall clock was moved.

The scheduler wakes it for the earliest one. Beside that it looks every few seconds by a clock that nobody sets: a
wall clock that is put back would otherwise leave it asleep for as long.

Where the wall clock is moved, what is so long after a moment ("in ten minutes") keeps its length; what is at a time of
day follows the clock. What has happened does not happen again when the clock is put back.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from homeagent.background_tasks import ended, in_background
from homeagent.errors import DatabaseError
from homeagent.timers.firing import Firing
from homeagent.timers.next_time import repeats
from homeagent.timers.timer import Timer, TimerState
from homeagent.timers.timer_errors import NoSun, UnknownTimer
from homeagent.timers.timers import Timers

_log = logging.getLogger(__name__)
_EVERY = 5.0
"""Seconds between two looks."""
_MOVED = 2.0
"""Seconds by which the wall clock may differ from the time that has passed: less is how clocks are kept right."""
_RINGS_FOR = timedelta(minutes=30)
"""So long after it rang one can still put it off."""
_RING_EVERY = timedelta(seconds=15)
"""Between two rings: long enough to say a word in between."""
_TIDY_EVERY = timedelta(minutes=10)
WakeAt = Callable[[str, datetime, Callable[[], Awaitable[None]]], None]


def _passed() -> float:
    boot = getattr(time, "CLOCK_BOOTTIME", None)  # Linux; elsewhere the time asleep is missing
    return time.monotonic() if boot is None else time.clock_gettime(boot)


@dataclass(frozen=True, slots=True)
class Clocks:
    """``now``: the wall clock, UTC. ``passed``: seconds by a clock that is never set and goes on while asleep."""

    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    passed: Callable[[], float] = _passed


class TimerClock:
    """``ready``: whether Home Assistant can be reached. ``grace``: seconds after which it is too late to do something.
    ``wake_at`` calls back once at a moment, the last one asked for. ``ring_for``: seconds for which alarms and timers
    ring again and again until somebody stops them."""

    def __init__(
        self,
        timers: Timers,
        firing: Firing,
        *,
        ready: Callable[[], bool],
        grace: float,
        wake_at: WakeAt,
        ring_for: float = 0.0,
        clocks: Clocks | None = None,
    ) -> None:
        self._timers = timers
        self._store = timers.store
        self._firing = firing
        self._ready = ready
        self._grace = grace
        self._wake_at = wake_at
        self._ring_for = timedelta(seconds=ring_for)
        self._rang_again: dict[str, datetime] = {}
        self._may_ring = True  # a former process may have left one
        self._clocks = clocks or Clocks()
        self._before = (self._clocks.now(), self._clocks.passed())
        self._look_now = asyncio.Event()
        self._looking = asyncio.Lock()
        self._doing: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None
        self._tidied: datetime | None = None

    def start(self) -> None:
        """Look in the background, at once and then again and again; first tell what a former process left."""
        self._timers.listen(self._look_now.set)
        self._task = in_background(self._run(), "timers")

    async def stop(self) -> None:
        """No further one begins. What is under way is cut off, and told as uncertain at the next start."""
        if self._task is not None:
            await ended(self._task)
        for task in tuple(self._doing):
            await ended(task)

    async def look(self) -> None:
        """Do what is due now. Raises DatabaseError."""
        async with self._looking:
            await self._notice_moved_clock()
            now = self._clocks.now()
            for timer in await self._store.due(now) if self._ready() else ():
                assert timer.next_due is not None
                if (now - timer.next_due).total_seconds() > self._grace:
                    await self._firing.miss(timer)
                else:
                    await self.fire(timer)
            await self._ring_on(now)
            await self._tidy(now)
            earliest = await self._store.earliest()
            if earliest is not None and earliest > now:
                self._wake_at("timers", earliest, self._wake)

    async def fire(self, timer: Timer) -> None:
        """Claim one, and do it in the background."""
        claimed = await self._firing.claim(timer)
        if claimed is not None:
            self._begin(self._firing.carry_out(claimed, timer.next_due), timer)

    def _begin(self, doing: Coroutine[object, object, None], timer: Timer) -> None:
        task = asyncio.create_task(doing, name=f"timer:{timer.id}")
        self._doing.add(task)
        self._may_ring = True
        task.add_done_callback(self._done)

    async def settled(self) -> None:
        """Wait until what is under way has ended."""
        while self._doing:
            await asyncio.gather(*self._doing, return_exceptions=True)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._doing.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("%s failed", task.get_name(), exc_info=error)

    async def _run(self) -> None:
        interrupted: list[Timer] | None = None
        while True:
            self._look_now.clear()
            try:
                if interrupted is None:  # before anything is claimed anew
                    interrupted = await self._store.let_go()
                if interrupted and self._ready():
                    await self._firing.tell(interrupted.pop(0))
                    continue
                await self.look()
            except DatabaseError as error:
                _log.warning("timers could not be looked at and will be again: %s", error)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_EVERY):
                    await self._look_now.wait()

    async def _wake(self) -> None:
        self._look_now.set()

    async def _notice_moved_clock(self) -> None:
        now, passed = self._clocks.now(), self._clocks.passed()
        moved = (now - self._before[0]) - timedelta(seconds=passed - self._before[1])
        self._before = (now, passed)
        if abs(moved.total_seconds()) < _MOVED:
            return
        _log.warning("the clock was moved by %s", moved)
        for timer in await self._store.live():
            if timer.state is not TimerState.WAITING or timer.next_due is None or timer.claimed_at is not None:
                continue
            if timer.counts_down:
                await self._store.replace(timer, replace(timer, next_due=timer.next_due + moved), now)
            elif moved < timedelta() and repeats(timer.due):
                await self._count_anew(timer, now)

    async def _count_anew(self, timer: Timer, now: datetime) -> None:
        """The next time that did not happen yet, after the clock was put back."""
        after = max(now, timer.fired_at) if timer.fired_at else now
        try:
            new = replace(timer, next_due=self._timers.next_time(timer.due, after))
        except NoSun:
            return
        await self._store.replace(timer, new, now)

    async def _ring_on(self, now: datetime) -> None:
        """Let those ring again that rang a while ago, and that nobody has stopped."""
        if not (self._ring_for and self._may_ring and self._ready()):
            return
        ringing = {t.id: t for t in await self._store.ringing() if t.kind.rings_on}
        self._may_ring = bool(ringing or self._doing)
        self._rang_again = {number: at for number, at in self._rang_again.items() if number in ringing}
        for number, timer in ringing.items():
            fired = timer.fired_at or now
            last = max(self._rang_again.get(number, fired), fired)
            if now - fired <= self._ring_for and abs(now - last) >= _RING_EVERY:
                self._rang_again[number] = now
                self._begin(self._firing.ring_again(timer), timer)

    async def _tidy(self, now: datetime) -> None:
        """Silence what rang long ago, and delete what was over longer ago."""
        if self._tidied is not None and abs(now - self._tidied) < _TIDY_EVERY:
            return
        self._tidied = now
        for timer in await self._store.live():
            if timer.state is TimerState.RINGING and timer.fired_at and abs(now - timer.fired_at) > _RINGS_FOR:
                with contextlib.suppress(UnknownTimer):  # somebody has just done so
                    await self._timers.dismiss(timer)
        await self._store.tidy(now)
