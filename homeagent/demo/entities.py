"""How an entity of the inventory starts: its state and attributes as Home Assistant would show them.

The public format writes a device's own values (``native_value``, ``target_temperature``, enum names, true for
"on"); Home Assistant's words are made of them here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from homeagent.demo.features import parse_features
from homeagent.demo.schema import words

Raw = Mapping[str, Any]

_RENAMED = {
    "native_unit_of_measurement": "unit_of_measurement",
    "native_min_value": "min",
    "native_max_value": "max",
    "native_step": "step",
    "target_temperature": "temperature",
    "target_temperature_high": "target_temp_high",
    "target_temperature_low": "target_temp_low",
    "current_cover_position": "current_position",
    "current_cover_tilt_position": "current_tilt_position",
    "current_valve_position": "current_position",
    "target_humidity": "humidity",
    "native_temperature": "temperature",
    "native_temperature_unit": "temperature_unit",
    "native_wind_speed": "wind_speed",
    "native_wind_speed_unit": "wind_speed_unit",
    "native_pressure": "pressure",
    "native_pressure_unit": "pressure_unit",
}

_STATE_IN = ("native_value", "hvac_mode", "alarm_state", "activity", "condition", "current_option", "state", "is_on")
"""Attributes of the public format that stand for the state itself."""

_ON_OFF = ("on", "off")
_BOOLEAN_STATES = {
    "cover": ("open", "closed"),
    "valve": ("open", "closed"),
    "lock": ("locked", "unlocked"),
    "device_tracker": ("home", "not_home"),
    "person": ("home", "not_home"),
}

_STARTS = {
    "alarm_control_panel": "disarmed",
    "automation": "on",
    "calendar": "off",
    "camera": "idle",
    "climate": "off",
    "counter": "0",
    "cover": "closed",
    "device_tracker": "not_home",
    "input_number": "0.0",
    "lawn_mower": "docked",
    "lock": "locked",
    "media_player": "off",
    "number": "0.0",
    "person": "not_home",
    "timer": "idle",
    "todo": "0",
    "vacuum": "docked",
    "valve": "closed",
    "water_heater": "off",
}

_OFF_BY_DEFAULT = words("binary_sensor fan group humidifier input_boolean light remote script siren switch update")

_DEFAULTS: dict[str, dict[str, Any]] = {
    "climate": {"hvac_modes": ["off", "heat"], "min_temp": 7, "max_temp": 35},
    "counter": {"initial": 0, "step": 1},
    "fan": {"percentage": 0, "percentage_step": 1.0},
    "humidifier": {"min_humidity": 0, "max_humidity": 100},
    "input_number": {"min": 0.0, "max": 100.0, "step": 1.0, "mode": "slider"},
    "input_text": {"min": 0, "max": 100, "pattern": None, "mode": "text"},
    "light": {"supported_color_modes": ["onoff"]},
    "number": {"min": 0.0, "max": 100.0, "step": 1.0, "mode": "auto"},
    "text": {"min": 0, "max": 255, "pattern": None, "mode": "text"},
    "water_heater": {"min_temp": 43, "max_temp": 60, "operation_list": ["off", "eco", "performance"]},
}


def initial_state(domain: str, item: Raw) -> tuple[str, dict[str, Any]]:
    """The state and the attributes of an entity of the inventory. Raises ValueError for an unknown feature."""
    given = {_RENAMED.get(key, key): _plain(value) for key, value in (item.get("attributes") or {}).items()}
    attributes = {**_DEFAULTS.get(domain, {}), **{k: v for k, v in given.items() if k not in _STATE_IN}}
    told = item.get("state")
    if told is None:
        told = next((given[key] for key in _STATE_IN if given.get(key) is not None), None)
    state = _state(domain, told, attributes)
    features = parse_features(domain, attributes.pop("supported_features", None), attributes)
    if features is not None:
        attributes["supported_features"] = features
    return state, attributes


def _plain(value: Any) -> Any:
    """Enum names such as ``sensor.SensorDeviceClass.BATTERY`` become Home Assistant's values."""
    if isinstance(value, str) and value.count(".") in (1, 2) and value.rpartition(".")[2].isupper():
        holder = value.split(".")[-2]
        if holder[:1].isupper() and not holder.endswith("Feature"):
            return value.rpartition(".")[2].lower()
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return value


def _state(domain: str, told: Any, attributes: Mapping[str, Any]) -> str:
    if isinstance(told, bool):
        yes, no = _BOOLEAN_STATES.get(domain, _ON_OFF)
        return yes if told else no
    if told is not None:
        return str(told)
    if domain == "light" and (attributes.get("brightness") or attributes.get("rgbw_color")):
        return "on"
    if domain in ("cover", "valve") and attributes.get("current_position"):
        return "open"
    if domain in ("select", "input_select") and attributes.get("options"):
        return str(attributes["options"][0])
    return "off" if domain in _OFF_BY_DEFAULT else _STARTS.get(domain, "unknown")
