"""Home Assistant's registries: read over the WebSocket, and joined into the index's entities."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from homeagent.ha.home import UNAVAILABLE, State
from homeagent.ha.shapes import each, mapping, needed, tell, text, texts
from homeagent.ha.websocket import CommandFailed
from indexer.entity import Area, Entity, EntityCategory, Floor

_CHUNK = 250
"""Entries asked for at a time: their answer (200 kB) is decoded in a few ms."""


class Commands(Protocol):
    """What reading needs of a connection."""

    async def command(self, kind: str, **fields: Any) -> Any:
        """The result of a WebSocket command of this ``kind``. Raises CommandFailed, HomeAssistantUnavailable."""


class Registry(StrEnum):
    """The registries, by the name in their commands and events."""

    FLOOR = "floor"
    AREA = "area"
    LABEL = "label"
    DEVICE = "device"
    ENTITY = "entity"


WHOLE = (Registry.FLOOR, Registry.AREA, Registry.LABEL, Registry.DEVICE)
"""Those that can only be read whole. Entity entries are read by their ids, since only that gives their aliases."""


@dataclass(frozen=True, slots=True)
class Device:
    """What a device hands on to its entities. ``labels`` are label ids."""

    name: str | None
    area_id: str | None
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """An entity's registry entry. ``name`` is only for an entity whose state has no friendly name."""

    name: str | None = None
    aliases: tuple[str, ...] = ()
    area_id: str | None = None
    device_id: str | None = None
    labels: tuple[str, ...] = ()
    device_class: str | None = None
    category: EntityCategory | None = None
    hidden: bool = False
    registry_id: str | None = None


_UNREGISTERED = Entry()  # entities without a unique id have a state and no entry


@dataclass(slots=True)
class Registries:
    """What the registries said last."""

    floors: dict[str, Floor] = field(default_factory=dict)
    areas: dict[str, Area] = field(default_factory=dict)
    area_labels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    """Name of each label id."""
    devices: dict[str, Device] = field(default_factory=dict)
    entries: dict[str, Entry] = field(default_factory=dict)
    unreadable: set[Registry] = field(default_factory=set)
    """Those that Home Assistant refused: the token lacks the right, or it is too old to have them."""

    async def read(self, commands: Commands, registry: Registry) -> None:
        """Read one of `WHOLE`; one that is refused counts as empty."""
        try:
            rows = await commands.command(f"config/{registry}_registry/list")
            self.unreadable.discard(registry)
        except CommandFailed:
            rows = []
            self.unreadable.add(registry)
        await asyncio.to_thread(self._take, registry, rows)

    async def read_entries(self, commands: Commands, entity_ids: Sequence[str]) -> None:
        """Read the entries of these entities, and forget those that have none any more."""
        for at in range(0, len(entity_ids), _CHUNK):
            chunk = list(entity_ids[at : at + _CHUNK])
            try:
                rows = await commands.command("config/entity_registry/get_entries", entity_ids=chunk)
                self.unreadable.discard(Registry.ENTITY)
            except CommandFailed:
                rows = {}
                self.unreadable.add(Registry.ENTITY)
            known = mapping(rows)
            for entity_id in chunk:
                if row := known.get(entity_id):
                    for entry in each("an entity's registry entry", (row,), _entry):
                        self.entries[entity_id] = entry
                else:
                    self.entries.pop(entity_id, None)

    def _take(self, registry: Registry, rows: object) -> None:
        """Take a registry's rows; where these are no list, what was read before stays."""
        what = f"a row of the {registry} registry"
        if not isinstance(rows, list):
            tell(f"the {registry} registry", TypeError("no list"))
            return
        match registry:
            case Registry.FLOOR:
                self.floors = {floor.floor_id: floor for floor in each(what, rows, _floor)}
            case Registry.AREA:
                areas = list(each(what, rows, _area))
                self.areas = {area.area_id: area for area, _ in areas}
                self.area_labels = {area.area_id: labels for area, labels in areas}
            case Registry.LABEL:
                self.labels = dict(each(what, rows, lambda row: (needed(row["label_id"]), needed(row["name"]))))
            case Registry.DEVICE:
                self.devices = dict(each(what, rows, _device))

    @property
    def device_areas(self) -> dict[str, str | None]:
        """Device id to the id of its area."""
        return {device_id: device.area_id for device_id, device in self.devices.items()}

    def entity(self, state: State, before: Entity | None = None) -> Entity:
        """What the index is to know of the entity in this ``state``, not exposed; ``before`` is what it knew."""
        entry = self.entries.get(state.entity_id, _UNREGISTERED)
        device = self.devices.get(entry.device_id) if entry.device_id else None
        area = self._area_of(entry, device)
        return Entity(
            entity_id=state.entity_id,
            name=_name(state, entry),
            aliases=entry.aliases,
            area=area,
            floor=self.floors.get(area.floor_id) if area and area.floor_id else None,
            device_id=entry.device_id,
            device_name=device.name if device else None,
            labels=tuple(sorted({self.labels.get(label, label) for label in self._labels_of(entry, device, area)})),
            label_ids=self._labels_of(entry, device, area),
            device_class=text(state.attributes.get("device_class")) or entry.device_class,
            unit=text(state.attributes.get("unit_of_measurement")),
            category=entry.category,
            hidden=entry.hidden,
            exposed=False,
            members=_members(state, before),
            registry_id=entry.registry_id,
        )

    def _area_of(self, entry: Entry, device: Device | None) -> Area | None:
        area_id = entry.area_id or (device.area_id if device else None)
        return self.areas.get(area_id) if area_id else None

    def _labels_of(self, entry: Entry, device: Device | None, area: Area | None) -> tuple[str, ...]:
        """Ids of the labels that reach the entity, as a label target does: its own, its device's, its area's."""
        ids = [
            *entry.labels,
            *(device.labels if device else ()),
            *(self.area_labels.get(area.area_id, ()) if area else ()),
        ]
        return tuple(sorted(set(ids)))


