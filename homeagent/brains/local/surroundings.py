"""What a sentence is understood in: the home, what may be meant, where the speaker is and what was spoken of."""

from __future__ import annotations

from collections.abc import Iterable
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
