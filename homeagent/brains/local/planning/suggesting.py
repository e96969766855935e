"""What may have been meant by a name that nothing has: what is spelt like it, or what there is of its kind there."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from homeagent.ha.home import Home
from homeagent.understanding.request import About
from indexer.entity import Area, Entity
from indexer.lexicon import domains_of
from indexer.normalise import is_syllabic
from indexer.words import words

_ALIKE = 0.7
"""From this likeness on a name is offered: 1 is the same. Below lie words that only share letters."""
_PLACE_ALIKE = 0.45
"""Rooms are few: less is enough."""
_WORD_ALIKE = 0.6
_BEHIND = 0.1
"""What is so much less alike than the best is not offered beside it."""
_SHARED = 0.5
"""So much is enough where a whole word is shared that few names have: "coffee roaster", "coffee machine"."""
_FEW = 3
_SHORTEST_SHARED = 4
_MOST = 3
_SHORTEST = 4
"""Shorter words are compared exactly."""


def nearest_places(text: str, home: Home) -> list[str]:
    """Names of rooms and floors that are like a text, best first."""
    names = [*(a.name for a in home.areas.values()), *(f.name for f in home.floors.values())]
    return _best(likenesses(text, names), _PLACE_ALIKE)


def nearest_things(about: About, home: Home) -> list[Entity]:
    """What to offer in place of a text that nothing is called, best first: of the domains and areas that were named
    beside it.
    """
    text, kinds, areas = about.text, set(about.domains), set(about.area_ids)
    things = [e for e in home.exposed() if e.in_plurals and (not kinds or kinds & set(domains_of(e)))]
    place = frozenset(w for a in areas if a in home.areas for w in _place_words(home.areas[a]))
    bearers = {name: e for e in reversed(things) for name in e.names}
    if like := _like(text, bearers, place):
        return list(dict.fromkeys(bearers[name] for name in like))
    return list(_there(things, areas)[:_MOST]) if kinds and areas else []


def _there(things: Iterable[Entity], areas: set[str]) -> Sequence[Entity]:
    return [e for e in things if e.area is not None and e.area.area_id in areas]


def _like(text: str, names: Iterable[str], place: Container[str] = ()) -> list[str]:
    scored = likenesses(text, names, place)
    if best := _best(scored, _ALIKE):
        return best
    said = {w for w in words(text) if len(w) >= _SHORTEST_SHARED and w not in place}
    having = {w: [n for n in scored if w in words(n)] for w in said}
    rare = {n for names in having.values() if len(names) <= _FEW for n in names}
    return _best({n: scored[n] for n in rare}, _SHARED)


def _best(scored: Mapping[str, float], floor: float) -> list[str]:
    near = max((s for s in scored.values() if s >= floor), default=1.0) - _BEHIND
    return sorted((n for n, s in scored.items() if s >= max(floor, near)), key=lambda n: (-scored[n], n))[:_MOST]


def likenesses(text: str, names: Iterable[str], place: Container[str] = ()) -> dict[str, float]:
    """How much each name is spelt like a text, 0 to 1: as a whole, or word by word in any order.

    ``place``: words of a room that was named, which make nothing of it alike. Thousands of names are made of the same
    few words, and so each word is compared once.
    """
    said = _less(words(text), place)
    own = {name: _less(words(name), place) for name in names}
    if not said or not own:
        return dict.fromkeys(own, 0.0)
    vocabulary = {w for words in own.values() for w in words}
    same = [{w: near for w in vocabulary if (near := _same(s, w))} for s in said]
    likely = frozenset(w for known in same for w in known)
    wholes = process.cdist([" ".join(said)], [" ".join(words) for words in own.values()], dtype=np.float64)[0].tolist()
    return {
        # every text is a little like a name of no words, which is like nothing
        name: max(whole / 100, _by_words(same, likely.intersection(words), len(words))) if words else 0.0
        for (name, words), whole in zip(own.items(), wholes, strict=True)
    }


def _less(words: Sequence[str], place: Container[str]) -> Sequence[str]:
    return [w for w in words if w not in place] if place else words


def _by_words(same: Sequence[Mapping[str, float]], near: Collection[str], size: int) -> float:
    """The likeness word by word to a name of ``size`` words: ``same`` tells for each word that was said how much the
    words ``near`` to any are like it."""
    if not near:
        return 0.0
    return sum(max(known.get(o, 0.0) for o in near) for known in same) / max(len(same), size)


def _same(said: str, word: str) -> float:
    if _alike(said, word):
        return 1.0
    near = DamerauLevenshtein.normalized_similarity(said, word)
    return near if near >= _WORD_ALIKE else 0.0


def _alike(said: str, word: str) -> bool:
    """Whether ``said`` is ``word`` itself, a form of it, or a compound that holds it."""
    if said == word:
        return True
    if is_syllabic(said) or is_syllabic(word):
        return len(word) >= 2 and (said.startswith(word) or (len(said) >= 2 and word.startswith(said)))
    shorter, longer = sorted((said, word), key=len)
    if len(shorter) < _SHORTEST:
        # "tvs", "lamps": a short word with an ending of one letter
        return (
            len(shorter) >= 2 and len(longer) == len(shorter) + 1 and longer.startswith(shorter) and longer[-1] == "s"
        )
    if longer.startswith(shorter) and len(longer) - len(shorter) <= 2:
        return True
    if shorter in longer and len(shorter) * 2 >= len(longer):
        return longer.startswith(shorter) or longer.endswith(shorter)
    return False


def _place_words(place: Area) -> frozenset[str]:
    """The words that an area is called by."""
    return frozenset(w for n in (place.name, *place.aliases) for w in words(n))
