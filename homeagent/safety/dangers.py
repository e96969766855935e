"""What can start a fire and what protects, told by what a thing is called: in the words that the policy asks about."""

from __future__ import annotations

from functools import lru_cache

from homeagent.policy.name_words import Topic, is_about, split, tells_what_it_is
from indexer.entity import Entity

_SWITCHED = frozenset({"switch", "input_boolean", "light", "fan", "remote"})
_HEATS = _SWITCHED | {"humidifier"}
_BURNS = _HEATS | {"climate", "water_heater"}
"""A heater that keeps a temperature by itself may be on when nobody looks; an oven may not."""
_GUARDS = _SWITCHED | {"media_player", "automation"}
_VALVE = "valve"
_GAS = "gas"


def heats(entity: Entity) -> bool:
    """Whether it can start a fire when it is on and nobody looks."""
    return (entity.domain in _BURNS and _is_about(entity, Topic.FIRE)) or (
        entity.domain in _HEATS and _is_about(entity, Topic.HEATERS)
    )


def protects(entity: Entity) -> bool:
    """Whether it warns, watches or records while it is on, or locks up by itself."""
    if entity.domain == "automation" and _is_about(entity, Topic.LOCKS):
        return True
    return entity.domain == "camera" or (entity.domain in _GUARDS and _is_about(entity, Topic.PROTECTION))


def lets_gas_out(entity: Entity) -> bool:
    """Whether it is a valve of gas; a valve of no class is told by its name."""
    if entity.domain != _VALVE:
        return False
    return entity.device_class == _GAS or (entity.device_class is None and _is_about(entity, Topic.FIRE))


def _is_about(entity: Entity, topic: Topic) -> bool:
    """By its names and its id; by its device's where its own only tell how it is worked ("Channel 1")."""
    names = [*entity.names, entity.object_id]
    if entity.device_name and not any(tells_what_it_is(split(name)) for name in entity.names):
        names.append(entity.device_name)
    return _are_about(tuple(names), topic)


@lru_cache(maxsize=32768)
def _are_about(names: tuple[str, ...], topic: Topic) -> bool:
    return any(is_about(name, topic) for name in names)
