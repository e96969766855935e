"""One profile a domain of Home Assistant: a file beside this one, found by being here.

Who needs to know what a domain is, can or says reads it here. Its words are the language's (`homeagent/languages`), its
dangers the policy's (`homeagent/policy/effects.yaml`).
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from importlib import import_module
from types import MappingProxyType

from homeagent.domains.profile import ON_OFF, WIRED_TO_ANYTHING, Choices, Measure, MeasureUnit, Profile, Simulation
from homeagent.domains.service import Effect, Kind, Param, Service

__all__ = [
    "ACTIONS",
    "DOMAINS",
    "MIXED_SET_DOMAINS",
    "ON_OFF",
    "PROFILES",
    "SET_VALUE",
    "Choices",
    "Effect",
    "Kind",
    "Measure",
    "MeasureUnit",
    "Param",
    "Profile",
    "Service",
    "Simulation",
    "actions_of",
    "canonical_action",
    "from_service",
    "profile_of",
]

SET_VALUE = "set_value"
_NO_DOMAIN = frozenset({"actions", "profile", "service", "states", "way_back"})


def load_profiles() -> Iterator[Profile]:
    """The profiles of every module in this folder that is of a domain."""
    for module in pkgutil.iter_modules(__path__):
        if module.name not in _NO_DOMAIN:
            yield from import_module(f"{__name__}.{module.name}").PROFILES


PROFILES: Mapping[str, Profile] = MappingProxyType({p.domain: p for p in load_profiles()})
"""Every domain that is known, by its name."""

DOMAINS: Mapping[str, Profile] = MappingProxyType({d: p for d, p in PROFILES.items() if p.controllable})
"""Those that can be asked to do something."""

MIXED_SET_DOMAINS = frozenset(d for d, p in PROFILES.items() if p.in_everything)
"""What "turn off everything in the kitchen" means: a set that names no kind never reaches locks, scripts or sirens,
and nobody who leaves a room wants its heating off until they turn it on again."""


def profile_of(domain: str) -> Profile:
    """The profile of a domain. Of one that is not known nothing is but what its name may tell: it may be an oven."""
    return PROFILES.get(domain) or Profile(domain, name_tells=WIRED_TO_ANYTHING, appliance=True)


def actions_of(domain: str) -> tuple[str, ...]:
    """The actions of a domain, by our words; empty where it can only be read."""
    profile = profile_of(domain)
    return (*profile.actions, *((SET_VALUE,) if profile.setters and SET_VALUE not in profile.actions else ()))


ACTIONS: tuple[str, ...] = tuple(sorted({action for domain in DOMAINS for action in actions_of(domain)}))
"""Every action that some domain has."""


def canonical_action(domain: str, action: str) -> str | None:
    """Our word for what was asked of a domain: an action, another word for one, or a service's own name.

    None: the domain has nothing of the kind.
    """
    if action in actions_of(domain):
        return action
    same = profile_of(domain).same
    return same[action] if action in same else from_service(domain, action)


def from_service(domain: str, service: str) -> str | None:
    """Our action for one of Home Assistant's services (``cover`` and ``open_cover``: ``open``)."""
    profile = profile_of(domain)
    for action, entry in profile.actions.items():
        if entry.name == service and not entry.data:
            return action
    return SET_VALUE if any(entry.name == service for entry in profile.setters) else None
