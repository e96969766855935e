"""How an entity of the inventory starts: its state and attributes as Home Assistant would show them.

The public format writes a device's own values (``native_value``, ``target_temperature``, enum names, true for
"on"); Home Assistant's words are made of them here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from homeagent.demo.supported_features import parse_features
from homeagent.domains import profile_of

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


def initial_state(domain: str, item: Raw) -> tuple[str, dict[str, object]]:
    """The state and the attributes of an entity of the inventory. Raises ValueError for an unknown feature."""
    given = {_RENAMED.get(key, key): _plain(value) for key, value in (item.get("attributes") or {}).items()}
    attributes = {**profile_of(domain).simulated.attributes, **{k: v for k, v in given.items() if k not in _STATE_IN}}
    told = item.get("state")
    if told is None:
        told = next((given[key] for key in _STATE_IN if given.get(key) is not None), None)
    state = _state(domain, told, attributes)
    features = parse_features(domain, attributes.pop("supported_features", None), attributes)
    if features is not None:
        attributes["supported_features"] = features
    return state, attributes


def _plain(value: object) -> Any:
    """Enum names such as ``sensor.SensorDeviceClass.BATTERY`` become Home Assistant's values."""
    if isinstance(value, str) and value.count(".") in (1, 2) and value.rpartition(".")[2].isupper():
        holder = value.split(".")[-2]
        if holder[:1].isupper() and not holder.endswith("Feature"):
            return value.rpartition(".")[2].lower()
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return value


def _state(domain: str, told: Any, attributes: Mapping[str, Any]) -> str:
    profile = profile_of(domain)
    simulated = profile.simulated
    if isinstance(told, bool):
        yes, no = simulated.yes_no
        return yes if told else no
    if told is not None:
        return str(told)
    if any(attributes.get(name) for name in simulated.active_by):
        return profile.active
    if offered := attributes.get(simulated.first_of):
        return str(offered[0])
    return simulated.start
