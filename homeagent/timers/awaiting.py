"""What waits upon a state of the home, and upon the sun: both are told by the live home as it changes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta

from homeagent.background_tasks import ended, in_background
from homeagent.errors import DatabaseError
from homeagent.ha.home import ChangeKind, Home, HomeChange
from homeagent.timers.due import AtSun, Upon
from homeagent.timers.due_clock import TimerClock
from homeagent.timers.sun_times import ENTITY_ID as SUN
from homeagent.timers.timer import Timer, TimerState
from homeagent.timers.timer_errors import NoSun
from homeagent.timers.timers import Timers

_log = logging.getLogger(__name__)
_AGAIN = 5.0
"""Seconds until the table is tried again where it could not be read or written."""
_ANOTHER_DAY = timedelta(hours=12)
"""From one day to the next the sun is minutes off; what differs by more is another sunrise."""


class Awaiting:
    """Fires what waits upon a state when a thing comes into it from another one, and moves with the sun.

    A state that came while the service was down counts too: whether the thing was seen in another one is kept.
    """

    def __init__(self, timers: Timers, home: Home, clock: TimerClock) -> None:
        self._timers = timers
        self._home = home
        self._clock = clock
        self._wake = asyncio.Event()
        self._changed = True
        self._sun_moved = False
        self._watched: Mapping[str, list[Timer]] = {}
        self._armed: set[str] = set()
        self._newly_armed: list[Timer] = []
        self._reached: list[Timer] = []
        self._unlisten: Callable[[], None] | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to watch the home. Needs a running event loop."""
        self._timers.listen(self._read_again)
        self._unlisten = self._home.listen(self._on_change)
        self._task = in_background(self._run(), "timers upon states")

    async def stop(self) -> None:
        """End the watching, and wait until it has ended."""
        if self._unlisten is not None:
            self._unlisten()
        if self._task is not None:
            await ended(self._task)

    async def settle(self) -> None:
        """Do what the changes so far ask for. Raises DatabaseError, and it is tried again then."""
        if self._changed:
            await self._read()
        while self._newly_armed:
            timer = self._newly_armed[0]
            await self._timers.store.replace(timer, replace(timer, armed=True), self._timers.now())
            self._newly_armed.pop(0)
        while self._reached:
            await self._clock.fire(self._reached[0])
            self._reached.pop(0)
        if self._sun_moved:
            self._sun_moved = False
            await self._follow_sun()

    def _read_again(self) -> None:
        self._changed = True
        self._wake.set()

    def _on_change(self, change: HomeChange) -> None:
        if change.kind is not ChangeKind.STATES:
            return
        for entity_id in change.entity_ids & self._watched.keys():
            for timer in self._watched[entity_id]:
                self._look_at(timer)
        if SUN in change.entity_ids:
            self._sun_moved = True
            self._wake.set()

    def _look_at(self, timer: Timer) -> None:
        """Right when the state came: it may be gone before anybody else is heard."""
        if self._timers.is_elsewhere(timer.due):
            if timer.id not in self._armed:
                self._armed.add(timer.id)
                self._newly_armed.append(timer)
                self._wake.set()
        elif timer.id in self._armed and self._timers.is_there(timer.due):
            self._armed.discard(timer.id)
            self._reached.append(timer)
            self._wake.set()

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            try:
                await self.settle()
            except DatabaseError as error:
                _log.warning("timers upon states could not be settled and will be again: %s", error)
                await asyncio.sleep(_AGAIN)
                continue
            await self._wake.wait()

    async def _read(self) -> None:
        self._changed = False
        try:
            live = await self._timers.store.live()
        except DatabaseError:
            self._changed = True
            raise
        watched: defaultdict[str, list[Timer]] = defaultdict(list)
        for timer in live:
            if isinstance(timer.due, Upon) and timer.state is TimerState.WAITING:
                watched[timer.due.entity_id].append(timer)
        self._watched = watched
        found = [timer for timers in watched.values() for timer in timers]
        self._armed = {timer.id for timer in found if timer.armed or timer.id in self._armed}
        for timer in found:
            self._look_at(timer)

    async def _follow_sun(self) -> None:
        for timer in await self._timers.store.live():
            if not isinstance(timer.due, AtSun) or timer.state is not TimerState.WAITING or timer.next_due is None:
                continue
            with contextlib.suppress(NoSun):
                moment = self._timers.next_time(timer.due)
                if moment is not None and timedelta(seconds=1) < abs(moment - timer.next_due) < _ANOTHER_DAY:
                    await self._timers.store.replace(timer, replace(timer, next_due=moment), self._timers.now())
