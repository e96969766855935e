"""The connection that is kept: opened in the background, and again whenever it is lost."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Literal

from homeagent.background_tasks import in_background
from homeagent.errors import (
    ConfigError,
    HomeAgentError,
    HomeAssistantAuthError,
    HomeAssistantError,
    HomeAssistantUnavailable,
)
from homeagent.ha.home import Home
from homeagent.ha.home_sync import LiveHome
from homeagent.ha.rest import checked_token, tls_context
from homeagent.ha.shapes import MALFORMED, mapping, text
from homeagent.ha.websocket import CommandFailed, Handler, Socket

_log = logging.getLogger(__name__)

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 15.0
_AUTH_PAUSE = 60.0
"""Seconds between two tries with a token that was refused: Home Assistant bans addresses that keep failing."""
STARTING_FOR = 120.0
"""Seconds that a starting Home Assistant is waited for; one slow integration can hold up its start for long."""


@dataclass(frozen=True, slots=True)
class ConnectionStatus:
    """How the connection stands. ``since`` is when ``connected`` became what it is (aware, UTC)."""

    connected: bool = False
    error: HomeAgentError | None = None
    """Why it is not connected; None while it is, or where it was not tried yet or was stopped."""
    since: datetime = field(default_factory=lambda: datetime.now(UTC))
    is_admin: bool = False
    exposure: Literal["home_assistant", "domains"] = "home_assistant"
    warnings: tuple[str, ...] = ()
    version: str = ""


@dataclass(frozen=True, slots=True)
class Access:
    """Where Home Assistant is and how to get in. ``verify`` as for `tls_context`; times in seconds."""

    url: str
    token: str = field(repr=False)
    verify: bool | str = True
    timeout: float = 10.0
    keep_alive: float = 20.0


class Link:
    """``home`` is read anew with each connection, and keeps what it knew last while there is none."""

    def __init__(self, access: Access, home: Home, fallback_domains: frozenset[str]) -> None:
        self._access = access
        self._home = home
        self._fallback_domains = fallback_domains
        self._status = ConnectionStatus()
        self._socket: Socket | None = None
        self._live: LiveHome | None = None
        self._ready = asyncio.Event()
        self._try_now = asyncio.Event()
        self._tried = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._listeners: dict[str, Handler] = {}

    def listen(self, event_type: str, handler: Handler) -> None:
        """Have ``handler`` called with the events of a type, over this connection and each that comes after it. To be
        called before ``start``."""
        self._listeners[event_type] = handler

    @property
    def status(self) -> ConnectionStatus:
        """How things stand now."""
        if not self._live:
            return self._status
        return replace(self._status, exposure=self._live.exposure.source, warnings=self._live.warnings)

    @property
    def socket(self) -> Socket:
        """The open connection, with everything read. Raises HomeAssistantUnavailable."""
        if not self._socket:
            raise HomeAssistantUnavailable("There is no connection to Home Assistant now.")
        return self._socket

    @property
    def live(self) -> LiveHome | None:
        """What follows the home over the present connection; None while there is none."""
        return self._live

    def start(self) -> None:
        """Connect in the background and stay connected, until ``stop``. Does nothing where that goes on already."""
        if not self._task:
            self._task = in_background(self._keep_connected(), name="home-assistant")

    async def stop(self) -> None:
        """Close the connection and do not open it again."""
        if not self._task:
            return
        self._task.cancel()
        await asyncio.wait([self._task])
        self._task = None
        if self._status.connected:
            self._status = replace(self._status, connected=False, since=datetime.now(UTC))

    async def wait_ready(self, timeout: float) -> bool:
        """Whether the home has been read, at the latest after ``timeout`` seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                await self._ready.wait()
        return self._ready.is_set()

    async def try_at_once(self) -> None:
        """Try now instead of when the pause is over. Raises what keeps it from connecting."""
        self._tried.clear()
        self._try_now.set()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._access.timeout):
                await self._tried.wait()
        if not self._ready.is_set():
            not_ready = HomeAssistantUnavailable(f"Home Assistant at {self._access.url} is not ready yet.")
            raise self._status.error or not_ready

    async def _keep_connected(self) -> None:
        pause = _FIRST_PAUSE
        while True:
            self._try_now.clear()
            error = await self._connect_once()
            lasted = datetime.now(UTC) - self._status.since
            if self._status.connected and lasted.total_seconds() > _LONGEST_PAUSE:
                pause = _FIRST_PAUSE  # one that breaks at once is not tried twice a second for ever
            self._set_error(error)
            waits_for_people = isinstance(error, HomeAssistantAuthError | ConfigError)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_AUTH_PAUSE if waits_for_people else pause * random.uniform(0.8, 1.2)):
                    await self._try_now.wait()
            pause = min(pause * 2, _LONGEST_PAUSE)

    async def _connect_once(self) -> HomeAgentError:
        """Connect and stay so as long as it goes; returns what ended it."""
        access = self._access
        try:
            socket = await Socket.open(
                access.url,
                checked_token(access.token),
                tls=await tls_context(access.url, access.verify),
                timeout=access.timeout,
                keep_alive=access.keep_alive,
            )
            try:
                await self._serve(socket)
            finally:
                self._ready.clear()
                self._socket = self._live = None
                await socket.close()
        except HomeAgentError as error:
            return error
        except MALFORMED as error:
            _log.warning("Home Assistant answered in an unexpected shape", exc_info=True)
            return HomeAssistantError(f"Home Assistant answered in an unexpected shape: {error!r}.")
        return HomeAssistantUnavailable("The connection to Home Assistant was lost.")

    async def _serve(self, socket: Socket) -> None:
        """Read everything, and keep the home current until the connection is gone."""
        await _wait_running(socket)
        live = LiveHome(self._home, socket, self._fallback_domains)
        await live.start()
        for event_type, handler in self._listeners.items():
            try:
                await socket.subscribe("subscribe_events", handler, event_type=event_type)
            except CommandFailed as error:
                _log.warning("Home Assistant does not tell of %s: %s", event_type, error.message)
        user = mapping(await socket.command("auth/current_user"))
        self._set_connected(socket, live, is_admin=user.get("is_admin") is True)
        await _follow(live, socket)

    def _set_connected(self, socket: Socket, live: LiveHome, *, is_admin: bool) -> None:
        self._socket, self._live = socket, live
        self._status = ConnectionStatus(connected=True, is_admin=is_admin, version=self._home.config.version)
        self._ready.set()
        self._tried.set()
        _log.info("connected to Home Assistant %s with %d entities", self._status.version, len(self._home.entities))

    def _set_error(self, error: HomeAgentError) -> None:
        if self._status.connected or str(self._status.error) != str(error):
            _log.warning("%s", error)
        since = datetime.now(UTC) if self._status.connected else self._status.since
        self._status = replace(self._status, connected=False, error=error, since=since)
        self._tried.set()


async def _wait_running(socket: Socket) -> None:
    """Wait for a starting Home Assistant: before it runs, most entities are missing.

    Raises HomeAssistantUnavailable for one that is stopping: it would wait for us before it ends.
    """
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(STARTING_FOR):
            while (state := await _run_state(socket)) in ("NOT_RUNNING", "STARTING"):  # noqa: ASYNC110
                await asyncio.sleep(1)
            if state not in ("RUNNING", None):
                raise HomeAssistantUnavailable("Home Assistant is shutting down.")


async def _run_state(socket: Socket) -> str | None:
    return text(mapping(await socket.command("get_config")).get("state"))


async def _follow(live: LiveHome, socket: Socket) -> None:
    """Keep the home current until the connection is gone."""
    running = asyncio.create_task(live.run(), name="home-assistant:follow")
    closed = asyncio.create_task(socket.wait_closed(), name="home-assistant:closed")
    try:
        await asyncio.wait([running, closed], return_when=asyncio.FIRST_COMPLETED)
    finally:
        running.cancel()
        closed.cancel()
        await asyncio.gather(running, closed, return_exceptions=True)
