"""From a request to tool calls, or to what is to be said instead: a question, a refusal, a "there is none"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from homeagent.brains.abilities import action_for, domains_for
from homeagent.brains.facts import raw_states
from homeagent.brains.grounding import Ground, entities_of
from homeagent.brains.request import Act, Asked, Period, Request, Scope
from homeagent.turn import ToolCall, new_id
from indexer.concepts import domains_of
from indexer.entity import Entity
from indexer.selector import Selector

CONTROL = "ha_control"
QUERY = "ha_query"
_ENDING = frozenset({"turn_off", "pause", "stop", "close", "mute"})
"""Actions that end something: of several that are called the same, the one that is at it is meant."""
ATTRIBUTES_RECORDED = frozenset({"current_temperature", "temperature", "current_humidity", "current_position"})
_WHOLE = frozenset({"items", "weather", "media_title"})
"""What is told of a thing as a whole, and is no attribute to be asked for."""
_COUNTED = frozenset({Asked.WHICH, Asked.HOW_MANY})
_MOST_ASKED = 5
"""More than these are not read out when the person has to choose."""
_ACTIVE = {
    "pause": ("playing",),
    "stop": ("playing",),
    "next": ("playing", "paused"),
    "previous": ("playing", "paused"),
    "mute": ("playing", "on"),
    "unmute": ("playing", "on", "paused"),
    "play": ("paused",),
}
"""The states of the players that are meant when none is named."""


@dataclass(frozen=True, slots=True)
class Saying:
    """A phrase of the answer: its key, what is put into it, and the entities it names."""

    key: str
    words: Mapping[str, str] = field(default_factory=dict)
    entity_ids: tuple[str, ...] = ()
    place: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """One request with the calls that serve it, or what is said instead; ``question`` is kept for the next turn."""

    request: Request
    calls: tuple[ToolCall, ...] = ()
    saying: Saying | None = None
    question: dict[str, Any] | None = None


def plan(request: Request, around: Ground) -> Plan:
    if request.act is Act.CONTROL:
        return _control(request, around)
    if request.act in (Act.QUERY, Act.HISTORY):
        return _query(request, around)
    if request.act is Act.SAY and request.say == "suggest":
        return _suggest(request, around)
    return Plan(request, saying=Saying(request.say, {**request.words, "response": request.response}))


def _control(request: Request, around: Ground) -> Plan:
    domains = domains_for(request.action, request.parameters)
    if request.scope.named:
        return _control_named(request, around, domains)
    if not request.scope.is_set:
        return _ask_target(request)
    chosen = _settle(request, around, domains)
    if isinstance(chosen, Plan):
        return chosen
    return _control_set(replace(request, scope=chosen), around)


def _control_named(request: Request, around: Ground, domains: Sequence[str]) -> Plan:
    """Each name must mean one thing; where it fits several, the person is asked."""
    chosen: list[Entity] = []
    for group in request.scope.named:
        able = _able(group, around, domains, request)
        if not able:
            names = tuple(group)
            return Plan(request, saying=Saying("unsupported", entity_ids=names[:1]))
        if len(able) > 1 and request.action in _ENDING:
            running = [e for e in able if _is_active(around.home.state_text(e.entity_id))]
            able = running if len(running) == 1 else able  # "turn off the TV" means the one that is on
        if len(able) > 1 and not request.scope.every:
            return ask_which(request, [e.entity_id for e in able])
        chosen.extend(able)
    return Plan(request, _calls_by_action(request, list(dict.fromkeys(chosen))))


def _able(group: Sequence[str], around: Ground, domains: Sequence[str], request: Request) -> list[Entity]:
    """Of the things that share a name those that can do it, in the place that was said, the likelier domain only."""
    known = [e for i in group if (e := around.home.entity(i)) is not None]
    placed = [e for e in known if request.scope.selector.matches(e)] or known
    intent = bool(request.intent)
    able = [e for e in placed if intent or e.domain in domains or action_for(request.action, e.domain) in ("press",)]
    if len(able) > 1 and around.area_id:
        able = [e for e in able if e.area is not None and e.area.area_id == around.area_id] or able
    if len({e.domain for e in able}) > 1 and domains:
        order = {d: n for n, d in enumerate(domains)}
        first = min(order.get(e.domain, len(order)) for e in able)
        able = [e for e in able if order.get(e.domain, len(order)) == first]
    return able


def _calls_by_action(request: Request, entities: Sequence[Entity]) -> tuple[ToolCall, ...]:
    by_action: dict[str, list[str]] = {}
    for entity in entities:
        by_action.setdefault(action_for(request.action, entity.domain), []).append(entity.entity_id)
    return tuple(
        _call(CONTROL, {"action": a, "entity_id": ids, "parameters": dict(request.parameters)})
        for a, ids in by_action.items()
    )


def _settle(request: Request, around: Ground, domains: Sequence[str]) -> Scope | Plan:
    """Which part of a set is meant where no place was said: the speaker's room, what plays, the only one there is."""
    scope = request.scope
    members = entities_of(scope, around)
    if not members:
        return _none(request, around)
    placed = scope.selector.area_ids or scope.selector.floor_ids or scope.selector.labels
    if placed or len(members) == 1 or (scope.every and request.action not in _ACTIVE):
        return scope
    if around.area_id:
        here = replace(scope.selector, area_ids=(around.area_id,))
        if here.select(around.exposed):
            return replace(scope, selector=here)
    if wanted := _ACTIVE.get(request.action) or (("playing",) if "volume" in str(request.parameters) else None):
        active = [e for e in members if around.home.state_text(e.entity_id) in wanted]
        if len(active) == 1:
            return _control_named(replace(request, scope=Scope(((active[0].entity_id,),))), around, domains)
        members = tuple(active) or members
    if scope.every:
        return scope
    return ask_which(request, [e.entity_id for e in members])