def _floor(row: Mapping[str, Any]) -> Floor:
    level = row.get("level")
    return Floor(needed(row["floor_id"]), needed(row["name"]), _aliases(row), level if isinstance(level, int) else None)


def _area(row: Mapping[str, Any]) -> tuple[Area, tuple[str, ...]]:
    """An area, and the ids of its labels."""
    area = Area(needed(row["area_id"]), needed(row["name"]), _aliases(row), text(row.get("floor_id")))
    return area, texts(row.get("labels"))


def _device(row: Mapping[str, Any]) -> tuple[str, Device]:
    name = text(row.get("name_by_user")) or text(row.get("name"))
    return needed(row["id"]), Device(name, text(row.get("area_id")), texts(row.get("labels")))


def _entry(row: Mapping[str, Any]) -> Entry:
    category = row.get("entity_category")
    return Entry(
        name=text(row.get("name")) or text(row.get("original_name")),
        aliases=_aliases(row),
        area_id=text(row.get("area_id")),
        device_id=text(row.get("device_id")),
        labels=texts(row.get("labels")),
        device_class=text(row.get("device_class")) or text(row.get("original_device_class")),
        category=EntityCategory(category) if category in tuple(EntityCategory) else None,
        hidden=row.get("hidden_by") is not None,
        registry_id=text(row.get("id")),
    )


def _aliases(row: Mapping[str, object]) -> tuple[str, ...]:
    """Each alias a value of its own. A null among them stands for the name itself.

    Home Assistant kept them as a set, whose order is another one after each restart: hence sorted.
    """
    return tuple(sorted(set(texts(row.get("aliases")))))


def _name(state: State, entry: Entry) -> str:
    """The friendly name: newer releases compose it from the device's and the entity's."""
    name = text(state.attributes.get("friendly_name")) or entry.name
    return name or state.entity_id.partition(".")[2].replace("_", " ")


def _members(state: State, before: Entity | None) -> tuple[str, ...]:
    """The entities of a group or a scene. A group that is unavailable does not tell them, yet still has them."""
    members = state.attributes.get("entity_id")
    if isinstance(members, list | tuple):
        return tuple(m for m in members if isinstance(m, str))
    return before.members if before and state.state == UNAVAILABLE else ()
