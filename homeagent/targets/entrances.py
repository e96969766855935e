"""What opens a way into the home: covers by their device class, else, like relays and buttons, by their names."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from indexer.entity import Area, Entity
from indexer.word_files import read_words
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


RELAYS = frozenset({"switch", "button", "input_button", "input_boolean"})
"""Domains of what may be wired to an opener."""


@dataclass(frozen=True, slots=True)
class _Terms:
    """The lists of the file as terms; ``first`` and ``last``: doors and gates, as the word of a name that says what the
    thing is."""

    gates: tuple[str, ...]
    shades: tuple[str, ...]
    doors: tuple[str, ...]
    ways_in: tuple[str, ...]
    openers: tuple[str, ...]
    worked: tuple[str, ...]
    beside: tuple[str, ...]
    neither: tuple[str, ...]
    first: tuple[str, ...]
    last: tuple[str, ...]


@cache
def _known() -> _Terms:
    lists = read_words(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    kinds = ("shades", "doors", "ways_in", "openers", "worked", "beside", "neither")
    head_first = frozenset(lists["head_first"])
    return _Terms(
        gates=(*_terms(lists["garages"]), *_terms(lists["gates"])),
        first=(*_terms(lists["gates"], head_first), *_terms(lists["doors"], head_first)),
        last=tuple(
            term for kind in ("gates", "doors") for term in _terms(lists[kind], lists[kind].keys() - head_first)
        ),
        **{kind: _terms(lists[kind]) for kind in kinds},
    )


def may_be_entrance(cover: Entity, rooms: Iterable[Area]) -> bool:
    """Whether a cover lets somebody in, or nothing tells that it does not.

    One without a device class is taken for a shade where its name says so, or where it is only called after one of the
    ``rooms``, as blinds often are; a name that tells nothing is in doubt, unless it is a group's: its members tell.
    """
    if cover.device_class is not None:
        return cover.device_class in ENTRANCES
    known = _known()
    called = [word for name in (*cover.names, cover.object_id) for word in words(name)]
    place = words(f"{cover.device_name or ''} {cover.area.name if cover.area else ''}")
    if _says(called, known.gates, known.neither):
        return True
    if _says(called, known.shades):
        return False
    if _says((*called, *place), (*known.gates, *known.doors, *known.ways_in), known.neither):
        return True
    return not cover.members and not any(f" {normalise(room.name)} " in _spaced(called) for room in rooms)


def may_open(relay: Entity, rooms: Iterable[Area]) -> bool:
    """Whether a switch or a button opens a door or a gate.

    It does where it is called an opener, or as a door or a gate ("Garage door", "Portail du jardin"), and not as one of
    the ``rooms``."""
    if relay.domain not in RELAYS:
        return False
    known, places = _known(), {normalise(room.name) for room in rooms}
    for called in map(words, relay.names):
        if not called or " ".join(called) in places or _says(called, known.beside):
            continue
        core = [word for word in called if not word.isdigit() and not _says((word,), known.worked)]
        first, last = (_says(core[:1], known.first, known.neither), _says(core[-1:], known.last, known.neither))
        if first or last or _says(called, known.openers):
            return True
    return False


def _says(called: Iterable[str], terms: Iterable[str], not_in: Iterable[str] = ()) -> bool:
    """Whether one of the terms is in these words, those left out that hold a term of ``not_in``."""
    text = _spaced(word for word in called if not (not_in and _says((word,), not_in)))
    return any(term in text for term in terms)


def _spaced(called: Iterable[str]) -> str:
    return f" {' '.join(called)} "
