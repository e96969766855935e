"""What each domain can be asked to do: our actions, Home Assistant's services behind them, parameters, needs, effects.

Data, not code: a domain is one `Abilities` value in the tables beside this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from homeagent.ha.services import devices, helpers, media, openings
from homeagent.ha.services.model import Abilities, Effect, Kind, Param, Service

__all__ = [
    "ACTIONS",
    "DOMAINS",
    "MIXED_SET_DOMAINS",
    "SET_VALUE",
    "Abilities",
    "Effect",
    "Kind",
    "Param",
    "Service",
    "actions_of",
    "canonical_action",
    "from_service",
]

SET_VALUE = "set_value"

DOMAINS: Mapping[str, Abilities] = MappingProxyType(
    {
        "alarm_control_panel": openings.ALARM_CONTROL_PANEL,
        "assist_satellite": helpers.ASSIST_SATELLITE,
        "automation": helpers.AUTOMATION,
        "button": helpers.BUTTON,
        "calendar": helpers.CALENDAR,
        "camera": devices.CAMERA,
        "climate": devices.CLIMATE,
        "counter": helpers.COUNTER,
        "cover": openings.COVER,
        "date": helpers.DATE,
        "datetime": helpers.DATETIME,
        "fan": devices.FAN,
        "humidifier": devices.HUMIDIFIER,
        "input_boolean": helpers.INPUT_BOOLEAN,
        "input_button": helpers.BUTTON,
        "input_datetime": helpers.INPUT_DATETIME,
        "input_number": helpers.INPUT_NUMBER,
        "input_select": helpers.SELECT,
        "input_text": helpers.TEXT,
        "lawn_mower": devices.LAWN_MOWER,
        "light": devices.LIGHT,
        "lock": openings.LOCK,
        "media_player": media.MEDIA_PLAYER,
        "notify": helpers.NOTIFY,
        "number": helpers.NUMBER,
        "remote": devices.REMOTE,
        "scene": helpers.SCENE,
        "script": helpers.SCRIPT,
        "select": helpers.SELECT,
        "siren": devices.SIREN,
        "switch": devices.SWITCH,
        "text": helpers.TEXT,
        "time": helpers.TIME,
        "timer": helpers.TIMER,
        "todo": helpers.TODO,
        "update": helpers.UPDATE,
        "vacuum": devices.VACUUM,
        "valve": openings.VALVE,
        "water_heater": devices.WATER_HEATER,
    }
)

MIXED_SET_DOMAINS = frozenset({"light", "switch", "fan", "media_player", "humidifier", "input_boolean"})
"""What "turn off everything in the kitchen" means: a set that names no kind never reaches locks, scripts or sirens,
and nobody who leaves a room wants its heating off until they turn it on again."""


def actions_of(domain: str) -> tuple[str, ...]:
    """The actions of a domain, by our words; empty where it can only be read."""
    abilities = DOMAINS.get(domain)
    if abilities is None:
        return ()
    return (*abilities.actions, *((SET_VALUE,) if abilities.setters and SET_VALUE not in abilities.actions else ()))


ACTIONS: tuple[str, ...] = tuple(sorted({action for domain in DOMAINS for action in actions_of(domain)}))
"""Every action that some domain has."""


def canonical_action(domain: str, action: str) -> str | None:
    """Our word for what was asked of a domain: an action, another word for one, or a service's own name.

    None: the domain has nothing of the kind.
    """
    abilities = DOMAINS.get(domain)
    if abilities is None:
        return None
    if action in actions_of(domain):
        return action
    if action in abilities.same:
        return abilities.same[action]
    return from_service(domain, action)


def from_service(domain: str, service: str) -> str | None:
    """Our action for one of Home Assistant's services (``cover`` and ``open_cover``: ``open``)."""
    abilities = DOMAINS.get(domain)
    if abilities is None:
        return None
    for action, entry in abilities.actions.items():
        if entry.name == service and not entry.data:
            return action
    return SET_VALUE if any(entry.name == service for entry in abilities.setters) else None
