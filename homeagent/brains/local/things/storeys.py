"""Upstairs, downstairs, outside: where no floor and no room is called so."""

from __future__ import annotations

from dataclasses import replace

from homeagent.brains.language.lexicon import fold
from homeagent.brains.language.likeness import name_words
from homeagent.brains.language.reading import Reading
from homeagent.brains.local.things.grounding import Ground, entities_of
from homeagent.ha.home import Home
from homeagent.understanding.request import Act, Request, Scope
from indexer.entity import Area, Entity, Floor
from indexer.mentions import Mention, MentionKind


def mentions(reading: Reading, home: Home) -> tuple[Mention, ...]:
    """The floors that "upstairs", and the rooms that "outside" mean here; none where a floor was named anyhow."""
    if reading.of_kind(MentionKind.FLOOR):
        return ()
    every = tuple(home.floors.values())
    found = []
    for spot in () if reading.of_kind(MentionKind.AREA) else reading.of("outdoors"):
        if meant := tuple(a.area_id for a in home.areas.values() if _is_outside(a, reading.lexicon.outdoor_names)):
            first, last = reading.words[spot.positions[0]], reading.words[spot.positions[-1]]
            found.append(Mention(MentionKind.AREA, reading.text[first.start : last.end], first.start, last.end, meant))
    for spot in reading.of("floors"):
        meant = _meant(spot.concept, every, reading.lexicon.floor_names.get(spot.concept, ()))
        if meant:
            first, last = reading.words[spot.positions[0]], reading.words[spot.positions[-1]]
            text = reading.text[first.start : last.end]
            found.append(Mention(MentionKind.FLOOR, text, first.start, last.end, meant))
    return tuple(found)


def unless_unknown(request: Request, reading: Reading, around: Ground) -> Request:
    """The request, or where no floor is known by the word for one: of those it is for, the ones that are called by it
    or are in a room that is; else the answer that there is none, rather than an order to the whole home."""
    said = reading.of("floors")
    placed = reading.of_kind(MentionKind.FLOOR, MentionKind.AREA) or request.scope.named
    if request.act is not Act.CONTROL or placed or not said or not request.scope.is_set:
        return request
    word = {reading.words[p].text for p in said[0].positions}
    if called := tuple(e.entity_id for e in entities_of(request.scope, around) if word <= _words_for(e)):
        all_of_them = reading.plural or request.scope.every
        named = tuple((i,) for i in called) if all_of_them else (called,)
        return replace(request, scope=Scope(named, every=all_of_them))
    first, last = reading.words[said[0].positions[0]], reading.words[said[0].positions[-1]]
    words = {"text": reading.text[first.start : last.end]}
    return replace(Request(Act.SAY, say="unknown_place", words=words), intent=request.intent)


def _words_for(entity: Entity) -> set[str]:
    """The words of its names and of its room's."""
    names = (*entity.names, *((entity.area.name, *entity.area.aliases) if entity.area else ()))
    return {word for name in names for word in name_words(name)}


def _is_outside(area: Area, names: frozenset[str]) -> bool:
    return any(w in names for name in (area.name, *area.aliases) for w in name_words(name))


def _meant(which: str, floors: tuple[Floor, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """By the floors' levels where Home Assistant has them (0: ground), else by what they are called."""
    if any(f.level is not None for f in floors):
        levels = [f for f in floors if f.level is not None]
        return tuple(f.floor_id for f in levels if (f.level or 0) > 0) if which == "upstairs" else _below(levels)
    return tuple(f.floor_id for f in floors if any(fold(n) in names for n in (f.name, *f.aliases)))


def _below(floors: list[Floor]) -> tuple[str, ...]:
    """The ground floor; what is called a cellar is not meant by downstairs, unless there is nothing else."""
    ground = tuple(f.floor_id for f in floors if f.level == 0)
    return ground or tuple(f.floor_id for f in floors if (f.level or 0) < 0)
