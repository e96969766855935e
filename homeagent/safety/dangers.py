"""What can start a fire and what protects, told by what a thing is called: in the words that the policy asks about."""

from __future__ import annotations

from functools import lru_cache

from homeagent.domains import profile_of
from homeagent.domains.profile import NameTells
from homeagent.languages.concepts import SafetyKind
from homeagent.policy.name_words import Topic, is_about, split, tells_what_it_is
from indexer.entity import Entity


def heats(entity: Entity) -> bool:
    """Whether it can start a fire when it is on and nobody looks. A thermostat may be on, an oven may not."""
    return not guards_of(entity) and (_may_be(entity, NameTells.FIRE) or _may_be(entity, NameTells.HEATERS))


def protects(entity: Entity) -> bool:
    """Whether it warns, watches or records while it is on, or locks up by itself."""
    return (
        SafetyKind.GUARD in guards_of(entity)
        or _may_be(entity, NameTells.PROTECTION)
        or _may_be(entity, NameTells.LOCKS)
    )


def lets_gas_out(entity: Entity) -> bool:
    """Whether it is a valve of gas; a valve of no class is told by its name."""
    kinds = guards_of(entity)
    return SafetyKind.GAS_VALVE in kinds or (
        SafetyKind.TAP in kinds and entity.device_class is None and _may_be(entity, NameTells.FIRE)
    )


def guards_of(entity: Entity) -> frozenset[SafetyKind]:
    """What of a safe home it is by its domain and device class."""
    by_class = profile_of(entity.domain).guards
    return by_class.get(entity.device_class or "") or by_class.get("", frozenset())


def _may_be(entity: Entity, told: NameTells) -> bool:
    """Whether a thing of its domain can be this by its name, and is called so."""
    return told in profile_of(entity.domain).name_tells and _is_about(entity, Topic(told.value))


def _is_about(entity: Entity, topic: Topic) -> bool:
    """By its names and its id; by its device's where its own only tell how it is worked ("Channel 1")."""
    names = [*entity.names, entity.object_id]
    if entity.device_name and not any(tells_what_it_is(split(name)) for name in entity.names):
        names.append(entity.device_name)
    return _are_about(tuple(names), topic)


@lru_cache(maxsize=32768)
def _are_about(names: tuple[str, ...], topic: Topic) -> bool:
    return any(is_about(name, topic) for name in names)
