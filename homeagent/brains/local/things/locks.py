"""What locks a door that is called by its own name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from indexer.entity import Entity

LOCK = "lock"
LOCKED = frozenset({"locked", "unlocked"})
_DOORS = frozenset({"door", "garage_door", "garage", "gate", "opening"})
"""Device classes of contacts and covers."""


def lock_of(things: Iterable[Entity], known: Sequence[Entity]) -> Entity | None:
    """The lock where the doors among these things stand: the one of their device, else of their room; None where it is
    not one."""
    doors = [e for e in things if e.device_class in _DOORS]
    locks = [e for e in known if e.domain == LOCK]
    devices = {e.device_id for e in doors if e.device_id}
    rooms = {e.area.area_id for e in doors if e.area is not None}
    of_device = [e for e in locks if e.device_id in devices]
    found = of_device or [e for e in locks if e.area is not None and e.area.area_id in rooms]
    return found[0] if len(found) == 1 else None
