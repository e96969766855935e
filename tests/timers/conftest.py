"""The timer tool over the live connection to the demo home, with a clock that the test moves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine

from homeagent.confirmations import Confirmations
from homeagent.demo.server import DemoServer
from homeagent.events import Emitter
from homeagent.ha.connection import HomeAssistant
from homeagent.policy.policy import Policy
from homeagent.timers.agreed_actions import Later
from homeagent.timers.due_clock import Clocks, TimerClock
from homeagent.timers.firing import Firing
from homeagent.timers.ringing import Ringing
from homeagent.timers.timer_store import TimerStore
from homeagent.timers.timers import Timers
from homeagent.tools.ha_control import HaControl
from homeagent.tools.timer import TimerTool
from homeagent.tools.toolbox import Toolbox
from homeagent.turn import ToolCall, ToolResult, Turn

Do = Callable[..., Awaitable[ToolResult]]
START = datetime(2026, 6, 1, 10, 0, tzinfo=UTC)
"""A Monday."""


class Clock:
    """A wall clock and the time that has passed, moved by hand: ``pass_`` moves both, ``jump`` the wall clock alone."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now
        self.passed = 0.0

    def pass_(self, **by: float) -> None:
        self.now += timedelta(**by)
        self.passed += timedelta(**by).total_seconds()

    def jump(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(engine: Engine) -> TimerStore:
    return TimerStore(engine, most=5)


@pytest.fixture
def timers(store: TimerStore, home_assistant: HomeAssistant, emitter: Emitter, clock: Clock) -> Timers:
    return Timers(store, home_assistant.home, emitter, now=lambda: clock.now)


@pytest.fixture
def toolbox(home_assistant: HomeAssistant, confirmations: Confirmations, emitter: Emitter, timers: Timers) -> Toolbox:
    control = HaControl(home_assistant, Policy(), confirmations, settle=1.0)
    return Toolbox([control, TimerTool(timers, Later(control, confirmations), home_assistant.home)], emitter)


@pytest.fixture
def turn() -> Turn:
    return Turn(text="", conversation_id="talk", user_id="anna", device_id="kitchen-satellite")


@pytest.fixture
def timer(toolbox: Toolbox, turn: Turn) -> Do:
    async def call(action: str, **parameters: Any) -> ToolResult:
        return await toolbox.call(ToolCall("1", "timer", {"action": action, **parameters}), turn)

    return call


@pytest.fixture
def approve(toolbox: Toolbox, confirmations: Confirmations) -> Do:
    """What the agent does with a yes."""

    async def yes(confirmation_id: str) -> ToolResult:
        pending = await confirmations.take(confirmation_id, "anna", "kitchen-satellite")
        approved = frozenset({pending.digest})
        turn = Turn(
            text="yes",
            conversation_id="talk",
            user_id="anna",
            device_id="kitchen-satellite",
            confirmed=True,
            approved=approved,
        )
        return await toolbox.call(ToolCall("2", pending.tool_name, dict(pending.parameters)), turn)

    return yes


class Told:
    """What Home Assistant was asked to say: (service, data), in order."""

    def __init__(self, demo: DemoServer) -> None:
        self.said: list[tuple[str, dict[str, Any]]] = []
        demo.world.on_event(self._hear)

    def _hear(self, event: dict[str, Any]) -> None:
        data = event["data"]
        if event["event_type"] == "call_service" and data["domain"] in (
            "persistent_notification",
            "assist_satellite",
            "notify",
        ):
            self.said.append((f"{data['domain']}.{data['service']}", dict(data["service_data"])))

    @property
    def messages(self) -> list[str]:
        return [data["message"] for _, data in self.said]


@pytest.fixture
def told(demo: DemoServer) -> Told:
    return Told(demo)


@pytest.fixture
def firing(timers: Timers, toolbox: Toolbox, home_assistant: HomeAssistant, emitter: Emitter) -> Firing:
    return Firing(timers, toolbox, Ringing(home_assistant), emitter)


@pytest.fixture
def make_clock(timers: Timers, firing: Firing, home_assistant: HomeAssistant, clock: Clock) -> Callable[[], TimerClock]:
    """A clock that looks when it is told to, as after a new start each time."""

    def make() -> TimerClock:
        return TimerClock(
            timers,
            firing,
            ready=lambda: home_assistant.status.connected,
            grace=600.0,
            ring_for=120.0,
            wake_at=lambda *_: None,
            clocks=Clocks(now=lambda: clock.now, passed=lambda: clock.passed),
        )

    return make


@pytest.fixture
def look(make_clock: Callable[[], TimerClock]) -> Callable[[], Awaitable[None]]:
    looking = make_clock()

    async def once() -> None:
        await looking.look()
        await looking.settled()

    return once
