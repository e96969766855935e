"""The question to retrieval and its answer, as plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from indexer.entity import Entity
from indexer.mentions import Mentions
from indexer.selector import Selector


def _no_state(_entity_id: str) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Situation:
    """What surrounds a sentence. Retrieval reads it and never keeps it.

    ``state_of`` gives the live state of an entity id (None: unknown); ``area_id`` is the room of the speaking device;
    ``last_entities`` are the targets of the conversation's last turn; ``nicknames`` maps a phrase from memory
    ("the reading lamp") to entity ids.
    """

    language: str = "en"
    state_of: Callable[[str], str | None] = _no_state
    area_id: str | None = None
    last_entities: tuple[str, ...] = ()
    nicknames: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """One entity that a sentence may mean. ``score`` is 0 to 1; ``reasons`` are short words for people."""

    entity: Entity
    score: float
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What a sentence may mean, best first.

    ``selector`` is set where the sentence asks for a whole set; ``found`` then holds all of it, best first, and
    ``total`` is its size. It is set too where the sentence may mean any of many that nothing in it tells apart
    (``undecided``); ``found`` then holds the likeliest only. What the same words may mean less surely follows in
    ``found`` where it is few, else it is told in ``also``, sets by their properties.
    ``embedded`` tells whether a vector was needed; ``degraded`` says why vectors were needed but not to be had (None:
    they were, or were not needed).
    """

    query: str
    mentions: Mentions
    found: tuple[Found, ...]
    total: int
    selector: Selector | None = None
    also: tuple[Selector, ...] = ()
    embedded: bool = False
    degraded: str | None = None
    duration_ms: float = 0.0

    @property
    def undecided(self) -> bool:
        """Whether ``selector`` says what may be meant, of which ``found`` is a part."""
        return self.selector is not None and self.total > len(self.found)

    @property
    def entities(self) -> tuple[Entity, ...]:
        """What was found, without scores, best first."""
        return tuple(f.entity for f in self.found)
