"""A guarded home, and the tools over it as a brain would use them, without anybody who says yes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from homeagent.confirmations import Confirmations
from homeagent.demo.inventory import load_inventory
from homeagent.demo.server import DemoServer
from homeagent.events import Emitter
from homeagent.ha.connection import HomeAssistant
from homeagent.policy.policy import Policy
from homeagent.tools.ha_control import HaControl
from homeagent.tools.toolbox import Toolbox
from homeagent.turn import ToolCall, ToolResult, Turn
from tests.conftest import connected
from tests.databases import database

HOME = Path(__file__).with_name("home.yaml")
Do = Callable[..., Awaitable[ToolResult]]


@pytest.fixture
async def guarded() -> AsyncIterator[DemoServer]:
    async with DemoServer(load_inventory(HOME), settle=0.0) as server:
        yield server


@pytest.fixture
async def ha(guarded: DemoServer) -> AsyncIterator[HomeAssistant]:
    async with connected(guarded) as connection:
        yield connection


@pytest.fixture
async def control(ha: HomeAssistant, tmp_path: Path) -> AsyncIterator[Do]:
    engine = database(tmp_path)
    toolbox = Toolbox([HaControl(ha, Policy(), Confirmations(engine, 90.0), settle=0.0)], Emitter())

    async def call(**parameters: Any) -> ToolResult:
        turn = Turn(text="", conversation_id="attack")
        return await toolbox.call(ToolCall("1", "ha_control", parameters), turn)

    yield call
    engine.dispose()
