"""Server-sent events: how they look on the wire, and how answers stream.

FastAPI writes the events. What keeps the connection is ours (`listeners`): one ring for all listeners, which counts
what a slow one lost, and serves a few at a time. sse-starlette has a task and a ping for each listener, asks twice a
second whether the server ends, and changes how uvicorn ends for the whole process.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

from fastapi.sse import EventSourceResponse, format_sse_event

from homeagent.service.errors import Failure
from homeagent.values.jsonable import jsonable

_HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}

SERVER_SENT: dict[str, Any] = {
    "type": "object",
    "description": "One event of the stream; `data` is JSON.",
    "properties": {name: {"type": "string"} for name in ("event", "data", "id")},
}
"""One event, for the OpenAPI document."""

Send = Callable[[str, Any], None]
"""Sends one event: its name and its data. Never waits; called on the event loop."""


def encode(event: str, data: object, id: str | None = None) -> bytes:
    """One event on the wire. ASCII, since readers differ in which characters break a line."""
    return format_sse_event(event=event, data_str=json.dumps(jsonable(data)), id=id)


def data_only(content: object) -> bytes:
    """An event without a name, as OpenAI's clients read them."""
    return format_sse_event(data_str=json.dumps(content))


def respond(parts: AsyncIterator[bytes]) -> EventSourceResponse:
    """An answer that streams ``parts``, which no proxy may hold back or keep."""
    return EventSourceResponse(parts, headers=_HEADERS)


async def streamed(
    work: Callable[[Send], Awaitable[object]], failed: Callable[[Exception], Failure]
) -> AsyncIterator[bytes]:
    """What ``work`` sends as it goes, then its outcome as ``result``, or as ``error``, a problem as elsewhere.

    When the reader goes away the work is cancelled.
    """
    queue: asyncio.Queue[tuple[str, object] | None] = asyncio.Queue()

    def send(event: str, data: object) -> None:
        queue.put_nowait((event, data))

    async def run() -> None:
        try:
            queue.put_nowait(("result", await work(send)))
        except Exception as error:  # noqa: BLE001 - answering a request: its failure is told to the caller
            queue.put_nowait(("error", failed(error).body()))
        finally:
            queue.put_nowait(None)

    task = asyncio.create_task(run(), name="streamed request")
    try:
        while (part := await queue.get()) is not None:
            yield encode(*part)
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
