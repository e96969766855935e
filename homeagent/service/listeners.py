"""Who listens to events: each event is encoded once for all of them, and they are served a few at a time.

What happened is kept in one ring, and a listener is no more than a place in it: one that is slow, or that was away and
comes back with the id of the last event that it got, finds what the ring still has, and is told what it has not.
However many there are, serving them leaves most of the event loop's time to the turns.

The ring outlives a service that ends in order: a file has it, as far as it may be told without what was said.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from homeagent.errors import TooManyListeners
from homeagent.events import PREFIX, Emitter, Event
from homeagent.private_folder import replace_private
from homeagent.service.sse import encode
from homeagent.sinks import shown
from homeagent.values.jsonable import jsonable

_log = logging.getLogger(__name__)

_KEPT = 1000
"""Events that a listener may fall behind, or be away for, before it loses the oldest."""
_AT_ONCE = 64
"""Events that are looked through for a listener together."""
_KEEP_ALIVE = 15.0
_BATCH = 8
"""Listeners that are served without a break."""
_BREAK = 4.0
"""How many times as long as serving them took the break is."""
_LONGEST_BREAK = 0.05


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a listener hears: with what was said or without; where they are named, only of these types (without prefix)
    and of this conversation."""

    with_text: bool = False
    types: frozenset[str] = frozenset()
    conversation_id: str | None = None

    def fits(self, event: Event) -> bool:
        """Whether it hears this event."""
        return (not self.types or event.type in self.types) and (
            self.conversation_id is None or event.conversation_id == self.conversation_id
        )


ALL = Wanted()


class _Kept:
    """An event of the ring, encoded when it is first asked for."""

    __slots__ = ("_encoded", "event", "id")

    def __init__(self, event: Event, id: str) -> None:
        self.event = event
        self.id = id
        self._encoded: dict[bool, bytes] = {}

    def encoded(self, with_text: bool) -> bytes:
        if with_text not in self._encoded:
            data = shown(self.event, include_text=with_text)
            self._encoded[with_text] = encode("event", data, self.id)
        return self._encoded[with_text]

    def fits(self, wanted: Wanted) -> bool:
        return wanted.fits(self.event)

    def told(self) -> dict[str, object]:
        """As it is told to whoever hears no texts."""
        told: dict[str, object] = jsonable(shown(self.event, include_text=False))
        return told


class _Earlier:
    """One of before the service was started anew: what was said in it is not kept."""

    __slots__ = ("_encoded", "_told", "id")

    def __init__(self, told: dict[str, object], id: str) -> None:
        self._told = told
        self.id = id
        self._encoded = encode("event", told, id)

    def encoded(self, with_text: bool) -> bytes:
        return self._encoded

    def fits(self, wanted: Wanted) -> bool:
        type_ = str(self._told.get("event_type", "")).removeprefix(PREFIX)
        return (not wanted.types or type_ in wanted.types) and (
            wanted.conversation_id is None or self._told.get("conversation_id") == wanted.conversation_id
        )

    def told(self) -> dict[str, object]:
        return self._told


