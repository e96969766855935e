"""What opens a way into the home, by its kind and by what it is called: doors, gates, locks and what works them.

The words are data, in ten languages: ``openings.yaml``, which says what each list means.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache

from homeagent.policy.name_words import (
    Called,
    Topic,
    ends,
    head_is_harmless,
    hits,
    names_of,
    readings,
    split,
)
from indexer.entity import Area, Entity
from indexer.words import normalise

ENTRANCES = frozenset({"garage", "gate", "door"})
"""Device classes of covers that let somebody in."""


class Way(StrEnum):
    """What a name tells of a way in."""

    NONE = "none"
    DOOR = "door"
    """Switched on, it opens."""
    LOCK = "lock"
    """Switched either way, it may open: a magnet that lets go without current, a bolt that is drawn by it."""


def is_way_in(entity: Entity, rooms: Iterable[Area] = ()) -> bool:
    """Whether an entity opens a way in: a lock, or anything that is called so, or a cover of such a class."""
    if entity.domain == "lock":
        return True
    if entity.domain == "cover":
        return may_be_entrance(entity, rooms)
    return way_of(entity) is not Way.NONE


def may_be_entrance(cover: Entity, rooms: Iterable[Area]) -> bool:
    """Whether a cover lets somebody in, or nothing tells that it does not.

    A name outweighs the device class. One without a class is taken for a shade where its name says so, or where it is
    only called after one of the ``rooms``, as blinds often are; a name that tells nothing is in doubt, unless it is a
    group's: its members tell.
    """
    called = [split(text) for text in (*cover.names, cover.object_id)]
    if cover.device_class in ENTRANCES or any(map(_is_garage, called)):
        return True
    if any(hits(name, Topic.SHADES) - _ways(name) for name in called):
        return False
    if any(way_called(name) is not Way.NONE for name in (*cover.names, cover.object_id)):
        return True
    if cover.device_class is not None:
        return False
    place = split(f"{cover.device_name or ''} {cover.area.name if cover.area else ''}")
    if _way(place) is not Way.NONE or _is_garage(place):
        return True
    if any(hits(text, Topic.WAYS_IN) for text in (*called, place)):
        return True
    spaced = f" {' '.join(word for name in called for word in name)} "
    return not cover.members and not any(f" {normalise(room.name)} " in spaced for room in rooms)


def way_of(entity: Entity) -> Way:
    """What the names of an entity tell, those of its device included."""
    return _strictest(map(way_called, names_of(entity, _speaks_of_one)))


@lru_cache(maxsize=32768)
def way_called(text: str) -> Way:
    """What one name tells of a way in."""
    whole = _strictest(map(_way, readings(text)))
    return Way.NONE if whole is not Way.NONE and any(map(_is_harmless, ends(text))) else whole


def _speaks_of_one(called: Called) -> bool:
    return bool(_ways(called) or hits(called, Topic.GARAGES))


def _strictest(ways: Iterable[Way]) -> Way:
    found = set(ways)
    return next((way for way in (Way.LOCK, Way.DOOR) if way in found), Way.NONE)


def _way(called: Called) -> Way:
    ways = _ways(called)
    garages = hits(called, Topic.GARAGES) - hits(called, Topic.NEITHER)
    shades, opens = hits(called, Topic.SHADES) - ways, hits(called, Topic.OPENS)
    moved = garages and (shades or opens or hits(called, Topic.MOVES))
    if not (ways or moved or (opens and hits(called, Topic.WAYS_IN))) or hits(called, Topic.TITLES):
        return Way.NONE
    locks = hits(called, Topic.LOCKS) - hits(called, Topic.NEITHER)
    if (hits(called, Topic.INSIDE) and not locks) or (shades and not garages) or _is_harmless(called):
        return Way.NONE
    return Way.LOCK if locks else Way.DOOR


def _ways(called: Called) -> frozenset[int]:
    """The positions of words for doors, gates and locks."""
    return (hits(called, Topic.OPENINGS) | hits(called, Topic.LOCKS)) - hits(called, Topic.NEITHER)


def _is_harmless(called: Called) -> bool:
    """Whether the head of a name is surely no way in; a word of a phrase for one ("video door entry") is none."""
    return head_is_harmless(called, _ways(called))


def _is_garage(called: Called) -> bool:
    return bool(hits(called, Topic.GARAGES) - hits(called, Topic.NEITHER)) and not head_is_harmless(called)
