"""From a question about the past to what the tools are asked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from homeagent.brains.local.planning.plans import EXPLAIN, KNOW, QUERY, Plan, call, target_of
from homeagent.brains.local.surroundings import Surroundings
from homeagent.domains import profile_of
from homeagent.domains.states import raw_states
from homeagent.history.when.find_times import When
from homeagent.safety.guards import LOCK, lock_of
from homeagent.turn import ToolCall
from homeagent.understanding.request import Asking, Past, Request, Scope, Tell

_OPEN = "open"
_FIGURES = frozenset({Tell.AVERAGE, Tell.LOWEST, Tell.HIGHEST, Tell.SUM})
_MOST_EXPLAINED = 3
_MOST_PIECES = 20


def recorded(request: Request, past: Past, around: Surroundings) -> Plan:
    """The look-ups for a question about the past."""
    if past.tell is Tell.HAPPENED:
        return Plan(request, (_overview(request.scope, past, around),))
    past = replace(past, of=tuple(_as_recorded(a, past, around) for a in past.of))
    things = [e.name for a in past.of if (e := around.home.entity(a.entity_id)) is not None]
    return Plan(replace(request, past=past), past_calls(past, ", ".join(things)))


def past_calls(past: Past, text: str) -> tuple[ToolCall, ...]:
    """A look-up for each thing: over the first stretch, compared with the second where there is one.

    ``text``: the question, for what is found by its words.
    """
    if past.tell is Tell.ACTS:
        return (call(KNOW, {"query": text, "source_type": past.source, "limit": _MOST_PIECES}),)
    if past.tell is Tell.DOES:
        kinds = dict.fromkeys(a.entity_id.partition(".")[0] for a in past.of)
        return tuple(call(KNOW, {"query": text, "source_type": kind, "limit": _MOST_PIECES}) for kind in kinds)
    if past.tell in (Tell.WHY, Tell.WHO):
        return tuple(call(EXPLAIN, _explained(a, past)) for a in past.of[:_MOST_EXPLAINED])
    return tuple(call(QUERY, {"entity_id": [a.entity_id], "history": _history(a, past)}) for a in past.of)


def _overview(scope: Scope, past: Past, around: Surroundings) -> ToolCall:
    """What there was of a set of things; of all that is exposed where none is said."""
    everything = {"domain": sorted({e.domain for e in around.exposed})}
    where = {"entity_id": [i for g in scope.named for i in g]} if scope.named else target_of(scope.selector)
    return call(QUERY, {**(where or everything), "history": {**_times(past), "overview": True}})


def _as_recorded(asking: Asking, past: Past, around: Surroundings) -> Asking:
    """A question for what a thing was doing beside its state; where it does not report that, for the states that count
    as on. That the door of a lock was open its contact knows, where it has one.
    """
    entity, state = around.home.entity(asking.entity_id), around.home.state(asking.entity_id)
    if entity is None or state is None:
        return asking
    if entity.domain == LOCK and asking.states == (_OPEN,) and past.tell not in (Tell.WHY, Tell.WHO):
        doors = (e for e in around.exposed if e.domain == "binary_sensor" and lock_of([e], around.exposed) is entity)
        door = next(doors, None)
        return asking if door is None else Asking(door.entity_id, ("on",))
    if asking.attribute in state.attributes:
        return asking
    doing = profile_of(entity.domain).doing
    if doing is None or asking.attribute != doing.attribute:
        return asking
    return Asking(asking.entity_id, raw_states(entity, ("on",)))


def _explained(asking: Asking, past: Past) -> dict[str, object]:
    """The last time that it was so, until the end of the stretch; at a moment, as it was then."""
    asked: dict[str, Any] = {"entity_id": asking.entity_id, "state": list(asking.states)}
    if past.periods:
        when = past.periods[0]
        start, end = when.start.isoformat(), when.end.isoformat()
        asked |= {"at": start} if when.instant else {"at": end, "after": start if asking.states else None}
        if when.instant and asking.states:
            asked["after"] = start
    return asked


def _history(asking: Asking, past: Past) -> dict[str, Any]:
    history = _times(past)
    if asking.states:
        history["state"] = list(asking.states)
    if asking.attribute:
        history["attribute"] = asking.attribute
    if past.tell in _FIGURES:
        history["aggregate"] = past.tell.value
    if len(past.periods) > 1:
        history["compare"] = _span(past.periods[1])
    return history


def _times(past: Past) -> dict[str, object]:
    times: dict[str, Any] = _span(past.periods[0]) if past.periods else {}
    return times | ({"away": past.away.value} if past.away else {})


def _span(when: When) -> dict[str, str]:
    return {"from": when.start.isoformat(), "to": when.end.isoformat()}
