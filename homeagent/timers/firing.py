"""What happens when a timer is due: claimed in the table first, then done once, through the checks of any turn."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import datetime, timedelta

from homeagent.errors import ConfirmationRequired, HomeAgentError, HomeAssistantError
from homeagent.events import Emitter, TimerFired
from homeagent.timers.next_time import repeats
from homeagent.timers.ringing import Ringing
from homeagent.timers.timer import Note, Timer, TimerState
from homeagent.timers.timer_errors import NoSun
from homeagent.timers.timers import Timers
from homeagent.turn import ToolCall, Turn, new_id
from homeagent.turns.rounds import RunsTools

_log = logging.getLogger(__name__)
_AT_ONCE = 8
"""Actions and rings that run at the same time; more wait their turn."""
_IN_TIME = 60.0
"""Seconds after which something counts as late."""
_DAY = timedelta(days=1)


class Firing:
    """``toolbox`` runs what an action does."""

    def __init__(self, timers: Timers, toolbox: RunsTools, ringing: Ringing, emitter: Emitter) -> None:
        self._timers = timers
        self._store = timers.store
        self._toolbox = toolbox
        self._ringing = ringing
        self._emitter = emitter
        self._now = timers.now
        self._places = asyncio.Semaphore(_AT_ONCE)

    async def claim(self, timer: Timer) -> Timer | None:
        """Note in the table that it is done now, and when it is next; None where somebody was quicker, or changed it,
        or where it is not as it has to be for that.

        From here on it cannot happen again, whatever becomes of this process: until `carry_out` says what came of it,
        the table tells that nobody knows.
        """
        now = self._now()
        over = self._over(timer, now)
        if timer.only is not None and not self._timers.is_there(timer.only):
            if self._timers.is_elsewhere(timer.only):  # it is known not to be as it has to be: nothing is told
                await self._store.replace(timer, over, now)
            else:
                await self.miss(timer)
            return None
        state = TimerState.RINGING if timer.kind.rings else over.state
        claimed = replace(over, state=state, fired_at=now, claimed_at=now, note=Note.UNCERTAIN, detail="")
        return claimed if await self._store.replace(timer, claimed, now) else None

    async def carry_out(self, timer: Timer, due: datetime | None) -> None:
        """Do what a claimed timer is for. ``due``: when it should have been; None where it was due upon a state."""
        async with self._places:
            late = _late(due, self._now())
            is_late = late > _IN_TIME
            try:
                if timer.kind.rings:
                    await self._ringing.ring(timer, due if is_late else None)
                else:
                    await self._act(timer)
                note, detail = (Note.LATE, "") if is_late else (None, "")
            except ConfirmationRequired as error:
                note, detail = Note.NEEDS_YES, error.message
            except HomeAgentError as error:
                note, detail = Note.FAILED, error.message
            await self._store.finish(timer, note, detail, self._now())
        await self.tell(replace(timer, note=note, detail=detail, claimed_at=None), late)

    async def ring_again(self, timer: Timer) -> None:
        """Let one that rings ring once more. Where that fails, it is tried again the next time."""
        try:
            await self._ringing.ring_again(timer)
        except HomeAssistantError as error:
            _log.info("timer %s could not ring again: %s", timer.id, error.message)

    async def miss(self, timer: Timer) -> None:
        """Too late to do it: what repeats goes on with the next time, and it is told."""
        now = self._now()
        missed = replace(self._over(timer, now, TimerState.MISSED), note=Note.MISSED, detail="")
        if await self._store.replace(timer, missed, now):
            await self.tell(missed, _late(timer.next_due, now))

    async def _act(self, timer: Timer) -> None:
        """Make the calls in order, as the person who set it; a yes counts for exactly what it was given to."""
        by = timer.set_by
        turn = Turn(
            text="",
            language=by.language,
            conversation_id=by.conversation_id or new_id(),
            user_id=by.user_id,
            device_id=by.device_id,
            area_id=by.area_id,
            confirmed=bool(timer.approved),
            approved=timer.approved,
        )
        failures = []
        for call in timer.calls:
            result = await self._toolbox.call(ToolCall(new_id(), "ha_control", dict(call)), turn)
            if not result.success:
                failures.append(result)
        asks = next((r for r in failures if r.error_type == ConfirmationRequired.code), None)
        if asks is not None:
            raise ConfirmationRequired(asks.error or "", confirmation_id="")
        if failures:
            raise HomeAgentError(" ".join(result.error or "" for result in failures))

    def _over(self, timer: Timer, now: datetime, end: TimerState = TimerState.DONE) -> Timer:
        """It once this time is over: what repeats waits for the next one, never for one that was there
        already, whatever the clock shows.
        """
        if not repeats(timer.due):
            return replace(timer, state=end, next_due=None)
        after = max(now, timer.next_due) if timer.next_due else now
        try:
            following = self._timers.next_time(timer.due, after)
        except NoSun:  # the home will tell again; until then about a day later is near enough
            following = after + _DAY
        return replace(timer, state=end if following is None else TimerState.WAITING, next_due=following)

    async def tell(self, timer: Timer, late: float = 0.0) -> None:
        """What came of it, as an event; where it did not simply happen also in Home Assistant. ``late``: seconds."""
        outcome = timer.note.value if timer.note else "done"
        self._emitter.emit(
            TimerFired(
                timer_id=timer.id,
                kind=timer.kind.value,
                outcome=outcome,
                late_seconds=round(max(0.0, late), 1),
                conversation_id=timer.set_by.conversation_id,
                user_id=timer.set_by.user_id,
            )
        )
        if timer.note in (None, Note.LATE):
            return
        try:
            await self._ringing.notify(timer)
        except HomeAgentError as error:  # it stays in the table until somebody hears of it
            _log.warning("what became of timer %s could not be told in Home Assistant: %s", timer.id, error.message)


def _late(due: datetime | None, now: datetime) -> float:
    """How many seconds late it is; 0 for what is due upon a state."""
    return 0.0 if due is None else (now - due).total_seconds()
