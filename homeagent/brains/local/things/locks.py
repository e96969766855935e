"""What locks a door that is called by its own name."""

from __future__ import annotations

from homeagent.brains.local.meaning.request import Scope
from homeagent.brains.local.things.grounding import Ground, Unknown, entities_of

LOCK = "lock"
LOCKED = frozenset({"locked", "unlocked"})
_DOORS = frozenset({"door", "garage_door", "garage", "gate", "opening"})
"""Device classes of contacts and covers."""


def lock_of(named: Scope | Unknown | None, around: Ground) -> Scope | None:
    """The lock where the named things stand: the one of their device, else of their room; None where it is not one."""
    if not isinstance(named, Scope) or not named.named:
        return None
    doors = [e for e in entities_of(named, around) if e.device_class in _DOORS]
    locks = [e for e in around.exposed if e.domain == LOCK]
    devices = {e.device_id for e in doors if e.device_id}
    rooms = {e.area.area_id for e in doors if e.area is not None}
    of_device = [e for e in locks if e.device_id in devices]
    found = of_device or [e for e in locks if e.area is not None and e.area.area_id in rooms]
    return Scope(((found[0].entity_id,),)) if len(found) == 1 else None
