"""Properties of entities as columns, for choosing many at once."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from indexer.entity import Entity
from indexer.lexicon import domains_of
from indexer.postings import Scores

Mask = NDArray[np.bool_]

_ASIDE = frozenset(
    {
        "assist_satellite", "binary_sensor", "calendar", "camera", "counter", "date", "datetime", "input_button",
        "input_datetime", "input_number", "input_select", "input_text", "notify", "person", "remote", "sensor", "sun",
        "time", "timer", "weather", "zone",
    }
)  # fmt: skip
"""What is told or kept, and a little less often meant than what is acted upon."""
_RELATED = frozenset({"update", "event", "number", "select", "button", "device_tracker", "automation", "text", "image"})


COMMONLY = "commonly"


class Columns:
    """Slots by property, which slots are alive, and what is usually meant. Slots are only ever added."""

    def __init__(self) -> None:
        self.alive: Mask = np.zeros(0, bool)
        self.prior: Scores = np.zeros(0, np.float32)
        """What is usually meant (0), and what is only related, technical or hidden (below 0)."""
        self._slots: dict[tuple[str, str], array[int]] = {}
        self._arrays: dict[tuple[str, str], NDArray[np.intp]] = {}

    def add(self, entities: Iterable[Entity]) -> None:
        """Give each entity the next slot."""
        priors = []
        for slot, entity in enumerate(entities, start=len(self.alive)):
            priors.append(_prior(entity))
            for key in _properties(entity):
                self._slots.setdefault(key, array("l")).append(slot)
                self._arrays.pop(key, None)
        self.alive = np.append(self.alive, np.ones(len(priors), bool))
        self.prior = np.append(self.prior, np.array(priors, np.float32))

    def kill(self, slot: int) -> None:
        """The slot stands for nothing from now on."""
        self.alive[slot] = False

    def any_of(self, what: str, values: Iterable[str]) -> Mask:
        """Slots (dead ones too) whose property has one of the values.

        ``what`` is domain, class, area, floor, label, or meant: ``COMMONLY``, what "all the …" may mean.
        """
        mask = np.zeros(len(self.alive), bool)
        for key in ((what, value) for value in values):
            if key in self._slots:
                if key not in self._arrays:
                    self._arrays[key] = np.array(self._slots[key], np.intp)
                mask[self._arrays[key]] = True
        return mask


def _properties(entity: Entity) -> list[tuple[str, str]]:
    found = [("domain", domain) for domain in domains_of(entity)]
    found += [("label", label) for label in entity.labels]
    if entity.exposed and entity.in_plurals:
        found.append(("meant", COMMONLY))
    if entity.device_class:
        found.append(("class", entity.device_class))
    if entity.area:
        found.append(("area", entity.area.area_id))
    if entity.floor:
        found.append(("floor", entity.floor.floor_id))
    return found


def _prior(entity: Entity) -> float:
    prior = -0.12 if entity.domain in _RELATED else 0.0
    if entity.domain in _ASIDE:
        prior -= 0.02
    if entity.category is not None:
        prior -= 0.25
    if entity.hidden:
        prior -= 0.3
    return prior
