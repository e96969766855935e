"""The whole demo home on the demo server and on a real Home Assistant, over a connection as bare as can be."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import websockets
import yaml

from homeagent.demo.inventory import Inventory, demo_home, parse_inventory
from homeagent.demo.server import DemoServer
from tests.e2e import real

HERE = Path(__file__).parent


@dataclass
class Client:
    """A connection of Home Assistant's WebSocket API, as bare as can be: what is seen is what was sent."""

    socket: websockets.ClientConnection
    ids: Iterator[int]
    version: str

    @classmethod
    async def open(cls, url: str, token: str) -> Client:
        socket = await websockets.connect(url.replace("http", "ws", 1) + "/api/websocket", max_size=None)
        await socket.recv()
        await socket.send(json.dumps({"type": "auth", "access_token": token}))
        answer = json.loads(await socket.recv())
        assert answer["type"] == "auth_ok"
        return cls(socket, itertools.count(1), answer["ha_version"])

    async def command(self, kind: str, **fields: Any) -> dict[str, Any]:
        number = next(self.ids)
        await self.socket.send(json.dumps({"id": number, "type": kind, **fields}))
        while True:
            message = json.loads(await self.socket.recv())
            if message["id"] == number and message["type"] != "event":
                return message

    async def event(self) -> dict[str, Any]:
        """What the next event of a subscription says."""
        while True:
            message = json.loads(await self.socket.recv())
            if message["type"] == "event":
                return message["event"]

    async def call(
        self, service: str, entity_id: str, data: Mapping[str, Any], *, response: bool = False
    ) -> dict[str, Any]:
        domain, _, name = service.partition(".")
        return await self.command(
            "call_service",
            domain=domain,
            service=name,
            service_data=dict(data),
            target={"entity_id": entity_id},
            return_response=response,
        )

    async def states(self) -> dict[str, dict[str, Any]]:
        return {state["entity_id"]: state for state in (await self.command("get_states"))["result"]}


def whole_home() -> Inventory:
    """The demo home, and a lab with devices that can do all that their domain knows."""
    raw, more = (yaml.safe_load(path.read_text()) for path in (demo_home(), HERE / "everything.yaml"))
    return parse_inventory({**raw, **{key: raw[key] + more[key] for key in ("areas", "entities")}})


@pytest.fixture(scope="session")
def real_whole_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[real.RealHomeAssistant]:
    running = real.start(whole_home(), tmp_path_factory.mktemp("whole-home"))
    yield running
    real.stop(running)


@pytest_asyncio.fixture(
    scope="module",
    params=["demo", pytest.param("real", marks=[pytest.mark.e2e, pytest.mark.timeout(900)])],
    loop_scope="module",
)
async def client(request: pytest.FixtureRequest) -> AsyncIterator[Client]:
    if request.param == "real":
        running = request.getfixturevalue("real_whole_home")
        client = await Client.open(running.url, running.token)
        yield client
        await client.socket.close()
        return
    async with DemoServer(whole_home(), settle=0.02) as server:
        client = await Client.open(server.url, server.token)
        yield client
        await client.socket.close()


async def until(
    client: Client, condition: Callable[[dict[str, Any]], bool], timeout: float = 2.0
) -> dict[str, dict[str, Any]]:
    """The states as soon as the condition holds, or as they are after ``timeout`` seconds."""
    end = asyncio.get_running_loop().time() + timeout
    while True:
        states = await client.states()
        if condition(states) or asyncio.get_running_loop().time() > end:
            return states
        await asyncio.sleep(0.02)
