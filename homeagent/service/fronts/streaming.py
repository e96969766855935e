"""An answer in pieces, as it is made."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from homeagent.service.errors import Failure, failure_of
from homeagent.turn import Say

if TYPE_CHECKING:
    from homeagent.turns.reply import Reply


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the answer. The last one has the whole reply, or the failure that ended it."""

    text: str = ""
    reply: Reply | None = None
    failure: Failure | None = None


async def pieces(work: Callable[[Say], Awaitable[Reply]]) -> AsyncIterator[Piece]:
    """What ``work`` says as it goes, then what it did not say yet, with its reply. The texts together are the answer.

    When the reader goes away the work is cancelled.
    """
    queue: asyncio.Queue[Piece] = asyncio.Queue()
    spoken = ""

    async def say(text: str) -> None:
        nonlocal spoken
        spoken += text
        queue.put_nowait(Piece(text))

    async def run() -> None:
        try:
            reply = await work(say)
            queue.put_nowait(Piece(_rest(reply.response, spoken), reply))
        except Exception as error:  # noqa: BLE001 - answering a request: its failure is told to the caller
            queue.put_nowait(Piece(failure=failure_of(error)))

    task = asyncio.create_task(run(), name="streamed chat")
    try:
        piece = Piece()
        while piece.reply is None and piece.failure is None:
            piece = await queue.get()
            yield piece
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def _rest(response: str, spoken: str) -> str:
    """What of an answer was not streamed. Where it turned out otherwise, all of it, on a line of its own."""
    if response.startswith(spoken):
        return response[len(spoken) :]
    return "" if response.strip() == spoken.strip() else f"\n{response}"
