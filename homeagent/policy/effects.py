"""What a service call may bring about, by the rules in ``effects.yaml``. No I/O; states are what they are now."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from ipaddress import ip_address
from typing import Any
from urllib.parse import unquote

from homeagent.ha.home import Home, State
from homeagent.policy.name_words import Topic, hits, is_about, names_of, only_closes_by_name, read_file, unprotects
from homeagent.policy.openings import Way, may_be_entrance, way_called, way_of
from homeagent.policy.verdicts import Call, Effect
from indexer.entity import Entity
from indexer.normalise import caseless

ANY_SERVICE = "any"
"""The service of a call that may be any of its domain: what a scene sets to something that cannot be told."""
_GROUPS = ("works", "switches", "values")
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*:/+|(?:^|\s)//+|\bhttps?:)([^/?#|,;\s\"'<>]*)")
"""The host of what looks like an address, with or without a scheme."""
_SCRIPTED = ("script", "scene", "automation")
"""What is judged by all that it does, too: of these "Lock up" is no lock."""
_NOT_SEEN = re.compile(r"[\x00-\x1f\x7f\u200b-\u200f\u2060\ufeff]")
_DOTS = str.maketrans({"\u3002": ".", "\uff0e": ".", "\uff61": "."})
_BARE_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_OF_HOMES = (".local", ".lan", ".home.arpa", ".internal")


class Naming(StrEnum):
    """What a rule wants a thing to be called."""

    WAY_IN = "way_in"
    LOCK = "lock"
    FIRE = "fire"
    HEATERS = "heaters"
    WATER = "water"
    PROTECTION = "protection"
    IRREVERSIBLE = "irreversible"
    DRAINS = "drains"
    UNPROTECTING = "unprotecting"
    """It ends or hides what protects: switched on, it takes protection away ("Camera privacy mode")."""


class Holding(StrEnum):
    """What a rule wants a call's data to hold."""

    FOREIGN_ADDRESS = "foreign_address"
    """An address on the internet, or one that is only known when it runs."""
    WAY_IN = "way_in"
    """Words for a way in; below: for what the names below tell of."""
    FIRE = "fire"
    HEATERS = "heaters"
    PROTECTION = "protection"
    IRREVERSIBLE = "irreversible"


class Unless(StrEnum):
    """What takes a call out of a rule."""

    ONLY_CLOSES = "only_closes"
    ARMS_AS_MUCH = "arms_as_much"


@dataclass(frozen=True, slots=True)
class EffectRule:
    """One rule of the file: a call has ``effect`` where all that is set fits.

    ``not_domains``: where it is set, a domain fits, too, that is none of these.
    """

    effect: Effect
    domains: frozenset[str] = frozenset()
    not_domains: frozenset[str] = frozenset()
    services: frozenset[str] = frozenset()
    not_services: frozenset[str] = frozenset()
    device_class: frozenset[str] = frozenset()
    named: Naming | None = None
    data: Holding | None = None
    unless: Unless | None = None

    def is_for(self, call: Call) -> bool:
        """Whether domain, service and device class fit."""
        entity = call.entity
        domain = entity.domain if entity else call.domain
        unknown = self.not_domains and domain not in self.not_domains
        if self.domains and domain not in self.domains and not unknown:
            return False
        if self.device_class and (entity is None or entity.device_class not in self.device_class):
            return False
        if call.service == ANY_SERVICE:
            return True
        return (not self.services or call.service in self.services) and call.service not in self.not_services


def effects_of(call: Call, home: Home, *, own_hosts: Iterable[str] = ()) -> tuple[Effect, ...]:
    """The effects of one call on one entity, each once. What it leads to (members, scripts, scenes) is not its own.

    ``own_hosts``: names of hosts that are this home's, such as Home Assistant's.
    """
    found = (rule.effect for rule in rules() if rule.is_for(call) and _fits(rule, call, home, frozenset(own_hosts)))
    return tuple(dict.fromkeys(found))


def _fits(rule: EffectRule, call: Call, home: Home, own_hosts: frozenset[str]) -> bool:
    if rule.named and (call.entity is None or not _is_called(call.entity, rule.named, home)):
        return False
    if rule.data and not _holds(call, rule.data, own_hosts):
        return False
    if rule.unless and call.entity and call.service != ANY_SERVICE:
        return not _is_exempt(rule.unless, call, home.state(call.entity.entity_id))
    return True


