"""The official client against our server: the same tools, checks and questions, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult

from homeagent.access import Scope
from homeagent.app import App
from homeagent.config.loading import Settings
from homeagent.config.web_settings import McpSettings
from homeagent.demo.server import DemoServer
from homeagent.service.api import create_api
from tests.cli.command import HOMEAGENT
from tests.embedding_server import EmbeddingServer
from tests.service.home import Home

TOKEN = "t" * 40
LOCK, LIGHT = "lock.front_door", "light.kitchen_ceiling"
UNLOCK = {"action": "unlock", "entity_id": LOCK}
MODES = ["auto", "legacy"]


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"mcp": McpSettings(serve=True)})


@pytest.fixture
async def url(app: App) -> AsyncIterator[str]:
    assert await app.wait_for_home()
    closing = asyncio.Event()
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        api = create_api(app, token=TOKEN, closing=closing)
        serving = uvicorn.Server(uvicorn.Config(api, lifespan="off", log_level="error", timeout_graceful_shutdown=1))
        serving.capture_signals = contextlib.nullcontext  # type: ignore[method-assign, assignment]
        task = asyncio.create_task(serving.serve([listening]))
        while not serving.started:  # noqa: ASYNC110 - uvicorn tells by nothing else
            await asyncio.sleep(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        closing.set()
        serving.should_exit = True
        await task


@contextlib.asynccontextmanager
async def client(url: str, token: str | None = TOKEN, says: str | None = "accept", **more: Any) -> AsyncIterator[Any]:
    """``says``: what the person before the other agent does with a question; None: the agent cannot ask."""
    asked: list[str] = []

    async def elicit(_context: Any, params: Any) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action=says, content={"approve": True} if says == "accept" else None)  # type: ignore[arg-type]

    headers = {"Authorization": f"Bearer {token}"} if token else {}
    callback = {"elicitation_callback": elicit} if says else {}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=20) as http,
        Client(streamable_http_client(url, http_client=http), **callback, **more) as connected,
    ):
        connected.asked = asked  # type: ignore[attr-defined]
        yield connected


def told(result: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.content[0].text)
    return found


@pytest.mark.parametrize("mode", MODES)
async def test_it_has_our_tools_and_does_what_needs_no_yes(url: str, demo: DemoServer, mode: str) -> None:
    async with client(url, mode=mode) as other:
        names = [tool.name for tool in (await other.list_tools()).tools]
        assert names[:2] == ["ha_control", "ha_query"]
        looked = told(await other.call_tool("ha_query", {"entity_id": LOCK}))
        assert looked["result"]["entities"][0]["state"] == "locked"
        done = await other.call_tool("ha_control", {"action": "turn_on", "entity_id": LIGHT})
        assert not done.is_error
        assert other.asked == []
    assert demo.state(LIGHT)["state"] == "on"


@pytest.mark.parametrize("mode", MODES)
async def test_what_needs_a_yes_is_asked_of_the_person_there(url: str, demo: DemoServer, mode: str) -> None:
    async with client(url, mode=mode) as other:
        done = await other.call_tool("ha_control", UNLOCK)
        assert other.asked == ["That unlocks Front door. Shall I?"]
        assert not done.is_error, told(done)
    assert demo.state(LOCK)["state"] == "unlocked"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("says", ["decline", "cancel", None])
async def test_without_a_yes_nothing_is_opened(
    url: str, demo: DemoServer, app: App, mode: str, says: str | None
) -> None:
    async with client(url, says=says, mode=mode) as other:
        done = await other.call_tool("ha_control", UNLOCK)
        assert done.is_error
    assert demo.state(LOCK)["state"] == "locked"
    assert len(await app.confirmations.waiting_anywhere(9)) == (1 if says is None else 0)


@pytest.mark.parametrize("mode", MODES)
async def test_a_token_does_what_its_scopes_say(url: str, demo: DemoServer, app: App, mode: str) -> None:
    asks = await app.tokens.add("asks", [Scope.ASK], "ada")
    async with client(url, asks, mode=mode) as other:
        done = await other.call_tool("ha_control", UNLOCK)
        assert told(done)["result"]["confirmation"]
        assert other.asked == [], "a token that may not confirm is not asked"
    assert demo.state(LOCK)["state"] == "locked"
    reads = await app.tokens.add("reads", [Scope.READ], None)
    for token in (reads, "wrong", None):
        with pytest.raises(BaseException, match="") as refused:  # noqa: PT011 - of the client's own kinds
            async with client(url, token, mode=mode) as other:
                await other.list_tools()
        assert refused.value is not None


async def test_a_yes_is_nobody_elses(url: str, demo: DemoServer, app: App) -> None:
    """Whoever knows what waits cannot say yes to it with another token."""
    ada = await app.tokens.add("ada", [Scope.ASK, Scope.CONFIRM], "ada")
    bob = await app.tokens.add("bob", [Scope.ASK, Scope.CONFIRM], "bob")
    async with client(url, ada, says=None) as other:
        waiting = told(await other.call_tool("ha_control", UNLOCK))["result"]["confirmation"]["id"]
    async with client(url, bob) as other:
        said = {"question": ElicitResult(action="accept", content={"approve": True})}
        with contextlib.suppress(Exception):
            await other.call_tool("ha_control", UNLOCK, input_responses=said, request_state=waiting)
    assert demo.state(LOCK)["state"] == "locked"


async def test_wrong_parameters_and_unknown_tools_are_told(url: str) -> None:
    async with client(url) as other:
        for name, given in (("ha_control", {"action": "dance"}), ("nothing", {})):
            answer = await other.call_tool(name, given)
            assert answer.is_error
            assert told(answer)["error"]


def test_it_is_off_unless_it_is_switched_on(app: App) -> None:
    from fastapi import FastAPI

    from homeagent.service.mcp_endpoint import PATH, add_mcp

    for serve in (False, True):
        app.settings = app.settings.model_copy(update={"mcp": McpSettings(serve=serve)})
        api = FastAPI()
        add_mcp(api, app, asyncio.Event())
        assert any(getattr(route, "path", None) == PATH for route in api.routes) is serve


@pytest.mark.slow
@pytest.mark.parametrize("confirms", [True, False])
async def test_over_standard_streams(
    demo: DemoServer, embeddings: EmbeddingServer, tmp_path: Path, confirms: bool
) -> None:
    home = Home(tmp_path, demo, embeddings)
    environment = {**os.environ, "HOME": str(tmp_path), "HOMEAGENT_DATA_DIR": str(tmp_path / "data"), **home.variables}
    asked: list[str] = []

    async def elicit(_context: Any, params: Any) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action="accept", content={"approve": True})

    arguments = ["mcp", *([] if confirms else ["--no-confirm"])]
    server = StdioServerParameters(command=HOMEAGENT, args=arguments, env=environment)
    async with Client(server, elicitation_callback=elicit, read_timeout_seconds=60) as other:
        assert "ha_control" in [tool.name for tool in (await other.list_tools()).tools]
        for _ in range(60):  # the home is read while the first calls come in
            if not (await other.call_tool("ha_query", {"entity_id": LOCK})).is_error:
                break
            await asyncio.sleep(1)
        done = await other.call_tool("ha_control", UNLOCK)
    assert bool(asked) == confirms, told(done)
    assert demo.state(LOCK)["state"] == ("unlocked" if confirms else "locked")
