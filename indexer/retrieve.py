"""From a sentence to the entities that it means, with the reason for each.

Structure first (a whole set that the sentence names by its properties), then words; vectors only where those leave it
open.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import numpy as np

from indexer.beside import with_less_sure
from indexer.catalog import Catalog
from indexer.concepts import EntityKind, lexicon
from indexer.entity import Entity
from indexer.errors import EmbedderUnavailable
from indexer.fitting import Alike, alike
from indexer.mentions import MentionKind, Mentions, find_mentions
from indexer.postings import Scores
from indexer.ranking import FULL_SCORE, Signs, rank
from indexer.reasons import reasons_of, set_reasons
from indexer.retrieval import Found, Retrieval, Situation
from indexer.selector import Selector
from indexer.wanted import Wanted, wanted
from indexer.words import normalise, words

Meaning = Callable[[str, Catalog], Awaitable[Scores]]
"""Cosine of each slot's vector with the sentence. Raises `EmbedderUnavailable`."""

_FALL_OFF = 0.25
"""What scores less than this share of the best is not shown."""
_FEWEST = 3
_LEAST = 0.05
_CHANCE = 0.1
"""So much more than the first that is left out: less is a few letters that two words share."""
_FOUND = 0.25
"""What even a related kind counts, or a third of a name: less is no finding."""
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
        fits = alike(catalog, mentions, want, situation, lexicon(situation.language), limit)
        by_words = signs = rank(catalog, mentions, want, situation, nicknamed)
        embedded = False
        degraded = None
        if not _settled(signs, want, nicknamed, fits, limit) and catalog.entities and mentions.text.strip():
            try:
                near = await meaning(mentions.text, catalog)
                signs, embedded = rank(catalog, mentions, want, situation, nicknamed, near), True
            except EmbedderUnavailable as error:
                degraded = str(error)
        kept = _kept(by_words, fits, limit, embedded)
        found = _best(catalog, signs, want, situation, nicknamed, mentions, limit, kept)
        whole = Retrieval(text, mentions, found, len(found), embedded=embedded, degraded=degraded)
        answer = _large(catalog, fits, whole, limit)
    answer = with_less_sure(catalog, answer, want.kinds, want.near, limit)
    return replace(answer, duration_ms=(time.perf_counter() - started) * 1000)


def _nicknamed(text: str, situation: Situation) -> tuple[str, ...]:
    if not situation.nicknames:
        return ()
    spoken = f" {normalise(text)} "
    return tuple(i for phrase, ids in situation.nicknames.items() if f" {normalise(phrase)} " in spoken for i in ids)


def _settled(signs: Signs, want: Wanted, nicknamed: Sequence[str], fits: Alike | None, limit: int) -> bool:
    """Whether words and structure leave no question: one clear best, or what the sentence says and no more."""
    if nicknamed or (fits is not None and fits.read and (len(fits.slots) <= limit or fits.sets)):
        return True
    if want.placed and want.kinds:
        fitting = int(np.count_nonzero((signs.area | signs.floor) & signs.kind))
        if 0 < fitting <= limit:
            return True
    order = np.sort(signs.total)[::-1]
    if not len(order) or order[0] < _SETTLED_SCORE:
        return False
    return any(score == 1.0 for _, score in want.names) or len(order) == 1 or order[0] - order[1] > _SETTLED_LEAD


def _kept(by_words: Signs, fits: Alike | None, limit: int, embedded: bool) -> list[int]:
    """Slots that are shown whatever ranks before them: all that fits, where it is few; then what the words found.

    Meaning may order those and take the places that words left to chance, no others.
    """
    kept = list(map(int, fits.slots)) if fits is not None and len(fits.slots) <= limit else []
    if embedded:
        order = np.argsort(-by_words.total, kind="stable")[: limit + 1]
        chance = float(by_words.total[order[limit]]) + _CHANCE if len(order) > limit else -np.inf
        kept += [slot for slot in map(int, order[:limit]) if by_words.total[slot] > max(chance, _FOUND)]
    return list(dict.fromkeys(kept))[:limit]


def _large(catalog: Catalog, fits: Alike | None, answer: Retrieval, limit: int) -> Retrieval:
    """The answer with what fits alike as sets, the largest first, where that is more than can be listed."""
    if fits is None or not fits.sets or len(fits.slots) <= limit:
        return answer
    fitting = [catalog.entity_at(int(slot)) for slot in fits.slots]
    sizes = {one: len(one.select(fitting)) for one in fits.sets}
    largest, *others = sorted(sizes, key=lambda one: -sizes[one])
    if sizes[largest] <= len(answer.found):
        return answer
    return replace(answer, total=sizes[largest], selector=largest, also=tuple(others))


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
    reasons = set_reasons(selector)
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


def _best(
    catalog: Catalog,
    signs: Signs,
    want: Wanted,
    situation: Situation,
    nicknamed: Sequence[str],
    mentions: Mentions,
    limit: int,
    kept: Sequence[int],
) -> tuple[Found, ...]:
    if not catalog.size:
        return ()
    found = []
    for slot in _order(signs.total, kept, limit):
        reasons = reasons_of(catalog, signs, slot, want, situation, nicknamed, mentions)
        score = min(max(float(signs.total[slot]), 0.0), FULL_SCORE)
        found.append(Found(catalog.entity_at(slot), score / FULL_SCORE, reasons))
    return tuple(found)


def _order(total: Scores, kept: Sequence[int], limit: int) -> list[int]:
    """Slots to show, best first: ``kept``, and before or between them what is near the best."""
    order = list(map(int, np.argsort(-total, kind="stable")[:limit]))
    best = float(total[order[0]])
    near = [
        slot
        for place, slot in enumerate(order)
        if total[slot] > _LEAST and (place < _FEWEST or total[slot] >= best * _FALL_OFF)
    ]
    staying = set(kept)
    for slot in reversed(near):
        if len(staying.union(near)) <= limit:
            break
        if slot not in staying:
            near.remove(slot)
    return sorted(staying.union(near), key=lambda slot: (-total[slot], slot))
