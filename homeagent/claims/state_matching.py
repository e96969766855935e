"""Whether a thing is in a state that is said of it."""

from __future__ import annotations

from collections.abc import Mapping

from homeagent.brains.local.wording.spoken_values import as_number
from homeagent.domains.person import PEOPLE
from homeagent.domains.states import AT_REST, FINISHED, UNDER_WAY, raw_of
from homeagent.ha.home import State
from indexer.entity import Entity

PERSON = "person"
"""Kind of the words that are a state of people only: "in", "out"."""
_PLAYS = ("playing", "buffering", "on")
_SWITCHED = frozenset({"on", "off"})
_SWITCHED_OFF = ("switch", "input_boolean", "fan")

States = Mapping[str, tuple[str, ...]]
"""Raw states that are said, by device class (or "default", or `PERSON`)."""


def can_be(entity: Entity, state: State | None, states: States, *, named: bool) -> bool:
    """Whether a thing can be in one of the states at all. ``named``: it was called by its name."""
    if _raws(entity, states):
        return True
    tells = named or (entity.domain == "sensor" and FINISHED in states.get("default", ()))
    return tells and _at_rest(entity, state, states) is not None


def is_in(entity: Entity, state: State, states: States) -> bool | None:
    """Whether a thing is in one of the states; None where nothing can tell."""
    if not state.available:
        return None
    if (rests := _at_rest(entity, state, states)) is not None:
        return rests
    raws = _raws(entity, states)
    if not raws:
        return None
    if entity.domain == "media_player" and "playing" in raws and "on" in raws:  # "läuft", which is no pause
        raws = _PLAYS
    # a movement may have been quicker than the answer
    meant = {*raws, *(reached for raw in raws for reached in UNDER_WAY.get(raw, ()))}
    return state.state in meant


def _raws(entity: Entity, states: States) -> tuple[str, ...]:
    if entity.domain in PEOPLE and PERSON in states:
        return tuple(dict.fromkeys((*raw_of(entity, states), *states[PERSON])))
    return raw_of(entity, states)


def _at_rest(entity: Entity, state: State | None, states: States) -> bool | None:
    """Whether a machine, which tells what it does in words of its own, has come to an end, or is at work, as said."""
    said = states.get("default", ())
    if FINISHED not in said and not (entity.domain == "sensor" and _SWITCHED & set(said)):
        return None
    worded = entity.domain == "sensor" and state is not None and as_number(state.state) is None
    if state is None or not (worded or (entity.domain in _SWITCHED_OFF and FINISHED in said)):
        return None
    return (state.state.casefold() in AT_REST) is ("on" not in said)
