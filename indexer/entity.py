"""What the index knows of a thing in the home. Words as in Home Assistant; no live state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class EntityCategory(StrEnum):
    """Home Assistant's entity categories: things that are there to set up or to diagnose a device."""

    CONFIG = "config"
    DIAGNOSTIC = "diagnostic"


@dataclass(frozen=True, slots=True)
class Floor:
    """A floor of the home. ``level`` counts from 0 (ground), negative below it; None where HA has none."""

    floor_id: str
    name: str
    aliases: tuple[str, ...] = ()
    level: int | None = None


@dataclass(frozen=True, slots=True)
class Area:
    """An area (room) of the home."""

    area_id: str
    name: str
    aliases: tuple[str, ...] = ()
    floor_id: str | None = None


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity as it can be found.

    ``area`` is the entity's own area, else its device's; ``floor`` is that area's floor. ``members`` are the entity
    ids that a group or a scene stands for. ``exposed`` is Home Assistant's own exposure to conversation agents.
    """

    entity_id: str
    name: str
    aliases: tuple[str, ...] = ()
    area: Area | None = None
    floor: Floor | None = None
    device_id: str | None = None
    device_name: str | None = None
    labels: tuple[str, ...] = ()
    """Names of labels."""
    label_ids: tuple[str, ...] = ()
    """Their ids, which stay what they were when a label gets another name."""
    device_class: str | None = None
    unit: str | None = None
    category: EntityCategory | None = None
    hidden: bool = False
    exposed: bool = True
    members: tuple[str, ...] = ()
    registry_id: str | None = None
    """What stays when the entity id is changed; None where Home Assistant has no entry for it."""

    @property
    def domain(self) -> str:
        """What stands before the dot of the id: Home Assistant's domain."""
        return self.entity_id.partition(".")[0]

    @property
    def object_id(self) -> str:
        """What stands behind the dot of the id."""
        return self.entity_id.partition(".")[2]

    @property
    def names(self) -> tuple[str, ...]:
        """The name and every alias: what a person may call it."""
        return (self.name, *self.aliases)

    @property
    def in_plurals(self) -> bool:
        """Whether "all the …" may mean it: hidden, configuration and diagnostic entities are never meant."""
        return not self.hidden and self.category is None


@dataclass(frozen=True, slots=True)
class FormerId:
    """An entity id that a thing had until a moment (seconds since the epoch)."""

    entity_id: str
    until: float