def _control_set(request: Request, around: Ground) -> Plan:
    """A set goes to the tool as what was said of it, so that its size does not matter."""
    members = entities_of(request.scope, around)
    if any("_step" in p for p in request.parameters):
        # "brighter" is said of what shines, not of what is dark
        members = tuple(e for e in members if _is_active(around.home.state_text(e.entity_id))) or members
        return Plan(request, _calls_by_action(request, members))
    if len(members) == 1:
        return Plan(request, _calls_by_action(request, members))
    actions: dict[str, list[str]] = {}
    for entity in members:
        domains = actions.setdefault(action_for(request.action, entity.domain), [])
        if entity.domain not in domains:
            domains.append(entity.domain)
    there = {d for e in members for d in domains_of(e)}
    said = tuple(d for d in request.scope.selector.domains if d in there)
    calls = tuple(
        _call(
            CONTROL,
            {
                "action": action,
                **target_of(
                    # a set of one action keeps the domains as they were said: "lights" may hold a switch
                    replace(request.scope.selector, domains=said if len(actions) == 1 and said else tuple(domains))
                ),
                "parameters": dict(request.parameters),
            },
        )
        for action, domains in actions.items()
    )
    return Plan(request, calls)


def _is_active(state: str | None) -> bool:
    return state not in (None, "off", "unavailable", "unknown", "closed", "idle", "standby")


def target_of(selector: Selector) -> dict[str, Any]:
    """A selector as the tools take it."""
    parts = {
        "domain": selector.domains,
        "device_class": selector.device_classes,
        "area": selector.area_ids,
        "floor": selector.floor_ids,
        "label": selector.labels,
        "exclude": selector.exclude,
    }
    return {key: list(values) for key, values in parts.items() if values}


def _none(request: Request, around: Ground) -> Plan:
    selector = request.scope.selector
    places = [around.home.areas[a].name for a in selector.area_ids if a in around.home.areas]
    places += [around.home.floors[f].name for f in selector.floor_ids if f in around.home.floors]
    kinds = selector.device_classes or selector.domains[:1]
    key = "none_there" if places else "none_of_kind"
    return Plan(request, saying=Saying(key, {"kinds": " ".join(kinds), "place": ", ".join(places)}))


def _query(request: Request, around: Ground) -> Plan:
    scope = request.scope
    if scope.named:
        ids = _queried(request, around)
        if len(ids) > 1 and not scope.every and len(scope.named) == 1:
            return ask_which(request, ids)
        target: dict[str, Any] = {"entity_id": ids}
    else:
        members = entities_of(scope, around)
        if not members:
            return _none(request, around)
        if not (scope.selector.area_ids or scope.selector.floor_ids) and around.area_id and request.attribute:
            here = replace(scope.selector, area_ids=(around.area_id,))
            scope = replace(scope, selector=here) if here.select(around.exposed) else scope
        return Plan(replace(request, scope=scope), _set_queries(request, scope.selector, around))
    return Plan(replace(request, scope=scope), (_call(QUERY, {**target, **_details(request)}),))


