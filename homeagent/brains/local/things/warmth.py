"""The heating and the air conditioning: of what Home Assistant has as one kind, what can do it."""

from __future__ import annotations

from dataclasses import replace

from homeagent.brains.language.lexicon import Spot
from homeagent.brains.language.likeness import name_words
from homeagent.brains.language.reading import Reading
from homeagent.brains.local.things.grounding import Ground, entities_of
from homeagent.understanding.request import Act, Request, Scope
from indexer.entity import Entity

_MODES = {"cooler": frozenset({"cool", "heat_cool", "dry"}), "heater": frozenset({"heat", "heat_cool", "auto"})}


def unless_unable(request: Request, reading: Reading, around: Ground) -> Request:
    """The request for those of the climates that heat, or cool, as was said, or are called by the word; the answer that
    there is none of such where no climate is left."""
    said = reading.of("warmth")
    if request.act not in (Act.CONTROL, Act.QUERY) or not said:
        return request
    meant = entities_of(request.scope, around)
    kept = [e for e in meant if e.domain != "climate" or any(_is(e, spot, reading, around) for spot in said)]
    if len(kept) == len(meant):
        return request
    if not kept:
        words = {"text": reading.words_at(said[0].positions)}
        return replace(Request(Act.SAY, say="unknown_device", words=words), intent=request.intent)
    ids = tuple(e.entity_id for e in kept)
    several = request.scope.every or reading.plural or len({spot.concept for spot in said}) > 1
    return replace(request, scope=Scope(tuple((i,) for i in ids) if several else (ids,), every=several))


def _is(climate: Entity, spot: Spot, reading: Reading, around: Ground) -> bool:
    """Whether it can do what the word says, or is called so."""
    called = {word for name in climate.names for word in name_words(name)}
    return _can(climate, spot.concept, around) or {reading.words[p].text for p in spot.positions} <= called


def _can(climate: Entity, what: str, around: Ground) -> bool:
    state = around.home.state(climate.entity_id)
    modes = (state.attributes.get("hvac_modes") or ()) if state is not None else ()
    return not modes or not _MODES[what].isdisjoint(modes)