def _is_called(entity: Entity, naming: Naming, home: Home) -> bool:
    if entity.domain in _SCRIPTED and any(only_closes_by_name(name) for name in entity.names):
        return False
    if naming is Naming.WAY_IN:
        is_cover = entity.domain == "cover"
        return may_be_entrance(entity, home.areas.values()) if is_cover else way_of(entity) is not Way.NONE
    if naming is Naming.LOCK:
        return way_of(entity) is Way.LOCK
    if naming is Naming.UNPROTECTING:
        return any(map(unprotects, names_of(entity, lambda called: bool(hits(called, Topic.PROTECTION)))))
    topic = Topic(naming.value)
    return any(is_about(name, topic) for name in names_of(entity, lambda called: bool(hits(called, topic))))


def _holds(call: Call, holding: Holding, own_hosts: frozenset[str]) -> bool:
    texts = list(_texts(call.data))
    if holding is Holding.FOREIGN_ADDRESS:
        return any(is_foreign(text, own_hosts) for text in texts)
    if holding is Holding.WAY_IN:
        return any(way_called(text) is not Way.NONE for text in texts)
    return any(is_about(text, Topic(holding.value)) for text in texts)


def _is_exempt(unless: Unless, call: Call, state: State | None) -> bool:
    if unless is Unless.ONLY_CLOSES:
        return only_closes(call, state)
    return _arms_as_much(call, state)


def only_closes(call: Call, state: State | None) -> bool:
    """Whether a cover or a valve only closes further by this; what cannot be told does not."""
    if call.service in ("close_cover", "close_valve", "stop_cover", "stop_valve", "turn_off"):
        return True
    if call.service == "set_cover_tilt_position":
        return True
    if call.service not in ("set_cover_position", "set_valve_position") or "position" not in call.data:
        return False
    position = _number(call.data["position"])
    now = _number(state.attributes.get("current_position")) if state and not call.delayed else None
    if position is None:
        return False
    return position <= 0 or (now is not None and position <= now)


def _arms_as_much(call: Call, state: State | None) -> bool:
    """Whether an alarm protects at least as far as now. While it waits or rings, nothing does."""
    armed: Mapping[str, int] = _levels()
    wanted = armed.get(call.service.removeprefix("alarm_").replace("arm_", "armed_", 1), 0)
    return state is not None and wanted >= armed.get(state.state, max(armed.values()) + 1)


def is_foreign(text: str, own_hosts: frozenset[str] = frozenset()) -> bool:
    """Whether a text holds an address outside the home, however it is wrapped, or one that is only known later.

    Any ``scheme:/…`` counts, known or not: players have schemes of their own. ``own_hosts``: names that are the home's.
    """
    if "{{" in text or "{%" in text:
        return True
    plain = unquote(unquote(text))
    plain = _NOT_SEEN.sub("", caseless(plain)).translate(_DOTS)
    if "\\" in plain and _ADDRESS.search(plain.replace("\\", "/")):
        return True  # what stands behind a backslash is read in two ways
    return any(not _is_of_home(host, own_hosts) for host in _ADDRESS.findall(plain))


def _is_of_home(authority: str, own_hosts: frozenset[str]) -> bool:
    """Whether a host is the home's: one of its names, a name without a dot, or an address of a private network."""
    if "@" in authority:
        return False
    host = authority.partition("]")[0].lstrip("[") if authority.startswith("[") else authority.partition(":")[0]
    if not host or host in own_hosts or _BARE_NAME.fullmatch(host) or host.endswith(_OF_HOMES):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.is_private or address.is_loopback or address.is_link_local


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


def _number(value: object) -> float | None:
    try:
        return float(str(value).strip().removesuffix("%"))
    except ValueError:
        return None


@cache
def rules() -> tuple[EffectRule, ...]:
    """The rules of the file, in order. Raises ValueError or TypeError for a word that none of the enums has."""
    content = read_file("effects.yaml")
    groups = {name: content[name] for name in _GROUPS}
    known = frozenset({*content["works"], *content["plain"]})
    return tuple(_rule(dict(fields), groups, known) for fields in content["rules"])


def _rule(fields: dict[str, Any], groups: Mapping[str, list[str]], known: frozenset[str]) -> EffectRule:
    named = fields.pop("domains", ())
    return EffectRule(
        effect=Effect(fields.pop("effect")),
        domains=frozenset(domain for name in named for domain in groups.get(name, (name,))),
        not_domains=known if "works" in named else frozenset(),
        named=Naming(fields.pop("named")) if "named" in fields else None,
        data=Holding(fields.pop("data")) if "data" in fields else None,
        unless=Unless(fields.pop("unless")) if "unless" in fields else None,
        **{name: frozenset(values) for name, values in fields.items()},
    )


@cache
def _levels() -> Mapping[str, int]:
    return {state: int(level) for state, level in read_file("effects.yaml")["armed"].items()}
