"""The one seam through which everything reaches Home Assistant, kept open in the background."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Literal

from homeagent.errors import (
    ConfigError,
    HomeAgentError,
    HomeAssistantAuthError,
    HomeAssistantError,
    HomeAssistantUnavailable,
    ServiceCallFailed,
)
from homeagent.ha.client import RestClient, checked_token, normalised_url, tls_context
from homeagent.ha.exposure import DEFAULT_EXPOSED_DOMAINS
from homeagent.ha.history import HistoryRow, Period, StatisticsRow, read_history, read_statistics
from homeagent.ha.home import Home
from homeagent.ha.live import LiveHome
from homeagent.ha.socket import MALFORMED, CommandFailed, CommandTimeout, Socket

__all__ = [
    "DEFAULT_EXPOSED_DOMAINS",
    "ConnectionStatus",
    "HistoryRow",
    "HomeAssistant",
    "StatisticsRow",
]

_log = logging.getLogger(__name__)

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 15.0
_AUTH_PAUSE = 60.0
"""Seconds between two tries with a token that was refused: Home Assistant bans addresses that keep failing."""
STARTING_FOR = 120.0
"""Seconds that a starting Home Assistant is waited for; one slow integration can hold up its start for long."""
_TARGET_KEYS = frozenset({"entity_id", "device_id", "area_id", "floor_id", "label_id"})


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


class HomeAssistant:
    """A Home Assistant, and the live ``home`` that is read from it.

    ``verify``: True, False or the path of a private CA (PEM). ``timeout``: seconds that one request may take.
    ``fallback_domains``: what is exposed where Home Assistant's own list cannot be read. ``keep_alive``: seconds
    between two pings, and within which each must be answered. Raises ConfigError for a URL that is none.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        verify: bool | str = True,
        timeout: float = 10.0,
        fallback_domains: frozenset[str] = DEFAULT_EXPOSED_DOMAINS,
        keep_alive: float = 20.0,
    ) -> None:
        self.url = normalised_url(url)
        self.home = Home()
        self._token = token
        self._verify = verify
        self._timeout = timeout
        self._fallback_domains = fallback_domains
        self._keep_alive = keep_alive
        self._status = ConnectionStatus()
        self._socket: Socket | None = None
        self._live: LiveHome | None = None
        self._rest: RestClient | None = None
        self._rest_opening = asyncio.Lock()
        self._ready = asyncio.Event()
        self._try_now = asyncio.Event()
        self._tried = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def status(self) -> ConnectionStatus:
        """How things stand now."""
        if not self._live:
            return self._status
        return replace(self._status, exposure=self._live.exposure.source, warnings=self._live.warnings)

    async def start(self) -> None:
        """Connect in the background, and again whenever the connection is lost. Returns at once."""
        if not self._task:
            self._task = asyncio.create_task(self._keep_connected(), name="home-assistant")

    async def stop(self) -> None:
        """Close everything. ``home`` keeps what it knew last."""
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None
            if self._status.connected:
                self._status = replace(self._status, connected=False, since=datetime.now(UTC))
        if self._rest:
            await self._rest.close()
            self._rest = None

    async def wait_ready(self, timeout: float) -> bool:
        """Wait at most ``timeout`` seconds until connected with everything read; returns whether it is."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                await self._ready.wait()
        return self._ready.is_set()

    async def reload(self) -> dict[str, int]:
        """Read everything anew; returns the number of entities, areas, floors, and exposed entities.

        Without a connection it tries at once to get one. Raises what keeps it from that.
        """
        if self._live:
            await self._live.read_all()
        else:
            await self._try_at_once()
        home = self.home
        return {
            "entities": len(home.entities),
            "areas": len(home.areas),
            "floors": len(home.floors),
            "exposed": len(home.exposed()),
        }

    async def is_exposed(self, entity_ids: Iterable[str]) -> dict[str, bool]:
        """Whether each is exposed, asked of Home Assistant at most 2 s ago; an entity that does not exist is not."""
        await self._connected_live().check_exposure()
        return {i: (e := self.home.entity(i)) is not None and e.exposed for i in entity_ids}

    async def call_service(
        self,
        domain: str,
        service: str,
        *,
        entity_ids: Sequence[str] = (),
        data: Mapping[str, Any] = MappingProxyType({}),
        return_response: bool = False,
    ) -> Mapping[str, Any] | None:
        """Call a service on these entities and wait until Home Assistant has carried it out.

        Returns the service's response where ``return_response`` asks for it. Raises ServiceCallFailed with Home
        Assistant's words, or HomeAssistantUnavailable; when that comes in mid-call, it may have happened or not.
        """
        name, socket = f"{domain}.{service}", self._connected()
        if smuggled := _TARGET_KEYS & data.keys():
            raise ServiceCallFailed(f"{name} may not be given {', '.join(sorted(smuggled))} as data.")
        # Home Assistant says nothing at all about an entity that it does not have.
        if unknown := [i for i in entity_ids if self.home.state(i) is None]:
            raise ServiceCallFailed(f"Home Assistant has no {', '.join(unknown)}.")
        fields: dict[str, Any] = {"domain": domain, "service": service, "service_data": dict(data)}
        if entity_ids:
            fields["target"] = {"entity_id": list(entity_ids)}
        if return_response:
            fields["return_response"] = True
        try:
            answer = await socket.command("call_service", **fields)
        except CommandFailed as refusal:
            raise ServiceCallFailed(f"Home Assistant refused {name}: {refusal.message}") from None
        except CommandTimeout:
            raise ServiceCallFailed(
                f"Home Assistant has not finished {name} within {self._timeout:g} s.",
                hint="It may still happen: look at the state.",
            ) from None
        return answer.get("response") if return_response else None

    async def history(
        self, entity_ids: Sequence[str], start: datetime, end: datetime, *, attributes: bool = False
    ) -> dict[str, list[HistoryRow]]:
        """State changes between two aware times, for every id asked for; with ``attributes`` also theirs."""
        return await read_history(self._connected(), entity_ids, start, end, attributes=attributes)

    async def statistics(
        self, entity_ids: Sequence[str], start: datetime, end: datetime, period: Period
    ) -> dict[str, list[StatisticsRow]]:
        """Long-term statistics between two aware times, for every id asked for; what has none has no rows."""
        return await read_statistics(self._connected(), entity_ids, start, end, period)

    async def script_config(self, entity_id: str) -> Mapping[str, Any] | None:
        """A script's configuration (``sequence`` …); None where it cannot be read."""
        try:
            answer = await self._connected().command("script/config", entity_id=entity_id)
        except CommandFailed:
            return None
        config = answer.get("config")
        return config if isinstance(config, Mapping) else None

    async def scene_entities(self, entity_id: str) -> tuple[str, ...] | None:
        """The entities that a scene sets; None where it does not tell (scenes of a bridge, such as Hue's)."""
        scene = self.home.entity(entity_id)
        return scene.members or None if scene else None

    async def fire_event(self, event_type: str, data: Mapping[str, Any]) -> None:
        """Fire an event on Home Assistant's bus.

        Raises HomeAssistantAuthError where the token may not, HomeAssistantUnavailable.
        """
        async with self._rest_opening:
            if not self._rest:
                self._rest = await RestClient.open(self.url, self._token, verify=self._verify, timeout=self._timeout)
        await self._rest.fire_event(event_type, data)

    def _connected(self) -> Socket:
        if not self._socket or not self._ready.is_set():
            raise HomeAssistantUnavailable("There is no connection to Home Assistant now.")
        return self._socket

    def _connected_live(self) -> LiveHome:
        self._connected()
        assert self._live  # set and unset together with the socket
        return self._live

    async def _try_at_once(self) -> None:
        self._tried.clear()
        self._try_now.set()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._timeout):
                await self._tried.wait()
        if not self._ready.is_set():
            raise self._status.error or HomeAssistantUnavailable(f"Home Assistant at {self.url} is not ready yet.")

    async def _keep_connected(self) -> None:
        pause = _FIRST_PAUSE
        while True:
            self._try_now.clear()
            error, was_ready = await self._connect_once()
            self._set_error(error)
            if was_ready:
                pause = _FIRST_PAUSE
            waits_for_people = isinstance(error, HomeAssistantAuthError | ConfigError)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_AUTH_PAUSE if waits_for_people else pause * random.uniform(0.8, 1.2)):
                    await self._try_now.wait()
            pause = min(pause * 2, _LONGEST_PAUSE)

    async def _connect_once(self) -> tuple[HomeAgentError, bool]:
        """Connect and stay so as long as it goes; returns what ended it, and whether everything had been read."""
        was_ready = False
        try:
            socket = await Socket.open(
                self.url,
                checked_token(self._token),
                tls=await tls_context(self.url, self._verify),
                timeout=self._timeout,
                keep_alive=self._keep_alive,
            )
            try:
                live = LiveHome(self.home, socket, self._fallback_domains)
                await _wait_running(socket)
                await live.start()
                was_ready = True
                user = await socket.command("auth/current_user")
                self._set_connected(socket, live, is_admin=bool(user.get("is_admin")))
                await _follow(live, socket)
            finally:
                self._ready.clear()
                self._socket = self._live = None
                await socket.close()
        except HomeAgentError as error:
            return error, was_ready
        except MALFORMED as error:
            _log.warning("Home Assistant answered in an unexpected shape", exc_info=True)
            return HomeAssistantError(f"Home Assistant answered in an unexpected shape: {error!r}."), was_ready
        return HomeAssistantUnavailable("The connection to Home Assistant was lost."), was_ready

    def _set_connected(self, socket: Socket, live: LiveHome, *, is_admin: bool) -> None:
        self._socket, self._live = socket, live
        self._status = ConnectionStatus(connected=True, is_admin=is_admin, version=self.home.config.version)
        self._ready.set()
        self._tried.set()
        _log.info("connected to Home Assistant %s with %d entities", self._status.version, len(self.home.entities))

    def _set_error(self, error: HomeAgentError) -> None:
        if self._status.connected or str(self._status.error) != str(error):
            _log.warning("%s", error)
        since = datetime.now(UTC) if self._status.connected else self._status.since
        self._status = replace(self._status, connected=False, error=error, since=since)
        self._tried.set()


async def _wait_running(socket: Socket) -> None:
    """Wait for a starting Home Assistant: before it runs, most entities are missing."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(STARTING_FOR):
            while (await socket.command("get_config"))["state"] in ("NOT_RUNNING", "STARTING"):  # noqa: ASYNC110
                await asyncio.sleep(1)


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
