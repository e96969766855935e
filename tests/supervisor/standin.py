"""A small stand-in for Home Assistant's Supervisor: its proxy to Home Assistant, discovery, and the page by ingress.

A real Home Assistant's own integration `hassio` takes it for one, as far as the app needs it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import uuid
from collections.abc import AsyncIterator
from typing import Any, Protocol

from aiohttp import ClientSession, TCPConnector, WSMsgType, web

from homeagent.demo.server import DemoServer


class Home(Protocol):
    """A Home Assistant, simulated or real."""

    url: str
    token: str


ADDRESS = "127.0.0.2"
"""Where its requests to the app come from."""
_NO = (
    "auth_api docker_api full_access homeassistant_api host_network host_pid ingress signed hassio_api documentation "
    "detached advanced available build icon logo update_available protected host_ipc host_uts host_dbus changelog "
    "stdin gpio usb uart kernel_modules devicetree udev video audio auto_update watchdog system_managed"
)
_NOTHING = (
    "long_description homeassistant url network network_description webui ingress_entry ingress_url ingress_port "
    "ingress_panel audio_input audio_output system_managed_config_entry schema"
)
APP_INFO: dict[str, Any] = {
    **dict.fromkeys(_NO.split(), False),
    **dict.fromkeys(_NOTHING.split()),
    **{name: [] for name in ("arch", "dns", "machine", "privileged", "services", "discovery", "devices")},
    "options": {},
    "translations": {},
    "rating": 6,
    "apparmor": "default",
    "hassio_role": "default",
    "name": "Home Agent",
    "description": "An agent",
    "repository": "local",
    "stage": "stable",
    "state": "started",
    "version": "0.1.0",
    "version_latest": "0.1.0",
    "hostname": "local-home-agent",
    "ip_address": "172.30.33.1",
    "boot": "auto",
    "boot_config": "auto",
    "startup": "application",
}
"""What it tells of the app, in the fields that `aiohasupervisor` wants."""
_HOPS = {"content-length", "transfer-encoding", "content-type", "content-encoding", "host", "connection"}


class Supervisor:
    """``token``: what the app must show. ``told``: what was announced to it; ``failures``: how often it fails first;
    ``user``: the headers of who has signed in, where nobody has signed in at a real Home Assistant."""

    def __init__(self, home: Home | None) -> None:
        self.token = "of-the-supervisor"
        self.home = home
        self.messages: dict[str, dict[str, Any]] = {}
        self.sessions: dict[str, str] = {}
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
        application.router.add_get("/discovery", self._discoveries)
        application.router.add_get("/discovery/{uuid}", self._message)
        application.router.add_get("/addons/{slug}/info", self._app_info)
        application.router.add_post("/ingress/session", self._session)
        application.router.add_route("*", "/ingress/{token}/{path:.*}", self._ingress)
        application.router.add_route("*", "/{path:.*}", self._anything)
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
        message = await request.json()
        self.told.append(message)
        number = next((u for u, one in self.messages.items() if one["service"] == message["service"]), uuid.uuid4().hex)
        self.messages[number] = {**message, "addon": "local_home_agent", "uuid": number}
        if not isinstance(self._home, DemoServer):
            await self._push(number)
        return web.json_response({"result": "ok", "data": {"uuid": number}})

    async def _push(self, number: str) -> None:
        """As the real one does, so that Home Assistant comes and reads the message."""
        headers = {"Authorization": f"Bearer {self._home.token}"}
        async with self.http.post(f"{self._home.url}/api/hassio_push/discovery/{number}", headers=headers) as answer:
            assert answer.status == 200, await answer.text()

    async def _discoveries(self, request: web.Request) -> web.Response:
        return web.json_response({"result": "ok", "data": {"discovery": list(self.messages.values()), "services": {}}})

    async def _message(self, request: web.Request) -> web.Response:
        found = self.messages.get(request.match_info["uuid"])
        return web.json_response(
            {"result": "ok", "data": found} if found else {"result": "error"}, status=200 if found else 404
        )

    async def _app_info(self, request: web.Request) -> web.Response:
        return web.json_response({"result": "ok", "data": APP_INFO | {"slug": request.match_info["slug"]}})

    async def _session(self, request: web.Request) -> web.Response:
        session = uuid.uuid4().hex
        self.sessions[session] = (await request.json()).get("user_id", "")
        return web.json_response({"result": "ok", "data": {"session": session}})

    async def _anything(self, request: web.Request) -> web.Response:
        return web.json_response({"result": "ok", "data": {}})

    @property
    def _home(self) -> Home:
        assert self.home is not None
        return self.home

    async def _core(self, request: web.Request) -> web.Response:
        if not self._known(request):
            return web.Response(status=401)
        headers = {"Authorization": f"Bearer {self._home.token}", "Content-Type": "application/json"}
        url = f"{self._home.url}/api/{request.match_info['path']}"
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
        async with self.http.ws_connect(f"{self._home.url}/api/websocket", max_msg_size=0) as far:
            await far.receive_json()
            await far.send_json({"type": "auth", "access_token": self._home.token})
            await near.send_str((await far.receive()).data)
            await asyncio.wait(
                [asyncio.create_task(_pass_on(near, far)), asyncio.create_task(_pass_on(far, near))],
                return_when=asyncio.FIRST_COMPLETED,
            )
        return near

    async def _ingress(self, request: web.Request) -> web.StreamResponse:
        """Without the path's prefix, with what the browser sent (its Host included), and with who has signed in."""
        headers = {name: value for name, value in request.headers.items() if not name.lower().startswith("x-remote")}
        for name in ("Content-Length", "Transfer-Encoding"):
            headers.pop(name, None)
        if request.path.startswith("/ingress/"):  # a real Home Assistant hands it on, and has set the path
            session = request.cookies.get("ingress_session", "")
            if session not in self.sessions:
                return web.Response(status=401)
            headers |= {"X-Remote-User-Id": self.sessions[session]}
        else:
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
