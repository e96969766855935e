"""A part of the live home as an inventory of the simulated home (see `homeagent.demo.inventory`): plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from homeagent.ha.home import Home
from indexer.entity import Area, Entity

_KEPT = frozenset(
    {
        "device_class", "state_class", "unit_of_measurement", "supported_features", "assumed_state",
        "options", "min", "max", "step", "mode", "supported_color_modes", "brightness", "color_temp_kelvin",
        "min_color_temp_kelvin", "max_color_temp_kelvin", "hs_color", "rgb_color", "effect", "effect_list",
        "hvac_modes", "hvac_action", "temperature", "current_temperature", "target_temp_low",
        "target_temp_high", "target_temp_step", "min_temp", "max_temp", "preset_mode", "preset_modes",
        "fan_mode", "fan_modes", "swing_mode", "swing_modes", "humidity", "current_humidity", "min_humidity",
        "max_humidity", "available_modes", "percentage", "percentage_step", "oscillating", "direction",
        "current_position", "current_tilt_position", "volume_level", "is_volume_muted", "source",
        "source_list", "sound_mode", "sound_mode_list", "shuffle", "repeat", "operation_mode",
        "operation_list", "away_mode", "fan_speed", "fan_speed_list", "duration", "available_tones",
        "temperature_unit", "has_date", "has_time",
    }
)  # fmt: skip
"""Attributes that tell what a thing is and how it stands; not what it plays, where it is, what gives access."""


def inventory_of(home: Home, entity_ids: Iterable[str], before: Mapping[str, str]) -> dict[str, Any]:
    """The home with these entities alone, and the members of groups among them. ``before``: states of some of them,
    in place of those that they have now. What is not exposed is left out."""
    entities = _with_members(home, entity_ids)
    areas = {e.area.area_id: e.area for e in entities if e.area is not None}
    floors = {a.floor_id for a in areas.values()} & home.floors.keys()
    devices = {e.device_id: e for e in entities if e.device_id is not None and e.device_name}
    return {
        "x-language": home.config.language,
        "x-time-zone": str(home.config.time_zone),
        "x-temperature-unit": home.config.temperature_unit,
        "x-floors": [
            {"id": f.floor_id, "name": f.name, "level": f.level, "aliases": list(f.aliases)}
            for f in home.floors.values()
            if f.floor_id in floors
        ],
        "areas": [_area(area, home) for area in areas.values()],
        "devices": [
            {"id": i, "name": e.device_name, "area": e.area.area_id if e.area else None} for i, e in devices.items()
        ],
        "entities": [_entity(e, home, before, devices) for e in entities],
    }


def _with_members(home: Home, entity_ids: Iterable[str]) -> list[Entity]:
    found: dict[str, Entity] = {}
    left = list(entity_ids)
    while left:
        entity = home.entity(left.pop(0))
        known = entity is not None and home.state(entity.entity_id) is not None
        if entity is not None and known and entity.exposed and entity.entity_id not in found:
            found[entity.entity_id] = entity
            left += entity.members
    return list(found.values())


def _area(area: Area, home: Home) -> dict[str, Any]:
    floor = area.floor_id if area.floor_id in home.floors else None
    return {"id": area.area_id, "name": area.name, "floor": floor, "x-aliases": list(area.aliases)}


def _entity(entity: Entity, home: Home, before: Mapping[str, str], devices: Mapping[str, Entity]) -> dict[str, Any]:
    state = home.state(entity.entity_id)
    assert state is not None
    told: dict[str, Any] = {
        "id": entity.entity_id,
        "name": entity.name,
        "state": before.get(entity.entity_id, state.state),
        "attributes": {k: v for k, v in state.attributes.items() if k in _KEPT},
        "area": entity.area.area_id if entity.area else None,
        "device": entity.device_id if entity.device_id in devices else None,
        "x-aliases": list(entity.aliases),
        "x-labels": list(entity.labels),
        "x-category": entity.category.value if entity.category else None,
        "x-hidden": entity.hidden,
    }
    members = [i for i in entity.members if (e := home.entity(i)) is not None and e.exposed]
    return told | ({"x-members": members} if members and entity.domain not in ("scene", "script") else {})
