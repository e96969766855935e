"""litellm in its process, and the scripted server: each made once, since loading litellm takes many seconds."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from homeagent.brains.llm.client import CHILD
from indexer.process import ChildProcess
from tests.llm_server import LlmServer


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
