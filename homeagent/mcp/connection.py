"""A connection to one MCP server: made when it is first needed, and anew after it broke."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from homeagent.background_tasks import ended
from homeagent.errors import WebError

if TYPE_CHECKING:
    from mcp import Client

_log = logging.getLogger(__name__)
_MOST_TOOLS = 200
_LONGEST_EVENT = 2_000_000
"""Bytes of one answer."""


@dataclass(frozen=True, slots=True)
class Server:
    """Where it is: an address (``sse``: of the older form), or a ``command`` that speaks over its standard streams.

    ``key`` goes along as a bearer token, ``environment`` to the command, which is given no other variables of ours.
    """

    name: str
    url: str | None = None
    command: Sequence[str] = ()
    key: str | None = None
    sse: bool = False
    timeout: float = 25.0
    environment: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Offered:
    """A tool that a server has: ``schema`` is that of its parameters, ``reads`` what it says of itself."""

    name: str
    description: str
    schema: Mapping[str, Any]
    reads: bool


class Connection:
    """Calls the tools of a server. It may ask nothing back: no sampling, no roots, no questions to people."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._lock = asyncio.Lock()
        self._client: Client | None = None
        self._over = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def tools(self) -> list[Offered]:
        """What the server has now. Raises WebError."""
        found: list[Offered] = []
        cursor: str | None = None
        async with self._in_words():
            client = await self._connected()
            while len(found) < _MOST_TOOLS:
                page = await client.list_tools(cursor=cursor)
                for tool in page.tools:
                    reads = bool(tool.annotations and tool.annotations.read_only_hint)
                    found.append(Offered(tool.name, tool.description or "", tool.input_schema, reads))
                cursor = page.next_cursor
                if cursor is None:
                    break
        return found[:_MOST_TOOLS]

    async def call(self, tool: str, arguments: Mapping[str, Any], timeout: float | None = None) -> str:
        """What the tool answers, as text. Raises WebError, with the server's words where it failed."""
        async with self._in_words(timeout):
            client = await self._connected()
            result = await client.call_tool(tool, dict(arguments))
            texts = [str(part.text) for part in result.content if part.type == "text"]
            other = [f"({part.type} left out)" for part in result.content if part.type != "text"]
            text = "\n".join([*texts, *other]) or str(result.structured_content or "")
            if result.is_error:
                raise WebError(f"{self.server.name} says: {' '.join(text.split())[:300]}")
            return text
        raise AssertionError  # the block above returns or raises

    async def stop(self) -> None:
        """End it, and the process that it started."""
        self._over.set()
        if self._task is not None:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._task), 5)
            await ended(self._task)
        self._task = self._client = None

    def _in_words(self, timeout: float | None = None) -> _InWords:
        return _InWords(self, timeout or self.server.timeout)

    async def _connected(self) -> Client:
        async with self._lock:
            if self._client is None:
                await self._connect()
            assert self._client is not None
            return self._client

    async def _connect(self) -> None:
        ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._over = asyncio.Event()
        self._task = asyncio.create_task(self._hold(ready, self._over))
        self._client = await ready

    async def _hold(self, ready: asyncio.Future[Client], over: asyncio.Event) -> None:
        """Keep it open in a task of its own: it must be closed by whoever opened it."""
        try:
            async with _client(self.server) as client:
                ready.set_result(client)
                await over.wait()
        except BaseException as error:  # noqa: BLE001 - told to whoever waits, or logged
            if not ready.done():
                ready.set_exception(WebError(f"{self.server.name} cannot be reached ({_reason(error)})."))
            elif not isinstance(error, asyncio.CancelledError):
                _log.info("the connection to %s ended: %s", self.server.name, _reason(error))
        finally:
            self._client = None

    async def broken(self) -> None:
        """Begin anew at the next call."""
        self._over.set()
        self._client = None


class _InWords:
    """Whatever goes wrong within it is told as a `WebError`; the connection begins anew then."""

    def __init__(self, connection: Connection, seconds: float) -> None:
        self._connection = connection
        self._seconds = seconds
        self._limit = asyncio.timeout(seconds)

    async def __aenter__(self) -> None:
        await self._limit.__aenter__()

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> bool | None:
        from mcp import MCPError

        name = self._connection.server.name
        try:
            await self._limit.__aexit__(kind, error, trace)
        except TimeoutError:
            await self._connection.broken()
            raise WebError(f"{name} did not answer within {self._seconds:g} s.") from None
        if error is None or isinstance(error, WebError | asyncio.CancelledError) or not isinstance(error, Exception):
            return None
        if isinstance(error, MCPError):
            raise WebError(f"{name} refuses: {' '.join(str(error).split())[:300]}") from None
        await self._connection.broken()
        raise WebError(f"{name} gave no answer that can be read ({_reason(error)}).") from None


def _client(server: Server) -> Client:
    import httpx2
    from mcp import Client, StdioServerParameters
    from mcp.client.sse import sse_client
    from mcp.client.streamable_http import streamable_http_client
    from mcp_types import Implementation

    from homeagent import __version__

    us = Implementation(name="homeagent", version=__version__)
    if server.url is None:
        where: Any = StdioServerParameters(
            command=server.command[0], args=list(server.command[1:]), env=dict(server.environment or {})
        )
    else:
        headers = {"Authorization": f"Bearer {server.key}"} if server.key else {}
        if server.sse:
            where = sse_client(server.url, headers=headers, timeout=server.timeout)
        else:
            http = httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(server.timeout), trust_env=False)
            where = streamable_http_client(server.url, http_client=http, max_sse_event_size=_LONGEST_EVENT)
    return Client(where, client_info=us, read_timeout_seconds=server.timeout, cache=None)


def _reason(error: BaseException) -> str:
    """The innermost of what went wrong, by its kind: its words may hold the key."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return type(error).__name__
