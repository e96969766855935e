"""httpx over an ASGI app in this very process, streaming.

httpx's own ASGITransport hands over an answer only when it is complete, so that a streamed answer would come at once at
its end. This one hands over each piece as the app sends it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

import httpx

Message = MutableMapping[str, Any]
Asgi = Callable[
    [MutableMapping[str, Any], Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]
]


class StreamingAsgiTransport(httpx.AsyncBaseTransport):
    """Serves each request with ``app``, which must already be started."""

    def __init__(self, app: Asgi) -> None:
        self._app = app

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The response as soon as its head is there; its body is read as the app sends it."""
        body = await request.aread()
        exchange = _Exchange(body)
        task = asyncio.create_task(exchange.run(self._app, _scope(request)), name=f"request {request.url.path}")
        try:
            status, headers = await exchange.head()
        except BaseException:
            task.cancel()
            raise
        return httpx.Response(status, headers=headers, stream=_Body(exchange, task), request=request)


class _Exchange:
    """One request and its answer, as the app's ``receive`` and ``send``."""

    def __init__(self, body: bytes) -> None:
        self._body: bytes | None = body
        self._head: asyncio.Future[tuple[int, list[tuple[bytes, bytes]]]] = asyncio.get_running_loop().create_future()
        self._pieces: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._gone = asyncio.Event()

    async def run(self, app: Asgi, scope: dict[str, Any]) -> None:
        try:
            await app(scope, self._receive, self._send)
        except Exception as error:
            if self._head.done():
                raise
            self._head.set_exception(error)
        finally:
            self._pieces.put_nowait(None)

    async def head(self) -> tuple[int, list[tuple[bytes, bytes]]]:
        return await self._head

    async def pieces(self) -> AsyncIterator[bytes]:
        while (piece := await self._pieces.get()) is not None:
            yield piece

    def leave(self) -> None:
        self._gone.set()

    async def _receive(self) -> Message:
        if self._body is None:
            await self._gone.wait()
            return {"type": "http.disconnect"}
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._head.set_result((message["status"], list(message.get("headers", []))))
        elif message["type"] == "http.response.body" and message.get("body"):
            self._pieces.put_nowait(message["body"])


class _Body(httpx.AsyncByteStream):
    def __init__(self, exchange: _Exchange, task: asyncio.Task[None]) -> None:
        self._exchange = exchange
        self._task = task

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._exchange.pieces():
            yield piece

    async def aclose(self) -> None:
        """A reader that goes away early ends the request, as a closed connection would."""
        self._exchange.leave()
        done, _ = await asyncio.wait({self._task}, timeout=5)
        if not done:
            self._task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(self._task, return_exceptions=True)


def _scope(request: httpx.Request) -> dict[str, object]:
    url = request.url
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": url.scheme,
        "path": url.path,
        "raw_path": url.raw_path.split(b"?")[0],
        "query_string": url.query,
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "server": (url.host, url.port),
        "client": ("127.0.0.1", 0),
        "state": {},
    }
