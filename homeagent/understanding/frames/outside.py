"""Which sensor tells of the open air: one rule for the weather, a measure of it, and what is held against it."""

from __future__ import annotations

from homeagent.languages.concepts import Topic
from homeagent.understanding.clauses import Clause
from homeagent.understanding.grounding import in_area
from homeagent.understanding.reference import rooms
from indexer.entity import Entity
from indexer.words import normalise, words


def sensor_outside(clause: Clause, device_class: str, *, by_name: bool = False) -> Entity | None:
    """The sensor of a class that is outside: one that is called so and is there, else one that is called so, else one
    that is there; ``by_name``: only what is called so counts."""
    names = clause.names
    sensors = [e for e in names.of_domain("sensor") if e.device_class == device_class and not e.hidden]
    places = rooms(names, inside=False)
    there = in_area(sensors, places, ()) if places else []
    called = [e for e in sensors if is_called_outside(e, clause)]
    return next(iter([*(e for e in called if e in there), *called, *(() if by_name else there)]), None)


def is_called_outside(entity: Entity, clause: Clause) -> bool:
    """Whether a name of it says that it is outside, by one word or as a whole ("outside temperature")."""
    pack = clause.names.pack
    return any(
        Topic.WEATHER in pack.phrases.get(normalise(name), ())
        or any(w in pack.outside or Topic.OUTDOORS in pack.phrases.get(w, ()) for w in words(name))
        for name in entity.names
    )
