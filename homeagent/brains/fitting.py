"""How well an entity fits the words that say whom a request is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from homeagent.brains.likeness import alike, misspelt, name_words, place_words
from homeagent.brains.reading import Reading
from indexer.entity import Entity
from indexer.mentions import Mention, MentionKind
from indexer.words import is_syllabic

_PLACES = frozenset({MentionKind.AREA, MentionKind.FLOOR, MentionKind.LABEL})


@dataclass(frozen=True, slots=True)
class Fit:
    """How an entity fits: the positions that its own name explains, and how many words of the name were not said.

    ``by_kind`` are the positions that say its kind or its place. ``whole``: name and words say the same, place aside.
    """

    entity: Entity
    by_name: frozenset[int]
    by_kind: frozenset[int]
    unsaid: int
    whole: bool = False

    @property
    def explained(self) -> frozenset[int]:
        return self.by_name | self.by_kind


def fit(reading: Reading, entity: Entity, positions: Sequence[int]) -> Fit:
    """The best fit among the entity's names."""
    by_kind = frozenset(p for p in positions if any(_is_kind(entity, m) for m in reading.kinds_at(p)))
    by_place = frozenset(p for p in positions if _in_place(reading, entity, p))
    mentioned = frozenset(
        p
        for p in positions
        for m in reading.mentions_at(p)
        if m.kind is MentionKind.NAME and entity.entity_id in m.values
    )
    fits = [_fit_name(reading, entity, name, positions, by_kind | by_place, mentioned) for name in entity.names]
    return max(fits, key=lambda f: (len(f.explained), len(f.by_name), -f.unsaid))


def is_place(reading: Reading, position: int) -> bool:
    """Whether the word says a place and is no part of a name."""
    kinds = {m.kind for m in reading.mentions_at(position)}
    return bool(kinds & _PLACES) and MentionKind.NAME not in kinds


def _fit_name(
    reading: Reading,
    entity: Entity,
    name: str,
    positions: Sequence[int],
    otherwise: frozenset[int],
    mentioned: frozenset[int],
) -> Fit:
    words = name_words(name)
    by_name = frozenset(p for p in positions if _says_any(reading, p, words)) | mentioned
    unsaid = 0 if mentioned and not by_name - mentioned else _unsaid(reading, entity, words)
    whole = all(p in by_name or is_place(reading, p) for p in positions)
    return Fit(entity, by_name, otherwise, unsaid, whole)


def _unsaid(reading: Reading, entity: Entity, words: Sequence[str]) -> int:
    """How many words of a name were not said. The words of a place need not be, once that place was said."""
    said_areas = {v for m in reading.of_kind(MentionKind.AREA) for v in m.values}
    said_floors = {v for m in reading.of_kind(MentionKind.FLOOR) for v in m.values}
    spared: set[str] = set()
    if entity.area is not None and entity.area.area_id in said_areas:
        spared |= place_words(entity.area)
    if entity.floor is not None and entity.floor.floor_id in said_floors:
        spared |= place_words(entity.floor)
    return sum(w not in spared and not any(_says(reading, p, w) for p in range(len(reading.words))) for w in words)


def _says(reading: Reading, position: int, word: str) -> bool:
    """Whether the word at a position says all of a name's word: "lamps" says "lamp", "light" not "nightlight"."""
    said = reading.words[position].text
    if position in reading.strange and misspelt(said, word):
        return True
    return alike(said, word) and (len(word) <= len(said) + 2 or is_syllabic(word))


def _says_any(reading: Reading, position: int, words: Sequence[str]) -> bool:
    """Whether the word says one of ``words``. Only a word that means nothing else may be a misspelling."""
    said = reading.words[position].text
    return any(alike(said, w) or (position in reading.strange and misspelt(said, w)) for w in words)


def _is_kind(entity: Entity, mention: Mention) -> bool:
    return (entity.domain if mention.kind is MentionKind.DOMAIN else entity.device_class) in mention.values


def _in_place(reading: Reading, entity: Entity, position: int) -> bool:
    """Whether a word that names a place is satisfied; of several places named, being in one is enough."""
    if not any(m.kind in _PLACES for m in reading.mentions_at(position)):
        return False
    here = {entity.area.area_id} if entity.area else set()
    floor = {entity.floor.floor_id} if entity.floor else set()
    said = {kind: {v for m in reading.of_kind(kind) for v in m.values} for kind in _PLACES}
    return bool(
        here & said[MentionKind.AREA] or floor & said[MentionKind.FLOOR] or set(entity.labels) & said[MentionKind.LABEL]
    )
