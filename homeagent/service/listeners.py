"""Who listens to events: each event is encoded once for all of them, and they are served a few at a time.

What happened is kept in one ring, and a listener is no more than a place in it: one that is slow finds later that the
ring has gone on without it. However many there are, serving them leaves most of the event loop's time to the turns.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from itertools import islice

from homeagent.errors import TooManyListeners
from homeagent.events import PREFIX, Emitter, Event
from homeagent.service.sse import encode
from homeagent.sinks import shown

_KEPT = 1000
"""Events that a slow listener may fall behind before it loses the oldest."""
_AT_ONCE = 64
"""Events that are written to a listener together."""
_KEEP_ALIVE = 15.0
_STILL_HERE = b": still here\n\n"
_BATCH = 8
"""Listeners that are served without a break."""
_BREAK = 4.0
"""How many times as long as serving them took the break is."""
_LONGEST_BREAK = 0.05


class Listeners:
    """All listeners, with what was said or without. ``closing`` ends them; ``most``: how many there may be."""

    def __init__(self, emitter: Emitter, closing: asyncio.Event, most: int) -> None:
        self._rings = {with_text: _Ring(emitter, closing, with_text=with_text) for with_text in (False, True)}
        self._most = most

    def listen(self, *, with_text: bool) -> AsyncIterator[bytes]:
        """Every event from now on, encoded, until the reader goes or the service ends. Raises TooManyListeners."""
        if sum(ring.listeners for ring in self._rings.values()) >= self._most:
            raise TooManyListeners(f"There are {self._most} listeners already.")
        return self._rings[with_text].listen()


class _Ring:
    """The last events as they go over the wire, a sink of the emitter for as long as somebody listens."""

    name = "listeners"

    def __init__(self, emitter: Emitter, closing: asyncio.Event, *, with_text: bool) -> None:
        self._emitter = emitter
        self._closing = closing
        self._with_text = with_text
        self._kept: deque[bytes] = deque(maxlen=_KEPT)
        self._end = 0
        self._news = asyncio.Event()
        self._waiting: deque[asyncio.Future[bool]] = deque()
        self._tasks: tuple[asyncio.Task[None], ...] = ()
        self.listeners = 0

    async def handle(self, event: Event) -> None:
        self._kept.append(encode("event", shown(event, include_text=self._with_text)))
        self._end += 1
        self._news.set()

    async def listen(self) -> AsyncIterator[bytes]:
        self._enter()
        place = self._end
        try:
            yield b": watching\n\n"
            while not self._closing.is_set():
                quiet = await self._turn(place)
                pieces, place = self._since(place)
                if pieces or quiet:
                    yield pieces or _STILL_HERE
        finally:
            await self._leave()

    def _enter(self) -> None:
        self.listeners += 1
        if self.listeners == 1:
            self._emitter.add(self)
            self._tasks = (asyncio.create_task(self._serve()), asyncio.create_task(self._end_when_closing()))

    async def _leave(self) -> None:
        self.listeners -= 1
        if self.listeners == 0:
            for task in self._tasks:
                task.cancel()
            self._kept.clear()
            await self._emitter.remove(self)

    async def _turn(self, place: int) -> bool:
        """Wait until it is this listener's turn; whether that is because nothing has happened for long."""
        turn: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        if place < self._end:
            self._news.set()
        return await turn

    def _since(self, place: int) -> tuple[bytes, int]:
        """What came since ``place``, and the place after it. What is no longer kept is counted in an event."""
        first = self._end - len(self._kept)
        lost = max(0, first - place)
        start = place + lost
        end = min(self._end, start + _AT_ONCE)
        pieces = list(islice(self._kept, start - first, end - first))
        if lost:
            pieces.insert(0, encode("event", {"event_type": PREFIX + "dropped", "count": lost}))
        return b"".join(pieces), end

    async def _serve(self) -> None:
        while True:
            quiet = False
            try:
                async with asyncio.timeout(_KEEP_ALIVE):
                    await self._news.wait()
            except TimeoutError:
                quiet = True
            self._news.clear()
            await self._serve_all(quiet)

    async def _serve_all(self, quiet: bool) -> None:
        """Wake all who wait now, a batch after the other."""
        loop = asyncio.get_running_loop()
        left = len(self._waiting)
        while left > 0 and self._waiting:
            began = loop.time()
            for _ in range(min(_BATCH, left, len(self._waiting))):
                self._wake(quiet)
                left -= 1
            await asyncio.sleep(0)  # they write
            if left:
                await asyncio.sleep(min(_BREAK * (loop.time() - began), _LONGEST_BREAK))

    def _wake(self, quiet: bool) -> None:
        turn = self._waiting.popleft()
        if not turn.done():
            turn.set_result(quiet)

    async def _end_when_closing(self) -> None:
        await self._closing.wait()
        while self._waiting:
            self._wake(quiet=False)
