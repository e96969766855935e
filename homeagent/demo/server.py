"""The demo home's server: Home Assistant's REST and WebSocket API over an inventory."""

from __future__ import annotations

import asyncio
import contextlib
import socket as sockets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Self

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from homeagent.demo.inventory import Inventory
from homeagent.demo.rest_server import routes
from homeagent.demo.websocket_server import Connection
from homeagent.demo.world import DeviceCall, World

__all__ = ["DemoServer", "DeviceCall"]

CLOSE_TIMEOUT = 1.0
"""Seconds that connections get to end when the server stops."""


class _Server(uvicorn.Server):
    """uvicorn, without its hold on the process's signals and without its ticking: it starts and stops at once."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()
        self.leave = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def main_loop(self) -> None:
        await self.on_tick(0)
        self.ready.set()
        await self.leave.wait()

    async def shutdown(self, sockets: list[sockets.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT):
                while self.server_state.connections:  # noqa: ASYNC110 -- uvicorn has no event for it
                    await asyncio.sleep(0.002)


class DemoServer:
    """A home that can be talked to at ``url`` with ``token`` while it is started.

    ``settle``: seconds that covers, valves, locks … take from one end to the other, in place of their own times.
    ``admin``: whether the token is an administrator's. Stopping forgets nothing: started again, on the same port, it is
    the same home.
    """

    def __init__(
        self,
        inventory: Inventory,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        token: str = "demo-token",
        settle: float | None = None,
        admin: bool = True,
    ) -> None:
        self.token = token
        self.world = World(inventory, travel=settle)
        self._host, self._port = host, port
        self._admin = admin
        self._connections: set[Connection] = set()
        self._app = Starlette(
            routes=[
                *routes(lambda: self.world, token),
                WebSocketRoute("/api/websocket", self._connect),
            ]
        )
        self._server: _Server | None = None
        self._running: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """Where it answers, once it is started."""
        return f"http://{self._host}:{self._port}"

    @property
    def calls(self) -> list[DeviceCall]:
        """What reached a device so far, oldest first. Clear it to start anew."""
        return self.world.calls

    def state(self, entity_id: str) -> dict[str, Any]:
        """The state as ``/api/states/<id>`` shows it. Raises KeyError."""
        state = self.world.states.get(entity_id)
        if state is None:
            raise KeyError(entity_id)
        return state.as_dict()

    def set_state(self, entity_id: str, state: str | None, attributes: Mapping[str, object] | None = None) -> None:
        """A change on the device's side: somebody presses the switch on the wall. ``attributes`` are added."""
        self.world.set_state(entity_id, state, attributes)

    def set_exposed(self, entity_id: str, exposed: bool) -> None:
        """Expose an entity to conversation agents, or no longer; no event tells of it."""
        self.world.registries.expose(entity_id, exposed)

    def put_history(self, entity_id: str, points: Sequence[tuple[datetime, str]]) -> None:
        """Give an entity a past: aware times and states, all before now."""
        state = self.world.states.get(entity_id)
        self.world.recorder.put(entity_id, points, state.attributes if state else {})

    def put_rows(self, entity_id: str, rows: Iterable[tuple[datetime, str, Mapping[str, object]]]) -> None:
        """Give an entity a past with attributes: aware times, states and attributes, oldest first, all before now."""
        self.world.recorder.put_rows(entity_id, rows)

    async def start(self) -> None:
        """Listen. Raises OSError if the port is taken."""
        listener = sockets.socket(sockets.AF_INET, sockets.SOCK_STREAM)
        listener.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
        try:
            listener.bind((self._host, self._port))
        except OSError:
            listener.close()
            raise
        self._port = listener.getsockname()[1]
        settings = uvicorn.Config(
            self._app,
            log_config=None,
            access_log=False,
            date_header=False,
            lifespan="off",
            ws="websockets-sansio",
            ws_ping_interval=None,
            ws_per_message_deflate=False,
        )
        self._server = _Server(settings)
        self._running = asyncio.create_task(self._server.serve(sockets=[listener]))
        await self._server.ready.wait()

    async def stop(self) -> None:
        """Hang up on everybody and stop listening."""
        if self._server is None or self._running is None:
            return
        await self.drop()
        self._server.leave.set()
        await self._running
        self.world.stop()
        self._server = self._running = None

    async def drop(self) -> None:
        """Hang up on everybody, and go on listening."""
        for connection in tuple(self._connections):
            await connection.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def _connect(self, socket: WebSocket) -> None:
        connection = Connection(socket, self.world, self.token, admin=self._admin)
        self._connections.add(connection)
        try:
            await connection.serve()
        finally:
            self._connections.discard(connection)
