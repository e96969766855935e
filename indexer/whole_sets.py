"""A whole set that a sentence asks for ("all lights upstairs", "which window is open"), by its properties."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from indexer.catalog import Catalog
from indexer.entity import Entity
from indexer.lexicon import EntityKind
from indexer.mentions import MentionKind, Mentions
from indexer.reasons import set_reasons
from indexer.retrieval import Found, Retrieval, Situation
from indexer.selector import Selector
from indexer.wanted_properties import Wanted
from indexer.words import words


def whole_set(catalog: Catalog, mentions: Mentions, want: Wanted, situation: Situation, limit: int) -> Retrieval | None:
    """The set that the sentence asks for; None where it does not ask for one."""
    if not (want.plural or want.which) or want.strange_place or any(score == 1.0 for _, score in want.names):
        return None
    for kinds in _kinds(want, read=not mentions.unread):
        selector = _selector(kinds, want, mentions, catalog)
        chosen = selector.meant(catalog.matching(selector))
        if chosen:
            return _answer(kinds, selector, chosen, mentions, want, situation, limit)
    if want.kinds and want.placed and bool(np.any(catalog.of_kinds(want.kinds) & catalog.alive)):
        return Retrieval(mentions.text, mentions, (), 0, _selector(want.kinds, want, mentions, catalog))
    return None


def _kinds(want: Wanted, *, read: bool) -> Iterator[tuple[EntityKind, ...]]:
    """What the set may be of, likeliest first: what is named, else what is there, else what the verb is for.

    ``read``: no word of the sentence is left that may name something else.
    """
    if want.kinds:
        yield want.kinds
        yield (*want.kinds, *want.near)
    elif (want.placed or want.labels) and want.every:
        yield ()
    elif read and not want.placed and (want.every or want.which) and want.hints and not _mixed(want.hints):
        yield want.hints


def _mixed(kinds: Sequence[EntityKind]) -> bool:
    """Whether only some have a class: a selector then says more than they do."""
    return len({k.device_class is None for k in kinds}) > 1


def _selector(kinds: Sequence[EntityKind], want: Wanted, mentions: Mentions, catalog: Catalog) -> Selector:
    classes = () if _mixed(kinds) else tuple(dict.fromkeys(k.device_class for k in kinds if k.device_class is not None))
    base = Selector(
        domains=tuple(dict.fromkeys(k.domain for k in kinds)),
        device_classes=classes,
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


def _answer(
    kinds: Sequence[EntityKind],
    selector: Selector,
    chosen: tuple[Entity, ...],
    mentions: Mentions,
    want: Wanted,
    situation: Situation,
    limit: int,
) -> Retrieval:
    selector, chosen = _in_the_room(selector, chosen, want, situation)
    exact = tuple(e for e in chosen if any(k.matches(e) for k in kinds)) if len(chosen) > limit and kinds else chosen
    kept = _qualified(exact if len(exact) <= limit else chosen, mentions)
    reasons = set_reasons(selector)
    found = tuple(Found(e, 1.0, reasons) for e in sorted(kept, key=lambda e: e.name))
    whole = selector if len(kept) == len(chosen) else None
    return Retrieval(mentions.text, mentions, found, len(found), whole)


def _in_the_room(
    selector: Selector, chosen: tuple[Entity, ...], want: Wanted, situation: Situation
) -> tuple[Selector, tuple[Entity, ...]]:
    """A set without a place is that of the speaker's room, if it has some, but where "all" is said."""
    if want.placed or want.every or want.which or not situation.area_id:
        return selector, chosen
    near = tuple(e for e in chosen if e.area and e.area.area_id == situation.area_id)
    return (replace(selector, area_ids=(situation.area_id,)), near) if near else (selector, chosen)


def _qualified(chosen: tuple[Entity, ...], mentions: Mentions) -> tuple[Entity, ...]:
    """Of the set, those whose names have the extra words that were said ("ceiling"), if any has."""
    extra = set(mentions.unread)
    if not extra:
        return chosen
    having = tuple(e for e in chosen if any(extra & set(words(name)) for name in e.names))
    return having or chosen
