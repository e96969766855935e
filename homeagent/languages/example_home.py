"""The small home that a pack's own example sentences are read in: what is in it is the same in every language, and
each language names it itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from indexer.entity import Area, Entity


class ExampleArea(Enum):
    """A room of the home."""

    KITCHEN = "kitchen"
    LIVING_ROOM = "living_room"
    BEDROOM = "bedroom"


class ExampleThing(Enum):
    """A thing of the home."""

    LAMP = "lamp"
    CEILING = "ceiling"
    THERMOSTAT = "thermostat"
    BLINDS = "blinds"
    WINDOW = "window"
    SPEAKER = "speaker"
    VACUUM = "vacuum"
    LIST = "list"
    DOOR = "door"


@dataclass(frozen=True, slots=True)
class _Kind:
    domain: str
    area: ExampleArea | None = None
    device_class: str | None = None


_THINGS = {
    ExampleThing.LAMP: _Kind("light", ExampleArea.KITCHEN),
    ExampleThing.CEILING: _Kind("light", ExampleArea.LIVING_ROOM),
    ExampleThing.THERMOSTAT: _Kind("climate", ExampleArea.BEDROOM),
    ExampleThing.BLINDS: _Kind("cover", ExampleArea.LIVING_ROOM, "blind"),
    ExampleThing.WINDOW: _Kind("binary_sensor", ExampleArea.BEDROOM, "window"),
    ExampleThing.SPEAKER: _Kind("media_player", ExampleArea.KITCHEN, "speaker"),
    ExampleThing.VACUUM: _Kind("vacuum", ExampleArea.LIVING_ROOM),
    ExampleThing.LIST: _Kind("todo"),
    ExampleThing.DOOR: _Kind("lock"),
}


def areas(named: Mapping[ExampleArea, str]) -> tuple[Area, ...]:
    """The rooms of the home; one that is not named by its key."""
    return tuple(Area(a.value, named.get(a, a.value), ()) for a in ExampleArea)


def things(named: Mapping[ExampleThing, str], rooms: Mapping[ExampleArea, str]) -> tuple[Entity, ...]:
    """The things of the home; one that is not named by its key."""
    by_id = {area.area_id: area for area in areas(rooms)}
    return tuple(
        Entity(
            f"{kind.domain}.{thing.value}",
            named.get(thing, thing.value),
            area=by_id[kind.area.value] if kind.area else None,
            device_class=kind.device_class,
        )
        for thing, kind in _THINGS.items()
    )
