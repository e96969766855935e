"""Reads how the home works from Home Assistant: each automation, script and scene as a piece of knowledge."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from homeagent.ha.connection import HomeAssistant
from homeagent.ha.home import Home
from homeagent.knowledge import SOURCES
from homeagent.knowledge.describing_configs import Described, describe_automation, describe_scene, describe_script
from indexer.documents import Document
from indexer.entity import Entity

_AT_ONCE = 8
"""Configurations asked for at the same time."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What is known of one automation, script or scene. ``readable``: whether Home Assistant gave what it does."""

    entity: Entity
    described: Described
    readable: bool

    @property
    def source_type(self) -> str:
        """``automation``, ``script`` or ``scene``."""
        return self.entity.domain

    @property
    def document(self) -> Document:
        """As it is embedded."""
        entity = self.entity
        also = f" ({', '.join(entity.aliases)})" if entity.aliases else ""
        metadata: dict[str, str | int | float | bool] = {
            "entity_id": entity.entity_id,
            "source_type": entity.domain,
            "area": entity.area.name if entity.area else "",
            "name": entity.name,
        }
        return Document(entity.entity_id, f"{self.described.text}{also}", metadata)


async def read_pieces(ha: HomeAssistant, entities: Sequence[Entity], *, all_named: bool) -> list[Piece]:
    """The knowledge about these; what cannot be read is known by its name. Raises HomeAssistantUnavailable."""
    pieces: list[Piece] = []
    for start in range(0, len(entities), _AT_ONCE):
        some = entities[start : start + _AT_ONCE]
        configs = await asyncio.gather(*(_config(ha, entity) for entity in some))
        pieces += await asyncio.to_thread(_pieces, some, configs, ha.home, all_named)
    return pieces


def known_entities(home: Home, *, unexposed: bool, only: Collection[str] | None = None) -> list[Entity]:
    """What there is to know about: of the whole home, or of these ids. ``unexposed``: also what is not exposed."""
    found = home.entities.values() if only is None else [e for i in only if (e := home.entity(i))]
    return [e for e in found if e.domain in SOURCES and (e.exposed or unexposed)]


async def _config(ha: HomeAssistant, entity: Entity) -> Mapping[str, object] | None:
    match entity.domain:
        case "automation":
            return await ha.automation_config(entity.entity_id)
        case "script":
            return await ha.script_config(entity.entity_id)
        case _:
            config = await ha.scene_config(entity.entity_id)
            states = config.get("entities") if config else None
            return states if isinstance(states, Mapping) else None


def _pieces(
    entities: Sequence[Entity], configs: Sequence[Mapping[str, object] | None], home: Home, all_named: bool
) -> list[Piece]:
    return [
        Piece(entity, _described(entity, config, home, all_named), config is not None)
        for entity, config in zip(entities, configs, strict=True)
    ]


def _described(entity: Entity, config: Mapping[str, object] | None, home: Home, all_named: bool) -> Described:
    match entity.domain:
        case "automation":
            return describe_automation(entity.name, config, home, all_named=all_named)
        case "script":
            return describe_script(entity.name, config, home, all_named=all_named)
        case _:
            states = config if config is not None else dict.fromkeys(entity.members)
            return describe_scene(entity.name, states, home, all_named=all_named)
