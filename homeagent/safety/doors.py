"""What locks a door that is called by its own name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from indexer.entity import Entity
from indexer.words import words

LOCK = "lock"
LOCKED = frozenset({"locked", "unlocked"})
_DOORS = frozenset({"door", "garage_door", "garage", "gate", "opening"})
"""Device classes of contacts and covers."""


def lock_of(things: Iterable[Entity], known: Sequence[Entity]) -> Entity | None:
    """The lock of the doors among these things; None where it is not one."""
    found = locks_of(things, known)
    return found[0] if len(found) == 1 else None


def locks_of(things: Iterable[Entity], known: Sequence[Entity]) -> Sequence[Entity]:
    """The locks of the doors among these things: those of their device, else the one of their room; of several in the
    room those that are called after a door."""
    doors = [e for e in things if e.device_class in _DOORS]
    locks = [e for e in known if e.domain == LOCK]
    devices = {e.device_id for e in doors if e.device_id}
    rooms = {e.area.area_id for e in doors if e.area is not None}
    of_device = [e for e in locks if e.device_id in devices]
    found = of_device or [e for e in locks if e.area is not None and e.area.area_id in rooms]
    if len(found) < 2:
        return found
    called = [set(words(name)) for door in doors for name in door.names]
    return [e for e in found if any(door <= set(words(name)) for door in called for name in e.names)]
