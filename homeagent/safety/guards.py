"""What guards a home, by kind: which things are of it, how such a thing is, and which lock is
that of a door."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from homeagent.domains import PROFILES, profile_of
from homeagent.domains.states import AT_REST
from homeagent.ha.home import UNAVAILABLE, UNKNOWN
from homeagent.languages.concepts import SafetyKind as Kind
from homeagent.languages.safety import safety_words
from homeagent.safety.dangers import guards_of, heats, lets_gas_out, protects
from homeagent.understanding.request import Ask, SafetyQuestion
from indexer.entity import Entity
from indexer.words import words

_ENGLISH = "en"
_IDLE_WATTS = 5.0
"""A plug that draws no more than this feeds nothing that gets hot."""
_OFF = "off"
"""Where nothing goes on, of domains that have no other word for it."""

HAZARDS = frozenset({Kind.SMOKE, Kind.FIRE, Kind.GAS, Kind.CARBON_MONOXIDE, Kind.LEAK})
WATCHING = HAZARDS | {Kind.ALARM, Kind.SIREN}
OPENINGS = frozenset({Kind.DOOR, Kind.WINDOW, Kind.GARAGE, Kind.GATE, Kind.OPENING})
HOT = frozenset({Kind.STOVE, Kind.OVEN, Kind.IRON})
_TELLING = frozenset({None, "enum", "power", "outlet", "switch", "heat", "running", "plug"})
"""Device classes of what tells whether an appliance is on."""
_GONE = (UNAVAILABLE, UNKNOWN)
_OPEN = frozenset({"open", "opening", "closing"})
_UNSURE = frozenset({"arming", "pending", "triggered"})
"""States of an alarm that is neither armed nor disarmed."""
NOTABLE: Mapping[Kind, frozenset[str]] = {
    Kind.ALARM: frozenset({"disarmed"}),
    Kind.GUARD: frozenset({"off"}),
    Kind.TAP: _OPEN,
}
"""States that are no danger by themselves, and still keep a home from being called safe."""
ASIDE = frozenset({Kind.GUARD, Kind.TAP})
"""Kinds of which nothing is told but such a state."""


def is_of(kind: Kind, entity: Entity, language: str) -> bool:
    """Whether a thing is of a kind: by its domain and device class; what has none by its name, and so appliances."""
    profile, guards = profile_of(entity.domain), guards_of(entity)
    if kind in HOT:
        return profile.appliance and entity.device_class in _TELLING and _is_called(kind, entity, language)
    if kind is Kind.HEAT:
        return heats(entity)
    if kind is Kind.GUARD:
        return protects(entity)
    if lets_gas_out(entity):
        return kind is Kind.GAS_VALVE
    if kind in OPENINGS and Kind.OPENING in guards:
        return kind in ([k for k in OPENINGS if _is_called(k, entity, language)] or [Kind.OPENING])
    if kind in guards:
        return True
    return entity.device_class is None and kind in profile.guards_if_called and _is_called(kind, entity, language)


def members_of(kind: Kind, entities: Iterable[Entity], language: str) -> tuple[Entity, ...]:
    """The things of a kind. An appliance that can be switched tells by itself, whatever measures it beside it."""
    found = tuple(e for e in entities if e.in_plurals and is_of(kind, e, language))
    if kind in HOT and any(e.domain != "sensor" for e in found):
        return tuple(e for e in found if e.domain != "sensor")
    ids = {e.entity_id for e in found}
    return tuple(e for e in found if not (e.members and ids.issuperset(e.members)))


def kind_of(kinds: Iterable[Kind], entity: Entity, language: str) -> Kind | None:
    """The first of these kinds that a thing is of."""
    return next((k for k in kinds if is_of(k, entity, language)), None)


def _is_called(kind: Kind, entity: Entity, language: str) -> bool:
    return any(kind in _kinds_called(name, known) for name in entity.names for known in (language, _ENGLISH))


@lru_cache(maxsize=32768)
def _kinds_called(name: str, language: str) -> frozenset[Kind]:
    known = safety_words(language)
    return known.kinds_called(name) if known is not None else frozenset()


def is_amiss(entity: Entity, raw: str) -> bool | None:
    """Whether a thing is open, unlocked, alarmed or on; None where it does not tell."""
    if raw in _GONE:
        return None
    profile = profile_of(entity.domain)
    if profile.alarmed:
        return raw in profile.alarmed
    if profile.resting != _OFF:
        return raw != profile.resting
    try:
        return float(raw) > (_IDLE_WATTS if entity.device_class == "power" else 0.0)
    except ValueError:
        return raw.casefold() not in AT_REST and raw not in profile.harmless


def amiss_states(question: SafetyQuestion) -> tuple[str, ...]:
    """The raw states that what is spoken of next may be in: after "is a window open?" "close it" means that one."""
    if question.ask in (Ask.ARMED, Ask.DISARMED):
        return (question.ask.value,)
    states = {Kind.LOCK: ("unlocked",), Kind.ALARM: ("triggered",)}
    return tuple(dict.fromkeys(s for k in question.kinds for s in states.get(k, ("open", "on"))))


def holds(ask: Ask, entity: Entity, raw: str, mode: str = "") -> bool | None:
    """Whether what is asked is so of a thing; None where it does not tell. ``mode``: how an alarm is to be armed."""
    amiss = is_amiss(entity, raw)
    if amiss is None or ask is Ask.AMISS:
        return amiss
    if ask is Ask.FINE:
        return not amiss
    if ask is Ask.DISARMED:
        return raw == "disarmed"
    return None if raw in _UNSURE else raw == mode if mode else raw != "disarmed"


LOCK = "lock"
LOCKED = frozenset({"locked", "unlocked"})


def classes_of(*kinds: Kind) -> tuple[str, ...]:
    """The device classes that are of one of these kinds, in every domain."""
    of_each = (profile.guards.items() for profile in PROFILES.values())
    return tuple(sorted({name for guards in of_each for name, of in guards if name and not of.isdisjoint(kinds)}))


_DOORS = frozenset(classes_of(Kind.DOOR, Kind.GARAGE, Kind.GATE, Kind.OPENING))


def lock_of(things: Iterable[Entity], known: Sequence[Entity]) -> Entity | None:
    """The lock of the doors among these things; None where it is not one."""
    found = locks_of(things, known)
    return found[0] if len(found) == 1 else None


def locks_of(things: Iterable[Entity], known: Sequence[Entity]) -> Sequence[Entity]:
    """The locks of the doors among these things: those of their device, else the one of their room; of several in the
    room those that are called after a door."""
    doors = [e for e in things if e.device_class in _DOORS]
    locks = [e for e in known if e.domain == LOCK]
    devices = {e.device_id for e in doors if e.device_id}
    rooms = {e.area.area_id for e in doors if e.area is not None}
    of_device = [e for e in locks if e.device_id in devices]
    found = of_device or [e for e in locks if e.area is not None and e.area.area_id in rooms]
    if len(found) < 2:
        return found
    called = [set(words(name)) for door in doors for name in door.names]
    return [e for e in found if any(door <= set(words(name)) for door in called for name in e.names)]
