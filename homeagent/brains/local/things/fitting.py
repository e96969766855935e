"""How well an entity fits the words that say whom a request is about."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from homeagent.brains.language.likeness import alike, misspelt, name_words, place_words
from homeagent.brains.language.reading import Reading
from indexer.concepts import Concept, EntityKind, concepts, domains_of, lexicon
from indexer.entity import Entity
from indexer.mentions import MentionKind
from indexer.words import is_syllabic, normalise

_SHORTEST_PART = 3
_ENDING = 2
"""So many letters may an inflection add."""
_PLACES = frozenset({MentionKind.AREA, MentionKind.FLOOR, MentionKind.LABEL})


@dataclass(frozen=True, slots=True)
class Fit:
    """How an entity fits: the positions that its own name explains, and how many words of the name were not said.

    ``by_kind`` are the positions that say its kind or its place. ``whole``: name and words say the same, place aside;
    ``literal``: letter by letter; ``exact``: so many words are said just as the name has them.
    """

    entity: Entity
    by_name: frozenset[int]
    by_kind: frozenset[int]
    unsaid: int
    whole: bool = False
    literal: bool = False
    exact: int = 0

    @property
    def explained(self) -> frozenset[int]:
        return self.by_name | self.by_kind


def fit(reading: Reading, entity: Entity, positions: Sequence[int], *, near: bool = False) -> Fit:
    """The best fit among the entity's names. ``near``: a kind's word may also mean what is like it (a thermostat by
    "temperature")."""
    by_kind = frozenset(p for p in positions if _is_kind(reading, entity, p, near))
    if by_kind and reading.joins_kinds:
        # "the lights and the fan": being one of them is enough
        by_kind |= frozenset(p for p in positions if reading.kinds_at(p))
    # "garagelicht" says a place and a kind in one word: what is only in the garage is not meant
    by_place = frozenset(
        p for p in positions if _in_place(reading, entity, p) and (p in by_kind or not _says_a_kind_too(reading, p))
    )
    mentioned = frozenset(
        p
        for p in positions
        for m in reading.mentions_at(p)
        if m.kind is MentionKind.NAME and entity.entity_id in m.values and not is_place(reading, p)
    )
    fits = [_fit_name(reading, entity, name, positions, by_kind | by_place, mentioned) for name in entity.names]
    return max(fits, key=lambda f: (len(f.explained), len(f.by_name), -f.unsaid, f.exact))


def _says_a_kind_too(reading: Reading, position: int) -> bool:
    """Whether one mention of a kind lies on the very word that is a place: no part of the name of that place."""
    word = reading.words[position]
    return any(m.start >= word.start and m.end <= word.end for m in reading.kinds_at(position))


def partly_place(reading: Reading, entity: Entity, position: int) -> bool:
    """Whether a word that nothing else explains is a part of the name of the entity's room."""
    if entity.area is None:
        return False
    key = ("place", position, entity.area.area_id)
    if key not in reading.known:
        said = reading.words[position].text
        unclear = position in reading.left or any(m.kind is MentionKind.NAME for m in reading.mentions_at(position))
        parts = [w for w in place_words(entity.area) if len(w) >= _SHORTEST_PART]
        reading.known[key] = unclear and len(said) >= _SHORTEST_PART and any(alike(said, w) for w in parts)
    return reading.known[key]


def is_place(reading: Reading, position: int) -> bool:
    """Whether the word says a place and is no part of a longer name."""
    mentions = reading.mentions_at(position)
    place = max((m.end - m.start for m in mentions if m.kind in _PLACES), default=0)
    name = max((m.end - m.start for m in mentions if m.kind is MentionKind.NAME), default=0)
    return place > 0 and place >= name


def _fit_name(
    reading: Reading,
    entity: Entity,
    name: str,
    positions: Sequence[int],
    otherwise: frozenset[int],
    mentioned: frozenset[int],
) -> Fit:
    words = name_words(name)
    by_name = frozenset(p for p in positions if _says_any(reading, p, words) or _same_kind(reading, p, words))
    by_name |= mentioned
    unsaid = 0 if mentioned and not by_name - mentioned else _unsaid(reading, entity, words)
    whole = all(p in by_name or is_place(reading, p) for p in positions)
    texts = {reading.words[p].text for p in range(len(reading.words))}
    exact = sum(reading.words[p].text in words for p in positions)
    return Fit(entity, by_name, otherwise, unsaid, whole, whole and all(w in texts for w in words), exact)


