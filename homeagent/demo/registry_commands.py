"""The WebSocket commands of the registries and of exposure."""

from __future__ import annotations

from typing import Any

from homeagent.demo.commands import Message, command, text_of
from homeagent.demo.failures import NotFound
from homeagent.demo.registry import Entry
from homeagent.demo.world import World


@command("config/floor_registry/list")
def _list_floors(world: World, message: Message) -> object:
    return list(world.registries.floors.values())


@command("config/area_registry/list")
def _list_areas(world: World, message: Message) -> object:
    return list(world.registries.areas.values())


@command("config/device_registry/list")
def _list_devices(world: World, message: Message) -> object:
    return list(world.registries.devices.values())


@command("config/label_registry/list")
def _list_labels(world: World, message: Message) -> object:
    return list(world.registries.labels.values())


@command("config/entity_registry/list")
def _list_entities(world: World, message: Message) -> object:
    return world.registries.entity_list()


@command("config/entity_registry/list_for_display")
def _list_for_display(world: World, message: Message) -> object:
    categories = {0: "config", 1: "diagnostic"}
    places = {name: place for place, name in categories.items()}
    rows = []
    for entry in world.registries.entities.values():
        row = {
            "ei": entry["entity_id"],
            "pl": entry["platform"],
            "ai": entry["area_id"],
            "di": entry["device_id"],
            "lb": entry["labels"],
            "ec": places.get(entry["entity_category"]),
            "en": entry["name"] or entry["original_name"],
            "hb": entry["hidden_by"] is not None or None,
        }
        rows.append({key: value for key, value in row.items() if value is not None and value != []})
    return {"entity_categories": {str(place): name for place, name in categories.items()}, "entities": rows}


@command("config/entity_registry/get")
def _get_entity(world: World, message: Message) -> object:
    return _entry(world, text_of(message, "entity_id"))


@command("config/entity_registry/get_entries")
def _get_entries(world: World, message: Message) -> object:
    entities = world.registries.entities
    return {entity_id: entities.get(entity_id) for entity_id in message.get("entity_ids", ())}


@command("config/entity_registry/update", admin=True)
def _update_entity(world: World, message: Message) -> Any:
    entity_id = text_of(message, "entity_id")
    changes = _changes(message, "entity_id")
    new_id = changes.pop("new_entity_id", entity_id)
    entry = world.registries.update(world.registries.entities, entity_id, "Entity not found", changes)
    former = {}
    if new_id != entity_id:
        world.change_id(entity_id, new_id)
        changes["entity_id"], former = entity_id, {"old_entity_id": entity_id}
    world.rename(new_id)
    _registry_event(world, "entity", "update", "entity_id", new_id, changes=dict.fromkeys(changes), **former)
    return {"entity_entry": entry}


@command("config/area_registry/create", admin=True)
def _create_area(world: World, message: Message) -> object:
    entry = world.registries.create_area(text_of(message, "name"), **_changes(message, "name"))
    _registry_event(world, "area", "create", "area_id", entry["area_id"])
    return entry


@command("config/area_registry/update", admin=True)
def _update_area(world: World, message: Message) -> object:
    area_id = text_of(message, "area_id")
    entry = world.registries.update(
        world.registries.areas, area_id, "Area ID doesn't exist", _changes(message, "area_id")
    )
    _registry_event(world, "area", "update", "area_id", area_id)
    return entry


@command("config/floor_registry/create", admin=True)
def _create_floor(world: World, message: Message) -> object:
    entry = world.registries.create_floor(text_of(message, "name"), **_changes(message, "name"))
    _registry_event(world, "floor", "create", "floor_id", entry["floor_id"])
    return entry


@command("config/device_registry/update", admin=True)
def _update_device(world: World, message: Message) -> object:
    device_id = text_of(message, "device_id")
    entry = world.registries.update(
        world.registries.devices, device_id, "Device not found", _changes(message, "device_id")
    )
    _registry_event(world, "device", "update", "device_id", device_id)
    return entry


@command("config/label_registry/create", admin=True)
def _create_label(world: World, message: Message) -> object:
    entry = world.registries.create_label(text_of(message, "name"))
    _registry_event(world, "label", "create", "label_id", entry["label_id"])
    return entry


@command("homeassistant/expose_entity/list", admin=True)
def _list_exposed(world: World, message: Message) -> object:
    return {"exposed_entities": world.registries.exposed_entities()}


@command("homeassistant/expose_entity", admin=True)
def _expose(world: World, message: Message) -> object:
    if "conversation" in message.get("assistants", ()):
        for entity_id in message.get("entity_ids", ()):
            world.registries.expose(entity_id, bool(message.get("should_expose")))
            if entity_id in world.registries.entities:
                _registry_event(world, "entity", "update", "entity_id", entity_id, changes={"options": {}})
    return None


@command("homeassistant/expose_new_entities/get", admin=True)
def _expose_new(world: World, message: Message) -> object:
    return {"expose_new": True}


def _changes(message: Message, key: str) -> dict[str, Any]:
    return {name: value for name, value in message.items() if name not in ("id", "type", key)}


def _entry(world: World, entity_id: str) -> Entry:
    if entity_id not in world.registries.entities:
        raise NotFound("Entity not found")
    return world.registries.entities[entity_id]


def _registry_event(world: World, registry: str, done: str, key: str, value: str, **more: object) -> None:
    world.fire(f"{registry}_registry_updated", {"action": done, key: value, **more})
