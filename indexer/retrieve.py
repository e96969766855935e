"""From a sentence to the entities that it means, with the reason for each.

Structure first (a whole set that the sentence names by its properties), then words; vectors only where those leave it
open.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from indexer.alike import Alike, alike, with_less_sure
from indexer.catalog import Catalog
from indexer.errors import EmbedderUnavailable
from indexer.lexicon import lexicon
from indexer.mentions import Mentions
from indexer.postings import Scores
from indexer.ranking import FULL_SCORE, Signs, rank
from indexer.reasons import reasons_of
from indexer.retrieval import Found, Retrieval, Situation
from indexer.sentence_reading import find_mentions
from indexer.wanted_properties import Wanted, wanted
from indexer.whole_sets import whole_set
from indexer.words import normalise

Meaning = Callable[[str, str, Catalog], Awaitable[Scores]]
"""How near each slot's thing is in meaning, 0 to 1, to a sentence and to the part of it that words leave unread (empty
where there is none). Raises `EmbedderUnavailable`."""

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
    read = _read(catalog, text, situation, limit)
    near, degraded = None, None
    if isinstance(read, _Open) and not read.settled:
        version = catalog.version
        try:
            near = await meaning(read.mentions.text, read.mentions.unread_text, catalog)
        except EmbedderUnavailable as error:
            degraded = str(error)
        if catalog.version != version:  # the home changed meanwhile, and with it the slots
            read = _read(catalog, text, situation, limit)
    answer = read if isinstance(read, Retrieval) else _likeliest(catalog, read, situation, limit, near)
    return replace(answer, query=text, degraded=degraded, duration_ms=(time.perf_counter() - started) * 1000)


@dataclass(frozen=True, slots=True)
class _Open:
    """What words and structure say of a sentence that names no whole set. ``settled``: a vector would add nothing."""

    mentions: Mentions
    want: Wanted
    nicknamed: tuple[str, ...]
    fits: Alike | None
    signs: Signs
    settled: bool


def _read(catalog: Catalog, text: str, situation: Situation, limit: int) -> Retrieval | _Open:
    """The whole set that the sentence asks for, else what is known before meaning is asked."""
    mentions = find_mentions(text, catalog.vocabulary, situation.language)
    want = wanted(mentions, situation)
    answer = whole_set(catalog, mentions, want, situation, limit)
    if answer is not None:
        return with_less_sure(catalog, answer, want, limit)
    nicknamed = _nicknamed(text, situation)
    fits = alike(catalog, mentions, want, situation, lexicon(situation.language), limit)
    signs = rank(catalog, mentions, want, situation, nicknamed)
    nothing = not catalog.entities or not mentions.text.strip()
    settled = nothing or _settled(signs, want, nicknamed, fits, limit)
    return _Open(mentions, want, nicknamed, fits, signs, settled)


def _likeliest(catalog: Catalog, read: _Open, situation: Situation, limit: int, near: Scores | None) -> Retrieval:
    """The entities that words find, and those that ``near`` adds."""
    mentions, want, embedded = read.mentions, read.want, near is not None
    signs = rank(catalog, mentions, want, situation, read.nicknamed, near) if embedded else read.signs
    kept = [*_kept(signs, read.fits, want, limit, embedded), *_alike_in_the_name(catalog, want, limit)][:limit]
    found = _best(catalog, signs, want, situation, read.nicknamed, mentions, limit, kept)
    answer = Retrieval(mentions.text, mentions, found, len(found), embedded=embedded)
    return with_less_sure(catalog, _large(catalog, read.fits, answer, limit), want, limit)


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


def _kept(signs: Signs, fits: Alike | None, want: Wanted, limit: int, embedded: bool) -> list[int]:
    """Slots that are shown whatever ranks before them: all that fits, where it is few; then what the words found.

    Meaning may order those and take the places that words left to chance, no others.
    """
    kept = _few_that_fit(signs, fits, want, limit)
    if embedded:
        by_words = signs.by_words
        order = np.argsort(-by_words, kind="stable")[: limit + 1]
        chance = float(by_words[order[limit]]) + _CHANCE if len(order) > limit else -np.inf
        kept += [slot for slot in map(int, order[:limit]) if by_words[slot] > max(chance, _FOUND)]
    return list(dict.fromkeys(kept))[:limit]


def _few_that_fit(signs: Signs, fits: Alike | None, want: Wanted, limit: int) -> list[int]:
    """All that fits, and what is there and called by the word without being of the kind; the likeliest of them."""
    if fits is None or len(fits.slots) > limit:
        return []
    called = signs.called & (signs.area | signs.floor) if want.placed else signs.called
    others = np.flatnonzero(called)
    pool = dict.fromkeys(map(int, (*fits.slots, *(others if len(others) <= limit else ()))))
    return sorted(pool, key=lambda slot: -signs.by_words[slot])[:limit]


def _alike_in_the_name(catalog: Catalog, want: Wanted, limit: int) -> list[int]:
    """Slots of the place and kind within a name that was said ("Kitchen temperature" is a name, and a place's too)."""
    there = catalog.in_areas(want.inner_area_ids) & catalog.of_kinds(want.inner_kinds) & catalog.commonly_meant()
    slots = list(map(int, np.flatnonzero(there)))
    return slots if len(slots) <= limit // 2 else []


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
