"""Keeps a `Home` current over one connection: reads everything, then follows what changes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from homeagent.errors import HomeAssistantError
from homeagent.ha.compressed_states import StateStream
from homeagent.ha.exposure import Exposure
from homeagent.ha.home import Home, HomeConfig, State
from homeagent.ha.registries import WHOLE, Registries, Registry
from homeagent.ha.shapes import MALFORMED, each, mapping, tell, text
from homeagent.ha.websocket import CommandFailed, Socket
from indexer.entity import Entity

_log = logging.getLogger(__name__)

_GATHER = 0.3
"""Seconds to gather changes before reading them: renaming an area touches many entries at once."""
_RETRY = 5.0
POLL_EXPOSURE = 10.0
"""Seconds. Exposing an entity that has no registry entry fires no event."""
EXPOSURE_FRESH = 2.0
FEW = 50
"""Entities whose exposure is cheaper to ask for one by one than by the whole list."""


@dataclass(slots=True)
class _Dirty:
    """What has to be read again."""

    registries: set[Registry] = field(default_factory=set)
    entity_ids: set[str] = field(default_factory=set)
    config: bool = False

    def merge(self, other: _Dirty) -> None:
        self.registries |= other.registries
        self.entity_ids |= other.entity_ids
        self.config |= other.config


class LiveHome:
    """One connection's hold on the home: `start` reads everything, `run` follows until cancelled."""

    def __init__(self, home: Home, socket: Socket, fallback_domains: frozenset[str]) -> None:
        self.exposure = Exposure(fallback_domains)
        self._home = home
        self._socket = socket
        self._registries = Registries()
        self._stream = StateStream()
        self._subscription: int | None = None
        self._reading = asyncio.Lock()
        self._dirty = _Dirty()
        self._changed = asyncio.Event()
        self._exposure_reading = asyncio.Lock()
        self._exposure_at = -EXPOSURE_FRESH
        self._time_zone_known = True

    async def start(self) -> None:
        """Subscribe to what changes, and read everything. Raises HomeAssistantError."""
        for registry in Registry:
            await self._on_event(f"{registry}_registry_updated", self._registry_changed(registry))
        await self._on_event("core_config_updated", lambda _: self._mark(_Dirty(config=True)))
        await self.read_all()

    async def run(self) -> None:
        """Follow what changes, and ask for the exposure now and then, until cancelled."""
        await asyncio.gather(self._refresh_forever(), self._poll_exposure_forever())

    @property
    def warnings(self) -> tuple[str, ...]:
        """What does not work as it could, in words for the person who set this up."""
        warnings = []
        if self.exposure.source == "domains":
            warnings.append(
                "Home Assistant's list of exposed entities cannot be read (the token is not an administrator's, or "
                "there is none): a cautious choice of kinds of entities is used instead."
            )
        if self._registries.unreadable:
            names = ", ".join(sorted(self._registries.unreadable))
            warnings.append(f"These registries of Home Assistant cannot be read: {names}.")
        if not self._time_zone_known:
            warnings.append("The time zone that Home Assistant is set to is not known here; UTC is used.")
        return tuple(warnings)

    async def read_all(self) -> None:
        """Read configuration, registries, exposure and states anew, and hand them to the home at once."""
        async with self._reading:
            config = await self._read_config()
            async with self._new_stream() as stream:
                for registry in WHOLE:
                    await self._registries.read(self._socket, registry)
                await self._registries.read_entries(self._socket, tuple(stream.states))
                await self._read_exposure()
                entities = await self._build(stream.states.values())
                self._replace(config, entities, stream.states.values())
                self._stream = stream

    async def catch_up(self) -> None:
        """Read what is known to have changed now, without gathering more. Raises HomeAssistantError."""
        if self._changed.is_set() or self._reading.locked():
            await self._read_changed()

    async def check_exposure(self, entity_ids: Collection[str] = ()) -> None:
        """Read the exposure of these entities again, or of all. Raises HomeAssistantError.

        The whole list costs Home Assistant 75 ms and more for thousands of entities, so a few are asked for by
        themselves; what is not in the registry is in the whole list alone, which is read at most every 2 s.
        """
        async with self._exposure_reading:
            if time.monotonic() - self._exposure_at < EXPOSURE_FRESH:
                return
            if 0 < len(entity_ids) <= FEW and await self.exposure.read_few(self._socket, entity_ids):
                self._apply_exposure(entity_ids)
                return
            await self._read_exposure()
            self._apply_exposure()

    async def _read_exposure(self) -> None:
        asked_at = time.monotonic()
        await self.exposure.read(self._socket)
        self._exposure_at = asked_at

    async def _on_event(self, event_type: str, handler: Any) -> None:
        with contextlib.suppress(CommandFailed):  # not every user may, not every release has them all
            await self._socket.subscribe("subscribe_events", handler, event_type=event_type)

    def _registry_changed(self, registry: Registry) -> Any:
        def handler(events: list[Any]) -> None:
            dirty = _Dirty(registries={registry} & set(WHOLE))
            if registry is Registry.ENTITY:
                for event in map(mapping, events):
                    data = mapping(event.get("data"))
                    dirty.entity_ids |= {i for name in ("entity_id", "old_entity_id") if (i := text(data.get(name)))}
            self._mark(dirty)

        return handler

    def _mark(self, dirty: _Dirty) -> None:
        self._dirty.merge(dirty)
        self._changed.set()

    @contextlib.asynccontextmanager
    async def _new_stream(self) -> AsyncIterator[StateStream]:
        """Subscribe to the states anew; the first event brings all that there are.

        It takes the place of the subscription there was, unless what is done with it fails: then that one stays.
        """
        stream, first, waiting = StateStream(), asyncio.Event(), list[Any]()
        filled = False

        def handler(events: list[Any]) -> None:
            if filled:
                self._take_states(stream, events)
            else:
                waiting.extend(events)
                first.set()

        ending: int | None = await self._socket.subscribe("subscribe_entities", handler)
        try:
            await self._socket.wait_for(first)
            await asyncio.to_thread(self._fill, stream, waiting.pop(0))  # thousands of states at once
            filled = True
            self._take_states(stream, waiting)
            yield stream
            ending, self._subscription = self._subscription, ending
        finally:
            if ending is not None:
                await self._socket.unsubscribe(ending)

    def _fill(self, stream: StateStream, event: object) -> None:
        """Take the first event. What is equal to what the home has becomes the same object: cheap to compare later."""
        stream.apply([event])
        stream.states = {i: old if (old := self._home.state(i)) == s else s for i, s in stream.states.items()}

    def _take_states(self, stream: StateStream, events: list[Any]) -> None:
        changes = stream.apply(events)
        if stream is self._stream:
            self._home.put_states(changes.states, changes.removed)
        if changes.described:
            self._mark(_Dirty(entity_ids=set(changes.described)))

    async def _read_config(self) -> HomeConfig:
        row = mapping(await self._socket.command("get_config"))
        try:
            time_zone, self._time_zone_known = ZoneInfo(row["time_zone"]), True
        except (ZoneInfoNotFoundError, OSError, *MALFORMED):
            time_zone, self._time_zone_known = ZoneInfo("UTC"), False
        return HomeConfig(
            name=text(row.get("location_name")) or "Home",
            language=text(row.get("language")) or "en",
            time_zone=time_zone,
            temperature_unit=text(mapping(row.get("unit_system")).get("temperature")) or "°C",
            version=text(row.get("version")) or "",
        )

    async def _refresh_forever(self) -> None:
        while True:
            await self._changed.wait()
            await asyncio.sleep(_GATHER)
            try:
                await self._read_changed()
            except (HomeAssistantError, *MALFORMED) as error:
                tell("what changed: trying again to read it", error)
                await asyncio.sleep(_RETRY)

    async def _read_changed(self) -> None:
        async with self._reading:
            self._changed.clear()
            dirty, self._dirty = self._dirty, _Dirty()
            try:
                await self._refresh(dirty)
            except BaseException:  # whoever waited for it may have been stopped: it is still to be read
                self._mark(dirty)
                raise

    async def _refresh(self, dirty: _Dirty) -> None:
        if dirty.config:
            self._home.config = await self._read_config()
        for registry in dirty.registries:
            await self._registries.read(self._socket, registry)
        if dirty.entity_ids:
            await self._registries.read_entries(self._socket, tuple(dirty.entity_ids))
            await self._read_exposure()
        if dirty.registries:
            self._replace(self._home.config, await self._build(self._stream.states.values()), None)
        elif dirty.entity_ids:
            known = [s for i in dirty.entity_ids if (s := self._stream.states.get(i))]
            entities = await self._build(known)
            self._home.put_entities(entities, dirty.entity_ids - {s.entity_id for s in known})
            self._apply_exposure()

    async def _poll_exposure_forever(self) -> None:
        while True:
            await asyncio.sleep(POLL_EXPOSURE)
            try:
                await self.check_exposure()
            except (HomeAssistantError, *MALFORMED):
                _log.debug("could not read the exposure", exc_info=True)

    async def _build(self, states: Iterable[State]) -> list[Entity]:
        return await asyncio.to_thread(self._entities, tuple(states))

    def _entities(self, states: Iterable[State]) -> list[Entity]:
        return list(each("an entity", states, lambda state: self._entity(state, self._home.entity(state.entity_id))))

    def _entity(self, state: State, before: Entity | None) -> Entity:
        entity = self._registries.entity(state, before)
        if self.exposure.exposes(entity):
            entity = replace(entity, exposed=True)
        return before if before == entity else entity

    def _replace(self, config: HomeConfig, entities: Iterable[Entity], states: Iterable[State] | None) -> None:
        self._home.replace(
            config=config,
            areas=self._registries.areas.values(),
            floors=self._registries.floors.values(),
            device_areas=self._registries.device_areas,
            entities=entities,
            states=states,
        )
        self._apply_exposure()

    def _apply_exposure(self, entity_ids: Collection[str] = ()) -> None:
        """Bring these entities of the home, or all, in line with the exposure, which may have been read anew."""
        exposes, home = self.exposure.exposes, self._home
        of = [e for i in entity_ids if (e := home.entity(i))] if entity_ids else home.entities.values()
        home.put_entities([replace(e, exposed=not e.exposed) for e in of if exposes(e) != e.exposed])