def _set_queries(request: Request, selector: Selector, around: Ground) -> tuple[ToolCall, ...]:
    """What a set is asked for. Only those in a state are asked for by that state, domain by domain: a door that is a
    cover is "open", one that is a sensor "on"."""
    if request.asked not in _COUNTED or not request.states or request.attribute or request.act is Act.HISTORY:
        return (_call(QUERY, {**target_of(selector), **_details(request)}),)
    by_state: dict[str, dict[str, None]] = {}
    for entity in selector.select(around.exposed):
        for raw in raw_states(entity, request.states):
            by_state.setdefault(raw, {})[entity.domain] = None
    plain = {"sensor"} & {e.domain for e in selector.select(around.exposed)}
    if plain or not by_state:
        return (_call(QUERY, target_of(selector)),)
    return tuple(
        _call(QUERY, {**target_of(replace(selector, domains=tuple(domains))), "state": raw})
        for raw, domains in by_state.items()
    )


def _queried(request: Request, around: Ground) -> list[str]:
    """The ids that a question is about; of things that share a name those that can be in the state asked for."""
    ids: list[str] = []
    for group in request.scope.named:
        known = [e for i in group if (e := around.home.entity(i)) is not None]
        placed = [e for e in known if request.scope.selector.matches(e)] or known
        fitting = [e for e in placed if raw_states(e, request.states)] if len(placed) > 1 else placed
        ids.extend(e.entity_id for e in fitting or placed)
    return list(dict.fromkeys(ids))


def _details(request: Request) -> dict[str, Any]:
    """What of a thing is to be looked up: its history, an attribute, only those in a state."""
    if request.attribute == "forecast":
        return {"forecast": "daily"}
    if request.act is Act.HISTORY:
        history: dict[str, Any] = {"duration": _duration(request.period or Period(hours=24))}
        if request.asked is not Asked.WHEN:
            numeric = request.asked in (Asked.AVERAGE, Asked.LOWEST, Asked.HIGHEST)
            history["aggregate"] = request.asked.value if numeric else "count"
        if request.attribute in ATTRIBUTES_RECORDED:
            history["attribute"] = request.attribute
        return {"history": history}
    if request.attribute in _WHOLE:
        return {}
    if request.attribute:
        return {"attributes": [request.attribute]}
    return {}


def _duration(period: Period) -> str:
    if period.days_ago is not None:
        return "today" if period.days_ago == 0 else "yesterday"
    return f"{round((period.hours or 24) * 60)}m"


def ask_which(request: Request, ids: Sequence[str]) -> Plan:
    """Ask the person which of these is meant, and remember what to do with the answer."""
    question = {"kind": "which", "candidates": list(ids), "request": stored(request)}
    key = "which_one" if len(ids) <= _MOST_ASKED else "which_many"
    domains = {i.partition(".")[0] for i in ids}
    words = {"count": str(len(ids)), "kinds": domains.pop() if len(domains) == 1 else "any"}
    return Plan(request, saying=Saying(key, words, tuple(ids[:_MOST_ASKED])), question=question)


def _ask_target(request: Request) -> Plan:
    question = {"kind": "target", "request": stored(request)}
    return Plan(request, saying=Saying("which_target"), question=question)


def _suggest(request: Request, around: Ground) -> Plan:
    members = entities_of(request.scope, around) or entities_of(
        Scope(selector=Selector(domains=request.scope.selector.domains)), around
    )
    if not members:
        return Plan(request, saying=Saying("nothing_to_do"))
    doing = replace(request, act=Act.CONTROL, scope=Scope(tuple((e.entity_id,) for e in members), every=True))
    question = {"kind": "suggest", "candidates": [e.entity_id for e in members], "request": stored(doing)}
    verb = next(iter(request.parameters), request.action)
    ids = tuple(e.entity_id for e in members[:_MOST_ASKED])
    return Plan(
        request, saying=Saying("suggest", {"verb": verb, "what": request.words["what"]}, ids), question=question
    )


def stored(request: Request) -> dict[str, Any]:
    """What the database keeps of a request until the person has answered."""
    return {
        "act": request.act.value,
        "action": request.action,
        "parameters": dict(request.parameters),
        "asked": request.asked.value,
        "states": list(request.states),
        "attribute": request.attribute,
        "intent": request.intent,
    }


def _call(tool: str, parameters: Mapping[str, Any]) -> ToolCall:
    return ToolCall(new_id(), tool, {k: v for k, v in parameters.items() if v not in ({}, [], None)})
