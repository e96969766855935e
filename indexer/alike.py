"""What a sentence may mean alike: everything of its kind in its place, where no word singles one out.

Such a set is shown whole where it is small, and by its properties where it is large: which ten of fifty equals come
first is chance, and no answer to "what is the weather".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from indexer.catalog import Catalog
from indexer.columns import Mask
from indexer.lexicon import EntityKind, Lexicon
from indexer.mentions import MentionKind, Mentions
from indexer.retrieval import Found, Retrieval, Situation
from indexer.selector import Selector
from indexer.wanted_properties import Wanted
from indexer.words import words

_SENSED = frozenset({"sensor", "binary_sensor"})
_MOST_SETS = 3
_LESS_SURE = 0.5


def sets_of(kinds: Iterable[EntityKind], place: Selector) -> tuple[Selector, ...]:
    """The kinds in a place, a set for each domain; ``place`` has the places and labels alone."""
    classes: dict[str, list[str] | None] = {}
    for kind in kinds:
        known = classes.setdefault(kind.domain, [])
        if kind.device_class is None:
            classes[kind.domain] = None
        elif known is not None and kind.device_class not in known:
            known.append(kind.device_class)
    if not classes:
        return (place,)
    return tuple(replace(place, domains=(d,), device_classes=tuple(c or ())) for d, c in classes.items())


def with_less_sure(catalog: Catalog, answer: Retrieval, want: Wanted, limit: int) -> Retrieval:
    """The answer, and behind it what the words for its set may mean too: listed where all that is few, else as sets.

    Who asks about things that can be acted upon hardly means what only senses them.
    """
    if answer.selector is None:
        return answer
    kinds, near = (want.kinds, want.near) if want.kinds else (want.hints, want.near_hints)
    acting = any(k.domain not in _SENSED for k in kinds)
    likely = [k for k in near if not (acting and k.domain in _SENSED)]
    if not likely:
        return answer
    place = replace(answer.selector, domains=(), device_classes=())
    shown = {e.entity_id for e in answer.selector.meant(catalog.matching(answer.selector))}
    sets: list[Selector] = []
    more = []
    for one in sets_of(likely, place):
        members = [e for e in one.meant(catalog.matching(one)) if e.entity_id not in shown]
        if members:
            sets.append(one)
            more += members
    if not answer.undecided and len(answer.found) + len(more) <= limit:
        found = (Found(e, _LESS_SURE, (f"near kind {e.device_class or e.domain}",)) for e in more)
        return replace(answer, found=(*answer.found, *found))
    return replace(answer, also=tuple(dict.fromkeys((*answer.also, *sets)))[:_MOST_SETS])


_SURE = 1.0
_SHORTEST_STEM = 4


@dataclass(frozen=True, slots=True)
class Alike:
    """Slots of what fits alike. ``sets`` say exactly them, one a domain; empty where a word picked them.

    ``read``: the sentence has no other word that could mean something.
    """

    slots: NDArray[np.intp]
    sets: tuple[Selector, ...]
    read: bool


def alike(
    catalog: Catalog, mentions: Mentions, want: Wanted, situation: Situation, lexicon: Lexicon, limit: int
) -> Alike | None:
    """What fits the sentence's kinds where it is about; None where it names one, or says neither kind nor place.

    Where that is at most ``limit``, nothing has to tell it apart.
    """
    if want.strange_place or any(score == _SURE for _, score in want.names) or not catalog.size:
        return None
    for area_ids, floor_ids in _levels(want, situation):
        there = catalog.commonly_meant()
        for asked, mask in ((area_ids, catalog.in_areas(area_ids)), (floor_ids, catalog.on_floors(floor_ids))):
            there = there & mask if asked else there
        if want.labels:
            there = there & catalog.labelled(want.labels)
        for kinds in _kinds(want):
            fitting = there & catalog.of_kinds(kinds) if kinds else there
            if fitting.any():
                place = Selector(area_ids=area_ids, floor_ids=floor_ids, labels=want.labels)
                whole = Alike(np.flatnonzero(fitting), sets_of(kinds, place), read=not mentions.unread)
                return whole if len(whole.slots) <= limit else _told_apart(catalog, fitting, whole, mentions, lexicon)
    return None


def _levels(want: Wanted, situation: Situation) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Where it may be about, nearest first: the place that is said, else the speaker's room, else the home."""
    if want.placed:
        yield want.area_ids, want.floor_ids
    if situation.area_id and not want.every and (not want.placed or not want.kinds):
        yield (situation.area_id,), ()
    if not want.placed and (want.kinds or want.hints):
        yield (), ()


def _kinds(want: Wanted) -> Iterator[tuple[EntityKind, ...]]:
    """What may be meant, likeliest first; an empty one (everything there) where only a place is said."""
    said = [kinds for kinds in (want.kinds, want.near, want.hints) if kinds]
    yield from said
    if not said and want.placed:
        yield ()


def _told_apart(catalog: Catalog, fitting: Mask, whole: Alike, mentions: Mentions, lexicon: Lexicon) -> Alike:
    """Of what fits, those whose names have a word that only some of them have; all where there is no such word."""
    numbers = [v for m in mentions.of(MentionKind.NUMBER) for v in m.values]
    telling = [*_telling(mentions, lexicon), *numbers]
    having = fitting & catalog.with_words(w for said in telling for w in catalog.vocabulary.words_like(said))
    if having.any() and not having[fitting].all():
        return Alike(np.flatnonzero(having), (), read=False)
    return whole


def _telling(mentions: Mentions, lexicon: Lexicon) -> list[str]:
    """Words that may be part of a name: unread ones, and compounds ("Schreibtischlampe")."""
    meant = (m for kind in (MentionKind.DOMAIN, MentionKind.DEVICE_CLASS) for m in mentions.of(kind))
    joined = {w for m in meant for w in words(m.text)} if lexicon.compounds else set()
    return [*mentions.unread, *(w for w in joined if w not in lexicon.phrases and len(w) >= _SHORTEST_STEM)]
