"""Which of the entities that explain every word are meant: the one that is named, those that share a name, or a set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from homeagent.brains.language.likeness import name_words
from homeagent.brains.language.reading import Reading
from homeagent.brains.local.things.fitting import Fit, partly_place, stem_at, unlike
from homeagent.understanding.request import Scope
from indexer.concepts import domains_of
from indexer.mentions import MentionKind
from indexer.selector import Selector

TOLD_APART = frozenset({"media_player", "climate"})
"""Domains of which each has several kinds of things, with words of their own."""

if TYPE_CHECKING:
    from homeagent.brains.local.things.grounding import Ground


def choose(
    reading: Reading, around: Ground, full: Sequence[Fit], positions: Sequence[int], domains: Sequence[str]
) -> Scope:
    """Among entities that explain every word: the one that is named, those that share the name, or the whole set."""
    every = _every(reading)
    if not (every or reading.plural) and len(called := _called_so(reading, full, positions)) < len(full):
        return Scope((tuple(f.entity.entity_id for f in called),))
    if not (every or reading.plural) and len(_rooms_by_part(reading, full, positions)) > 1:
        return Scope((tuple(f.entity.entity_id for f in full),))  # "the cabin light", where there are two cabins
    set_of = [f for f in full if f.by_kind >= set(positions)]
    exact = [f for f in full if f.unsaid == 0 and f.by_name and f.whole and (f.literal or not reading.plural)]
    alone = not exact or (reading.plural and (len(exact) != 1 or len(values(reading, MentionKind.AREA)) > 1))
    if set_of and (every or alone):
        return _set(reading, around, set_of, domains, every=every)
    if set_of and reading.joins_kinds:
        members = {f.entity.entity_id: f.entity for f in (*exact, *set_of)}
        return Scope(tuple((i,) for i, e in members.items() if e.in_plurals), every=True)
    pool = exact or full
    if every:
        return Scope(tuple((f.entity.entity_id,) for f in pool if f.entity.in_plurals), every=True)
    best = _preferred(closest(pool), around, domains)
    ids = tuple(f.entity.entity_id for f in best)
    if reading.plural and len(ids) > 1:
        return Scope(tuple((i,) for i in ids), every=True)
    return Scope((ids,))


def _rooms_by_part(reading: Reading, full: Sequence[Fit], positions: Sequence[int]) -> set[str]:
    """The rooms of which only a part of the name was said, in a word that nothing else explains."""
    unclear = [p for p in positions if p in reading.left and not any(p in f.by_name for f in full)]
    known = [f.entity for f in full if any(partly_place(reading, f.entity, p) for p in unclear)]
    return {e.area.area_id for e in known if e.area is not None}


def _called_so(reading: Reading, full: Sequence[Fit], positions: Sequence[int]) -> Sequence[Fit]:
    """Of players, or of what heats, those that have the very word in their name: "the radio" is not any speaker."""
    said = {reading.words[p].text for p in positions if reading.kinds_at(p)}
    if not said or any(f.entity.domain not in TOLD_APART for f in full):
        return full
    return [f for f in full if said <= {w for n in f.entity.names for w in name_words(n)}] or full


def _set(reading: Reading, around: Ground, full: Sequence[Fit], domains: Sequence[str], *, every: bool) -> Scope:
    """A set by its properties; where these would take in more than was meant ("the TV and the lights"), one by one.

    So it is with a compound, such as "Deckenlampen", which no property tells.
    """
    selector = _selector(reading, around, full, domains)
    classed = bool(values(reading, MentionKind.DEVICE_CLASS)) and not selector.device_classes
    classed |= any(stem_at(reading, p) or unlike(reading, p) for p in reading.target)
    meant = {f.entity.entity_id for f in full}
    if classed and any(e.entity_id not in meant for e in around.select(selector)):
        ids = tuple(e.entity_id for e in Selector().meant(f.entity for f in full))
        one = not (every or reading.plural or reading.joins_kinds or selector.area_ids or selector.floor_ids)
        return Scope((ids,)) if one else Scope(tuple((i,) for i in ids), every=True)
    return Scope(selector=selector, every=every)


def closest(pool: Sequence[Fit]) -> list[Fit]:
    """The fits whose names say most of the words and leave fewest of their own unsaid."""
    if not pool:
        return []
    best = max((len(f.by_name), f.exact, -f.unsaid) for f in pool)
    return [f for f in pool if (len(f.by_name), f.exact, -f.unsaid) == best]


def _preferred(pool: Sequence[Fit], around: Ground, domains: Sequence[str]) -> Sequence[Fit]:
    """Fewer, where the room of the speaker or the likelier domain tells which of the same name is meant."""
    if len(pool) > 1 and around.area_id:
        near = [f for f in pool if f.entity.area is not None and f.entity.area.area_id == around.area_id]
        pool = near or pool
    if len(pool) > 1 and domains:
        first = min(domains.index(f.entity.domain) for f in pool)
        pool = [f for f in pool if domains.index(f.entity.domain) == first]
    return pool


def _every(reading: Reading) -> bool:
    return reading.has("every") or reading.has("house")


def _selector(reading: Reading, around: Ground, full: Sequence[Fit], domains: Sequence[str]) -> Selector:
    """The set that was said: its kinds where kinds were said, and the places."""
    kinds = values(reading, MentionKind.DOMAIN)
    classes = values(reading, MentionKind.DEVICE_CLASS)
    found = tuple(dict.fromkeys(f.entity.domain for f in full))
    of_found = {d for f in full for d in domains_of(f.entity)}
    areas = values(reading, MentionKind.AREA)
    if not areas and any(partly_place(reading, f.entity, p) for f in full for p in reading.target):
        areas = tuple(dict.fromkeys(f.entity.area.area_id for f in full if f.entity.area is not None))
    if not areas and reading.has("here") and around.area_id:
        areas = (around.area_id,)
    narrow = bool(classes) and all(f.entity.device_class in classes for f in full)
    return Selector(
        domains=tuple(k for k in kinds if (not domains or k in domains) and k in of_found)
        or (found if kinds or classes else ()),
        device_classes=classes if narrow else (),
        area_ids=areas,
        floor_ids=values(reading, MentionKind.FLOOR),
        labels=values(reading, MentionKind.LABEL),
    )


def values(reading: Reading, kind: MentionKind) -> tuple[str, ...]:
    """What the clause mentions of one sort: ids of areas, domains, classes, names of labels."""
    return tuple(dict.fromkeys(v for m in reading.of_kind(kind) for v in m.values))
