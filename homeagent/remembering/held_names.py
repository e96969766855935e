"""Which nicknames hold: none that something in the home is really called, no word for a kind, and none for a way in.

Whoever could give a gate the name of a lamp would have it opened by the next who wants light; whoever could call a lamp
the alarm would have it answer for the alarm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache

from homeagent.ha.home import Home
from homeagent.policy.openings import is_way_in
from homeagent.remembering.kind_words import stands_for_more
from indexer.entity import Area, Entity
from indexer.normalise import unaccented
from indexer.words import normalise

IsWayIn = Callable[[Entity], bool]
"""Whether a thing may let somebody in."""


class NoName(StrEnum):
    """Why a thing is not called by a name: the codes of these refusals."""

    TAKEN = "name_taken"
    WAY_IN = "way_in"
    KIND = "name_of_kind"


class HeldNames:
    """The home's own names, as they were when this was made, on the event loop; a thread may ask it."""

    def __init__(self, home: Home, may_be_way_in: IsWayIn | None = None) -> None:
        self._entities = {entity.entity_id: entity for entity in home.exposed()}
        self._areas = tuple(home.areas.values())
        self._floors = tuple(home.floors.values())
        self._may_be_way_in = may_be_way_in or _by_openings(self._areas)
        self._real: frozenset[tuple[str, ...]] | None = None

    def refusal(self, nickname: str, entity_ids: Iterable[str]) -> NoName | None:
        """Why these things may not be called by a name; None where they may. Blocks: reads all names the first time."""
        meant = [entity for entity_id in entity_ids if (entity := self._entities.get(entity_id)) is not None]
        if any(self._may_be_way_in(entity) for entity in meant):
            return NoName.WAY_IN
        if _words(nickname) in self._names_read():
            return NoName.TAKEN
        return NoName.KIND if stands_for_more(nickname, meant, self._entities.values()) else None

    def that_hold(self, names: Mapping[str, Sequence[str]], text: str) -> dict[str, tuple[str, ...]]:
        """The nicknames said in ``text`` that still hold: since one was given, a thing may have
        been named so. Blocks.
        """
        spoken, shaped = unaccented(text), normalise(text)
        said = {name: tuple(ids) for name, ids in names.items() if name in spoken or normalise(name) in shaped}
        return {name: ids for name, ids in said.items() if self.refusal(name, ids) is None}

    def _names_read(self) -> frozenset[tuple[str, ...]]:
        if self._real is None:
            self._real = frozenset(map(_words, self._names()))
        return self._real

    def _names(self) -> Iterable[str]:
        """What people call things: by name, by device, by room and name, and the rooms and floors themselves."""
        for entity in self._entities.values():
            yield from entity.names
            if entity.device_name:
                yield entity.device_name
            if entity.area:
                yield from (f"{entity.area.name} {name}" for name in entity.names)
        for area in self._areas:
            yield from (area.name, *area.aliases)
        for floor in self._floors:
            yield from (floor.name, *floor.aliases)


def _by_openings(areas: Sequence[Area]) -> IsWayIn:
    return lambda entity: entity.domain == "alarm_control_panel" or is_way_in(entity, areas)


@lru_cache(maxsize=1 << 16)
def _words(name: str) -> tuple[str, ...]:
    return tuple(normalise(name).split())
