"""Of the entities of one device the one whose state tells what it is doing."""

from __future__ import annotations

from collections.abc import Sequence

from homeagent.brains.local.surroundings import Surroundings
from homeagent.domains.states import STATES, SWITCHED
from homeagent.history.numbers import as_number
from indexer.entity import Entity
from indexer.words import words

_TOLD_IN_WORDS = frozenset({None, "enum"})
"""Device classes of sensors whose state is a word, such as "rinsing"."""
_RUNNING = frozenset({"running", "moving", "power"})


def main_entity(entities: Sequence[Entity], around: Surroundings, *, beside: bool) -> list[Entity]:
    """Fewer of these, where all are of one device: those that tell most.

    ``beside``: what the device has besides may tell more, such as the sensor beside the switch that is called so.
    """
    devices = {e.device_id for e in entities}
    if len(devices) != 1 or (len(entities) == 1 and not beside) or (len(entities) > 1 and None in devices):
        return list(entities)
    pool = list(entities)
    if beside:
        pool += [e for e in around.exposed if e.in_plurals and e not in pool and _belongs(e, entities[0])]
    best = min(_rank(e, around) for e in pool)
    return [e for e in pool if _rank(e, around) == best][:1]


def _belongs(other: Entity, entity: Entity) -> bool:
    """Whether both are of one device, or in one area with a name that begins with the other's."""
    if entity.device_id is not None and other.device_id == entity.device_id:
        return True
    own, longer = words(entity.name), words(other.name)
    return other.area == entity.area and len(longer) > len(own) and longer[: len(own)] == own


def _rank(entity: Entity, around: Surroundings) -> int:
    """How well the state tells what a device is doing, from 0 (best) to 9 (unavailable)."""
    state = around.home.state(entity.entity_id)
    if state is None or not state.available:
        return 9
    if entity.domain == "sensor":
        in_words = entity.unit is None and as_number(state.state) is None
        return 1 if in_words and entity.device_class in _TOLD_IN_WORDS else 7
    if entity.domain == "binary_sensor":
        return 2 if entity.device_class in _RUNNING else 6
    if entity.domain in STATES:
        return 0
    return 3 if entity.domain in SWITCHED - {"update", "automation"} else 8
