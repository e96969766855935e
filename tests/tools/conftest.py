"""The tools over the live connection to the demo home, as a brain uses them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from homeagent.confirmations import Confirmations
from homeagent.demo.server import DemoServer
from homeagent.events import Emitter
from homeagent.ha.connection import HomeAssistant
from homeagent.policy.policy import Policy
from homeagent.tools.ha_control import HaControl
from homeagent.tools.ha_query import HaQuery
from homeagent.tools.toolbox import Toolbox
from homeagent.turn import ToolCall, ToolResult, Turn

Do = Callable[..., Awaitable[ToolResult]]


@pytest.fixture
def toolbox(home_assistant: HomeAssistant, confirmations: Confirmations, emitter: Emitter) -> Toolbox:
    control = HaControl(home_assistant, Policy(), confirmations, settle=1.0)
    return Toolbox([control, HaQuery(home_assistant)], emitter)


@pytest.fixture
def turn() -> Turn:
    return Turn(text="", conversation_id="talk", user_id="anna")


@pytest.fixture
def control(toolbox: Toolbox, turn: Turn) -> Do:
    async def call(**parameters: Any) -> ToolResult:
        return await toolbox.call(ToolCall("1", "ha_control", parameters), turn)

    return call


@pytest.fixture
def query(toolbox: Toolbox, turn: Turn) -> Do:
    async def call(**parameters: Any) -> ToolResult:
        return await toolbox.call(ToolCall("1", "ha_query", parameters), turn)

    return call


@pytest.fixture
def called(demo: DemoServer) -> Callable[[], list[tuple[str, str]]]:
    """What reached devices: (entity id, service), reading left out."""
    return lambda: [(c.entity_id, c.service) for c in demo.calls if not c.service.startswith("get_")]


@pytest.fixture
def approve(toolbox: Toolbox, confirmations: Confirmations) -> Do:
    """What the agent does with a yes."""

    async def yes(confirmation_id: str, user_id: str = "anna", after: Confirmations | None = None) -> ToolResult:
        pending = await (after or confirmations).take(confirmation_id, user_id)
        approved = frozenset({pending.digest})
        turn = Turn(text="yes", conversation_id="talk", user_id=user_id, confirmed=True, approved=approved)
        return await toolbox.call(ToolCall("2", pending.tool_name, dict(pending.parameters)), turn)

    return yes
