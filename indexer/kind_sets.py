"""Sets by their properties: what a word for a kind means, and what it may mean less surely ("wind": the weather)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from indexer.catalog import Catalog
from indexer.lexicon import EntityKind
from indexer.retrieval import Found, Retrieval
from indexer.selector import Selector
from indexer.wanted_properties import Wanted

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
