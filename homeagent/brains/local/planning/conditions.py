"""Whether what an order depends on is so now: a question of yes or no, answered from the home's present states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from homeagent.brains.local.surroundings import Surroundings, entities_of
from homeagent.domains.states import raw_states
from homeagent.ha.home import UNAVAILABLE, UNKNOWN, State
from homeagent.languages.concepts import Way
from homeagent.understanding.request import Act, Given, Request
from indexer.entity import Entity

_ONLY_IF_ALL = frozenset({"off", "closed", "locked", "not_home"})
"""States that a set is only in when all of it is: one lamp makes it light."""


def under_conditions(requests: Iterable[Request], around: Surroundings) -> Iterator[Request]:
    """The requests whose conditions hold now. Where none of those under one condition is left, how it is instead, and
    that nothing is done.
    """
    wanted = list(requests)
    kept = [r for r in wanted if r.given is None or holds(r.given, around)]
    asked = {str(r.given.asked): r.given.asked for r in wanted if r.given is not None}
    for key, question in asked.items():
        if not any(r.given is not None and str(r.given.asked) == key for r in kept):
            yield question
            yield Request(Act.SAY, say="left_alone")
    yield from (replace(r, given=None) for r in kept)


def holds(given: Given, around: Surroundings) -> bool:
    """Whether it is so, as far as it is known: of what is unavailable neither yes nor no holds."""
    answers = [a for e in entities_of(given.asked.scope, around) if (a := _answer(given.asked, e, around)) is not None]
    if not answers:
        return False
    every = bool(_ONLY_IF_ALL & {*given.asked.states}) or given.asked.details.than is not None
    return (all(answers) if every else any(answers)) is not given.denied


def _answer(asked: Request, entity: Entity, around: Surroundings) -> bool | None:
    """Yes or no of one thing; None where that is not known or asked of nothing that it could be."""
    state = around.home.state(entity.entity_id)
    if state is None or state.state in (UNAVAILABLE, UNKNOWN):
        return None
    if asked.details.than is not None:
        return _compared(asked, state)
    if asked.attribute:
        return state.state in asked.states
    states = raw_states(entity, asked.states)
    return state.state in states if states else None


def _compared(asked: Request, state: State) -> bool | None:
    measured = state.attributes.get(asked.attribute) if asked.attribute else state.state
    try:
        number, than = float(str(measured)), asked.details.than or 0.0
    except ValueError:
        return None
    return number > than if asked.details.way is Way.UP else number < than
