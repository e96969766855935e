"""The catalogue kept current: small changes at once, large ones in a thread, retrieval always on the newest."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterable

from indexer.catalog import Catalog
from indexer.entity import Area, Entity, Floor

_AT_ONCE = 40
"""Entities that are taken in on the spot: about 10 ms."""
_MOST_DEAD = 0.25


class LiveCatalog:
    """Holds the catalogue of the home's exposed entities. Used on the event loop's thread only."""

    def __init__(self) -> None:
        self._catalog = Catalog()
        self._wanted: dict[str, Entity] = {}
        self._places: tuple[tuple[Area, ...], tuple[Floor, ...]] = ((), ())
        self._building: asyncio.Task[None] | None = None
        self.version = 0
        """Counts up whenever an entity was added, changed or removed."""

    @property
    def entities(self) -> dict[str, Entity]:
        """The entities as last put, by id: the truth even while a rebuild is under way."""
        return self._wanted

    def put(
        self, entities: Iterable[Entity], areas: Iterable[Area] | None = None, floors: Iterable[Floor] | None = None
    ) -> None:
        """Take the whole set of exposed entities. Those that are gone can no longer be found from now on.

        Areas and floors that hold no entity are known only if given.
        """
        self._wanted = {e.entity_id: e for e in entities if e.exposed}
        places = self._find_places(areas, floors)
        known = self._catalog.entities
        gone = [i for i in known if i not in self._wanted]
        fresh = [e for i, e in self._wanted.items() if (old := known.get(i)) is not e and old != e]
        moved, self._places = places != self._places, places
        if gone or fresh:
            self.version += 1
        for entity_id in gone:
            self._catalog.remove(entity_id)
        if not self._take(fresh) and moved:
            self._catalog.vocabulary.set_places(*places)

    async def current(self) -> Catalog:
        """The catalogue, with every entity that was put."""
        while self._building is not None and not self._building.done():
            await asyncio.shield(self._building)
        return self._catalog

    def _take(self, fresh: list[Entity]) -> bool:
        """Whether it will be, or was, all built anew, with the places as they are now."""
        rebuild = len(fresh) > _AT_ONCE or self._catalog.dead > max(_AT_ONCE, _MOST_DEAD * self._catalog.size)
        if not rebuild:
            for entity in fresh:
                self._catalog.put(entity)
        elif _on_a_loop():
            for entity in fresh:
                self._catalog.remove(entity.entity_id)  # an old version must not be found meanwhile
            if self._building is None or self._building.done():
                self._building = asyncio.get_running_loop().create_task(self._rebuild(), name="rebuild catalogue")
        else:
            self._catalog = Catalog.build(self._wanted.values(), *self._places)
        return rebuild

    async def _rebuild(self) -> None:
        """Build in a thread until nothing was put meanwhile."""
        version = -1
        while version != self.version:
            version, wanted, places = self.version, tuple(self._wanted.values()), self._places
            catalog = await asyncio.to_thread(_build, wanted, places, first=not self._catalog.size)
        if self._places != places:
            catalog.vocabulary.set_places(*self._places)
        self._catalog = catalog

    def _find_places(
        self, areas: Iterable[Area] | None, floors: Iterable[Floor] | None
    ) -> tuple[tuple[Area, ...], tuple[Floor, ...]]:
        lived_in = {e.area.area_id: e.area for e in self._wanted.values() if e.area}
        lived_on = {e.floor.floor_id: e.floor for e in self._wanted.values() if e.floor}
        all_areas = {**lived_in, **{a.area_id: a for a in areas or ()}}
        all_floors = {**lived_on, **{f.floor_id: f for f in floors or ()}}
        return tuple(all_areas.values()), tuple(all_floors.values())


def _build(entities: tuple[Entity, ...], places: tuple[tuple[Area, ...], tuple[Floor, ...]], *, first: bool) -> Catalog:
    """Build without the garbage collector, which would stop every thread, the event loop too, for up to 100 ms.

    The ``first`` is put where the collector does not look again. Only that: what lies in circles at that moment never
    goes, and a service that froze with each rebuild would grow.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        catalog = Catalog.build(entities, *places)
        if first:
            gc.freeze()
    finally:
        if collecting:
            gc.enable()
    return catalog


def _on_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
