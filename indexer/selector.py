"""A set of entities said by its properties ("all lights upstairs"), not by listing them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from indexer.entity import Entity
from indexer.lexicon import domains_of


@dataclass(frozen=True, slots=True)
class Selector:
    """Entities that match every part that is given; a part with several values matches any of them.

    A switch that is called a lamp counts as a light too. ``exclude`` are entity ids ("all lights except the hall
    lamp").
    """

    domains: tuple[str, ...] = ()
    device_classes: tuple[str, ...] = ()
    area_ids: tuple[str, ...] = ()
    floor_ids: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def matches(self, entity: Entity) -> bool:
        """Whether the entity has these properties, hidden or not."""
        return (
            (not self.domains or any(domain in self.domains for domain in domains_of(entity)))
            and (not self.device_classes or entity.device_class in self.device_classes)
            and (not self.area_ids or (entity.area is not None and entity.area.area_id in self.area_ids))
            and (not self.floor_ids or (entity.floor is not None and entity.floor.floor_id in self.floor_ids))
            and (not self.labels or any(label in self.labels for label in entity.labels))
            and entity.entity_id not in self.exclude
        )

    def select(self, entities: Iterable[Entity]) -> tuple[Entity, ...]:
        """The set that a person means by it: exposed, nothing hidden or technical, a group and its members once.

        A group whose members are in the set too is left out in favour of its members.
        """
        return self.meant(e for e in entities if self.matches(e))

    def meant(self, matching: Iterable[Entity]) -> tuple[Entity, ...]:
        """As `select`, of entities that are known to have the properties."""
        out = frozenset(self.exclude)
        chosen = {e.entity_id: e for e in matching if e.exposed and e.in_plurals and e.entity_id not in out}
        return tuple(e for e in chosen.values() if not (e.members and all(m in chosen for m in e.members)))
