"""What is measured is a home that is up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from homeagent.app import App
from indexer.status import Phase

_WARM_WITHIN = 600.0


async def until_warm(app: App) -> None:
    """Wait for the vectors, or until it is clear that there will be none. Raises TimeoutError after ten minutes."""
    async with asyncio.timeout(_WARM_WITHIN):
        while True:
            status = app.index.status
            if status.phase is Phase.DEGRADED or (status.phase is Phase.READY and status.vectors >= status.entities):
                return
            await asyncio.sleep(0.1)


@asynccontextmanager
async def started(app: App) -> AsyncIterator[App]:
    """The app, up and warm; stopped in the end."""
    await app.start()
    try:
        await app.need_home()
        await until_warm(app)
        yield app
    finally:
        await app.stop()
