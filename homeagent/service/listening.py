"""The socket that the service listens on, and how many files the process may have open for its connections."""

from __future__ import annotations

import errno
import logging
import os
import resource
import socket
from collections.abc import Callable

from homeagent.errors import ConfigError
from homeagent.service.tally import Tally

BACKLOG = 128
_log = logging.getLogger(__name__)
_AT_ONCE = 2
"""Newcomers that are taken in before others of the event loop have their turn."""
_OTHER_FILES = 256
"""Files for the rest of the process: the database, the store, child processes, Home Assistant."""


class Listener(socket.socket):
    """A listening TCP socket that stays in order when many come, and when the process has no more files to open.

    asyncio takes in all who wait, up to a hundred, before anything else has its turn; here it is a few at a time. And
    without a file left it would try again a hundred times, and write a traceback each time. Here ``make_room`` is asked
    to close a connection that can be spared; where it has none, the newcomer is turned away by means of a file that is
    kept in reserve.
    """

    def __init__(self, family: int) -> None:
        # With the protocol named, asyncio turns on TCP_NODELAY for each connection. Without it a small answer on a kept
        # connection waits 40 ms for the other side's acknowledgement.
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self.make_room: Callable[[], bool] = lambda: False
        self._taken = 0
        self._reserve: int | None = os.open(os.devnull, os.O_RDONLY)
        self._told = Tally(_log, "{count} times a connection found no file left to open (see `ulimit -n`)")

    def accept(self) -> tuple[socket.socket, object]:
        """The next connection and its address.

        Raises BlockingIOError after every few connections, so that the event loop gets its turn, and where a newcomer
        had to be turned away for want of files; OSError where not even that was possible.
        """
        self._taken = (self._taken + 1) % (_AT_ONCE + 1)
        if self._taken == 0:
            raise BlockingIOError  # asyncio: nothing for now, come again when it is readable
        try:
            return super().accept()
        except OSError as error:
            self._taken = 0
            if error.errno not in (errno.EMFILE, errno.ENFILE):
                raise
            self._told.add("this process" if error.errno == errno.EMFILE else "this machine")
            if not self.make_room() and not self._turned_away():
                raise  # asyncio waits a second
            raise BlockingIOError from None

    def _turned_away(self) -> bool:
        """Let one in by means of the reserve, and out again; False where another thread took the file meanwhile."""
        self._give_up_reserve()
        try:
            super().accept()[0].close()
            self._reserve = os.open(os.devnull, os.O_RDONLY)
        except OSError:
            return False
        return True

    def _give_up_reserve(self) -> None:
        if self._reserve is not None:
            os.close(self._reserve)
            self._reserve = None

    def close(self) -> None:
        """Close the socket and the file in reserve."""
        self._give_up_reserve()
        super().close()


def listen(host: str, port: int) -> Listener:
    """Bound before anything else is done, so that a taken address is told at once. Raises ConfigError."""
    host = host.strip("[]")
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = Listener(family)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            listener.bind(address[:2])
            listener.listen(BACKLOG)
        except OSError:
            listener.close()
            raise
    except OSError as error:
        raise ConfigError(
            f"The service cannot listen on {host}, port {port}: {error.strerror or error}.",
            hint="Set `service.host` and `service.port`, or give --host and --port.",
        ) from None
    return listener


def url_of(listener: socket.socket) -> str:
    """How this machine reaches the service."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def allowed_connections(wanted: int) -> int:
    """As many of ``wanted`` connections as the process may have files for; the limit is raised as far as it goes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + _OTHER_FILES
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return wanted
    raised = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
    allowed = max(16, raised - _OTHER_FILES)
    if allowed < wanted:
        _log.warning("only %d connections of `service.max_connections` = %d: see `ulimit -Hn`", allowed, wanted)
    return min(allowed, wanted)
