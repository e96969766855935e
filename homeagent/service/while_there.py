"""Work that ends when whoever asked for it goes away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import TypeVar

from fastapi import Request

T = TypeVar("T")


class CallerLeft(Exception):
    """The connection was closed before the answer was there. Nobody hears of it."""


async def while_there(request: Request, work: Awaitable[T]) -> T:
    """What ``work`` comes to. Where the connection is closed meanwhile the work is cancelled, and with it what it waits
    for, such as a language model. Raises CallerLeft, and what the work raises.

    The request's body must have been read.
    """
    task = asyncio.ensure_future(work)
    gone = asyncio.create_task(_gone(request), name="looking whether the caller is there")
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise CallerLeft
    finally:
        for one in (gone, task):
            one.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await one


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
