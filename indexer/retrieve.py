"""From a sentence to the entities that it means, with the reason for each.

Structure first (a whole set that the sentence names by its properties), then words; vectors only where those leave it
open.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import numpy as np

from indexer.catalog import Catalog
from indexer.concepts import EntityKind
from indexer.entity import Entity
from indexer.errors import EmbedderUnavailable
from indexer.mentions import MentionKind, Mentions, find_mentions
from indexer.postings import Scores
from indexer.ranking import FULL_SCORE, WEIGHTS, Signs, rank
from indexer.retrieval import Found, Retrieval, Situation
from indexer.selector import Selector
from indexer.wanted import Wanted, wanted
from indexer.words import normalise, words

Meaning = Callable[[str, Catalog], Awaitable[Scores]]
"""Cosine of each slot's vector with the sentence. Raises `EmbedderUnavailable`."""

_FALL_OFF = 0.25
"""What scores less than this share of the best is not shown."""
_FEWEST = 3
_SETTLED_SCORE = 1.3
_SETTLED_LEAD = 0.25


async def retrieve(
    catalog: Catalog, text: str, situation: Situation, meaning: Meaning, *, limit: int = 10
) -> Retrieval:
    """What the sentence may mean, best first; at most ``limit`` unless it asks for a whole set.

    ``meaning`` is asked only where structure and words do not settle it.
    """
    started = time.perf_counter()
    mentions = find_mentions(text, catalog.vocabulary, situation.language)
    nicknamed = _nicknamed(text, situation)
    want = wanted(mentions, situation)
    answer = _whole_set(catalog, text, mentions, want, situation)
    if answer is None:
        signs = rank(catalog, mentions, want, situation, nicknamed)
        embedded = False
        degraded = None
        if not _settled(signs, want, nicknamed, limit) and catalog.entities and mentions.text.strip():
            try:
                near = await meaning(mentions.text, catalog)
                signs, embedded = rank(catalog, mentions, want, situation, nicknamed, near), True
            except EmbedderUnavailable as error:
                degraded = str(error)
        found = _best(catalog, signs, want, situation, nicknamed, mentions, limit)
        answer = Retrieval(text, mentions, found, len(found), embedded=embedded, degraded=degraded)
    return replace(answer, duration_ms=(time.perf_counter() - started) * 1000)


def _nicknamed(text: str, situation: Situation) -> tuple[str, ...]:
    if not situation.nicknames:
        return ()
    spoken = f" {normalise(text)} "
    return tuple(i for phrase, ids in situation.nicknames.items() if f" {normalise(phrase)} " in spoken for i in ids)


def _settled(signs: Signs, want: Wanted, nicknamed: Sequence[str], limit: int) -> bool:
    """Whether words and structure leave no question: one clear best, or a place and a kind that few share."""
    if nicknamed:
        return True
    if want.placed and want.kinds:
        fitting = int(np.count_nonzero((signs.area | signs.floor) & signs.kind))
        if 0 < fitting <= limit:
            return True
    order = np.sort(signs.total)[::-1]
    if not len(order) or order[0] < _SETTLED_SCORE:
        return False
    return any(score == 1.0 for _, score in want.names) or len(order) == 1 or order[0] - order[1] > _SETTLED_LEAD


def _whole_set(catalog: Catalog, text: str, mentions: Mentions, want: Wanted, situation: Situation) -> Retrieval | None:
    """The set that a plural means, by its properties; None where the sentence does not ask for one."""
    if not want.plural or want.strange_place or any(score == 1.0 for _, score in want.names):
        return None
    if not want.kinds and not ((want.placed or want.labels) and want.every):
        return None
    for kinds in (want.kinds, (*want.kinds, *want.near)):
        selector = _selector(kinds, want, mentions, catalog)
        chosen = selector.meant(catalog.matching(selector))
        if chosen:
            break
    if not chosen and not (want.placed and _exists(catalog, want.kinds)):
        return None
    selector, chosen = _in_the_room(selector, chosen, want, situation)
    qualified = _qualified(chosen, mentions)
    reasons = _selector_reasons(selector)
    found = tuple(Found(e, 1.0, reasons) for e in sorted(qualified, key=lambda e: e.name))
    return Retrieval(text, mentions, found, len(found), selector if len(qualified) == len(chosen) else None)


