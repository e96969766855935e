"""Our tools over MCP, at /mcp of the service: sessions of streamable HTTP, behind the guard as everything else."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from starlette.routing import Route

from homeagent.access import Identity, Scope
from homeagent.background_tasks import in_background
from homeagent.errors import MissingScope
from homeagent.mcp.serving import HomeServer, Outcome, waiting_in
from homeagent.service import request_fields, sentences
from homeagent.service.request_guard import caller_of

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from homeagent.app import App

PATH = "/mcp"
NEEDS: dict[str, tuple[Scope, ...]] = {PATH: (Scope.ASK,)}
_IDLE = 1800.0
_MOST_SESSIONS = 64


def add_mcp(api: FastAPI, app: App, closing: asyncio.Event) -> None:
    """Offer it where the settings say so."""
    if app.settings.mcp.serve:
        api.router.routes.append(Route(PATH, endpoint=_Endpoint(app, closing), include_in_schema=False))


class AppHome:
    """The home of an app, as `serving` wants it."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def tools(self) -> Sequence[Mapping[str, Any]]:
        """The tools that models are offered."""
        return await asyncio.to_thread(self._app.toolbox.schemas)

    async def call(self, tool: str, parameters: Mapping[str, Any], caller: Identity) -> Outcome:
        """Raises HomeAgentError."""
        fields = request_fields.ExecuteTool(tool_name=tool, parameters=dict(parameters)).sent_by(caller)
        result = await sentences.execute_tool(self._app, fields)
        waits = await self._app.confirmations.waiting(fields.user_id, fields.device_id, _MOST_SESSIONS)
        return Outcome(result, waiting_in(result, {one.id: self._app.agent.question(one) for one in waits}))

    async def confirm(self, confirmation_id: str, approve: bool, caller: Identity) -> str:
        """Raises HomeAgentError."""
        fields = request_fields.Confirm(confirmation_id=confirmation_id, approve=approve).sent_by(caller)
        return str((await sentences.confirm(self._app, fields))["response"])


class _Endpoint:
    """The ASGI app of the path. The sessions begin with the first request and end with the service."""

    def __init__(self, app: App, closing: asyncio.Event) -> None:
        self._app = app
        self._closing = closing
        self._sessions: asyncio.Future[StreamableHTTPSessionManager] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Hand the request to its session."""
        if self._sessions is None:
            self._sessions = asyncio.get_running_loop().create_future()
            in_background(self._hold(self._sessions), "serve MCP")
        sessions = await self._sessions
        await sessions.asgi_app(scope, receive, send)

    async def _hold(self, ready: asyncio.Future[StreamableHTTPSessionManager]) -> None:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
        from mcp.server.transport_security import TransportSecuritySettings

        guarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # the guard has looked
        server = HomeServer(AppHome(self._app), _caller).server()
        sessions = StreamableHTTPSessionManager(
            server, security_settings=guarded, session_idle_timeout=_IDLE, max_sessions=_MOST_SESSIONS
        )
        with suppress(asyncio.CancelledError):
            async with sessions.run():
                ready.set_result(sessions)
                await self._closing.wait()


async def _caller(request: Any) -> Identity:
    caller = caller_of(request.scope) if request is not None else None
    if caller is None:
        raise MissingScope("Nobody knows whose request this is.")
    return caller
