"""The states that a question asks about, and the words that say them."""

from __future__ import annotations

from collections.abc import Collection

from homeagent.domains import PROFILES
from homeagent.domains.actions import BROUGHT_BY
from homeagent.domains.person import PEOPLE
from homeagent.languages.concepts import (
    Particle,
    Question,
    Role,
    SafetyWord,
    StateWord,
    Verb,
)
from homeagent.understanding.clauses import THINGS, Clause
from homeagent.understanding.frames.question_form import CLOSED
from homeagent.understanding.request import Asked
from homeagent.understanding.spans import InArea, Named, OfKind, OnFloor

_DONE = {Verb(action): state for state, action in BROUGHT_BY.items() if action != Verb.PLAY.value}
"""The state that a deed leads to; of what is played it is asked by its title."""
DEFAULT = "default"
"""The key of states that any device class may have."""
SENSED, TRUE = "binary_sensor", "on"
"""What reports a mere yes or no, and its state for yes."""
States = dict[str, tuple[str, ...]]


def asked_states(clause: Clause, asked: Asked) -> tuple[States, set[int]]:
    """The raw states asked about, by device class, and the indexes that say them.

    Without a word for a state a verb says one ("did I lock it"), or the kind of sensor does ("is there motion").
    """
    states, cells = states_said(clause)
    if states:
        return states, cells | clause.at(Verb.KEEP)
    if asked in CLOSED and (there := is_there(clause)):
        return {DEFAULT: (PROFILES[PEOPLE[0]].active,)}, there
    if asked in CLOSED and (deeds := {i: _DONE[v] for i, v in clause.said(Verb) if v in _DONE}):
        return {DEFAULT: tuple(deeds.values())}, set(deeds)
    still = clause.at(SafetyWord.STILL) if asked in CLOSED else set()
    still |= clause.at(Question.ANY) if asked is Asked.WHERE else set()
    if still and _of_light(clause):
        return {DEFAULT: (TRUE,)}, still  # "noch Licht im Flur?", "in welchen Zimmern brennt noch Licht"
    return (sensed(clause) if asked in (*CLOSED, Asked.WHICH) else {}), cells


def _of_light(clause: Clause) -> bool:
    """Whether all that is named, places aside, is light."""
    kinds = [k.domain for _, kind in clause.said(OfKind) for c in kind.concepts for k in c.kinds]
    return "light" in kinds and not clause.of(Named)


def is_there(clause: Clause) -> set[int]:
    """The index of a word like "in" at the end that leads to no place: of people it says that they are at home."""
    last = len(clause.cells) - 1
    people = all(e.partition(".")[0] in PEOPLE for _, n in clause.said(Named) for e in n.entity_ids)
    said = clause.cells[last].means(Role.PLACE) and not clause.cells[last].has(Particle, StateWord, *THINGS)
    small = (Role.FILLER, Role.COPULA)
    within = all(c.has(Question, Named) or c.says(*small) for c in clause.cells[:last])
    return {last} if said and people and within and last else set()


def sensed(clause: Clause) -> States:
    """For the kinds of binary sensors named: that they are ``on``, which is what they are named after ("is there
    motion").
    """
    kinds = [c.kinds for _, kind in clause.said(OfKind) for c in kind.concepts]
    classes = [k.device_class for several in kinds if all(k.domain == SENSED for k in several) for k in several]
    return {device_class: (TRUE,) for device_class in classes if device_class}


def states_said(clause: Clause, without: Collection[int] = ()) -> tuple[States, set[int]]:
    """The raw states said, by device class, and the indexes of their words; those ``without`` are skipped."""
    states: States = {}
    cells: set[int] = set()
    kinds, named = clause.of(OfKind), clause.of(Named)
    places, others = clause.of(InArea, OnFloor), clause.of(StateWord)
    for place, word in clause.said(StateWord):
        if clause.cells[place].says(Particle.UP, Particle.DOWN) and not (kinds or named):
            continue  # of nothing in particular it says no state
        if place in without or (place in places and others - {place}):
            continue  # "is everything off upstairs": the place is no second state
        if clause.leads_to_a_thing(place) and (others - {place} or not places):
            continue  # "playing on the radio"; but "on upstairs"
        if place not in kinds or len(kinds) > 1 or named:
            cells.add(place)
            for device_class, raw in word.raw:
                states[device_class] = (*states.get(device_class, ()), raw)
    return states, cells
