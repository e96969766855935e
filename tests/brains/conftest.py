"""litellm in its process and the scripted server, each made once, since loading litellm takes many seconds.

And a person who talks to the brain that needs no model.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio

from homeagent.brains.llm.client import CHILD
from homeagent.brains.local.brain import LocalBrain
from homeagent.demo.inventory import load_inventory
from homeagent.demo.server import DemoServer
from homeagent.ha.connection import HomeAssistant
from homeagent.tools.explain_change import ExplainChange
from homeagent.tools.ha_query import HaQuery
from homeagent.tools.todo_items import open_items
from homeagent.turns.reply import Reply
from indexer.process import ChildProcess
from tests.brains.talking import Ask, Other
from tests.conftest import connected_home
from tests.llm_server import LlmServer
from tests.turning import Stage


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def child() -> AsyncIterator[ChildProcess]:
    child = ChildProcess(CHILD, name="litellm")
    await child.start()
    yield child
    await child.stop()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def server() -> AsyncIterator[LlmServer]:
    async with LlmServer() as server:
        yield server


@pytest.fixture
async def ask(home_assistant: HomeAssistant, tmp_path: Path) -> AsyncIterator[Ask]:
    """Say something in one conversation, or ``anew`` in another; ``device_id`` is the device that heard it."""
    async with _talking(home_assistant, tmp_path) as ask:
        yield ask


@pytest.fixture
def other_home(tmp_path: Path) -> Other:
    """A home of one's own, written as the demo home is, and somebody who speaks in it."""

    @asynccontextmanager
    async def open_home(text: str) -> AsyncIterator[tuple[Ask, DemoServer]]:
        (tmp_path / "home.yaml").write_text(text, "utf-8")
        inventory = load_inventory(tmp_path / "home.yaml")
        async with connected_home(inventory) as (server, connection), _talking(connection, tmp_path) as ask:
            yield ask, server

    return open_home


@asynccontextmanager
async def _talking(connection: HomeAssistant, folder: Path) -> AsyncIterator[Ask]:
    stage = Stage(connection, folder, tools=[HaQuery(connection), ExplainChange(connection)])
    agent = stage.agent(
        LocalBrain(connection.home, timers=stage.timers.find, lists=partial(open_items, connection)), mode="local"
    )
    conversation: list[str] = []

    async def ask(text: str, *, device_id: str | None = None, language: str = "en", anew: bool = False) -> Reply:
        known = conversation[0] if conversation and not anew else None
        reply = await agent.process(text, conversation_id=known, device_id=device_id, language=language, trace=True)
        conversation[:] = [reply.conversation_id]
        return reply

    yield ask
    await stage.close()