def _unsaid(reading: Reading, entity: Entity, words: Sequence[str]) -> int:
    """How many words of a name were not said. The words of a place need not be, once that place was said."""
    said_areas = {v for m in reading.of_kind(MentionKind.AREA) for v in m.values}
    said_floors = {v for m in reading.of_kind(MentionKind.FLOOR) for v in m.values}
    spared: set[str] = set()
    if entity.area is not None and entity.area.area_id in said_areas:
        spared |= place_words(entity.area)
    if entity.floor is not None and entity.floor.floor_id in said_floors:
        spared |= place_words(entity.floor)
    return sum(w not in spared and not _is_said(reading, w) for w in words)


def _is_said(reading: Reading, word: str) -> bool:
    """Whether any word of the clause says a name's word."""
    key = ("said", 0, word)
    if key not in reading.known:
        reading.known[key] = any(_says(reading, p, word) for p in range(len(reading.words)))
    return reading.known[key]


def _says(reading: Reading, position: int, word: str) -> bool:
    """Whether the word at a position says all of a name's word: "lamps" says "lamp", "light" not "nightlight"."""
    said = reading.words[position].text
    if position in reading.strange and misspelt(said, word):
        return True
    if word.isdigit() and reading.lexicon.number_words.get(said) == int(word):
        return True
    return alike(said, word) and (len(word) <= len(said) + 2 or is_syllabic(word))


def _says_any(reading: Reading, position: int, words: Sequence[str]) -> bool:
    """Whether the word says one of ``words``. A place is said whole: "bathroom" is not the "room" of "living room"."""
    least = len(reading.words[position].text) - _ENDING if is_place(reading, position) else 0
    return any(len(w) >= least and says(reading, position, w) for w in words)


def says(reading: Reading, position: int, word: str) -> bool:
    """Whether the word at a position is ``word``, inflected, compounded, spelt out as a number, or parted in two.

    Only a word that means nothing else may be a misspelling.
    """
    key = ("says", position, word)
    if key not in reading.known:
        reading.known[key] = _compare(reading, position, word)
    return reading.known[key]


def _compare(reading: Reading, position: int, word: str) -> bool:
    said = reading.words[position].text
    if said == word or (alike(said, word) and not _only_ends_alike(said, word, reading.lexicon.language)):
        return True
    if word.isdigit() and reading.lexicon.number_words.get(said) == int(word):
        return True
    return word in _pairs(reading, position) or (position in reading.strange and misspelt(said, word))


def _only_ends_alike(said: str, word: str, language: str) -> bool:
    """Whether a word merely ends as a name's does: a "skylight" is no light where words are not compounded at will."""
    return said.endswith(word) and len(said) > len(word) + _ENDING and not lexicon(language).compounds


def _pairs(reading: Reading, position: int) -> tuple[str, ...]:
    """The word written together with its neighbours: "bed room"."""
    texts = [w.text for w in reading.words[max(0, position - 1) : position + 2]]
    return tuple(a + b for a, b in itertools.pairwise(texts))


def _same_kind(reading: Reading, position: int, words: Sequence[str]) -> bool:
    """Whether a name has another word for the kind that was said: a "TV" for "telly"."""
    said = reading.kinds_at(position)
    return bool(said) and any(_of_same_kind(reading, position, w) for w in words)


def _of_same_kind(reading: Reading, position: int, word: str) -> bool:
    key = ("kind", position, word)
    if key not in reading.known:
        language = reading.lexicon.language
        own = kind_ids(word, language)
        reading.known[key] = any(own & kind_ids(m.text, language) for m in reading.kinds_at(position))
    return reading.known[key]


@lru_cache(maxsize=20_000)
def kind_ids(word: str, language: str) -> frozenset[str]:
    """The concepts of things that a word names in a language."""
    return frozenset(c.concept_id for c in _concepts(word, language) if c.kinds)


