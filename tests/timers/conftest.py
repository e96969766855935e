"""The timer tool over the live connection to the demo home, with a clock that the test moves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine

from homeagent.confirmations import Confirmations
from homeagent.events import Emitter
from homeagent.ha.connection import HomeAssistant
from homeagent.policy.policy import Policy
from homeagent.tables import Base
from homeagent.timers.later import Later
from homeagent.timers.store import TimerStore
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
def engine(tmp_path: Path) -> Engine:
    engine = create_engine(f"sqlite:///{tmp_path}/homeagent.db")
    Base.metadata.create_all(engine)
    return engine


@pytest.fixture
def confirmations(engine: Engine) -> Confirmations:
    return Confirmations(engine, 90.0)


@pytest.fixture
def emitter() -> Emitter:
    return Emitter()


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
