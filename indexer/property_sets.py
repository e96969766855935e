"""Entities by their properties, so that a selector need not look at each of a large home."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from indexer.entity import Entity
from indexer.lexicon import domains_of
from indexer.selector import Selector


class Sets:
    """Made of entities as they are; what is needed is sorted out when it is first asked for."""

    def __init__(self, entities: tuple[Entity, ...]) -> None:
        self.entities = entities

    def select(self, selector: Selector) -> tuple[Entity, ...]:
        """The set that a person means by it, as `Selector.select`."""
        return selector.select(self.near(selector))

    def near(self, selector: Selector) -> tuple[Entity, ...]:
        """All entities with the selector's properties, and some others, in their order."""
        if selector.area_ids:
            return _joined(self._by_area, selector.area_ids)
        if selector.floor_ids:
            return _joined(self._by_floor, selector.floor_ids)
        return _joined(self._by_domain, selector.domains) if selector.domains else self.entities

    @cached_property
    def domains(self) -> frozenset[str]:
        """The domains that there are; what people count a thing under beside its own is not among them."""
        return frozenset(e.domain for e in self.entities)

    @cached_property
    def device_classes(self) -> frozenset[str]:
        """The device classes that there are."""
        return frozenset(e.device_class for e in self.entities if e.device_class)

    @cached_property
    def labels(self) -> frozenset[str]:
        """The names of the labels that there are."""
        return frozenset(label for e in self.entities for label in e.labels)

    @cached_property
    def _by_area(self) -> _Sorted:
        return _sorted((e.area.area_id, place, e) for place, e in enumerate(self.entities) if e.area is not None)

    @cached_property
    def _by_floor(self) -> _Sorted:
        return _sorted((e.floor.floor_id, place, e) for place, e in enumerate(self.entities) if e.floor is not None)

    @cached_property
    def _by_domain(self) -> _Sorted:
        return _sorted((domain, place, e) for place, e in enumerate(self.entities) for domain in domains_of(e))


_Sorted = dict[str, dict[int, Entity]]


def _sorted(found: Iterable[tuple[str, int, Entity]]) -> _Sorted:
    """Entities by a property's value, each with its place among all."""
    by_value: _Sorted = {}
    for value, place, entity in found:
        by_value.setdefault(value, {})[place] = entity
    return by_value


def _joined(by_value: _Sorted, values: tuple[str, ...]) -> tuple[Entity, ...]:
    if len(values) == 1:
        return tuple(by_value.get(values[0], {}).values())
    every: dict[int, Entity] = {}
    for value in values:
        every |= by_value.get(value, {})
    return tuple(every[place] for place in sorted(every))
