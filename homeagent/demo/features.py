"""Home Assistant's supported-feature bits by name, and what a device of a domain can do when an inventory is silent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def _bits(names: str) -> dict[str, int]:
    """Names in the order of their bits; ``-`` leaves a bit out."""
    return {name: 1 << place for place, name in enumerate(names.split()) if name != "-"}


FEATURES: dict[str, dict[str, int]] = {
    "alarm_control_panel": _bits("ARM_HOME ARM_AWAY ARM_NIGHT TRIGGER ARM_CUSTOM_BYPASS ARM_VACATION"),
    "calendar": _bits("CREATE_EVENT DELETE_EVENT UPDATE_EVENT"),
    "camera": _bits("ON_OFF STREAM"),
    "climate": _bits(
        "TARGET_TEMPERATURE TARGET_TEMPERATURE_RANGE TARGET_HUMIDITY FAN_MODE PRESET_MODE SWING_MODE AUX_HEAT "
        "TURN_OFF TURN_ON SWING_HORIZONTAL_MODE"
    ),
    "cover": _bits("OPEN CLOSE SET_POSITION STOP OPEN_TILT CLOSE_TILT STOP_TILT SET_TILT_POSITION"),
    "fan": _bits("SET_SPEED OSCILLATE DIRECTION PRESET_MODE TURN_OFF TURN_ON"),
    "humidifier": _bits("MODES"),
    "lawn_mower": _bits("START_MOWING PAUSE DOCK"),
    "light": {"EFFECT": 4, "FLASH": 8, "TRANSITION": 32},
    "lock": _bits("OPEN"),
    "media_player": _bits(
        "PAUSE SEEK VOLUME_SET VOLUME_MUTE PREVIOUS_TRACK NEXT_TRACK - TURN_ON TURN_OFF PLAY_MEDIA VOLUME_STEP "
        "SELECT_SOURCE STOP CLEAR_PLAYLIST PLAY SHUFFLE_SET SELECT_SOUND_MODE BROWSE_MEDIA REPEAT_SET GROUPING"
    ),
    "siren": _bits("TURN_ON TURN_OFF TONES VOLUME_SET DURATION"),
    "todo": _bits(
        "CREATE_TODO_ITEM DELETE_TODO_ITEM UPDATE_TODO_ITEM MOVE_TODO_ITEM SET_DUE_DATE_ON_ITEM "
        "SET_DUE_DATETIME_ON_ITEM SET_DESCRIPTION_ON_ITEM"
    ),
    "update": _bits("INSTALL SPECIFIC_VERSION PROGRESS BACKUP RELEASE_NOTES"),
    "vacuum": _bits(
        "- - PAUSE STOP RETURN_HOME FAN_SPEED BATTERY STATUS SEND_COMMAND LOCATE CLEAN_SPOT MAP STATE START"
    ),
    "valve": _bits("OPEN CLOSE SET_POSITION STOP"),
    "water_heater": _bits("TARGET_TEMPERATURE OPERATION_MODE AWAY_MODE ON_OFF"),
    "weather": _bits("FORECAST_DAILY FORECAST_HOURLY FORECAST_TWICE_DAILY"),
}

_USUAL = {
    "alarm_control_panel": "ARM_HOME ARM_AWAY ARM_NIGHT",
    "calendar": "CREATE_EVENT",
    "camera": "ON_OFF",
    "climate": "TARGET_TEMPERATURE TURN_ON TURN_OFF",
    "cover": "OPEN CLOSE STOP",
    "fan": "SET_SPEED TURN_ON TURN_OFF",
    "lawn_mower": "START_MOWING PAUSE DOCK",
    "media_player": (
        "PLAY PAUSE STOP NEXT_TRACK PREVIOUS_TRACK VOLUME_SET VOLUME_STEP VOLUME_MUTE TURN_ON TURN_OFF PLAY_MEDIA"
    ),
    "siren": "TURN_ON TURN_OFF",
    "todo": "CREATE_TODO_ITEM DELETE_TODO_ITEM UPDATE_TODO_ITEM",
    "update": "INSTALL",
    "vacuum": "START STOP PAUSE RETURN_HOME STATE",
    "valve": "OPEN CLOSE",
    "water_heater": "TARGET_TEMPERATURE OPERATION_MODE",
    "weather": "FORECAST_DAILY FORECAST_HOURLY",
}

_TAKEN_FROM = {
    "climate": {"preset_modes": "PRESET_MODE", "fan_modes": "FAN_MODE", "swing_modes": "SWING_MODE"},
    "cover": {"current_position": "SET_POSITION"},
    "fan": {"preset_modes": "PRESET_MODE", "oscillating": "OSCILLATE", "direction": "DIRECTION"},
    "humidifier": {"available_modes": "MODES"},
    "light": {"effect_list": "EFFECT"},
    "media_player": {"source_list": "SELECT_SOURCE", "shuffle": "SHUFFLE_SET", "repeat": "REPEAT_SET"},
    "siren": {"available_tones": "TONES"},
    "vacuum": {"fan_speed_list": "FAN_SPEED"},
    "valve": {"current_position": "SET_POSITION"},
    "water_heater": {"away_mode": "AWAY_MODE"},
}


def feature(domain: str, *names: str) -> int:
    """The bits of these features of a domain, together."""
    return sum(FEATURES[domain][name] for name in names)


def parse_features(domain: str, given: Any, attributes: Iterable[str] = ()) -> int | None:
    """The feature bits of an entity of ``domain``; None for a domain that has none.

    ``given`` is a number, a name, a list of names (``PLAY``, ``MediaPlayerEntityFeature.PLAY`` …), or None: then what
    is usual for the domain and what its ``attributes`` tell. Raises ValueError for an unknown name.
    """
    if domain not in FEATURES:
        return None
    if isinstance(given, int) and not isinstance(given, bool):
        return given
    if given is None:
        told = [name for attribute, name in _TAKEN_FROM.get(domain, {}).items() if attribute in attributes]
        return _sum(domain, [*_USUAL.get(domain, "").split(), *told])
    names = given.split("|") if isinstance(given, str) else [str(name) for name in given]
    return _sum(domain, [name.strip().rpartition(".")[2].upper() for name in names])


def _sum(domain: str, names: Iterable[str]) -> int:
    bits = 0
    for name in names:
        if name not in FEATURES[domain]:
            raise ValueError(f"{domain} has no feature {name}; it has {', '.join(FEATURES[domain])}")
        bits |= FEATURES[domain][name]
    return bits
