"""What a sentence is understood in: the home, what may be meant, where the speaker is and what was spoken of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from homeagent.ha.home import Home
from homeagent.timers.timer import Timer
from homeagent.understanding.request import Scope
from indexer.entity import Entity
from indexer.property_sets import Sets
from indexer.selector import Selector


class Catalog:
    """The exposed things of a home as it is, and the sets of them; a changed home needs a new one."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self.entities = tuple(e for e in entities if e.exposed)
        self.sets = Sets(self.entities)


@dataclass(frozen=True)
class Surroundings:
    """What the words can be about: the home, the entities retrieved for the sentence, and where it was spoken."""

    home: Home
    catalog: Catalog
    retrieved: tuple[Entity, ...] = ()
    area_id: str | None = None
    last_entities: tuple[str, ...] = ()
    timers: tuple[Timer, ...] = ()
    """Those that are to come, paused or ringing."""

    @property
    def rooms(self) -> tuple[str, ...]:
        """The ids of the rooms in which a thing is meant where none was said, likeliest first: the speaker's, and the
        one that was spoken of last.
        """
        spoken = [e for i in self.last_entities if (e := self.home.entity(i)) is not None]
        areas = {e.area.area_id if e.area is not None else None for e in spoken}
        told = next(iter(areas)) if len(areas) == 1 else None
        return tuple(dict.fromkeys(room for room in (self.area_id, told) if room))

    def nearest(self, entities: Sequence[Entity]) -> list[Entity]:
        """Those that are in the first of the `rooms` that holds any; empty where none does."""
        by_room = ([e for e in entities if e.area is not None and e.area.area_id == room] for room in self.rooms)
        return next(filter(None, by_room), [])

    @property
    def exposed(self) -> tuple[Entity, ...]:
        """The exposed entities of the home."""
        return self.catalog.entities

    def select(self, selector: Selector) -> tuple[Entity, ...]:
        """The set that a person means by a selector."""
        return self.catalog.sets.select(selector)


def entities_of(scope: Scope, around: Surroundings) -> tuple[Entity, ...]:
    """The entities that a scope means now."""
    named = [e for ids in scope.named for i in ids if (e := around.home.entity(i)) is not None]
    if named or not scope.is_set:
        return tuple(named)
    return around.select(scope.selector)


def is_elsewhere(scope: Scope, around: Surroundings) -> bool:
    """Whether everything named is known to stand outside the areas and floors that were said."""
    areas, floors = scope.selector.area_ids, scope.selector.floor_ids
    things = entities_of(scope, around) if scope.named and (areas or floors) else ()
    return bool(things) and all(
        (areas and e.area is not None and e.area.area_id not in areas)
        or (floors and e.floor is not None and e.floor.floor_id not in floors)
        for e in things
    )
