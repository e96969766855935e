"""What is measured is a home that is up."""

from __future__ import annotations

import asyncio

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
