"""Connections within limits: how long one may take to say what it wants, and how many there are.

uvicorn knows neither a limit for the head of a request nor for its body, and its limit of connections refuses those who
come later in favour of those who only keep a place. Here every connection is in one phase, each phase that waits for
the other side has a deadline, and where all places are taken the one that has idled longest gives up its own.
"""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import dataclass
from enum import Enum, auto
from http import HTTPStatus
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from homeagent.service.errors import PROBLEM, Failure
from homeagent.service.request_guard import caller_of
from homeagent.service.tally import Tally

_log = logging.getLogger(__name__)
MAX_HEAD = 32 * 1024
"""Bytes of a request's line and headers."""
_FAREWELL = 1.0
"""Seconds that one who is sent away has to read why."""
_MOST_LEAVING = 32

_TOO_SLOW = Failure(408, "too_slow", "The request did not come in time.", "Send it whole, and at once.")
_FULL = Failure(503, "too_many_connections", "The service has no place for another connection.", "Try again later.")
_SPARED = Failure(503, "too_many_connections", "Others needed this connection's place.", "Connect again.")


class Phase(Enum):
    """What a connection is waiting for."""

    HEAD = auto()
    """The line and headers of a request."""
    BODY = auto()
    """The rest of a request whose answer may have begun."""
    ANSWER = auto()
    """Our own answer: no deadline here, a turn has its own."""
    IDLE = auto()
    """The next request on a kept connection; uvicorn's own timer runs."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Seconds, and a number of connections."""

    head: float
    body: float
    idle: float
    connections: int


class Door:
    """All connections of the service. One of a known caller at work keeps its place; any other can be spared."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self._inside: set[Connection] = set()
        self._leaving: set[Connection] = set()
        self._slow = Tally(_log, "{count} connections were closed that sent no whole request or took no answer in time")
        self._crowded = Tally(_log, f"{{count}} connections were closed: more than {limits.connections} at once")
        self._invalid = Tally(_log, "{count} requests were no valid HTTP")

    def connection(self, **uvicorns: object) -> Connection:
        """What uvicorn makes for each new connection."""
        return Connection(self, **uvicorns)

    def admit(self, connection: Connection) -> bool:
        """Whether there is a place, or one could be made."""
        if len(self._inside) >= self.limits.connections and not self.make_room():
            self._crowded.add(connection.address)
            return False
        self._inside.add(connection)
        return True

    def make_room(self) -> bool:
        """Close the connection that can best be spared: never used with a right token, and idle for the longest."""
        spare = min((c for c in self._inside if not c.at_work), key=lambda c: (c.known, c.since), default=None)
        if spare is None:
            return False
        self._crowded.add(spare.address)
        self._inside.discard(spare)
        spare.end(_SPARED)
        return True

    def left(self, connection: Connection) -> None:
        """Forget a connection that is closed."""
        self._inside.discard(connection)
        self._leaving.discard(connection)

    def may_stay(self, connection: Connection) -> bool:
        """Whether one that is sent away may stay for a moment beyond the limit, to hear why."""
        self._inside.discard(connection)
        if len(self._leaving) >= _MOST_LEAVING:
            return False
        self._leaving.add(connection)
        return True

    def too_slow(self, connection: Connection) -> bool:
        """Sends one away; whether it may stay for a moment."""
        self._slow.add(connection.address)
        return self.may_stay(connection)

    def invalid(self, connection: Connection) -> None:
        """Count a request that is no HTTP, for the log's line a minute."""
        self._invalid.add(connection.address)


class Connection(H11Protocol):
    """One connection. ``since``: when its phase began, on the loop's clock."""

    def __init__(self, door: Door, **uvicorns: Any) -> None:
        super().__init__(**uvicorns)
        self._door = door
        self._phase = Phase.HEAD
        self._deadline: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._known_before = False
        self._ended = False
        self.since = self.loop.time()

    @property
    def address(self) -> str:
        """The IP address of the other side; words that say so where the socket has none."""
        return self.client[0] if self.client else "an unnamed socket"

    @property
    def known(self) -> bool:
        """Whether a right token came over it."""
        return self._known_before or self._has_caller()

    @property
    def at_work(self) -> bool:
        """Whether a request with a right token is under way."""
        return self.cycle is not None and not self.cycle.response_complete and self._has_caller()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the first deadline; where all places are taken, answer 503 and close."""
        super().connection_made(transport)
        if self._door.admit(self):
            self._enter(Phase.HEAD)
        else:
            self.end(_FULL, heard=self._door.may_stay(self))

    def connection_lost(self, exc: Exception | None) -> None:
        """Free its place and stop its deadlines."""
        self._door.left(self)
        self._stop_timers()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Pass on what came, unless the connection is being closed."""
        if not self._ended:
            super().data_received(data)
            self._look()

    def on_response_complete(self) -> None:
        """Remember whether the request came with a right token, since uvicorn forgets it now."""
        self._known_before = self.known
        super().on_response_complete()
        self._look()

    def pause_writing(self) -> None:
        """The other side does not read: give it as long as an idle connection has."""
        super().pause_writing()
        self._unread = self.loop.call_later(self._door.limits.idle, self._too_slow)

    def resume_writing(self) -> None:
        """The other side reads again: its deadline is lifted."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP with 400, or close where an answer has already begun."""
        self._door.invalid(self)
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()

    def end(self, word: Failure, *, heard: bool = False) -> None:
        """Close the connection, with a last word where no answer has begun.

        ``heard``: stay for a moment, since closing while something lies unread takes back what was written.
        """
        self._stop_timers()
        self._unset_keepalive_if_required()
        speaks = self._phase is Phase.HEAD or (self.cycle is not None and not self.cycle.response_started)
        self._ended = True
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if speaks:
            self.transport.write(_on_the_wire(word))
        if speaks and heard:
            self.transport.write_eof()
        else:
            self.transport.close()
        self.loop.call_later(_FAREWELL, self.transport.abort)  # for one who reads nothing either

    def _look(self) -> None:
        """Find out which phase the last step led to."""
        if self._ended or self.transport.is_closing():
            self._stop_timers()
            return
        theirs = self.conn.their_state
        if theirs is h11.SEND_BODY:
            phase = Phase.BODY
        elif theirs is not h11.IDLE:
            phase = Phase.ANSWER
        elif self.timeout_keep_alive_task is not None:
            phase = Phase.IDLE
        else:
            phase = Phase.HEAD
        if phase is not self._phase:
            self._enter(phase)

    def _enter(self, phase: Phase) -> None:
        self._phase = phase
        self.since = self.loop.time()
        if self._deadline is not None:
            self._deadline.cancel()
        limits = self._door.limits
        seconds = {Phase.HEAD: limits.head, Phase.BODY: limits.body}.get(phase)
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self._too_slow)

    def _too_slow(self) -> None:
        self.end(_TOO_SLOW, heard=self._door.too_slow(self))

    def _has_caller(self) -> bool:
        return self.scope is not None and caller_of(cast("dict[str, Any]", self.scope)) is not None

    def _stop_timers(self) -> None:
        for timer in (self._deadline, self._unread):
            if timer is not None:
                timer.cancel()
        self._deadline = self._unread = None


def _on_the_wire(word: Failure) -> bytes:
    body = json.dumps(word.body()).encode()
    head = (
        f"HTTP/1.1 {word.status} {HTTPStatus(word.status).phrase}\r\n"
        f"Content-Type: {PROBLEM}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
