"""Work in the background: a failure is told at once, and its end is waited for."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import TypeVar

_log = logging.getLogger(__name__)
T = TypeVar("T")


def in_background(work: Coroutine[object, object, T], name: str) -> asyncio.Task[T]:
    """Run this beside everything else. What makes it fail is logged then, and raised to whoever awaits it."""
    task = asyncio.create_task(work, name=name)
    task.add_done_callback(_tell_failure)
    return task


async def ended(*tasks: asyncio.Task[T] | None) -> None:
    """Cancel these, and wait until they are over, however they end."""
    running = [task for task in tasks if task is not None]
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)


async def finished(seconds: float, *tasks: asyncio.Task[T]) -> None:
    """Wait until these are over by themselves; what is not within so many seconds is cancelled."""
    if tasks:
        await asyncio.wait(tasks, timeout=seconds)
        await ended(*tasks)


def _tell_failure(task: asyncio.Task[object]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("failed in the background: %s", task.get_name(), exc_info=error)
