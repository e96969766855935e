"""A local MCP server: a search as others offer it, and tools of any kind, over streamable HTTP, in bytes."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool, ToolAnnotations

ANY = {"type": "object", "properties": {"text": {"type": "string"}}}
SEARCH = {"type": "object", "properties": {"query": {"type": "string"}, "numResults": {"type": "integer"}}}


@dataclass
class LocalMcp:
    """``answers``: tool -> its text. ``called``: each call as (tool, arguments). ``headers``: of each request."""

    answers: dict[str, str] = field(default_factory=lambda: {"web_search_exa": "Rain in Spain\nhttp://good.test/rain"})
    reads: set[str] = field(default_factory=set)
    schemas: dict[str, dict[str, Any]] = field(default_factory=dict)
    descriptions: dict[str, str] = field(default_factory=dict)
    called: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    pause: float = 0.0
    url: str = ""

    async def list_tools(self, _context: Any, _params: Any) -> ListToolsResult:
        tools = [
            Tool(
                name=name,
                description=self.descriptions.get(name, f"Does {name}."),
                input_schema=self.schemas.get(name, SEARCH if "search" in name else ANY),
                annotations=ToolAnnotations(read_only_hint=name in self.reads),
            )
            for name in self.answers
        ]
        return ListToolsResult(tools=tools)

    async def call_tool(self, _context: Any, params: Any) -> CallToolResult:
        self.called.append((params.name, dict(params.arguments or {})))
        await asyncio.sleep(self.pause)
        text = self.answers[params.name]
        return CallToolResult(content=[TextContent(type="text", text=text)], is_error=text.startswith("ERROR"))


@contextlib.asynccontextmanager
async def local_mcp(*, as_json: bool = False) -> AsyncIterator[LocalMcp]:
    """``as_json``: answers as JSON, else as server-sent events."""
    local = LocalMcp()
    server = Server("local", on_list_tools=local.list_tools, on_call_tool=local.call_tool)
    app = server.streamable_http_app(json_response=as_json)

    async def noting(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            local.headers.append({k.decode(): v.decode() for k, v in scope["headers"]})
        await app(scope, receive, send)

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        local.url = f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        serving = uvicorn.Server(uvicorn.Config(noting, log_level="error", timeout_graceful_shutdown=1))
        serving.capture_signals = contextlib.nullcontext  # type: ignore[method-assign, assignment]
        task = asyncio.create_task(serving.serve([listening]))
        while not serving.started:  # noqa: ASYNC110 - uvicorn tells by nothing else
            await asyncio.sleep(0.01)
        try:
            yield local
        finally:
            serving.should_exit = True
            await task
