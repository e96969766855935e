"""Setting, finding and changing timers. Whoever lets them ring is told of each change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial

from homeagent.errors import InvalidParameters
from homeagent.events import Emitter, TimerCancelled, TimerChanged, TimerSet
from homeagent.ha.home import UNAVAILABLE, UNKNOWN, Home
from homeagent.timers.due import After, At, AtSun, Due, Every, Upon, Weekday
from homeagent.timers.next_time import next_time, repeats
from homeagent.timers.sun_times import next_sun
from homeagent.timers.timer import SetBy, Timer, TimerKind, TimerState
from homeagent.timers.timer_errors import AmbiguousTimer, InThePast, UnknownTimer
from homeagent.timers.timer_store import TimerStore
from homeagent.values.name_matching import plain

ALL = "all"
SNOOZE = timedelta(minutes=10)
"""For so long a timer is put off where nobody says for how long."""


class Timers:
    """``now``: the wall clock, UTC. Every method may raise `DatabaseError`."""

    def __init__(
        self, store: TimerStore, home: Home, emitter: Emitter, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self.store = store
        self.now = now
        self._home = home
        self._emitter = emitter
        self._listeners: list[Callable[[], None]] = []

    def listen(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` whenever something may be due at another time."""
        self._listeners.append(listener)

    def next_time(self, due: Due, after: datetime | None = None) -> datetime | None:
        """The first moment after ``after`` (None: now), in UTC. Raises InThePast, TooFarAhead, NoSun."""
        return next_time(due, after or self.now(), self._home.config.time_zone, partial(next_sun, self._home))

    async def set(
        self,
        kind: TimerKind,
        due: Due,
        set_by: SetBy,
        *,
        name: str = "",
        calls: Sequence[Mapping[str, object]] = (),
        approved: frozenset[str] = frozenset(),
        only: Upon | None = None,
    ) -> Timer:
        """Keep a new one. Raises as `next_time`, and TooManyTimers."""
        timer = await self.store.add(
            Timer(
                id="",
                kind=kind,
                name=name,
                due=due,
                next_due=self.next_time(due),
                state=TimerState.WAITING,
                set_by=set_by,
                created_at=self.now(),
                calls=tuple(calls),
                approved=approved,
                only=only,
                armed=self.is_elsewhere(due),
            )
        )
        self._emitter.emit(
            TimerSet(
                timer_id=timer.id,
                kind=kind.value,
                due=timer.next_due,
                conversation_id=set_by.conversation_id,
                user_id=set_by.user_id,
            )
        )
        self._tell()
        return timer

    def is_elsewhere(self, due: Due | None) -> bool:
        """Whether a thing that is waited for, or looked at, is in another state now."""
        if not isinstance(due, Upon):
            return False
        state = self._home.state_text(due.entity_id)
        return state not in (None, UNAVAILABLE, UNKNOWN) and not self.is_there(due)

    def is_there(self, due: Due | None) -> bool:
        """Whether a thing that is waited for, or looked at, is in that state now."""
        state = self._home.state_text(due.entity_id) if isinstance(due, Upon) else None
        return isinstance(due, Upon) and state is not None and state.casefold() == due.state.casefold()

    async def find(
        self,
        *,
        timer_id: str | None = None,
        name: str | None = None,
        kind: TimerKind | None = None,
        states: Sequence[TimerState] = (),
    ) -> list[Timer]:
        """Those that are to come, paused or ringing, the next first; only those that fit what is given."""
        return [
            timer
            for timer in await self.store.live()
            if (timer_id is None or timer.id == timer_id)
            and (kind is None or timer.kind is kind)
            and (not states or timer.state in states)
            and (name is None or plain(timer.name) == plain(name))
        ]

    async def untold(self, user_id: str | None) -> list[Timer]:
        """Those with something that is to be told, and that this user may hear of: their own, and everybody's."""
        return [timer for timer in await self.store.untold() if timer.set_by.user_id in (None, user_id)]

    async def one(
        self,
        *,
        timer_id: str | None = None,
        name: str | None = None,
        kind: TimerKind | None = None,
        states: Sequence[TimerState] = (),
        device_id: str | None = None,
    ) -> Timer:
        """The one that is meant; of several without id or name the one that was set at this device.

        Raises UnknownTimer, AmbiguousTimer.
        """
        found = await self.find(timer_id=timer_id, name=name, kind=kind, states=states)
        if len(found) > 1 and device_id is not None:
            found = [timer for timer in found if timer.set_by.device_id == device_id] or found
        if not found:
            there = ", ".join(called(timer) for timer in (await self.store.live())[:5])
            raise UnknownTimer("There is no such timer.", hint=f"There are: {there}." if there else "None is set.")
        if len(found) > 1:
            names = ", ".join(called(timer) for timer in found[:5])
            raise AmbiguousTimer(f"Several are meant: {names}.", [timer.id for timer in found])
        return found[0]

    async def cancel(self, timers: Sequence[Timer]) -> list[Timer]:
        """Those that were still there are cancelled; returns them as they are now."""
        done = []
        for timer in timers:
            ended = replace(timer, state=TimerState.CANCELLED, next_due=None, remaining=None)
            if await self.store.replace(timer, ended, self.now()):
                done.append(ended)
                self._emitter.emit(TimerCancelled(timer_id=timer.id, kind=timer.kind.value))
        self._tell()
        return done

    async def change(
        self,
        timer: Timer,
        *,
        due: Due | None = None,
        name: str | None = None,
        calls: Sequence[Mapping[str, object]] | None = None,
        approved: frozenset[str] | None = None,
    ) -> Timer:
        """Another time, name or deed. A new time also starts one that was paused or rang."""
        new = replace(timer, name=timer.name if name is None else name)
        if calls is not None:
            new = replace(new, calls=tuple(calls))
        if approved is not None:
            new = replace(new, approved=approved)
        if due is not None:
            new = replace(
                new,
                due=due,
                next_due=self.next_time(due),
                state=TimerState.WAITING,
                remaining=None,
                armed=self.is_elsewhere(due),
            )
        return await self._write(timer, new)

    async def skip(self, timer: Timer, day: date | None = None) -> Timer:
        """Leave out a day of what repeats, None: the next one; what is due once, on that day, is cancelled.

        Raises UnknownTimer where it is not due on that day.
        """
        zone, next_due = self._home.config.time_zone, timer.next_due
        if day is None and next_due is not None:
            day = next_due.astimezone(zone).date()
        if day is None or not self.is_due_on(timer, day):
            raise UnknownTimer("It is not due on that day.", hint="Look at the list.")
        if not isinstance(timer.due, Every | AtSun) or not repeats(timer.due):
            return (await self.cancel([timer]))[0]
        today = self.now().astimezone(zone).date()
        due = replace(timer.due, without=frozenset({day, *(d for d in timer.due.without if d >= today)}))
        return await self._write(timer, replace(timer, due=due, next_due=self.next_time(due) if next_due else None))

    def is_due_on(self, timer: Timer, day: date) -> bool:
        """Whether it comes on that day, by the home's calendar."""
        zone = self._home.config.time_zone
        if not repeats(timer.due) or not isinstance(timer.due, Every | AtSun):
            return timer.next_due is not None and timer.next_due.astimezone(zone).date() == day
        first = timer.next_due.astimezone(zone).date() if timer.next_due else self.now().astimezone(zone).date()
        due = timer.due
        return day >= first and day not in due.without and (not due.days or Weekday(day.weekday()) in due.days)

    async def add_time(self, timer: Timer, by: timedelta) -> Timer:
        """So much longer, or shorter. Raises InThePast where nothing would be left, InvalidParameters."""
        if timer.state is TimerState.PAUSED and timer.remaining is not None:
            left = timer.remaining + by.total_seconds()
            if left <= 0:
                raise InThePast("Nothing would be left of it.")
            return await self._write(timer, replace(timer, remaining=left))
        if timer.next_due is None or timer.state is not TimerState.WAITING:
            raise InvalidParameters(f"{called(timer)} has no end that could be moved.")
        if timer.next_due + by <= self.now():
            raise InThePast("Nothing would be left of it.")
        moved, due = timer.next_due + by, timer.due
        if isinstance(due, At):
            then = moved.astimezone(self._home.config.time_zone)
            due = At(then.time(), then.date())
        return await self._write(timer, replace(timer, due=due, next_due=moved))

    async def pause(self, timer: Timer) -> Timer:
        """Stop it for now; what is left of a length is kept. Raises DatabaseError."""
        left = timer.seconds_left(self.now()) if timer.counts_down else None
        return await self._write(timer, replace(timer, state=TimerState.PAUSED, next_due=None, remaining=left))

    async def resume(self, timer: Timer) -> Timer:
        """Go on with what was left; at a time of day with the next one."""
        left = timer.remaining
        next_due = self.next_time(timer.due) if left is None else self.now() + timedelta(seconds=left)
        armed = self.is_elsewhere(timer.due)
        new = replace(timer, state=TimerState.WAITING, next_due=next_due, remaining=None, armed=armed)
        return await self._write(timer, new)

    async def dismiss(self, timer: Timer) -> Timer:
        """Silence one that rings; what repeats goes on."""
        state = TimerState.DONE if timer.next_due is None else TimerState.WAITING
        return await self._write(timer, replace(timer, state=state))

    async def snooze(self, timer: Timer, by: timedelta = SNOOZE) -> Timer:
        """Let it ring again later. What repeats keeps its times, and one more comes between."""
        await self.dismiss(timer)
        return await self.set(timer.kind, After(by), timer.set_by, name=timer.name)

    async def _write(self, old: Timer, new: Timer) -> Timer:
        if not await self.store.replace(old, new, self.now()):
            raise UnknownTimer("It has just rung, or was changed.", hint="Look at the list again.")
        self._emitter.emit(TimerChanged(timer_id=new.id, kind=new.kind.value, state=new.state.value, due=new.next_due))
        self._tell()
        return new

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()


def called(timer: Timer) -> str:
    """How a timer is named in a message: ``2 (alarm "work")``."""
    return f"{timer.id} ({timer.kind.value}{f' {timer.name!r}' if timer.name else ''})"
