"""What opens a way into the home: covers by their device class, else, like relays and buttons, by their names."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from indexer.entity import Area, Entity
from indexer.words import normalise, words

ENTRANCES = frozenset({"garage", "gate", "door"})
"""Device classes of covers that let somebody in."""


def _terms(by_language: Mapping[str, Sequence[str]], languages: Container[str] | None = None) -> tuple[str, ...]:
    """Pieces to look for in words with a space around each: "tor " finds what ends so."""
    return tuple(
        f"{'' if word.startswith('-') else ' '}{normalise(word)}{'' if word.endswith('-') else ' '}"
        for language, spoken in by_language.items()
        if languages is None or language in languages
        for word in spoken
    )


_LISTS: Mapping[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
_SHADES, _DOORS, _WAYS_IN, _OPENERS, _BESIDE, _NEITHER = (
    _terms(_LISTS[kind]) for kind in ("shades", "doors", "ways_in", "openers", "beside", "neither")
)
_GATES = (*_terms(_LISTS["garages"]), *_terms(_LISTS["gates"]))
_HEAD_FIRST = frozenset(_LISTS["head_first"])
_FIRST, _LAST = (
    tuple(term for kind in ("gates", "doors") for term in _terms(_LISTS[kind], languages))
    for languages in (_HEAD_FIRST, _LISTS["doors"].keys() - _HEAD_FIRST)
)
RELAYS = frozenset({"switch", "button", "input_button", "input_boolean"})
"""Domains of what may be wired to an opener."""


def may_be_entrance(cover: Entity, rooms: Iterable[Area]) -> bool:
    """Whether a cover lets somebody in, or nothing tells that it does not.

    One without a device class is taken for a shade where its name says so, or where it is only called after one of the
    ``rooms``, as blinds often are; a name that tells nothing is in doubt, unless it is a group's: its members tell.
    """
    if cover.device_class is not None:
        return cover.device_class in ENTRANCES
    called = [word for name in (*cover.names, cover.object_id) for word in words(name)]
    place = words(f"{cover.device_name or ''} {cover.area.name if cover.area else ''}")
    if _says(called, _GATES, _NEITHER):
        return True
    if _says(called, _SHADES):
        return False
    if _says((*called, *place), (*_GATES, *_DOORS, *_WAYS_IN), _NEITHER):
        return True
    return not cover.members and not any(f" {normalise(room.name)} " in _spaced(called) for room in rooms)


def may_open(relay: Entity, rooms: Iterable[Area]) -> bool:
    """Whether a switch or a button opens a door or a gate: it is called an opener, or as a door or a gate is ("Garage
    door", "Portail du jardin"), and not as one of the ``rooms``."""
    if relay.domain not in RELAYS:
        return False
    places = {normalise(room.name) for room in rooms}
    for called in map(words, relay.names):
        if not called or " ".join(called) in places or _says(called, _BESIDE):
            continue
        if _says(called, _OPENERS) or _says(called[:1], _FIRST, _NEITHER) or _says(called[-1:], _LAST, _NEITHER):
            return True
    return False


def _says(called: Iterable[str], terms: Iterable[str], not_in: Iterable[str] = ()) -> bool:
    """Whether one of the terms is in these words, those left out that hold a term of ``not_in``."""
    text = _spaced(word for word in called if not (not_in and _says((word,), not_in)))
    return any(term in text for term in terms)


def _spaced(called: Iterable[str]) -> str:
    return f" {' '.join(called)} "