class Listeners:
    """All listeners. ``closing`` ends them; ``most``: how many there may be.

    The ring is kept from the first listener on, so that one that was away can go on where it was; with a ``file`` from
    the start on, and behind what an earlier service left there. An event's id is the number of the run, which goes on
    where the service ended in order, and its own.
    """

    name = "listeners"

    def __init__(self, emitter: Emitter, closing: asyncio.Event, most: int, file: Path | None = None) -> None:
        self._emitter = emitter
        self._closing = closing
        self._most = most
        self._run = secrets.token_hex(4)
        self._kept: deque[_Kept | _Earlier] = deque(maxlen=_KEPT)
        self._file = file
        self._end = 0
        self._news = asyncio.Event()
        self._waiting: deque[asyncio.Future[bool]] = deque()
        self._tasks: tuple[asyncio.Task[None], ...] = ()
        self._keeps = False
        self.count = 0
        if file is not None:
            self._go_on(file)
            self._keep()

    def listen(self, wanted: Wanted = ALL, last_id: str | None = None) -> AsyncIterator[bytes]:
        """What happens from now on, or since the event of that id, encoded, until the reader goes or the service ends.

        Raises TooManyListeners.
        """
        if self.count >= self._most:
            raise TooManyListeners(f"There are {self._most} listeners already.")
        return self._listen(wanted, last_id)

    async def handle(self, event: Event) -> None:
        """Keep it, and wake who listens."""
        self._end += 1
        self._kept.append(_Kept(event, self._id(self._end)))
        self._news.set()

    async def _listen(self, wanted: Wanted, last_id: str | None) -> AsyncIterator[bytes]:
        self._enter()
        loop = asyncio.get_running_loop()
        place, lost = self._place(last_id)
        spoken = loop.time()
        try:
            yield self._sign("watching", place) + (_dropped(None) if lost else b"")
            while not self._closing.is_set():
                quiet = await self._turn(place)
                pieces, place = self._since(place, wanted)
                if pieces or quiet or loop.time() - spoken > _KEEP_ALIVE:
                    yield pieces or self._sign("still here", place)
                    spoken = loop.time()
        finally:
            self._leave()

    def _place(self, last_id: str | None) -> tuple[int, bool]:
        """Where to begin, and whether nobody knows what was lost: ids of another run of the service say nothing."""
        if last_id is None:
            return self._end, False
        run, _, number = last_id.partition("-")
        if run == self._run and number.isascii() and number.isdecimal() and len(number) < 20:
            return min(int(number), self._end), False
        return self._end - len(self._kept), True

    def _sign(self, said: str, place: int) -> bytes:
        """A comment, with the id to come back with: what is filtered out need not be looked through again."""
        return f"id: {self._id(place)}\n: {said}\n\n".encode()

    def _id(self, number: int) -> str:
        return f"{self._run}-{number}"

    def _enter(self) -> None:
        self.count += 1
        self._keep()
        if self.count == 1:
            self._tasks = (asyncio.create_task(self._serve()), asyncio.create_task(self._end_when_closing()))

    def _keep(self) -> None:
        if not self._keeps:
            self._keeps = True
            self._emitter.add(self, self.save)

    def _go_on(self, file: Path) -> None:
        """Take over what was left, once: a service that is killed later must not be followed by one that counts anew
        from the same place."""
        try:
            left = json.loads(file.read_text("utf-8"))
            run, end, events = str(left["run"]), int(left["end"]), list(left["events"])[-_KEPT:]
            earlier = [_Earlier(dict(one), f"{run}-{end - len(events) + n}") for n, one in enumerate(events, 1)]
            file.unlink()
        except FileNotFoundError:
            return
        except (OSError, ValueError, KeyError, TypeError) as error:
            _log.warning("events of before are lost: %s", error)
            return
        self._run, self._end = run, end
        self._kept.extend(earlier)

    async def save(self) -> None:
        """Leave the ring to the next service, when nothing happens any more. Never raises."""
        if self._file is not None:
            await asyncio.to_thread(self._save, self._file)

    def _save(self, file: Path) -> None:
        left = {"run": self._run, "end": self._end, "events": [kept.told() for kept in self._kept]}
        try:
            replace_private(file, json.dumps(left))
        except OSError as error:
            _log.warning("events could not be kept for the next start: %s", error)

    def _leave(self) -> None:
        self.count -= 1
        if self.count == 0:
            for task in self._tasks:
                task.cancel()

    async def _turn(self, place: int) -> bool:
        """Wait until it is this listener's turn; whether that is because nothing has happened for long."""
        turn: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        if place < self._end:
            self._news.set()
        return await turn

    def _since(self, place: int, wanted: Wanted) -> tuple[bytes, int]:
        """What came since ``place``, and the place after it. What is no longer kept is counted in an event."""
        first = self._end - len(self._kept)
        lost = max(0, first - place)
        start = place + lost
        end = min(self._end, start + _AT_ONCE)
        looked_through = islice(self._kept, start - first, end - first)
        pieces = [kept.encoded(wanted.with_text) for kept in looked_through if kept.fits(wanted)]
        return (_dropped(lost) if lost else b"") + b"".join(pieces), end

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


def _dropped(count: int | None) -> bytes:
    """Tells a listener that it missed events: how many, where that is known."""
    return encode("event", {"event_type": PREFIX + "dropped"} | ({} if count is None else {"count": count}))
