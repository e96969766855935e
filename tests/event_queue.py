"""A sink that tests read from."""

import asyncio

from homeagent.events import Event


class EventQueue(asyncio.Queue[Event]):
    name = "queue of a test"

    async def handle(self, event: Event) -> None:
        self.put_nowait(event)
