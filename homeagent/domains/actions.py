"""Which domains an action or a setting is for, as the service tables have it, and the likelier first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from homeagent.domains import DOMAINS, MIXED_SET_DOMAINS, canonical_action, profile_of

EVERYTHING = tuple(sorted(MIXED_SET_DOMAINS))
"""What "everything" means: nothing that opens, locks, arms or heats."""

_LIKELY = tuple(d for _, d in sorted((p.rank, d) for d, p in DOMAINS.items() if p.rank is not None))
"""Domains that people control by voice, the likelier first."""


def everything_for(action: str, domains: Sequence[str]) -> tuple[str, ...]:
    """The kinds that "everything" means for an action, of ``domains`` (the likelier first); may be none.

    What is to be switched is a mixed set. For any other action only those count that have it by this very name: opening
    everything is about covers, and never means the locks, which "open" may mean of a door alone.
    """
    literal = [d for d in domains if action not in profile_of(d).meant]
    mixed = tuple(d for d in EVERYTHING if d in literal)
    return mixed or tuple(literal[:1])


BROUGHT_BY: Mapping[str, str] = {
    "on": "turn_on",
    "off": "turn_off",
    "open": "open",
    "closed": "close",
    "locked": "lock",
    "unlocked": "unlock",
    "playing": "play",
    "paused": "pause",
}
"""By a state: the action that brings a thing into it."""

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


ITEM_OPPOSITE: Mapping[str, str] = {
    "add_item": "remove_item",
    "remove_item": "add_item",
    "complete_item": "reopen_item",
    "reopen_item": "complete_item",
}
"""What takes back what was done with an item of a list."""


def action_for(action: str, domain: str) -> str:
    """The action that is meant when it is said of a thing of this domain."""
    meant = profile_of(domain).meant.get(action, action)
    return canonical_action(domain, meant) or meant


def domains_for(action: str, parameters: Iterable[str] = ()) -> tuple[str, ...]:
    """The domains that can take the action with these parameters, the likelier first."""
    return _domains_for(action, tuple(sorted(parameters)))


@lru_cache(maxsize=512)
def _domains_for(action: str, parameters: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(d for d in _LIKELY if _can(d, action) and set(parameters) <= _parameters(d))


def _can(domain: str, action: str) -> bool:
    profile = profile_of(domain)
    meant = profile.meant.get(action, action)
    return action not in profile.only_by_grammar and canonical_action(domain, meant) is not None


@lru_cache(maxsize=64)
def _parameters(domain: str) -> frozenset[str]:
    profile = DOMAINS[domain]
    return frozenset(p.name for s in (*profile.actions.values(), *profile.setters) for p in s.params)
