"""Whoever goes away takes the request to the language model along: seen at the model's end of the wire."""

from __future__ import annotations

import asyncio
import signal
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest

from tests.cli.command import HOMEAGENT, environment
from tests.llm_server import LlmServer, Silent
from tests.service.home import Home

pytestmark = pytest.mark.slow  # it starts processes
SENTENCE = "compose a limerick on our house, please"
CHAT = {"messages": [{"role": "user", "content": SENTENCE}], "model": "homeagent"}


@pytest.fixture
async def model(home: Home) -> AsyncIterator[LlmServer]:
    async with LlmServer() as server:
        home.variables |= {"HOMEAGENT_LLM__MODEL": "openai/scripted", "HOMEAGENT_LLM__BASE_URL": server.url}
        yield server


async def until(true: Callable[[], bool], seconds: float) -> None:
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_a_client_that_disconnects(home: Home, model: LlmServer) -> None:
    await home.serve()
    requests: list[tuple[str, dict[str, Any]]] = [
        ("/api/services/process", {"text": SENTENCE}),
        ("/api/services/process", {"text": SENTENCE, "stream": True}),
        ("/v1/chat/completions", CHAT),
        ("/v1/chat/completions", {**CHAT, "stream": True}),
    ]
    for path, body in requests:
        model.script(Silent())
        async with home.http() as http:
            asking = asyncio.create_task(_read_all(http, path, body))
            await until(lambda: model.waiting == 1, 60)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        await until(lambda: model.waiting == 0, 3)


async def _read_all(http: httpx.AsyncClient, path: str, body: dict[str, Any]) -> None:
    async with http.stream("POST", path, json=body) as response:
        await response.aread()


@pytest.mark.parametrize("with_service", [True, False])
async def test_ctrl_c_at_the_command_line(home: Home, model: LlmServer, with_service: bool) -> None:
    if with_service:
        await home.serve()
    model.script(Silent())
    process = await asyncio.create_subprocess_exec(
        HOMEAGENT, "ask", SENTENCE, env=environment(home.folder, home.variables), stdout=DEVNULL, stderr=DEVNULL
    )
    try:
        await until(lambda: model.waiting == 1, 90)
        process.send_signal(signal.SIGINT)
        await until(lambda: model.waiting == 0, 20)
        async with asyncio.timeout(20):
            assert await process.wait() != 0
    finally:
        if process.returncode is None:
            process.kill()
