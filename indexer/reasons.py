"""Why an entity was found, in short words for people."""

from __future__ import annotations

from collections.abc import Sequence

from indexer.catalog import Catalog
from indexer.entity import Entity
from indexer.mentions import MentionKind, Mentions
from indexer.ranking import Signs
from indexer.retrieval import Situation
from indexer.selector import Selector
from indexer.wanted_properties import Wanted
from indexer.words import normalise

_NEAR = 0.25
"""Less is no reason for anything."""


def set_reasons(selector: Selector) -> tuple[str, ...]:
    """Why the whole set is shown."""
    parts = (
        ("domain", selector.domains),
        ("class", selector.device_classes),
        ("area", selector.area_ids),
        ("floor", selector.floor_ids),
        ("label", selector.labels),
    )
    return ("all of them", *(f"{what} {' or '.join(values)}" for what, values in parts if values))


def reasons_of(
    catalog: Catalog,
    signs: Signs,
    slot: int,
    want: Wanted,
    situation: Situation,
    nicknamed: Sequence[str],
    mentions: Mentions,
) -> tuple[str, ...]:
    """Why this slot is shown."""
    entity = catalog.entity_at(slot)
    named = [m for m in mentions.of(MentionKind.NAME) if entity.entity_id in m.values]
    reasons = [_name_reason(entity, m.text) for m in named]
    if not named and signs.covered[slot] >= 0.3:
        reasons.append(f"like its name {signs.covered[slot]:.2f}")
    checks = (
        (entity.entity_id in nicknamed, "nickname"),
        (bool(signs.area[slot]), f"area {entity.area.name if entity.area else ''}"),
        (bool(signs.floor[slot]), f"floor {entity.floor.name if entity.floor else ''}"),
        (bool(signs.kind[slot]), f"kind {entity.device_class or entity.domain}"),
        (bool(signs.near[slot] and not signs.kind[slot]), f"near kind {entity.device_class or entity.domain}"),
        (bool(signs.hint[slot]), f"does that: {entity.domain}"),
        (bool(signs.room[slot]), "speaker's room"),
        (entity.entity_id in situation.last_entities, "last turn"),
        (bool(set(entity.labels) & set(want.labels)), "label"),
    )
    reasons += [text for holds, text in checks if holds]
    if signs.meaning is not None and signs.meaning[slot] > _NEAR:
        reasons.append(f"meaning {signs.meaning[slot]:.2f}")
    return tuple(dict.fromkeys(reasons)) or ("words",)


def _name_reason(entity: Entity, said: str) -> str:
    spoken = normalise(said)
    if spoken == normalise(entity.name):
        return "name"
    if any(spoken == normalise(alias) for alias in entity.aliases):
        return f"alias '{said}'"
    return "id"
