"""What Home Assistant's things can be asked: the states of each domain, and where an attribute is to be read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from indexer.entity import Entity

STATE = "state."
"""Sections of the lexicon that hold the words for the states of one device class."""

STATES: Mapping[str, tuple[str, ...]] = {
    "cover": ("open", "closed", "opening", "closing"),
    "valve": ("open", "closed", "opening", "closing"),
    "lock": ("locked", "unlocked", "locking", "unlocking", "jammed"),
    "person": ("home", "not_home"),
    "device_tracker": ("home", "not_home"),
    "media_player": ("on", "off", "playing", "paused", "idle", "standby", "buffering"),
    "vacuum": ("cleaning", "docked", "returning", "paused", "idle", "error", "on"),
    "lawn_mower": ("mowing", "docked", "returning", "paused", "error", "on"),
    "climate": ("off", "on", "heat", "cool", "heat_cool", "auto", "dry", "fan_only"),
    "alarm_control_panel": (
        *("armed_away", "armed_home", "armed_night", "armed_vacation", "armed_custom_bypass", "armed"),
        *("arming", "disarmed", "triggered", "pending"),
    ),
    "sun": ("above_horizon", "below_horizon"),
}
ON_OFF = ("on", "off")
SWITCHED = frozenset(
    {
        *("light", "switch", "fan", "input_boolean", "humidifier", "siren", "automation"),
        *("script", "remote", "group", "binary_sensor", "update", "water_heater"),
    }
)

ATTRIBUTES: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "brightness": (("sensor", "illuminance", ""), ("light", "", "brightness")),
    "color": (("light", "", "hs_color"),),
    "color_temp": (("light", "", "color_temp_kelvin"),),
    "temperature": (
        ("sensor", "temperature", ""),
        ("climate", "", "current_temperature"),
        ("water_heater", "", "current_temperature"),
    ),
    "target_temperature": (("climate", "", "temperature"), ("water_heater", "", "temperature")),
    "humidity": (
        ("sensor", "humidity", ""),
        ("sensor", "moisture", ""),
        ("humidifier", "", "current_humidity"),
        ("climate", "", "current_humidity"),
    ),
    "volume": (("media_player", "", "volume_level"),),
    "position": (("cover", "", "current_position"), ("valve", "", "current_position")),
    "fan_speed": (("fan", "", "percentage"),),
    "battery": (("sensor", "battery", ""), ("binary_sensor", "battery", ""), ("vacuum", "", "battery_level")),
    "power": (("sensor", "power", ""),),
    "energy": (("sensor", "energy", ""),),
    "media": (("media_player", "", "media_title"),),
    "source": (("media_player", "", "source"),),
    "mode": (("climate", "", ""),),
    "fan_mode": (("climate", "", "fan_mode"),),
    "preset": (("climate", "", "preset_mode"), ("fan", "", "preset_mode")),
}
"""Where an attribute is to be read, the likelier first: domain, device class, attribute (empty: the state itself)."""


RANGE = ("target_temp_low", "target_temp_high")
"""What a climate is set to that heats and cools."""
FINISHED = "finished"
"""What is asked of a thing as a whole: whether it has come to its end."""
AT_REST = frozenset(
    {
        *("off", "idle", "standby", "docked", "ready", "inactive", "not_running", "none"),
        *("finished", "done", "complete", "completed", "end", "ended", "program_ended"),
    }
)
"""Raw states of a machine that is not, or no longer, at work."""


_WIDER: Mapping[str, tuple[str, ...]] = {
    "armed": ("armed_away", "armed_home", "armed_night", "armed_vacation", "armed_custom_bypass"),
}
"""What people say that is several states of Home Assistant."""


_RUNNING: Mapping[str, tuple[str, ...]] = {
    "climate": ("heat", "cool", "heat_cool", "auto", "dry", "fan_only"),
    "water_heater": ("eco", "electric", "gas", "heat_pump", "high_demand", "performance"),
    "media_player": ("playing", "paused", "idle", "buffering"),
    "vacuum": ("cleaning",),
    "lawn_mower": ("mowing",),
}
"""What "on" is in the states of a domain that has more to tell."""


def raw_states(entity: Entity, states: Iterable[str]) -> tuple[str, ...]:
    """Of these raw states the ones that this entity can be in."""
    running = _RUNNING.get(entity.domain, ())
    known = (*STATES.get(entity.domain, ON_OFF if entity.domain in SWITCHED else ()), *running)
    wider = {**_WIDER, "on": ("on", *running)}
    return tuple(dict.fromkeys(raw for s in states for raw in wider.get(s, (s,)) if raw in known))
