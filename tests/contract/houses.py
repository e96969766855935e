"""A demo server or a real Home Assistant, and what the people who live with it do meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import httpx

from homeagent.demo.server import DemoServer
from homeagent.ha.websocket import Socket
from tests.e2e.real import RealHomeAssistant


class House:
    """A running Home Assistant, and the hands of the people who live with it."""

    url: str
    token: str
    user_token: str
    """Of a user who is no administrator."""

    async def press(self, entity_id: str, *, on: bool) -> None:
        """Somebody presses the switch on the wall."""
        raise NotImplementedError

    async def device_calls(self) -> list[tuple[str, str]]:
        """What reached the devices since the last look: entity id and action."""
        raise NotImplementedError

    async def admin(self, kind: str, **fields: object) -> object:
        """A command of an administrator, over a connection of its own."""
        socket = await Socket.open(self.url, self.token, tls=None, timeout=30, keep_alive=20)
        try:
            return await socket.command(kind, **fields)
        finally:
            await socket.close()

    async def rest(self, method: str, path: str, **options: object) -> object:
        async with httpx.AsyncClient(base_url=self.url, headers={"Authorization": f"Bearer {self.token}"}) as client:
            response = await client.request(method, path, **options)
            response.raise_for_status()
            return response.json()

    async def expose(self, entity_id: str, exposed: bool) -> None:
        await self.admin(
            "homeassistant/expose_entity", assistants=["conversation"], entity_ids=[entity_id], should_expose=exposed
        )


class DemoHouse(House):
    def __init__(self, server: DemoServer, guest: DemoServer) -> None:
        self.url, self.token, self.server = server.url, server.token, server
        self.guest = guest
        self.user_token = guest.token

    async def press(self, entity_id: str, *, on: bool) -> None:
        self.server.set_state(entity_id, "on" if on else "off")

    async def device_calls(self) -> list[tuple[str, str]]:
        calls = [(call.entity_id, call.service) for call in self.server.calls]
        self.server.calls.clear()
        return calls


class RealHouse(House):
    def __init__(self, real: RealHomeAssistant) -> None:
        self.url, self.token, self.user_token = real.url, real.token, real.user_token

    async def press(self, entity_id: str, *, on: bool) -> None:
        body = {"entity_id": entity_id, "values": {"is_on": on}}
        await self.rest("POST", "/api/services/synth_home/push", json=body)

    async def device_calls(self) -> list[tuple[str, str]]:
        answer = await self.rest("POST", "/api/services/synth_home/calls?return_response", json={})
        return [(call["entity_id"], call["action"]) for call in answer["service_response"]["calls"]]


async def settled(house: House) -> None:
    """The real one is shared: bring what tests switch back to how the home starts."""
    for entity_id in ("light.kitchen_ceiling", "switch.bed_plug"):
        await house.press(entity_id, on=False)
    await house.device_calls()


async def eventually(condition: Callable[[], object], timeout: float = 5.0) -> None:
    """Wait until it holds; fail where it does not within ``timeout`` seconds."""
    async with asyncio.timeout(timeout):
        while True:
            held = condition()
            if isinstance(held, Awaitable):
                held = await held
            if held:
                return
            await asyncio.sleep(0.05)
