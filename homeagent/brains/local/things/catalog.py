"""The exposed things of the home by the words of their names and rooms, so that a sentence need not look at each."""

from __future__ import annotations

from collections.abc import Iterable

from homeagent.brains.language.likeness import name_words, place_words
from homeagent.brains.language.reading import Reading
from homeagent.brains.local.things.fitting import says
from indexer.entity import Entity
from indexer.sets import Sets


class Catalog:
    """Built once for a home as it is; a changed home needs a new one. Only what is exposed is in it."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self.entities = tuple(e for e in entities if e.exposed)
        self.sets = Sets(self.entities)
        self._by_word: dict[str, list[Entity]] = {}
        for entity in self.entities:
            words = {w for name in entity.names for w in name_words(name)}
            if entity.area is not None:
                words |= place_words(entity.area)
            for word in words:
                self._by_word.setdefault(word, []).append(entity)

    def called(self, reading: Reading, position: int) -> dict[str, Entity]:
        """Entities whose name, or room's name, the word at a position may be a word of; by id."""
        found: dict[str, Entity] = {}
        for word, entities in self._by_word.items():
            if says(reading, position, word):
                found.update((e.entity_id, e) for e in entities)
        return found
