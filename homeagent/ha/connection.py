"""The one seam through which everything reaches Home Assistant."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from homeagent.errors import HomeAssistantError, HomeAssistantUnavailable, ServiceCallFailed
from homeagent.ha.exposure import DEFAULT_EXPOSED_DOMAINS
from homeagent.ha.home import Home
from homeagent.ha.link import Access, ConnectionStatus, Link
from homeagent.ha.recorder import (
    HistoryRow,
    Period,
    StatisticsRow,
    its_rows,
    read_history,
    read_logbook,
    read_statistics,
    read_trace,
)
from homeagent.ha.rest import RestClient, normalised_url
from homeagent.ha.shapes import mapping, text
from homeagent.ha.users import HomeUser, users_in
from homeagent.ha.websocket import CommandFailed, CommandTimeout
from homeagent.rights import rights
from indexer.entity import FormerId

__all__ = [
    "DEFAULT_EXPOSED_DOMAINS",
    "ConnectionStatus",
    "HistoryRow",
    "HomeAssistant",
    "StatisticsRow",
]

_TARGET_KEYS = frozenset({"entity_id", "device_id", "area_id", "floor_id", "label_id"})


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
        self.former_ids: Mapping[str, Sequence[FormerId]] = {}
        """The ids that things had before, by the one they have now: Home Assistant may leave their records there."""
        self._access = Access(self.url, token, verify, timeout, keep_alive)
        self._link = Link(self._access, self.home, fallback_domains)
        self._rest: RestClient | None = None
        self._rest_opening = asyncio.Lock()

    @property
    def own_hosts(self) -> frozenset[str]:
        """The name or address under which Home Assistant is reached, and that of its add-ons."""
        return frozenset(filter(None, (urlsplit(self.url).hostname, "homeassistant", "supervisor")))

    @property
    def status(self) -> ConnectionStatus:
        """How the connection stands now."""
        return self._link.status

    def listen(self, event_type: str, listener: Callable[[Mapping[str, Any]], None]) -> None:
        """Have ``listener`` called on the event loop with the data of each event of a type, whenever there is a
        connection; what happens meanwhile is not heard. To be called before ``start``; only an administrator's token
        hears of every type."""

        def handler(events: list[Any]) -> None:
            for event in events:
                listener(mapping(mapping(event).get("data")))

        self._link.listen(event_type, handler)

    async def start(self) -> None:
        """Connect in the background, and again whenever the connection is lost. Returns at once."""
        self._link.start()

    async def stop(self) -> None:
        """Close everything. ``home`` keeps what it knew last."""
        await self._link.stop()
        if self._rest:
            await self._rest.close()
            self._rest = None

    async def wait_ready(self, timeout: float) -> bool:
        """Wait at most ``timeout`` seconds until connected with everything read; returns whether it is."""
        return await self._link.wait_ready(timeout)

    async def reload(self) -> dict[str, int]:
        """Read everything anew; returns the number of entities, areas, floors, and exposed entities.

        Without a connection it tries at once to get one. Raises what keeps it from that.
        """
        if self._link.live:
            await self._link.live.read_all()
        else:
            await self._link.try_at_once()
        home = self.home
        return {
            "entities": len(home.entities),
            "areas": len(home.areas),
            "floors": len(home.floors),
            "exposed": len(home.exposed()),
        }

    async def catch_up(self) -> None:
        """Bring ``home`` up to what Home Assistant has told so far: names, members, areas and exposure follow the
        states a moment later. Raises HomeAssistantError."""
        if self._link.live:
            await self._link.live.catch_up()

    async def is_exposed(self, entity_ids: Iterable[str]) -> dict[str, bool]:
        """Whether each is exposed, asked of Home Assistant now or at most 2 s ago; what does not exist is not, and
        neither is what whoever is served at the moment may not see.

        Raises HomeAssistantUnavailable.
        """
        if not self._link.live:
            raise HomeAssistantUnavailable("There is no connection to Home Assistant now.")
        ids = tuple(entity_ids)
        await self._link.live.check_exposure(ids)
        sees = rights().may_see
        return {i: (e := self.home.entity(i)) is not None and e.exposed and sees(i) for i in ids}

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
        name, socket = f"{domain}.{service}", self._link.socket
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
                f"Home Assistant has not finished {name} within {self._access.timeout:g} s.",
                hint="It may still happen: look at the state.",
            ) from None
        response = mapping(answer).get("response") if return_response else None
        return response if isinstance(response, Mapping) else None

    async def services(self, domain: str) -> tuple[str, ...]:
        """Names of a domain's services that can be called now, without the domain. Raises HomeAssistantError."""
        return tuple(mapping(mapping(await self._link.socket.command("get_services")).get(domain)))

    async def history(
        self, entity_ids: Sequence[str], start: datetime, end: datetime, *, attributes: bool = False
    ) -> dict[str, list[HistoryRow]]:
        """State changes between two aware times, for every id asked for; with ``attributes`` also theirs.

        Those under a thing's former ids are among them, and those that another thing left under its id are not.
        """
        former = {i: some for i in entity_ids if (some := self.former_ids.get(i))}
        asked = [*entity_ids, *(f.entity_id for some in former.values() for f in some)]
        rows = await read_history(self._link.socket, asked, start, end, attributes=attributes)
        if not self.former_ids:
            return rows
        ends = [(f.entity_id, f.until) for some in self.former_ids.values() for f in some]
        return {i: its_rows(i, rows, former.get(i, ()), ends) for i in entity_ids}

    async def statistics(
        self, entity_ids: Sequence[str], start: datetime, end: datetime, period: Period
    ) -> dict[str, list[StatisticsRow]]:
        """Long-term statistics between two aware times, for every id asked for; what has none has no rows."""
        return await read_statistics(self._link.socket, entity_ids, start, end, period)

    async def script_config(self, entity_id: str) -> Mapping[str, Any] | None:
        """A script's configuration (``sequence`` …); None where it cannot be read."""
        return await self._config("script/config", entity_id)

    async def automation_config(self, entity_id: str) -> Mapping[str, Any] | None:
        """An automation's configuration (``triggers``, ``conditions``, ``actions``); None where it cannot be read."""
        return await self._config("automation/config", entity_id)

    async def scene_config(self, entity_id: str) -> Mapping[str, Any] | None:
        """A scene's configuration (``entities`` with their states); None where it cannot be read.

        Only scenes that were made in Home Assistant's editor have one, and only an administrator may read it.
        """
        state = self.home.state(entity_id)
        key = state.attributes.get("id") if state else None
        if not isinstance(key, str):
            return None
        try:
            return await (await self._rest_client()).scene_config(key)
        except HomeAssistantUnavailable:
            raise
        except HomeAssistantError:
            return None

    async def logbook(
        self,
        start: datetime,
        end: datetime,
        *,
        entity_ids: Sequence[str] = (),
        context_id: str | None = None,
    ) -> list[Mapping[str, Any]] | None:
        """What Home Assistant's logbook holds between two aware times, of entities or of a context, oldest first.

        What it holds under a thing's former ids is told under the one it has. None where there is no logbook.
        """
        now = {f.entity_id: i for i in entity_ids for f in self.former_ids.get(i, ())}
        about = {"context_id": context_id} if context_id else {"entity_ids": [*entity_ids, *now]}
        entries = await read_logbook(self._link.socket, start, end, about)
        if entries is None or not now:
            return entries
        return [{**e, "entity_id": now.get(str(e.get("entity_id")), e.get("entity_id"))} for e in entries]

    async def trace(self, domain: str, key: str, at: datetime) -> Mapping[str, Any] | None:
        """The trace of a run that began ``at`` (aware), of an automation or a script by its own id.

        None where there is none (any more), or where the token may not read it: only an administrator's may.
        """
        return await read_trace(self._link.socket, domain, key, at)

    async def own_user(self) -> str | None:
        """The id of the user whose token this is."""
        answer = await self._link.socket.command("auth/current_user")
        return text(mapping(answer).get("id"))

    async def users(self) -> tuple[HomeUser, ...]:
        """The people who use Home Assistant. Raises CommandFailed where the token is no administrator's."""
        return users_in(await self._link.socket.command("config/auth/list"))

    async def _config(self, command: str, entity_id: str) -> Mapping[str, Any] | None:
        try:
            answer = await self._link.socket.command(command, entity_id=entity_id)
        except CommandFailed:
            return None
        config = mapping(answer).get("config")
        return config if isinstance(config, Mapping) else None

    async def fire_event(self, event_type: str, data: Mapping[str, Any]) -> None:
        """Fire an event on Home Assistant's bus.

        Raises HomeAssistantAuthError where the token may not, HomeAssistantUnavailable.
        """
        await (await self._rest_client()).fire_event(event_type, data)

    async def _rest_client(self) -> RestClient:
        access = self._access
        async with self._rest_opening:
            if not self._rest:
                self._rest = await RestClient.open(
                    access.url, access.token, verify=access.verify, timeout=access.timeout
                )
        return self._rest
