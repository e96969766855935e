"""The live home: entities, their states, areas and floors, kept current by the connection.

Pure model: no I/O. The connection feeds it; everybody else reads it. Lives on the event loop's thread.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from homeagent.rights import rights
from indexer.entity import Area, Entity, Floor

T = TypeVar("T")
UNAVAILABLE = "unavailable"
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class State:
    """A state as Home Assistant reports it. Times are aware, UTC."""

    entity_id: str
    state: str
    attributes: Mapping[str, Any]
    last_changed: datetime
    last_updated: datetime
    context_id: str | None = None

    @property
    def available(self) -> bool:
        """Whether the device can be reached; an ``unknown`` state counts as reachable."""
        return self.state != UNAVAILABLE

    def supports(self, feature: int) -> bool:
        """Whether the device has one of these features (bits of ``supported_features``); 0 is no feature at all."""
        supported = self.attributes.get("supported_features")
        return not feature or (isinstance(supported, int) and bool(supported & feature))


@dataclass(frozen=True, slots=True)
class HomeConfig:
    """What Home Assistant says of itself. ``temperature_unit`` is ``°C`` or ``°F``."""

    name: str = "Home"
    language: str = "en"
    time_zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))
    temperature_unit: str = "°C"
    version: str = ""

    def local(self, moment: datetime) -> str:
        """An aware moment by the home's clock, in ISO format, to the second."""
        return moment.astimezone(self.time_zone).isoformat(timespec="seconds")


class ChangeKind(StrEnum):
    """What of the home has changed."""

    ENTITIES = "entities"
    """Names, areas, exposure …: what the index must know. ``entity_ids`` are those added, changed or removed."""
    STATES = "states"
    """Live states. ``entity_ids`` are those that changed."""


@dataclass(frozen=True, slots=True)
class HomeChange:
    """A change that listeners are told of; ``kind`` says what ``entity_ids`` are."""

    kind: ChangeKind
    entity_ids: frozenset[str]


Listener = Callable[[HomeChange], None]


