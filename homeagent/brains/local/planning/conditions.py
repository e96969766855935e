"""Whether what an order depends on is so now: a question of yes or no, answered from the home's present states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from homeagent.brains.local.planning.plans import Plan
from homeagent.brains.local.surroundings import Surroundings, entities_of
from homeagent.brains.local.wording.weather_answers import is_foretold
from homeagent.domains.states import raw_states
from homeagent.ha.home import UNAVAILABLE, UNKNOWN, State
from homeagent.languages.concepts import Way
from homeagent.understanding.request import Act, Given, Request
from indexer.entity import Entity

_FORETOLD = "forecast"
_ONLY_IF_ALL = frozenset({"off", "closed", "locked", "not_home"})
"""States that a set is only in when all of it is: one lamp makes it light."""


def planned(
    requests: Iterable[Request], around: Surroundings, plan: Callable[[Request, Surroundings], Plan]
) -> tuple[Plan, ...]:
    """A plan for each request whose condition holds now. What is foretold is asked for first: those under it wait."""
    wanted = list(requests)
    waiting = [r for r in wanted if r.given is not None and r.given.asked.attribute == _FORETOLD]
    now = tuple(plan(r, around) for r in under_conditions([r for r in wanted if r not in waiting], around))
    asked = {str(r.given.asked): r.given.asked for r in waiting if r.given is not None}
    ahead = (
        replace(plan(one, around), waiting=tuple(r for r in waiting if r.given and str(r.given.asked) == key))
        for key, one in asked.items()
    )
    return (*now, *ahead)


def after_looking(
    plans: Sequence[Plan],
    results: Mapping[str, Any],
    around: Surroundings,
    plan: Callable[[Request, Surroundings], Plan],
) -> tuple[Plan, ...]:
    """The plans with what waited for them, where its condition holds; else how it is, and that nothing is done.

    ``results``: what each call told, by its id.
    """
    made: list[Plan] = []
    for one in plans:
        if not one.waiting:
            made.append(one)
            continue
        lines = [line for c in one.calls for line in (results.get(c.id) or {}).get("entities", ())]
        so = is_foretold(one.request, lines, around.home)
        kept = [r for r in one.waiting if so is not None and r.given is not None and so is not r.given.denied]
        left = [replace(one, waiting=()), plan(Request(Act.SAY, say="left_alone"), around)]
        made += [plan(replace(r, given=None), around) for r in kept] or left
    return tuple(made)


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
