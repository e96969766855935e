"""Which domains an action or a setting is for, as the service tables have it, and the likelier first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from homeagent.ha.services import DOMAINS, MIXED_SET_DOMAINS, canonical_action

EVERYTHING = tuple(sorted(MIXED_SET_DOMAINS))
"""What "everything" means: nothing that opens, locks, arms or heats."""

_LIKELY = (
    "light",
    "switch",
    "fan",
    "media_player",
    "climate",
    "cover",
    "lock",
    "vacuum",
    "input_boolean",
    "humidifier",
    "scene",
    "script",
    "valve",
    "lawn_mower",
    "water_heater",
    "siren",
    "alarm_control_panel",
    "todo",
    "select",
    "input_select",
    "number",
    "input_number",
    "button",
    "input_button",
    "assist_satellite",
    "remote",
    "automation",
)
"""Domains that people control by voice, the likelier first; the others (updates, timers, cameras) are never guessed."""

_BY_DOMAIN: Mapping[tuple[str, str], str] = {
    ("turn_on", "lock"): "lock",
    ("turn_off", "lock"): "unlock",
    ("turn_on", "cover"): "open",
    ("turn_off", "cover"): "close",
    ("turn_on", "valve"): "open",
    ("turn_off", "valve"): "close",
    ("turn_on", "button"): "press",
    ("turn_on", "input_button"): "press",
    ("turn_on", "vacuum"): "start",
    ("turn_on", "lawn_mower"): "start",
    ("turn_off", "vacuum"): "return_to_base",
    ("turn_off", "lawn_mower"): "return_to_base",
    ("return_to_base", "lawn_mower"): "dock",
    ("turn_off", "alarm_control_panel"): "disarm",
    ("turn_on", "alarm_control_panel"): "arm_away",
    ("open", "lock"): "unlock",
    ("start", "media_player"): "play",
    ("start", "automation"): "trigger",
    **{("start", d): "turn_on" for d in ("switch", "fan", "input_boolean", "humidifier", "climate", "siren")},
    **{("stop", d): "turn_off" for d in ("switch", "fan", "input_boolean", "humidifier", "climate", "siren")},
    ("press", "scene"): "turn_on",
    ("press", "script"): "turn_on",
}
"""What is meant by an action where a domain has another word for it."""

_MEANT = {("turn_on", "lock"), ("turn_off", "lock")}
"""Meant by Home Assistant's own sentences only: nobody who says "turn off the lock" can be sure to be understood."""


def everything_for(action: str, domains: Sequence[str]) -> tuple[str, ...]:
    """The kinds that "everything" means for an action, of ``domains`` (the likelier first); may be none.

    What is to be switched is a mixed set. For any other action only those count that have it by this very name: opening
    everything is about covers, and never means the locks, which "open" may mean of a door alone.
    """
    literal = [d for d in domains if (action, d) not in _BY_DOMAIN]
    mixed = tuple(d for d in EVERYTHING if d in literal)
    return mixed or tuple(literal[:1])


OPPOSITE: Mapping[str, str] = {
    "turn_on": "turn_off",
    "turn_off": "turn_on",
    "open": "close",
    "close": "open",
    "lock": "unlock",
    "unlock": "lock",
    "pause": "play",
    "play": "pause",
    "mute": "unmute",
    "unmute": "mute",
}


def action_for(action: str, domain: str) -> str:
    """The action that is meant when it is said of a thing of this domain."""
    meant = _BY_DOMAIN.get((action, domain), action)
    return canonical_action(domain, meant) or meant


def domains_for(action: str, parameters: Iterable[str] = ()) -> tuple[str, ...]:
    """The domains that can take the action with these parameters, the likelier first."""
    return _domains_for(action, tuple(sorted(parameters)))


@lru_cache(maxsize=512)
def _domains_for(action: str, parameters: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(d for d in _LIKELY if _can(d, action) and set(parameters) <= _parameters(d))


def _can(domain: str, action: str) -> bool:
    if (action, domain) in _MEANT:
        return False
    return canonical_action(domain, _BY_DOMAIN.get((action, domain), action)) is not None


@lru_cache(maxsize=64)
def _parameters(domain: str) -> frozenset[str]:
    abilities = DOMAINS[domain]
    return frozenset(p.name for s in (*abilities.actions.values(), *abilities.setters) for p in s.params)
