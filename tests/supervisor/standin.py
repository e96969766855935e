"""A small stand-in for Home Assistant's Supervisor: its proxy to Home Assistant, discovery, and the page by ingress."""

from __future__ import annotations

import asyncio
import contextlib
import json
import uuid
from collections.abc import AsyncIterator
from typing import Any

from aiohttp import ClientSession, TCPConnector, WSMsgType, web

from homeagent.demo.server import DemoServer

ADDRESS = "127.0.0.2"
"""Where its requests to the app come from."""
_HOPS = {"content-length", "transfer-encoding", "content-type", "content-encoding", "host", "connection"}


class Supervisor:
    """``token``: what the app must show. ``told``: what was announced to it; ``failures``: how often it fails first."""

    def __init__(self, demo: DemoServer) -> None:
        self.token = "of-the-supervisor"
        self.demo = demo
        self.told: list[dict[str, Any]] = []
        self.failures = 0
        self.app_url = ""
        self.user: dict[str, str] = {}
        self.url = ""

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[Supervisor]:
        application = web.Application()
        application.router.add_post("/discovery", self._discovery)
        application.router.add_get("/core/api/websocket", self._socket)
        application.router.add_route("*", "/core/api/{path:.*}", self._core)
        application.router.add_route("*", "/api/hassio_ingress/{token}/{path:.*}", self._ingress)
        runner = web.AppRunner(application)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        connector = TCPConnector(local_addr=(ADDRESS, 0))
        async with ClientSession() as self.http, ClientSession(connector=connector) as self.from_its_address:
            yield self
            await runner.cleanup()

    def _known(self, request: web.Request) -> bool:
        return request.headers.get("Authorization") == f"Bearer {self.token}"

    async def _discovery(self, request: web.Request) -> web.Response:
        if not self._known(request):
            return web.json_response({"result": "error"}, status=401)
        if self.failures:
            self.failures -= 1
            return web.json_response({"result": "error"}, status=503)
        self.told.append(await request.json())
        return web.json_response({"result": "ok", "data": {"uuid": uuid.uuid4().hex}})

    async def _core(self, request: web.Request) -> web.Response:
        if not self._known(request):
            return web.Response(status=401)
        headers = {"Authorization": f"Bearer {self.demo.token}", "Content-Type": "application/json"}
        url = f"{self.demo.url}/api/{request.match_info['path']}"
        body = await request.read()
        async with self.http.request(
            request.method, url, params=request.query, data=body or None, headers=headers
        ) as told:
            return web.Response(status=told.status, body=await told.read(), content_type=told.content_type)

    async def _socket(self, request: web.Request) -> web.WebSocketResponse:
        """As the real one does: its own token opens it, and it signs in further on with one that the app never has."""
        near = web.WebSocketResponse(max_msg_size=0)
        await near.prepare(request)
        await near.send_json({"type": "auth_required", "ha_version": "2026.11.0"})
        given = await near.receive_json()
        if given.get("access_token") != self.token:
            await near.send_json({"type": "auth_invalid", "message": "Invalid access"})
            return near
        async with self.http.ws_connect(f"{self.demo.url}/api/websocket", max_msg_size=0) as far:
            await far.receive_json()
            await far.send_json({"type": "auth", "access_token": self.demo.token})
            await near.send_str((await far.receive()).data)
            await asyncio.wait(
                [asyncio.create_task(_pass_on(near, far)), asyncio.create_task(_pass_on(far, near))],
                return_when=asyncio.FIRST_COMPLETED,
            )
        return near

    async def _ingress(self, request: web.Request) -> web.StreamResponse:
        """Without the path's prefix, with what the browser sent (its Host included), and with who has signed in."""
        headers = {name: value for name, value in request.headers.items() if not name.lower().startswith("x-remote")}
        headers.pop("Content-Length", None)
        headers |= self.user | {"X-Ingress-Path": f"/api/hassio_ingress/{request.match_info['token']}"}
        url = f"{self.app_url}/{request.match_info['path']}"
        async with self.from_its_address.request(
            request.method,
            url,
            params=request.query,
            data=await request.read(),
            headers=headers,
            allow_redirects=False,
        ) as told:
            passed = {name: value for name, value in told.headers.items() if name.lower() not in _HOPS}
            response = web.StreamResponse(status=told.status, headers=passed)
            response.content_type = told.content_type
            await response.prepare(request)
            async for piece in told.content.iter_any():
                await response.write(piece)
            return response


async def _pass_on(source: Any, target: Any) -> None:
    async for message in source:
        if message.type is WSMsgType.TEXT:
            await target.send_str(message.data)


def options(folder: Any, **chosen: object) -> None:
    """What the Supervisor writes when the owner saves the app's options."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "options.json").write_text(json.dumps(chosen))
