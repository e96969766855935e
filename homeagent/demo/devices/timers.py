"""Timers: idle, active, paused; they run out by themselves."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

from homeagent.demo.devices.base import Data, Device, action, clock, device
from homeagent.demo.failures import CallFailed
from homeagent.demo.service_schema import duration, optional

_DURATION = {"duration": optional(duration, default=timedelta())}


@device("timer")
class Timer(Device):
    """``configured``: its usual length; ``remaining``: what was left when it was last set; ``ends``: when it is done
    (aware, UTC), None unless it runs.
    """

    def __init__(self, spec: Any, world: Any) -> None:
        super().__init__(spec, world)
        self.configured = duration(self.attributes.get("duration", 0))
        self.remaining: timedelta | None = None
        self.ends: datetime | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self.attributes.update(duration=clock(self.configured), editable=True)

    def shown(self) -> dict[str, Any]:
        """``finishes_at`` while it runs, and ``remaining`` as of the last start, change or pause, as in HA."""
        attributes = dict(self.attributes)
        if self.ends is not None:
            attributes["finishes_at"] = self.ends.isoformat()
        if self.remaining is not None:
            attributes["remaining"] = clock(self.remaining)
        return attributes

    def start(self, span: timedelta) -> None:
        """Run for ``span``; for 0 what was left, else its usual length. Started while it runs, it begins anew."""
        event = "timer.restarted" if self.state in ("active", "paused") else "timer.started"
        if span:
            self.remaining = span
            self.attributes["duration"] = clock(span)
        elif not self.remaining:
            self.remaining = self.configured
        self._run_until(_now() + (self.remaining or timedelta()))
        self.world.fire(event, {"entity_id": self.entity_id})

    def change(self, by: timedelta) -> None:
        """Make a running timer longer or shorter. Raises CallFailed where it does not run, would last longer than
        ``duration``, or be over already.
        """
        if self.ends is None:
            raise CallFailed(f"Timer {self.entity_id} is not running, only active timers can be changed")
        left = self.ends + by - _now()
        if left > duration(self.attributes["duration"]):
            raise CallFailed(f"Not possible to change timer {self.entity_id} beyond duration")
        if left < timedelta():
            raise CallFailed(f"Not possible to change timer {self.entity_id} to negative time remaining")
        self.remaining = left
        self._run_until(self.ends + by)
        self.world.fire("timer.changed", {"entity_id": self.entity_id})

    def pause(self) -> None:
        """Keep what is left for the next start; does nothing where it does not run."""
        if self.ends is None:
            return
        self.remaining = self.ends - _now()
        self._stop()
        self.become("paused")
        self.world.fire("timer.paused", {"entity_id": self.entity_id})

    def end(self, event: str) -> None:
        """Become idle and fire ``event``; does nothing where it is idle."""
        if self.state == "idle":
            return
        self._stop()
        self.remaining = None
        self.become("idle", duration=clock(self.configured))
        self.world.fire(event, {"entity_id": self.entity_id})

    def _run_until(self, ends: datetime) -> None:
        self._stop()
        self.ends = ends
        self._alarm = self.world.later(max(0.0, (ends - _now()).total_seconds()), lambda: self.end("timer.finished"))
        self.become("active")

    def _stop(self) -> None:
        self.ends = None
        if self._alarm is not None:
            self._alarm.cancel()


@action("timer", "start", _DURATION)
def _start(timer: Timer, data: Data) -> None:
    timer.start(data["duration"])


@action("timer", "change", _DURATION)
def _change(timer: Timer, data: Data) -> None:
    timer.change(data["duration"])


@action("timer", "pause")
def _pause(timer: Timer, data: Data) -> None:
    timer.pause()


@action("timer", "cancel")
def _cancel(timer: Timer, data: Data) -> None:
    timer.end("timer.cancelled")


@action("timer", "finish")
def _finish(timer: Timer, data: Data) -> None:
    timer.end("timer.finished")


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)
