"""An inventory as the real Home Assistant's `synth_home` integration takes it, and as YAML for what it has built in.

Home Assistant shows a device's ``native_value`` as the state, its ``target_temperature`` as ``temperature`` …; here it
goes the other way.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from homeagent.demo.inventory import EntitySpec, Inventory
from homeagent.demo.service_schema import words

BUILT_IN = words(
    "automation counter input_boolean input_button input_datetime input_number input_select input_text person "
    "scene script sun timer zone"
)
"""Domains that come from the configuration, or are there anyway."""

ABSENT = frozenset({"assist_satellite"})
"""Domains without a counterpart: no service of theirs is in the contract."""

_CONSTANT = words(
    "supported_features hvac_modes min_temp max_temp min_humidity max_humidity target_temp_step fan_modes "
    "preset_modes swing_modes source_list sound_mode_list fan_speed_list available_tones available_modes "
    "operation_list effect_list code_arm_required latest_version event_types"
)
_CONSTANT_NAMES = {"target_temp_step": "target_temperature_step"}
_NAMES: dict[str, dict[str, str]] = {
    "climate": {
        "temperature": "target_temperature",
        "target_temp_low": "target_temperature_low",
        "target_temp_high": "target_temperature_high",
        "humidity": "target_humidity",
    },
    "humidifier": {"humidity": "target_humidity"},
    "cover": {"current_position": "current_cover_position", "current_tilt_position": "current_cover_tilt_position"},
    "valve": {"current_position": "current_valve_position"},
    "fan": {"direction": "current_direction"},
    "number": {"min": "native_min_value", "max": "native_max_value", "step": "native_step"},
    "text": {"min": "native_min", "max": "native_max"},
    "water_heater": {"temperature": "target_temperature"},
    "weather": {key: f"native_{key}" for key in ("temperature", "temperature_unit", "wind_speed", "wind_speed_unit")}
    | {key: f"native_{key}" for key in ("pressure", "pressure_unit")},
}
_LEFT_OUT = words(
    "supported_color_modes device_class unit_of_measurement state_class percentage_step media_playlist "
    "friendly_name assumed_state entity_id mode pattern hvac_action options event_type away_mode "
    "min_color_temp_kelvin max_color_temp_kelvin"
)


def home(inventory: Inventory) -> dict[str, Any]:
    """The inventory.json of `synth_home`: floors, areas, devices, entities, scripts and scenes."""
    devices = {device.id: device.name for device in inventory.devices}
    entities = [
        e for e in inventory.entities if (e.domain not in BUILT_IN | ABSENT or _is_of_a_bridge(e)) and not _is_group(e)
    ]
    return {
        "floors": [{"id": f.id, "name": f.name, "level": f.level, "aliases": f.aliases} for f in inventory.floors],
        "areas": [{"id": a.id, "name": a.name, "floor": a.floor, "aliases": a.aliases} for a in inventory.areas],
        "devices": [{"name": d.name, "area": d.area} for d in inventory.devices],
        "entities": [entity(spec, devices) for spec in entities],
        "scripts": [
            {"id": _object_id(spec), "name": spec.name, "sequence": spec.extra["x-script"]["sequence"]}
            for spec in inventory.entities
            if spec.domain == "script"
        ],
        "scenes": [
            {"id": _object_id(spec), "name": spec.name, "entities": _on_off(spec.extra["x-scene"])}
            for spec in inventory.entities
            if spec.domain == "scene" and not _is_of_a_bridge(spec)
        ],
    }


def configuration(inventory: Inventory) -> str:
    """What goes into configuration.yaml for the domains that Home Assistant brings, as JSON (which is YAML)."""
    helpers: dict[str, Any] = {}
    for spec in inventory.entities:
        if make := _HELPERS.get(spec.domain):
            helpers.setdefault(spec.domain, {})[_object_id(spec)] = {"name": spec.name, **make(spec)}
    groups = [
        {
            "platform": "group",
            "name": spec.name,
            "unique_id": _object_id(spec),
            "entities": spec.attributes["entity_id"],
        }
        for spec in inventory.entities
        if _is_group(spec)
    ]
    people = [{"name": s.name, "id": _object_id(s)} for s in inventory.entities if s.domain == "person"]
    automations = [
        {"id": _object_id(s), "alias": s.name, **s.extra["x-automation"]}
        for s in inventory.entities
        if s.domain == "automation"
    ]
    sections = {**helpers, "light": groups, "person": people, "automation contract": automations, "sun": {}}
    return "".join(f"{name}: {json.dumps(content, ensure_ascii=False)}\n" for name, content in sections.items())


def entity(spec: EntitySpec, devices: Mapping[str, str]) -> dict[str, Any]:
    attributes = dict(spec.attributes)
    names = _NAMES.get(spec.domain, {})
    constant = {_CONSTANT_NAMES.get(k, k): v for k, v in attributes.items() if k in _CONSTANT}
    changing = {names.get(k, k): v for k, v in attributes.items() if k not in _CONSTANT | _LEFT_OUT}
    if spec.domain == "humidifier":
        changing["mode"] = attributes.get("mode")
    if "percentage_step" in attributes:
        constant["speed_count"] = round(100 / attributes["percentage_step"])
    for shared in ("native_min_value", "native_max_value", "native_step", "native_min", "native_max"):
        if shared in changing:
            constant[shared] = changing.pop(shared)
    told = {
        "domain": spec.domain,
        "object_id": _object_id(spec),
        "name": spec.name,
        "area": spec.area,
        "device": devices.get(spec.device or ""),
        "aliases": spec.aliases,
        "labels": spec.labels,
        "hidden": spec.hidden,
        "category": spec.category,
        "exposed": spec.exposed,
        "device_class": attributes.get("device_class"),
        "unit": attributes.get("unit_of_measurement"),
        "state_class": attributes.get("state_class"),
        "code": spec.extra.get("x-code"),
        "attr": constant,
        "state": {**changing, **_state(spec)},
        "lag": spec.behavior.lag,
        "ignores": spec.behavior.ignores,
        "returns_as": "docked",
        **_MORE.get(spec.domain, lambda _: {})(spec),
    }
    if spec.state == "unavailable":
        told["state"]["available"] = False
    if attributes.get("assumed_state"):
        told["state"]["assumed_state"] = True
    return told


def _state(spec: EntitySpec) -> dict[str, Any]:
    """What the device holds for the entity to show this state."""
    state = spec.state
    if state in ("unavailable", "unknown"):
        return {}
    make = _STATES.get(spec.domain)
    return make(spec) if make else {}


def _is_on(spec: EntitySpec) -> dict[str, Any]:
    return {"is_on": spec.state == "on"}


def _named(name: str, kind: Callable[[str], Any] = str) -> Callable[[EntitySpec], dict[str, Any]]:
    return lambda spec: {name: kind(spec.state)}


def _fan(spec: EntitySpec) -> dict[str, Any]:
    return {"percentage": spec.attributes.get("percentage", 0) if spec.state == "on" else 0, "preset_mode": None}


def _code(spec: EntitySpec) -> dict[str, Any]:
    return {"code_format": r"^\d{4}$"} if "x-code" in spec.extra else {}


def _cover(spec: EntitySpec) -> dict[str, Any]:
    if "current_position" in spec.attributes:
        return {}
    return {"is_closed": spec.state == "closed"}


_STATES: dict[str, Callable[[EntitySpec], dict[str, Any]]] = {
    **dict.fromkeys(["binary_sensor", "humidifier", "light", "remote", "siren", "switch"], _is_on),
    **dict.fromkeys(["date", "datetime", "sensor", "text", "time"], _named("native_value")),
    "alarm_control_panel": _named("alarm_state"),
    "camera": lambda spec: {"is_on": spec.state != "off"},
    "climate": _named("hvac_mode"),
    "cover": _cover,
    "device_tracker": lambda spec: {"home": spec.state == "home"},
    "fan": _fan,
    "lawn_mower": _named("activity"),
    "lock": lambda spec: {"is_locked": spec.state == "locked"},
    "media_player": _named("state"),
    "number": _named("native_value", float),
    "select": lambda spec: {"current_option": spec.state, "options": spec.attributes["options"]},
    "vacuum": _named("activity"),
    "valve": _cover,
    "water_heater": lambda spec: {
        "current_operation": spec.state,
        "is_away_mode_on": spec.attributes.get("away_mode") == "on",
    },
    "weather": _named("condition"),
}

_MORE: dict[str, Callable[[EntitySpec], dict[str, Any]]] = {
    "calendar": lambda spec: {"events": spec.extra.get("x-events", [])},
    "fan": lambda spec: {"speed": spec.attributes.get("percentage") or 100},
    "lock": lambda spec: {"attr": {"supported_features": spec.attributes.get("supported_features", 0), **_code(spec)}},
    "light": lambda spec: {"color_modes": spec.attributes["supported_color_modes"]},
    "media_player": lambda spec: {"playlist": spec.attributes.get("media_playlist", [])},
    "todo": lambda spec: {
        "items": [i if isinstance(i, dict) else {"summary": i} for i in spec.extra.get("x-items", [])]
    },
    "weather": lambda spec: {"forecast": spec.extra.get("x-forecast", [])},
}

_HELPERS: dict[str, Callable[[EntitySpec], dict[str, Any]]] = {
    "counter": lambda spec: {"initial": int(spec.state), "step": 1},
    "input_boolean": lambda spec: {"initial": spec.state == "on"},
    "input_button": lambda spec: {},
    "input_datetime": lambda spec: {
        "has_date": spec.attributes["has_date"],
        "has_time": spec.attributes["has_time"],
        "initial": spec.state,
    },
    "input_number": lambda spec: {
        **{key: spec.attributes[key] for key in ("min", "max", "step")},
        "initial": float(spec.state),
    },
    "input_select": lambda spec: {"options": spec.attributes["options"], "initial": spec.state},
    "input_text": lambda spec: {"initial": spec.state},
    "timer": lambda spec: {"duration": spec.attributes["duration"]},
}


def _object_id(spec: EntitySpec) -> str:
    return spec.id.partition(".")[2]


def _is_group(spec: EntitySpec) -> bool:
    return "x-members" in spec.extra


def _is_of_a_bridge(spec: EntitySpec) -> bool:
    """A scene that a bridge keeps: Home Assistant knows its name and nothing of what it sets."""
    return spec.domain == "scene" and "x-scene" not in spec.extra


def _on_off(scene: Mapping[str, Any]) -> dict[str, Any]:
    """YAML reads on and off as true and false."""
    return {key: {True: "on", False: "off"}[want] if isinstance(want, bool) else want for key, want in scene.items()}
