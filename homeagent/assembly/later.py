"""What is to happen later: its table, what rings and acts, and what looks when something is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

from homeagent.ha.connection import HomeAssistant
from homeagent.timers.awaiting import Awaiting
from homeagent.timers.due_clock import TimerClock
from homeagent.timers.firing import Firing
from homeagent.timers.ringing import Ringing, Tells
from homeagent.timers.timer_store import TimerStore
from homeagent.timers.timers import Timers

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from homeagent.config.loading import Settings
    from homeagent.events import Emitter
    from homeagent.scheduler import Scheduler
    from homeagent.tools.toolbox import Toolbox


def make_timers(settings: Settings, engine: Engine, ha: HomeAssistant, emitter: Emitter) -> Timers:
    """Timers in the database, at most ``timers.most``."""
    return Timers(TimerStore(engine, settings.timers.most), ha.home, emitter)


def make_timer_clock(
    settings: Settings,
    ha: HomeAssistant,
    timers: Timers,
    toolbox: Toolbox,
    emitter: Emitter,
    scheduler: Scheduler,
    tell: Tells,
) -> tuple[TimerClock, Awaiting]:
    """What looks for what is due, and what waits upon states; not started. ``tell``: as in `Ringing`."""
    ringing = Ringing(ha, settings.timers.ring_on, tell)
    firing = Firing(timers, toolbox, ringing, emitter)
    clock = TimerClock(
        timers,
        firing,
        ready=lambda: ha.status.connected and ha.home.ready,
        grace=settings.timers.grace,
        ring_for=settings.timers.ring_for,
        wake_at=scheduler.wake_at,
    )
    return clock, Awaiting(timers, ha.home, clock)