class Home:
    """The model. ``ready`` once everything was read for the first time."""

    def __init__(self, config: HomeConfig | None = None) -> None:
        self.config = config or HomeConfig()
        self.clock: Callable[[], datetime] = lambda: datetime.now(UTC)
        """What time it is, aware. Only a home whose days were recorded before has another one."""
        self.areas: Mapping[str, Area] = MappingProxyType({})
        self.floors: Mapping[str, Floor] = MappingProxyType({})
        self.device_areas: Mapping[str, str | None] = MappingProxyType({})
        """Area id of each device id: where a voice satellite stands."""
        self.ready = False
        self._entities: dict[str, Entity] = {}
        self._states: dict[str, State] = {}
        self._worked_out: dict[Callable[[Home], Any], Any] = {}
        self._listeners: list[Listener] = []

    def now(self) -> datetime:
        """The time, by the home's clock and in its zone."""
        return self.clock().astimezone(self.config.time_zone)

    @property
    def entities(self) -> Mapping[str, Entity]:
        """Every entity that has a state, exposed or not, by entity id."""
        return MappingProxyType(self._entities)

    def entity(self, entity_id: str) -> Entity | None:
        """The entity with this id, exposed or not."""
        return self._entities.get(entity_id)

    def state(self, entity_id: str) -> State | None:
        """The state Home Assistant reported last, of any entity that whoever is served at the moment may see."""
        return self._states.get(entity_id) if rights().may_see(entity_id) else None

    def state_text(self, entity_id: str) -> str | None:
        """The bare state, for retrieval's ``Situation.state_of``."""
        state = self.state(entity_id)
        return state.state if state else None

    def exposed(self) -> tuple[Entity, ...]:
        """The entities that are exposed to Assist: the only ones a sentence may see or touch."""
        return self.worked_out(_exposed)

    def of_domain(self, domain: str) -> tuple[Entity, ...]:
        """The entities of a domain, exposed or not."""
        return self.worked_out(_by_domain).get(domain, ())

    def worked_out(self, make: Callable[[Home], T]) -> T:
        """What ``make`` works out of the entities and places, once for each change of them: every turn asks for such
        things, in homes of thousands."""
        kept = self._worked_out  # what is made of a home that changes meanwhile is not kept
        if make not in kept:
            kept[make] = make(self)
        found: T = kept[make]
        return found

    def area_of_device(self, device_id: str | None) -> str | None:
        """The id of the area a device stands in; None where it is unknown or in none."""
        return self.device_areas.get(device_id) if device_id else None

    def replace(
        self,
        *,
        config: HomeConfig,
        areas: Iterable[Area],
        floors: Iterable[Floor],
        device_areas: Mapping[str, str | None],
        entities: Iterable[Entity],
        states: Iterable[State] | None = None,
    ) -> None:
        """Take a full new reading and tell the listeners what is different. ``states`` None: those it has stay."""
        self.config = config
        self.areas = MappingProxyType({a.area_id: a for a in areas})
        self.floors = MappingProxyType({f.floor_id: f for f in floors})
        self.device_areas = MappingProxyType(dict(device_areas))
        new_entities = {e.entity_id: e for e in entities}
        new_states = self._states if states is None else {s.entity_id: s for s in states}
        changed = _different(self._entities, new_entities)
        moved = _different(self._states, new_states)
        self._entities, self._states = new_entities, new_states
        self._worked_out = {}
        self.ready = True
        self._tell(ChangeKind.ENTITIES, changed)
        self._tell(ChangeKind.STATES, moved)

    def put_states(self, states: Iterable[State], removed: Iterable[str] = ()) -> None:
        """Take state changes from the stream."""
        changed = set()
        for state in states:
            self._states[state.entity_id] = state
            changed.add(state.entity_id)
        for entity_id in removed:
            if self._states.pop(entity_id, None) is not None:
                changed.add(entity_id)
        self._tell(ChangeKind.STATES, changed)

    def put_entities(self, entities: Iterable[Entity], removed: Iterable[str] = ()) -> None:
        """Take entities that are new or described anew; the others stay."""
        changed = set()
        for entity in entities:
            if self._entities.get(entity.entity_id) != entity:
                self._entities[entity.entity_id] = entity
                changed.add(entity.entity_id)
        for entity_id in removed:
            if self._entities.pop(entity_id, None) is not None:
                changed.add(entity_id)
        if changed:  # each call asks for exposure anew, and mostly finds it as it was
            self._worked_out = {}
        self._tell(ChangeKind.ENTITIES, changed)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call ``listener`` on each change, on the event loop; returns what ends it. It must not block or raise."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def wait_until(self, condition: Callable[[], bool], entity_ids: Iterable[str], timeout: float) -> bool:
        """Wait until ``condition`` holds, looked at now and after each change of these entities' states.

        ``timeout`` is in seconds. Returns whether it came to hold.
        """
        if condition():
            return True
        wanted, happened = set(entity_ids), asyncio.Event()

        def on_change(change: HomeChange) -> None:
            if change.kind is ChangeKind.STATES and wanted & change.entity_ids and condition():
                happened.set()

        stop = self.listen(on_change)
        try:
            async with asyncio.timeout(timeout):
                await happened.wait()
            return True
        except TimeoutError:
            return condition()
        finally:
            stop()

    def _tell(self, kind: ChangeKind, entity_ids: set[str]) -> None:
        if entity_ids:
            change = HomeChange(kind, frozenset(entity_ids))
            for listener in tuple(self._listeners):
                listener(change)


def _exposed(home: Home) -> tuple[Entity, ...]:
    return tuple(e for e in home.entities.values() if e.exposed)


def _by_domain(home: Home) -> Mapping[str, tuple[Entity, ...]]:
    found: defaultdict[str, list[Entity]] = defaultdict(list)
    for entity in home.entities.values():
        found[entity.domain].append(entity)
    return {name: tuple(entities) for name, entities in found.items()}


def _different(old: Mapping[str, object], new: Mapping[str, object]) -> set[str]:
    """Keys whose values differ, or that only one of the two has. Looks for the same object first: that is cheap."""
    differing = {i for i, value in new.items() if (before := old.get(i)) is not value and before != value}
    return differing | (old.keys() - new.keys())
