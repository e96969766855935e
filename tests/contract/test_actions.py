"""Every action of the demo home does what it does on a real Home Assistant: one table, run on both."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import websockets
import yaml

from homeagent.demo.devices import ACTIONS
from homeagent.demo.inventory import Inventory, demo_home, parse_inventory
from homeagent.demo.server import DemoServer
from tests.contract import synth
from tests.contract.actions import CASES, NOT_COMPARED, Case

HERE = Path(__file__).parent
START = HERE.parent / "e2e" / "real_ha" / "start_ha.py"
CLOSE = 0.002
"""How far numbers may be apart: colours go through other roundings."""


@dataclass
class Client:
    """A connection of Home Assistant's WebSocket API, as bare as can be: what is seen is what was sent."""

    socket: websockets.ClientConnection
    ids: Iterator[int]

    @classmethod
    async def open(cls, url: str, token: str) -> Client:
        socket = await websockets.connect(url.replace("http", "ws", 1) + "/api/websocket", max_size=None)
        await socket.recv()
        await socket.send(json.dumps({"type": "auth", "access_token": token}))
        assert json.loads(await socket.recv())["type"] == "auth_ok"
        return cls(socket, itertools.count(1))

    async def command(self, kind: str, **fields: Any) -> dict[str, Any]:
        number = next(self.ids)
        await self.socket.send(json.dumps({"id": number, "type": kind, **fields}))
        while True:
            message = json.loads(await self.socket.recv())
            if message["id"] == number:
                return message

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


@pytest.fixture(scope="module")
def real_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Address and token of a real Home Assistant with that home."""
    inventory, folder = whole_home(), tmp_path_factory.mktemp("real")
    (folder / "home.json").write_text(json.dumps(synth.home(inventory)), encoding="utf-8")
    command = [sys.executable, str(START), "--config", str(folder / "config"), "--inventory", str(folder / "home.json")]
    command += ["--extra-yaml", synth.configuration(inventory), "--time-zone", inventory.time_zone]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    if done.returncode:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"no real Home Assistant here: {done.stderr.strip()}")
    told = json.loads(done.stdout)
    yield told["url"], told["token"]
    subprocess.run([sys.executable, str(START), "--config", str(folder / "config"), "--stop"], check=True, timeout=90)


@pytest_asyncio.fixture(
    scope="module",
    params=["demo", pytest.param("real", marks=[pytest.mark.e2e, pytest.mark.timeout(900)])],
    loop_scope="module",
)
async def client(request: pytest.FixtureRequest) -> AsyncIterator[Client]:
    if request.param == "real":
        client = await Client.open(*request.getfixturevalue("real_home"))
        yield client
        await client.socket.close()
        return
    async with DemoServer(whole_home(), settle=0.02) as server:
        client = await Client.open(server.url, server.token)
        yield client
        await client.socket.close()


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("case", CASES, ids=[f"{n}-{case.id}" for n, case in enumerate(CASES)])
async def test_an_action(client: Client, case: Case) -> None:
    for service, entity_id, data in case.before:
        assert (await client.call(service, entity_id, data))["success"], (service, entity_id)
    await until(client, lambda states: not any(is_moving(state) for state in states.values()))
    result = await client.call(case.service, case.entity_id, case.data, response=case.response)
    if case.error:
        code, words = case.error
        assert not result["success"]
        assert result["error"]["code"] == code
        assert words in result["error"]["message"]
        return
    assert result["success"], result["error"]
    assert ("response" in result["result"]) == case.response
    states = await until(client, lambda states: fits(states.get(case.entity_id), case))
    state = states.get(case.entity_id)
    shown = {key: state["attributes"].get(key, "absent") for key in case.attributes} if state else {}
    assert fits(state, case), (state and state["state"], shown)


def test_every_action_of_the_demo_home_is_in_the_table() -> None:
    told = {case.service for case in CASES if not case.error}
    assert {f"{domain}.{service}" for domain, service in ACTIONS} - NOT_COMPARED == {
        service for service in told if not service.startswith("homeassistant.") and "no_such" not in service
    }


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    "target",
    [
        {"area_id": "kitchen"},
        {"floor_id": "ground_floor"},
        {"area_id": ["study", "hall"]},
        {"label_id": "evening"},
    ],
    ids=str,
)
async def test_a_target_reaches_the_same_lights(client: Client, target: dict[str, Any]) -> None:
    """Ids of the registries differ: they are found by name."""
    inventory = whole_home()
    given = await named(client, target)
    await client.command("call_service", domain="light", service="turn_off", target={"entity_id": "all"})
    await asyncio.sleep(0.6)  # the slow one
    assert (await client.command("call_service", domain="light", service="turn_on", target=given))["success"]
    expected = reached(inventory, target)
    states = await until(client, lambda states: lit(states) == expected)
    assert lit(states) == expected


def reached(inventory: Inventory, target: dict[str, Any]) -> set[str]:
    """The lights of the inventory that should be on, from the target in words."""
    areas = {device.id: device.area for device in inventory.devices}
    wanted = target.get("area_id", ())
    if "floor_id" in target:
        wanted = [area.id for area in inventory.areas if area.floor == "ground"]
    found = {
        spec.id
        for spec in inventory.entities
        if spec.domain == "light"
        and (
            (spec.area or areas.get(spec.device or "")) in ([wanted] if isinstance(wanted, str) else wanted)
            or target.get("label_id") in spec.labels
        )
        and not spec.behavior.ignores
    }
    if found & {"light.kitchen_ceiling", "light.kitchen_counter"}:
        found.add("light.kitchen_lights")
    return found


async def named(client: Client, target: dict[str, Any]) -> dict[str, Any]:
    """The target with the registry's own ids."""
    if "floor_id" in target:
        rows = (await client.command("config/floor_registry/list"))["result"]
        return {"floor_id": next(row["floor_id"] for row in rows if row["name"] == "Ground floor")}
    return target


def lit(states: Mapping[str, dict[str, Any]]) -> set[str]:
    return {
        entity_id for entity_id, state in states.items() if entity_id.startswith("light.") and state["state"] == "on"
    }


def is_moving(state: Mapping[str, Any]) -> bool:
    return state["state"] in ("opening", "closing", "returning")


def fits(state: Mapping[str, Any] | None, case: Case) -> bool:
    if state is None:
        return case.state is None and not case.attributes
    if case.state is not None and state["state"] != case.state:
        return False
    return all(same(state["attributes"].get(key), want) for key, want in case.attributes.items())


def same(shown: Any, want: Any) -> bool:
    if isinstance(want, (list, tuple)) and isinstance(shown, (list, tuple)):
        return len(shown) == len(want) and all(same(a, b) for a, b in zip(shown, want, strict=True))
    if isinstance(want, float) and isinstance(shown, (int, float)):
        return abs(shown - want) <= CLOSE
    return bool(shown == want)


async def until(client: Client, condition: Any, timeout: float = 2.0) -> dict[str, dict[str, Any]]:
    """The states as soon as the condition holds, or as they are after ``timeout`` seconds."""
    end = asyncio.get_running_loop().time() + timeout
    while True:
        states = await client.states()
        if condition(states) or asyncio.get_running_loop().time() > end:
            return states
        await asyncio.sleep(0.02)