def _selector(kinds: Sequence[EntityKind], want: Wanted, mentions: Mentions, catalog: Catalog) -> Selector:
    classes = [k.device_class for k in kinds if k.device_class is not None]
    base = Selector(
        domains=tuple(dict.fromkeys(k.domain for k in kinds)),
        device_classes=tuple(dict.fromkeys(classes)) if len(classes) == len(kinds) else (),
        area_ids=want.area_ids,
        floor_ids=want.floor_ids,
        labels=want.labels,
    )
    return replace(base, exclude=_excluded(base, mentions, catalog))


def _excluded(base: Selector, mentions: Mentions, catalog: Catalog) -> tuple[str, ...]:
    """Ids that the sentence takes out of the set: by name, by place, else by kind."""
    out = [m for m in mentions.excluded if m.kind is not MentionKind.ACTION]
    if not out:
        return ()
    by_kind = {k: tuple(v for m in out if m.kind is k for v in m.values) for k in MentionKind}
    names = by_kind[MentionKind.NAME]
    others = Selector(
        domains=by_kind[MentionKind.DOMAIN],
        area_ids=by_kind[MentionKind.AREA],
        floor_ids=by_kind[MentionKind.FLOOR],
        labels=by_kind[MentionKind.LABEL],
    )
    matched = (
        () if names or others == Selector() else [e.entity_id for e in catalog.matching(base) if others.matches(e)]
    )
    return tuple(dict.fromkeys((*names, *matched)))


def _exists(catalog: Catalog, kinds: Sequence[EntityKind]) -> bool:
    return bool(np.any(catalog.of_kinds(kinds) & catalog.alive))


def _in_the_room(
    selector: Selector, chosen: tuple[Entity, ...], want: Wanted, situation: Situation
) -> tuple[Selector, tuple[Entity, ...]]:
    """ "Turn off the lights", said in a room that has some, means that room's; "all the lights" means all."""
    if want.placed or want.every or not situation.area_id:
        return selector, chosen
    near = tuple(e for e in chosen if e.area and e.area.area_id == situation.area_id)
    return (replace(selector, area_ids=(situation.area_id,)), near) if near else (selector, chosen)


def _qualified(chosen: tuple[Entity, ...], mentions: Mentions) -> tuple[Entity, ...]:
    """ "The ceiling lights": of the set, those whose names have the extra word, if any has."""
    extra = set(mentions.unread)
    if not extra:
        return chosen
    having = tuple(e for e in chosen if any(extra & set(words(name)) for name in e.names))
    return having or chosen


def _selector_reasons(selector: Selector) -> tuple[str, ...]:
    parts = (
        ("domain", selector.domains),
        ("class", selector.device_classes),
        ("area", selector.area_ids),
        ("floor", selector.floor_ids),
        ("label", selector.labels),
    )
    return ("all of them", *(f"{what} {' or '.join(values)}" for what, values in parts if values))


def _best(
    catalog: Catalog,
    signs: Signs,
    want: Wanted,
    situation: Situation,
    nicknamed: Sequence[str],
    mentions: Mentions,
    limit: int,
) -> tuple[Found, ...]:
    if not catalog.size:
        return ()
    order = np.argsort(-signs.total, kind="stable")[:limit]
    best = float(signs.total[order[0]])
    found = []
    for place, slot in enumerate(map(int, order)):
        score = float(signs.total[slot])
        if score <= 0.05 or (place >= _FEWEST and score < best * _FALL_OFF):
            break
        reasons = _reasons(catalog, signs, slot, want, situation, nicknamed, mentions)
        found.append(Found(catalog.entity_at(slot), min(1.0, score / FULL_SCORE), reasons))
    return tuple(found)


def _reasons(
    catalog: Catalog,
    signs: Signs,
    slot: int,
    want: Wanted,
    situation: Situation,
    nicknamed: Sequence[str],
    mentions: Mentions,
) -> tuple[str, ...]:
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
    if signs.meaning is not None and signs.meaning[slot] * WEIGHTS.meaning > 0.15:
        reasons.append(f"meaning {signs.meaning[slot]:.2f}")
    return tuple(dict.fromkeys(reasons)) or ("words",)


def _name_reason(entity: Entity, said: str) -> str:
    spoken = normalise(said)
    if spoken == normalise(entity.name):
        return "name"
    if any(spoken == normalise(alias) for alias in entity.aliases):
        return f"alias '{said}'"
    return "id"
