"""All exposed entities, laid out for scoring: their words, and their properties as columns."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from indexer.columns import COMMONLY, Columns, Mask
from indexer.entity import Area, Entity, Floor
from indexer.lexicon import EntityKind
from indexer.postings import Postings, Scores
from indexer.selector import Selector
from indexer.vocabulary import Vocabulary
from indexer.words import grams, numbers, words


class Catalog:
    """Slots of entities. A changed entity takes a new slot and its old one dies; ``build`` starts afresh.

    Not thread-safe: built in one thread, then handed over whole.
    """

    def __init__(self, areas: Iterable[Area] = (), floors: Iterable[Floor] = ()) -> None:
        self.vocabulary = Vocabulary()
        self.vocabulary.set_places(areas, floors)
        self.entities: dict[str, Entity] = {}
        self._slots: dict[str, int] = {}
        self._rows: list[Entity | None] = []
        self._first_name = array("l")
        self._starts: NDArray[np.intp] = np.zeros(0, np.intp)
        self._name_numbers: list[frozenset[str]] = []
        self._names = Postings()
        self._texts = Postings()
        self._columns = Columns()
        self.version = 0
        """Counts up with every change."""

    @classmethod
    def build(cls, entities: Iterable[Entity], areas: Iterable[Area], floors: Iterable[Floor]) -> Catalog:
        """A catalogue of these entities. Takes about 0.2 ms an entity."""
        catalog = cls(areas, floors)
        name_rows: list[set[str]] = []
        text_rows: list[set[str]] = []
        kept = list(entities)
        catalog._columns.add(kept)
        for entity in kept:
            catalog._first_name.append(len(name_rows))
            name_rows.extend(_name_pieces(entity))
            text_rows.append(set(_text_words(entity)))
            catalog._register(entity)
        catalog._names.fill(name_rows)
        catalog._texts.fill(text_rows)
        return catalog

    def put(self, entity: Entity) -> None:
        """Add an entity, or take its new version."""
        self.remove(entity.entity_id)
        self._first_name.append(len(self._names))
        for pieces in _name_pieces(entity):
            self._names.add(pieces)
        self._texts.add(set(_text_words(entity)))
        self._columns.add((entity,))
        self._register(entity)

    def remove(self, entity_id: str) -> None:
        """Forget an entity; it can no longer be found."""
        slot = self._slots.pop(entity_id, None)
        if slot is None:
            return
        self.vocabulary.remove(self.entities.pop(entity_id))
        self._rows[slot] = None
        self._columns.kill(slot)
        self.version += 1

    @property
    def size(self) -> int:
        """Slots, dead ones included: the length of every score array."""
        return len(self._rows)

    @property
    def dead(self) -> int:
        """How many slots no entity has any more; many of them are worth a new ``build``."""
        return len(self._rows) - len(self._slots)

    def entity_at(self, slot: int) -> Entity:
        """The entity of a slot that is alive."""
        entity = self._rows[slot]
        assert entity is not None
        return entity

    def slots(self, entity_ids: Iterable[str]) -> list[int]:
        """Slots of those ids that are here."""
        return [self._slots[i] for i in entity_ids if i in self._slots]

    @property
    def ids(self) -> Sequence[str | None]:
        """Entity id of each slot; None where it is dead."""
        return [e.entity_id if e else None for e in self._rows]

    @property
    def alive(self) -> Mask:
        """Which slots have an entity."""
        return self._columns.alive

    @property
    def prior(self) -> Scores:
        """What is usually meant (0), and what is only related, technical or hidden (below 0)."""
        return self._columns.prior

    def matching(self, selector: Selector) -> list[Entity]:
        """The entities with a selector's properties, hidden or not."""
        mask = self.alive.copy()
        for what, values in (
            ("domain", selector.domains),
            ("class", selector.device_classes),
            ("area", selector.area_ids),
            ("floor", selector.floor_ids),
            ("label", selector.labels),
        ):
            if values:
                mask &= self._columns.any_of(what, values)
        return [self.entity_at(int(slot)) for slot in np.flatnonzero(mask)]

    def in_areas(self, area_ids: Iterable[str]) -> Mask:
        """Which slots are of entities in one of these areas; dead ones may be among them."""
        return self._columns.any_of("area", area_ids)

    def on_floors(self, floor_ids: Iterable[str]) -> Mask:
        """Which slots are of entities on one of these floors; dead ones may be among them."""
        return self._columns.any_of("floor", floor_ids)

    def of_kinds(self, kinds: Iterable[EntityKind]) -> Mask:
        """Which slots are of one of these kinds: of its domain and, where it names one, its device class."""
        mask = np.zeros(self.size, bool)
        for kind in kinds:
            one = self._columns.any_of("domain", (kind.domain,))
            if kind.device_class is not None:
                one = one & self._columns.any_of("class", (kind.device_class,))
            mask |= one
        return mask

    def commonly_meant(self) -> Mask:
        """What is alive, and neither hidden nor technical."""
        return self._columns.any_of("meant", (COMMONLY,)) & self.alive

    def with_words(self, spoken: Iterable[str]) -> Mask:
        """Slots that have one of these words, in comparable spelling, in their names, place, device or labels."""
        return self._texts.having(spoken)

    def labelled(self, labels: Iterable[str]) -> Mask:
        """Which slots are of entities with one of these labels, by name."""
        return self._columns.any_of("label", labels)

    def name_scores(self, spoken: Sequence[str]) -> tuple[Scores, Scores]:
        """For each slot, of its best name: how much of the name the sentence has, and how much of the sentence it is.

        Both 0 to 1, weighted by how rare each piece is in this home.
        """
        if not len(self._names) or not self.size:
            empty = np.zeros(self.size, np.float32)
            return empty, empty
        shared, asked = self._names.overlap(grams(spoken))
        starts = self._name_starts()
        covered = np.maximum.reduceat(shared / self._names.totals, starts)
        used = np.maximum.reduceat(shared, starts) / max(asked, 1e-6)
        return covered.astype(np.float32), used.astype(np.float32)

    def _name_starts(self) -> NDArray[np.intp]:
        if len(self._starts) != len(self._first_name):
            self._starts = np.array(self._first_name, np.intp)
        return self._starts

    def word_scores(self, spoken: Iterable[str]) -> Scores:
        """For each slot, how much of the sentence its words are (name, area, floor, device, labels, id), 0 to 1."""
        shared, asked = self._texts.overlap(set(spoken))
        return shared / np.float32(max(asked, 1e-6))

    def numbers_of(self, slot: int) -> frozenset[str]:
        """The numbers in an entity's name."""
        return self._name_numbers[slot]

    def _register(self, entity: Entity) -> None:
        self._slots[entity.entity_id] = len(self._rows)
        self._rows.append(entity)
        self._name_numbers.append(numbers(words(entity.name)))
        self.entities[entity.entity_id] = entity
        self.vocabulary.add(entity)
        self.version += 1


def _name_pieces(entity: Entity) -> list[set[str]]:
    """Pieces of each name that an entity goes by; the id counts as one."""
    spoken = dict.fromkeys([*entity.names, entity.object_id])
    rows = [grams(words(name)) for name in spoken]
    return [row for row in rows if row] or [set()]


def _text_words(entity: Entity) -> Iterable[str]:
    parts = [*entity.names, entity.entity_id, *entity.labels, entity.device_name or "", entity.device_class or ""]
    if entity.area:
        parts += [entity.area.name, *entity.area.aliases]
    if entity.floor:
        parts += [entity.floor.name, *entity.floor.aliases]
    return (word for part in parts for word in words(part))
