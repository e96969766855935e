"""The registries: floors, areas, devices, entities, labels and exposure, in Home Assistant's shapes."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

from homeagent.demo.failures import InvalidInfo, NotFound
from homeagent.demo.inventory import AreaSpec, DeviceSpec, EntitySpec, FloorSpec, Inventory, slug

Entry = dict[str, Any]


class Registries:
    """Entries are dicts as the WebSocket lists them; an entity's also has the keys of its long form."""

    def __init__(self, inventory: Inventory) -> None:
        self._now = time.time()
        self.floors = {floor.id: self._floor(floor) for floor in inventory.floors}
        self.areas = {area.id: self._area(area) for area in inventory.areas}
        self.devices = {device.id: self._device(device) for device in inventory.devices}
        self.entities = {spec.id: self._entity(spec) for spec in inventory.entities if spec.registered}
        self.exposed = {spec.id: spec.exposed for spec in inventory.entities}
        self.labels: dict[str, Entry] = {}
        for holder in (*self.areas.values(), *self.devices.values(), *self.entities.values()):
            holder["labels"] = [self._label(name) for name in holder["labels"]]

    def entity_name(self, spec: EntitySpec) -> str:
        """What the state calls it: the registry's name, the entity's own, or its device's."""
        entry = self.entities.get(spec.id)
        if entry and entry["name"]:
            return str(entry["name"])
        if spec.name is not None:
            return spec.name
        device = self.devices.get(spec.device or "")
        return str(device["name"]) if device else spec.id

    def targets(self, target: Mapping[str, Iterable[str]]) -> set[str]:
        """Entity ids that areas, floors, devices and labels reach, as HA resolves them.

        Hidden, configuration and diagnostic entities are not reached this way.
        """
        found: set[str] = set()
        areas = set(target.get("area_id", ()))
        devices = set(target.get("device_id", ()))
        floors, labels = set(target.get("floor_id", ())), set(target.get("label_id", ()))
        areas |= {a for a, area in self.areas.items() if area["floor_id"] in floors or labels & set(area["labels"])}
        devices |= {d for d, device in self.devices.items() if labels & set(device["labels"])}
        for entity_id, entry in self.entities.items():
            if entry["entity_category"] is not None or entry["hidden_by"] is not None:
                continue
            if labels & set(entry["labels"]) or entry["device_id"] in devices or self.area_of(entry) in areas:
                found.add(entity_id)
        return found

    def area_of(self, entry: Entry) -> str | None:
        """An entity's own area, else its device's."""
        area: str | None = entry["area_id"]
        if area is None and entry["device_id"] in self.devices:
            area = self.devices[entry["device_id"]]["area_id"]
        return area

    def create_area(self, name: str, **given: object) -> Entry:
        """The new entry; ``given`` are its other fields. Raises InvalidInfo where the name is taken."""
        self._refuse_taken(name, self.areas)
        area_id = slug(name)
        while area_id in self.areas:
            area_id += "_2"
        self.areas[area_id] = self._area(AreaSpec(area_id, name)) | given
        return self.areas[area_id]

    def create_floor(self, name: str, **given: object) -> Entry:
        """The new entry; ``given`` are its other fields. Raises InvalidInfo where the name is taken."""
        self._refuse_taken(name, self.floors)
        floor_id = slug(name)
        self.floors[floor_id] = self._floor(FloorSpec(floor_id, name)) | given
        return self.floors[floor_id]

    def create_label(self, name: str) -> Entry:
        """The entry of this name, made where there is none."""
        return self.labels[self._label(name)]

    def update(self, kind: dict[str, Entry], key: str, missing: str, changes: Mapping[str, Any]) -> Entry:
        """Change an entry of one registry. Raises NotFound with ``missing``."""
        if key not in kind:
            raise NotFound(missing)
        if kind is not self.entities and "name" in changes:
            self._refuse_taken(changes["name"], {k: v for k, v in kind.items() if k != key})
        kind[key].update(changes, modified_at=time.time())
        return kind[key]

    def change_id(self, entity_id: str, new_id: str) -> None:
        """Raises InvalidInfo where the id is taken, or belongs to another domain."""
        if new_id in self.entities or new_id.partition(".")[0] != entity_id.partition(".")[0]:
            raise InvalidInfo(f"{new_id} cannot be the id of {entity_id}")
        entry = self.entities.pop(entity_id)
        entry["entity_id"] = new_id
        self.entities[new_id] = entry
        self.exposed[new_id] = self.exposed.pop(entity_id)

    def entity_list(self) -> list[Entry]:
        """All entries in the short form of ``config/entity_registry/list``, which lacks the aliases."""
        return [_short(entry) for entry in self.entities.values()]

    def expose(self, entity_id: str, exposed: bool) -> None:
        """Kept in the entity's registry entry, where it has one, as Home Assistant does."""
        self.exposed[entity_id] = exposed
        if entry := self.entities.get(entity_id):
            entry["options"] = {**entry["options"], "conversation": {"should_expose": exposed}}

    def exposed_entities(self) -> dict[str, dict[str, bool]]:
        """Entity id to the assistants that it is exposed to; those exposed to none are left out."""
        return {entity_id: {"conversation": True} for entity_id, yes in self.exposed.items() if yes}

    def _refuse_taken(self, name: str, entries: Mapping[str, Entry]) -> None:
        plain = slug(name)
        if any(slug(entry["name"]) == plain for entry in entries.values()):
            raise InvalidInfo(f"The name {name} ({plain.replace('_', '')}) is already in use")

    def _label(self, name: str) -> str:
        label_id = slug(name)
        self.labels.setdefault(
            label_id,
            {"label_id": label_id, "name": name, "color": None, "description": None, "icon": None, **self._times()},
        )
        return label_id

    def _times(self) -> dict[str, float]:
        return {"created_at": self._now, "modified_at": self._now}

    def _floor(self, floor: FloorSpec) -> Entry:
        return {
            "floor_id": floor.id,
            "name": floor.name,
            "aliases": list(floor.aliases),
            "level": floor.level,
            "icon": None,
            **self._times(),
        }

    def _area(self, area: AreaSpec) -> Entry:
        return {
            "area_id": area.id,
            "name": area.name,
            "aliases": list(area.aliases),
            "floor_id": area.floor,
            "labels": list(area.labels),
            "icon": None,
            "picture": None,
            "humidity_entity_id": None,
            "temperature_entity_id": None,
            **self._times(),
        }

    def _device(self, device: DeviceSpec) -> Entry:
        return {
            "id": device.id,
            "name": device.name,
            "name_by_user": None,
            "area_id": device.area,
            "manufacturer": device.info.get("manufacturer"),
            "model": device.info.get("model"),
            "model_id": None,
            "sw_version": device.info.get("sw_version"),
            "hw_version": device.info.get("hw_version"),
            "serial_number": None,
            "identifiers": [["demo", device.id]],
            "connections": [],
            "config_entries": ["demo"],
            "config_entries_subentries": {"demo": [None]},
            "configuration_url": None,
            "disabled_by": None,
            "entry_type": None,
            "labels": list(device.labels),
            "primary_config_entry": "demo",
            "via_device_id": None,
            **self._times(),
        }

    def _entity(self, spec: EntitySpec) -> Entry:
        return {
            "area_id": spec.area,
            "categories": {},
            "config_entry_id": "demo",
            "config_subentry_id": None,
            "device_id": spec.device,
            "disabled_by": None,
            "entity_category": spec.category,
            "entity_id": spec.id,
            "has_entity_name": spec.name is None,
            "hidden_by": "user" if spec.hidden else None,
            "icon": None,
            "id": slug(spec.id),
            "labels": list(spec.labels),
            "name": None,
            "options": {"conversation": {"should_expose": spec.exposed}},
            "original_name": spec.name,
            "platform": "group" if "entity_id" in spec.attributes else "demo",
            "translation_key": None,
            "unique_id": spec.id,
            **self._times(),
            # the long form has these too
            "aliases": list(spec.aliases),
            "capabilities": None,
            "device_class": None,
            "original_device_class": spec.attributes.get("device_class"),
            "original_icon": None,
        }


_LONG_ONLY = frozenset({"aliases", "capabilities", "device_class", "original_device_class", "original_icon"})


def _short(entry: Entry) -> Entry:
    return {key: value for key, value in entry.items() if key not in _LONG_ONLY}
