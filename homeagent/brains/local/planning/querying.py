"""From a question to what is to be looked up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from homeagent.brains.local.planning.history_queries import past_calls
from homeagent.brains.local.planning.main_entity import main_entity
from homeagent.brains.local.planning.plans import QUERY, Plan, ask_which, call, none_there, target_of
from homeagent.brains.local.surroundings import Surroundings, entities_of
from homeagent.domains import ON_OFF
from homeagent.domains.states import AT_REST, FINISHED, RANGE, raw_states
from homeagent.ha.home import Home
from homeagent.knowledge import SOURCES
from homeagent.safety.guards import kind_of
from homeagent.turn import ToolCall
from homeagent.understanding.request import TIME_LEFT, Asked, Period, Request, Scope
from indexer.entity import Entity
from indexer.lexicon import domains_of
from indexer.selector import Selector

_WHOLE = frozenset({"items", "weather", "contrast", "media_title", "doing", TIME_LEFT, FINISHED})
"""What is told of a thing as a whole, and is no attribute to be asked for."""
_FORECASTS = {"daily": 1, "twice_daily": 4, "hourly": 2}
"""Kinds of forecasts and the bits by which a weather service tells that it has them."""
_MOST_SINCE = 3
_MOST_LISTED = 40
"""So many are looked up one by one."""
_OF_ALL = frozenset({Asked.YESNO, Asked.ALL})
_WAITING = AT_REST - {"off"}
_COUNTED = frozenset({Asked.WHICH, Asked.HOW_MANY})


def query(request: Request, around: Surroundings) -> Plan:
    """The look-ups that answer a question, or a question back where a name fits several things."""
    scope = _on_or_off(request, around)
    request = replace(request, scope=scope)
    if scope.named and request.asked in _COUNTED:
        scope = replace(scope, named=tuple(_singles(scope, around)), every=True)
        request = replace(request, scope=scope)
    if scope.named:
        ids = _queried(request, around)
        if len(ids) > 1 and not scope.every and len(scope.named) == 1:
            return ask_which(request, ids)
        if request.asked is Asked.HOW_LONG and not request.attribute:
            calls = tuple(_since(i, around) for i in ids[:_MOST_SINCE])
            return Plan(replace(request, scope=scope), calls)
        target: dict[str, Any] = {"entity_id": ids}
    else:
        members = entities_of(scope, around)
        if not members and (technical := [e.entity_id for e in around.exposed if scope.selector.matches(e)]):
            # batteries are there to be asked about, though "all the sensors" are not they
            scope = Scope(tuple((i,) for i in technical), every=True)
            asked = {"entity_id": technical, **_details(request, around)}
            return Plan(replace(request, scope=scope), (call(QUERY, asked),))
        if not members:
            return none_there(request, around)
        if not (scope.selector.area_ids or scope.selector.floor_ids) and around.area_id and request.attribute:
            here = replace(scope.selector, area_ids=(around.area_id,))
            scope = replace(scope, selector=here) if around.select(here) else scope
        return Plan(replace(request, scope=scope), _set_queries(request, scope.selector, around))
    return Plan(replace(request, scope=scope), (call(QUERY, {**target, **_details(request, around)}),))


def _on_or_off(request: Request, around: Surroundings) -> Scope:
    """The scope of a question about on and off: without idle players, which are neither, and cut to the most that are
    looked up, keeping those that decide the answer.
    """
    scope = request.scope
    if not (scope.named and scope.every and set(ON_OFF) & set(request.states)):
        return scope
    kept = [e for e in entities_of(scope, around) if e.domain != "media_player" or _state(e, around) not in _WAITING]
    if len(kept) > _MOST_LISTED:
        # one that is on decides whether any is, or all are off
        rest = ("off" in request.states) != (request.asked in _OF_ALL)
        kept = ([e for e in kept if (_state(e, around) in AT_REST) is rest] or kept)[:_MOST_LISTED]
    return replace(scope, named=tuple((e.entity_id,) for e in kept)) if kept else scope


def _state(entity: Entity, around: Surroundings) -> str:
    return around.home.state_text(entity.entity_id) or ""


def _since(entity_id: str, around: Surroundings) -> ToolCall:
    """A look-up of when the present state began, from the recorder: the live state knows at most the time since Home
    Assistant's start.
    """
    asked: dict[str, Any] = {"entity_id": [entity_id]}
    state = around.home.state(entity_id)
    return call(QUERY, asked | ({"history": {"state": [state.state]}} if state and state.available else {}))


def _singles(scope: Scope, around: Surroundings) -> Iterator[tuple[str, ...]]:
    """The named things one by one, a group as its members, so that counting counts the members."""
    for entity in entities_of(scope, around):
        parts = entity.members if entity.domain not in SOURCES else ()
        yield from ((i,) for i in [m for m in parts if around.home.entity(m) is not None] or (entity.entity_id,))


def _set_queries(request: Request, selector: Selector, around: Surroundings) -> tuple[ToolCall, ...]:
    """The look-ups for a set. A question for things in a state filters by that state, with one call for each raw word
    that domains have for it: an open cover is ``open``, an open door sensor ``on``.
    """
    if request.asked not in _COUNTED or not request.states or request.attribute:
        return (call(QUERY, {**target_of(selector), **_details(request, around)}),)
    by_state: dict[str, dict[str, None]] = {}
    for entity in around.select(selector):
        # a switch that is called a lamp counts as a light, and no other switch does
        domain = next((d for d in domains_of(entity) if d in selector.domains), entity.domain)
        for raw in raw_states(entity, request.states):
            by_state.setdefault(raw, {})[domain] = None
    plain = {"sensor"} & {e.domain for e in around.select(selector)}
    if plain or not by_state:
        return (call(QUERY, target_of(selector)),)
    return tuple(
        call(QUERY, {**target_of(replace(selector, domains=tuple(domains))), "state": raw})
        for raw, domains in by_state.items()
    )


def _queried(request: Request, around: Surroundings) -> list[str]:
    """The ids that a question is about: of things with one name those in the place said that can have the state asked
    for.
    """
    ids: list[str] = []
    for group in request.scope.named:
        known = [e for i in group if (e := around.home.entity(i)) is not None]
        placed = [e for e in known if request.scope.selector.matches(e)] or known
        fitting = [e for e in placed if raw_states(e, request.states)] if len(placed) > 1 else placed
        if request.attribute == FINISHED or (request.asked is Asked.VALUE and request.attribute in ("", "doing")):
            fitting = main_entity(fitting or placed, around, beside=bool(request.attribute))
        ids.extend(e.entity_id for e in fitting or placed)
    return list(dict.fromkeys(ids))


def _details(request: Request, around: Surroundings) -> dict[str, object]:
    """The parameters beside the target: an attribute, a forecast, or days of a calendar."""
    if request.attribute == "forecast":
        return {"forecast": _forecast_kind(request, around)}
    if request.attribute == "events":
        return {"events": _days(request.period, around.home) if request.period else {"duration": "30d"}}
    if request.attribute in _WHOLE:
        return {}
    if request.attribute:
        return {"attributes": _named_attributes(request, around)}
    return {}


def _named_attributes(request: Request, around: Surroundings) -> list[str]:
    """The attribute; for a target temperature that is a range also its two ends, as far as the entity has them."""
    states = [s for e in entities_of(request.scope, around) if (s := around.home.state(e.entity_id)) is not None]
    if request.attribute == "temperature" and any(RANGE[0] in s.attributes for s in states):
        found = (request.attribute, *RANGE)
        return [a for a in found if any(s.attributes.get(a) is not None for s in states)]
    return [request.attribute]


def _forecast_kind(request: Request, around: Surroundings) -> str:
    """The kind that the weather service has; the longest-reaching where it has several."""
    for entity in entities_of(request.scope, around):
        state = around.home.state(entity.entity_id)
        if state is not None and (found := next((k for k, bit in _FORECASTS.items() if state.supports(bit)), None)):
            return found
    return "daily"


def _days(period: Period, home: Home) -> dict[str, object]:
    """Whole local days from the period's first to its last, both included."""
    first = datetime.now(home.config.time_zone).date() - timedelta(days=period.days_ago)
    return {"from": first.isoformat(), "to": (first + timedelta(days=period.days - 1)).isoformat()}


def safety_query(request: Request, around: Surroundings) -> Plan | None:
    """The look-ups for a question about safety; None where what the words point at guards and endangers nothing."""
    question = request.safety
    assert question is not None
    kinds = (*question.kinds, *question.also)
    meant = entities_of(request.scope, around)
    things = [e.entity_id for e in meant if kind_of(kinds, e, question.language) is not None]
    if request.scope.named and not things:
        return None
    looked = (call(QUERY, {"entity_id": things}),) if things else ()
    past = past_calls(request.past, "") if request.past is not None else ()
    return Plan(request, (*looked, *past))