def _is_kind(reading: Reading, entity: Entity, position: int, near: bool) -> bool:
    """Whether the entity is of the kind that the word names: of the domain, and of the device class if it says one."""
    said = reading.kinds_at(position)
    if (stem := stem_at(reading, position)) and not _bears(entity, stem):
        return False
    if any(k.matches(entity) for k in unlike(reading, position)):
        return False
    domains = {v for m in said if m.kind is MentionKind.DOMAIN for v in m.values}
    classes = {v for m in said if m.kind is MentionKind.DEVICE_CLASS for v in m.values}
    strict = (not domains or bool(set(domains_of(entity)) & domains)) and (
        not classes or entity.device_class in classes
    )
    if said and (strict or (domains & set(domains_of(entity)) and _is_called_so(reading, entity, position))):
        return True
    concepts_said = (c for m in said for c in _concepts(m.text, reading.lexicon.language))
    return near and any(_may_be(k, entity) for c in concepts_said for k in c.near)


def stem_at(reading: Reading, position: int) -> str:
    """What a compound says before its kind: "steh" in "Stehlampe". Empty where that is a place or a kind of its own."""
    key = ("stem", position)
    if key not in reading.worked_out:
        reading.worked_out[key] = _stem_at(reading, position)
    return str(reading.worked_out[key])


def _stem_at(reading: Reading, position: int) -> str:
    language = lexicon(reading.lexicon.language)
    if not language.compounds or any(m.kind in _PLACES for m in reading.mentions_at(position)):
        return ""
    said = normalise(reading.words[position].text)
    if not reading.kinds_at(position) or any(normalise(m.text) != said for m in reading.kinds_at(position)):
        return ""
    ends = [said[:-size] for size in range(1, len(said)) if said[-size:] in language.phrases]
    stem = ends[-1] if ends and said not in language.phrases else ""
    return "" if any(stem.removesuffix(link) in language.phrases for link in ("", "s", "n")) else stem


def _bears(entity: Entity, stem: str) -> bool:
    """Whether a word of the entity's names or of its place begins as a compound does."""
    places = [p for p in (entity.area, entity.floor) if p is not None]
    known = {w for n in entity.names for w in name_words(n)} | {w for p in places for w in place_words(p)}
    return any(w.startswith(stem) or (len(w) > _SHORTEST_PART and stem.startswith(w)) for w in map(normalise, known))


def unlike(reading: Reading, position: int) -> tuple[EntityKind, ...]:
    """The kinds that a word for a wider kind leaves out: "radio" is said of a player, and of no TV."""
    key = ("unlike", position)
    if key not in reading.worked_out:
        said = (c for m in reading.kinds_at(position) for c in _concepts(m.text, reading.lexicon.language))
        reading.worked_out[key] = tuple(kind for concept in said for kind in concept.unlike)
    found: tuple[EntityKind, ...] = reading.worked_out[key]
    return found


def _may_be(kind: EntityKind, entity: Entity) -> bool:
    """Whether an entity may be meant by a kind that is near: a domain alone is none that has a word of its own."""
    own = EntityKind(entity.domain, entity.device_class)
    return kind.matches(entity) and (kind.device_class is not None or own not in _classed())


@cache
def _classed() -> frozenset[EntityKind]:
    """The kinds of one device class that there are words for."""
    return frozenset(k for c in concepts().values() for k in c.kinds if k.device_class is not None)


def _is_called_so(reading: Reading, entity: Entity, position: int) -> bool:
    """Whether a thing without a device class has the kind's word, or another one for it, in its name."""
    named = (w for name in entity.names for w in name_words(name))
    return entity.device_class is None and any(_of_same_kind(reading, position, w) for w in named)


def _concepts(word: str, language: str) -> Sequence[Concept]:
    found = lexicon(language).phrases.get(normalise(word))
    return found.concepts if found else ()


def _in_place(reading: Reading, entity: Entity, position: int) -> bool:
    """Whether a word that names a place is satisfied; of several places named, being in one is enough.

    A part of a place's name will do too: "Anna's lamp" in Anna's room.
    """
    if partly_place(reading, entity, position):
        return True
    if not any(m.kind in _PLACES for m in reading.mentions_at(position)):
        return False
    here = {entity.area.area_id} if entity.area else set()
    floor = {entity.floor.floor_id} if entity.floor else set()
    said = {kind: {v for m in reading.of_kind(kind) for v in m.values} for kind in _PLACES}
    return bool(
        here & said[MentionKind.AREA] or floor & said[MentionKind.FLOOR] or set(entity.labels) & said[MentionKind.LABEL]
    )
