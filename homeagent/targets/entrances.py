"""Which covers open a way into the home: by their device class, else by what their names say."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import yaml

from indexer.entity import Area, Entity
from indexer.words import normalise, words

ENTRANCES = frozenset({"garage", "gate", "door"})
"""Device classes of covers that let somebody in."""


def _terms(by_language: dict[str, list[str]]) -> tuple[str, ...]:
    """Pieces to look for in words with a space around each: "tor " finds what ends so."""
    return tuple(
        f"{'' if word.startswith('-') else ' '}{normalise(word)}{'' if word.endswith('-') else ' '}"
        for spoken in by_language.values()
        for word in spoken
    )


_LISTS = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
_GATES, _SHADES, _WAYS_IN, _NEITHER = (_terms(_LISTS[kind]) for kind in ("gates", "shades", "ways_in", "neither"))


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
    if _says((*called, *place), (*_GATES, *_WAYS_IN), _NEITHER):
        return True
    return not cover.members and not any(f" {normalise(room.name)} " in _spaced(called) for room in rooms)


def _says(called: Iterable[str], terms: Iterable[str], not_in: Iterable[str] = ()) -> bool:
    """Whether one of the terms is in these words, those left out that hold a term of ``not_in``."""
    text = _spaced(word for word in called if not (not_in and _says((word,), not_in)))
    return any(term in text for term in terms)


def _spaced(called: Iterable[str]) -> str:
    return f" {' '.join(called)} "
