"""An inventory as a real Home Assistant's: what the synth_home integration reads, and what is set up over the API."""

from __future__ import annotations

from typing import Any

from homeagent.demo.inventory import EntitySpec, Inventory
from homeagent.ha.socket import Socket

_CONFIGURED = ("script", "scene", "group", "automation")
"""Made by Home Assistant's own configuration, not by a device."""


def synth_home(inventory: Inventory) -> dict[str, Any]:
    """The JSON of synth_home: floors, areas, and devices' entities; scripts and scenes beside them."""
    devices = {device.id: device.name for device in inventory.devices}
    return {
        "floors": [
            {"id": f.id, "name": f.name, "level": f.level, "aliases": list(f.aliases)} for f in inventory.floors
        ],
        "areas": [{"id": a.id, "name": a.name, "floor": a.floor, "aliases": list(a.aliases)} for a in inventory.areas],
        "entities": [_entity(e, devices) for e in inventory.entities if e.domain not in _CONFIGURED],
        "scripts": [
            {"id": _object_id(e), "name": e.name, "sequence": e.extra["x-script"]["sequence"]}
            for e in inventory.entities
            if e.domain == "script"
        ],
        "scenes": [
            {"id": _object_id(e), "name": e.name, "entities": e.extra["x-scene"]}
            for e in inventory.entities
            if e.domain == "scene"
        ],
    }


def groups_yaml(inventory: Inventory) -> str:
    """Old-style groups: entities with a state and members, and without a registry entry."""
    groups = [e for e in inventory.entities if e.domain == "group"]
    lines = [
        f"  {_object_id(e)}: {{name: {e.name}, entities: [{', '.join(e.attributes['entity_id'])}]}}" for e in groups
    ]
    return "\n".join(["group:", *lines, ""]) if lines else ""


async def arrange(socket: Socket, inventory: Inventory) -> None:
    """Set over the API what synth_home does not: areas of devices, labels, hidden and unexposed entities."""
    areas = {row["name"]: row["area_id"] for row in await socket.command("config/area_registry/list")}
    area_ids = {area.id: areas[area.name] for area in inventory.areas}
    await _place_devices(socket, inventory, area_ids)
    await _label_and_hide(socket, inventory)
    for exposed in (True, False):
        ids = [e.id for e in inventory.entities if e.exposed is exposed]
        await socket.command(
            "homeassistant/expose_entity", assistants=["conversation"], entity_ids=ids, should_expose=exposed
        )


async def _place_devices(socket: Socket, inventory: Inventory, area_ids: dict[str, str]) -> None:
    placed = {device.name: area_ids[device.area] for device in inventory.devices if device.area}
    for row in await socket.command("config/device_registry/list"):
        if area_id := placed.get(row["name"]):
            await socket.command("config/device_registry/update", device_id=row["id"], area_id=area_id)


async def _label_and_hide(socket: Socket, inventory: Inventory) -> None:
    label_ids = {row["name"]: row["label_id"] for row in await socket.command("config/label_registry/list")}
    for entity in inventory.entities:
        for name in set(entity.labels) - label_ids.keys():
            label_ids[name] = (await socket.command("config/label_registry/create", name=name))["label_id"]
        changes: dict[str, Any] = {"labels": [label_ids[name] for name in entity.labels]} if entity.labels else {}
        if entity.hidden:
            changes["hidden_by"] = "user"
        if changes:
            await socket.command("config/entity_registry/update", entity_id=entity.id, **changes)


def _entity(entity: EntitySpec, devices: dict[str, str]) -> dict[str, Any]:
    attributes = entity.attributes
    spec: dict[str, Any] = {
        "domain": entity.domain,
        "object_id": _object_id(entity),
        "name": entity.name,
        "area": entity.area,
        "aliases": list(entity.aliases),
        "device_class": attributes.get("device_class"),
        "unit": attributes.get("unit_of_measurement"),
        "state_class": attributes.get("state_class"),
        "device": devices.get(entity.device) if entity.device else None,
        "state": _state(entity),
    }
    if entity.domain == "light":
        modes = set(attributes.get("supported_color_modes", ()))
        spec["features"] = sorted(modes & {"brightness", "color_temp", "hs", "onoff"})
    return {key: value for key, value in spec.items() if value is not None}


def _state(entity: EntitySpec) -> dict[str, Any]:
    """The device's own values of a state, in synth_home's words."""
    state, attributes = entity.state, entity.attributes
    match entity.domain:
        case "light" | "switch" | "binary_sensor" | "humidifier":
            return {"is_on": state == "on"}
        case "lock":
            return {"is_locked": state == "locked"}
        case "sensor" | "number":
            return {"native_value": float(state)} if state.replace(".", "", 1).lstrip("-").isdigit() else {}
        case "cover":
            return {"current_cover_position": attributes.get("current_position", 100 if state == "open" else 0)}
        case "climate":
            values = {"hvac_mode": state, "target_temperature": attributes.get("temperature")}
            return {**values, "current_temperature": attributes.get("current_temperature")}
    return {}


def _object_id(entity: EntitySpec) -> str:
    return entity.id.partition(".")[2]
