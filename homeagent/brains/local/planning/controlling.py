"""From a command to tool calls: which of those that may be meant, and with which action of theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from homeagent.brains.local.planning.plans import (
    CONTROL,
    Plan,
    Saying,
    ask_target,
    ask_which,
    call,
    none_there,
    target_of,
)
from homeagent.brains.local.surroundings import Surroundings, entities_of
from homeagent.domains import profile_of
from homeagent.domains.actions import action_for, domains_for
from homeagent.domains.media_player import Feature
from homeagent.languages.concepts import Way
from homeagent.turn import ToolCall
from homeagent.understanding.frames.home_assistants_timers import TIME, TIME_STEP
from homeagent.understanding.previous_turn import each
from homeagent.understanding.request import ANNOUNCE, Request, Scope
from homeagent.values.colors import another_white
from indexer.entity import Entity
from indexer.lexicon import domains_of

_TELLS_EVERYBODY = {"assist_satellite": ANNOUNCE, "notify": "send_message"}
"""What can tell everybody something, the likelier first, and by which action."""
_ENDING = frozenset({"turn_off", "pause", "stop", "close", "mute"})
"""Actions that end something: of several that are called the same, the one that is at it is meant."""
_WHILE_ON = frozenset({"pause", "next", "previous", "mute", "unmute"})
_LOUDNESS = frozenset({"volume_level", "volume_step_pct"})
_OF_WHAT_PLAYS = frozenset({"volume_level", "volume_pct", "volume_step", "volume_step_pct", "shuffle", "repeat"})
"""What is said of a player without naming it is said of the one that plays."""
_CHOSEN = frozenset({"source", "sound_mode"})
"""What a player can be set to while it is on only."""
_SHARES = {
    "volume_step_pct": ("volume_level", 1, "volume_level"),
    "brightness_step_pct": ("brightness", 255, "brightness_pct"),
}
"""Steps in percent: the attribute that they change, what all of it is, and the parameter of a value."""
_MOST_OF_PRESENT = 300
"""In percent: by more of what it is now nothing is raised."""
_ALL, _UNIT = 100, {"volume_level": 0.01, "brightness_pct": 1}
_SILENCING = frozenset({"turn_off", "stop"})
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


def control(request: Request, around: Surroundings) -> Plan:
    """The calls that carry out a command, or a question back where it fits several things."""
    if request.action == ANNOUNCE and not request.scope.named:
        return _announce(request, around)
    either = [e.entity_id for e in entities_of(request.scope, around)] if request.scope.either else []
    if len(either) > 1:
        return ask_which(request, list(dict.fromkeys(either)))
    request = _sirens_first(_moved_time(request, around), around)
    if not request.scope.named:
        if not request.scope.is_set:
            return ask_target(request)
        chosen = _settle(request, around)
        if isinstance(chosen, Plan):
            return chosen
        request = replace(request, scope=chosen)
    request = _of_what_is_on(request, around)
    if (own := _each_of_its_own(request, around)) is not None:
        return own
    request = _as_share(_warmer_light(request, around), around)
    if request.scope.named:
        return _control_named(request, around, domains_for(request.action, request.parameters))
    return _control_set(request, around)


def _announce(request: Request, around: Surroundings) -> Plan:
    """What everybody is to be told: at the voice satellites, else as a notification; that there is neither."""
    for domain, action in _TELLS_EVERYBODY.items():
        feature = profile_of(domain).actions[action].feature
        ids = [
            e.entity_id
            for e in around.exposed
            if e.domain == domain
            and (state := around.home.state(e.entity_id)) is not None
            and state.available
            and state.supports(feature)
        ]
        if ids:
            told = call(CONTROL, {"action": action, "entity_id": ids, "parameters": dict(request.parameters)})
            return Plan(request, (told,))
    return Plan(request, saying=Saying("no_announcing"))


def _of_what_is_on(request: Request, around: Surroundings) -> Request:
    """A share of the present is said of what has one: of a set, of what is on, where anything is."""
    if not request.of_present or request.scope.named:
        return request
    running = _running(entities_of(request.scope, around), around)
    scope = Scope(tuple((e.entity_id,) for e in running), every=True)
    return replace(request, scope=scope) if running else request


def _moved_time(request: Request, around: Surroundings) -> Request:
    """A time that Home Assistant keeps and that is to be earlier or later, as the time that comes of it."""
    by = request.parameters.get(TIME_STEP)
    members = entities_of(request.scope, around) if by is not None else ()
    state = around.home.state_text(members[0].entity_id) if len(members) == 1 else None
    try:
        now = datetime.combine(date.min + timedelta(days=1), time.fromisoformat(str(state)[-len("HH:MM:SS") :]))
    except ValueError:
        return request
    return replace(request, parameters={TIME: f"{now + timedelta(seconds=float(by or 0)):%H:%M}"})


def _each_of_its_own(request: Request, around: Surroundings) -> Plan | None:
    """What is a share of the present, or must not raise it, is worked out for each of several things that differ."""
    unsure = not request.scope.every and any(len(group) > 1 for group in request.scope.named)
    if unsure or not (request.of_present or request.way is Way.DOWN):
        return None
    for parameter, (attribute, whole, value) in _SHARES.items():
        said = request.parameters.get(parameter) or request.parameters.get(value)
        if not said or len(_shares_now(request, around, attribute, whole)) < 2:
            continue
        alone = (
            replace(request, scope=Scope(((e.entity_id,),), every=True)) for e in entities_of(request.scope, around)
        )
        plans = [control(one, around) for one in alone if _shares_now(one, around, attribute, whole)]
        return Plan(request, tuple(c for plan in plans for c in plan.calls))
    return None


def _sirens_first(request: Request, around: Surroundings) -> Request:
    """Turning off an alarm panel means the sirens instead, while any of them sounds."""
    if request.action not in _SILENCING:
        return request
    members = entities_of(request.scope, around)
    if not members or any(e.domain != "alarm_control_panel" for e in members):
        return request
    sounding = [e for e in around.exposed if e.domain == "siren" and around.home.state_text(e.entity_id) == "on"]
    if not sounding:
        return request
    return replace(
        request, action="turn_off", scope=Scope(tuple((e.entity_id,) for e in sounding), every=True), intent=""
    )


def _warmer_light(request: Request, around: Surroundings) -> Request:
    """A temperature step on lights means their colour temperature: warmer is fewer kelvins than now."""
    step = request.parameters.get("temperature_step") or 0
    lights = entities_of(request.scope, around) if step and request.scope.named else ()
    states = [s for e in lights if (s := around.home.state(e.entity_id)) is not None]
    if (
        any(e.domain != "light" for e in lights)
        or (kelvin := another_white([s.attributes for s in states], warmer=step > 0)) is None
    ):
        return request
    return replace(request, action="turn_on", parameters={"color_temp_kelvin": kelvin}, intent="")


def _as_share(request: Request, around: Surroundings) -> Request:
    """A relative step down that would reach zero, and one by a share ("by half"), is taken of the present value: 50
    percent less, of 30, is 15. "Down to half" of what is below that already is half of what it is.
    """
    request = _never_raised(request, around)
    for parameter, (attribute, whole, value) in _SHARES.items():
        step = request.parameters.get(parameter) or 0
        if not -_ALL < step < (_MOST_OF_PRESENT if request.of_present else 0):
            continue
        running = _shares_now(request, around, attribute, whole)
        if len(running) == 1 and (request.of_present or min(running) + step <= 0):
            left = min(_ALL, running.pop() * (_ALL + step) / _ALL)
            parameters = {k: v for k, v in request.parameters.items() if k != parameter}
            return replace(request, parameters={**parameters, value: round(left * _UNIT[value], 2)})
    return request


def _never_raised(request: Request, around: Surroundings) -> Request:
    for attribute, whole, value in _SHARES.values() if request.way is Way.DOWN else ():
        said = float(request.parameters.get(value) or 0) / _UNIT[value]
        now = _shares_now(request, around, attribute, whole)
        if said and len(now) == 1 and (share := now.pop()) <= said:
            parameters = {**request.parameters, value: round(share * said / _ALL * _UNIT[value], 2)}
            return replace(request, parameters=parameters)
    return request


def _shares_now(request: Request, around: Surroundings, attribute: str, whole: float) -> set[float]:
    """In percent, what the things have of an attribute; of several only those that play, where any does."""
    states = [around.home.state(e.entity_id) for e in entities_of(request.scope, around)]
    known = [
        (s.state == "playing", float(s.attributes[attribute]) * _ALL / whole)
        for s in states
        if s and s.attributes.get(attribute)
    ]
    return {share for plays, share in known if plays} or {share for _, share in known}


def _control_named(request: Request, around: Surroundings, domains: Sequence[str]) -> Plan:
    """Calls for things that were named. A name that fits several asks which, unless only one can do it or, for actions
    that end something, only one is running.
    """
    chosen: list[Entity] = []
    for group in request.scope.named:
        able = _able(group, around, domains, request)
        if not able:
            names = tuple(group)
            return Plan(request, saying=Saying("unsupported", entity_ids=names[:1]))
        if len(able) > 1 and request.action in _ENDING:
            running = _running(able, around)
            able = running if len(running) == 1 else able  # "turn off the TV" means the one that is on
        if len(able) > 1 and not request.scope.every:
            return ask_which(request, [e.entity_id for e in able])
        chosen.extend(able)
    chosen = list(dict.fromkeys(chosen))
    if off := _off_players(request, chosen, around) or _off_lights(request, chosen, around):
        return off
    if request.action == "play_media":
        return _play(request, chosen, around)
    return Plan(request, _calls_by_action(request, chosen))


def _off_players(request: Request, players: Sequence[Entity], around: Surroundings) -> Plan | None:
    """What to do instead of sending players that are off what they can do only while on: say so, or turn them on first
    to set a source.
    """
    choosing = bool(_CHOSEN & request.parameters.keys())
    if request.action not in _WHILE_ON and not choosing and not _LOUDNESS & request.parameters.keys():
        return None
    if not players or any(
        e.domain != "media_player" or around.home.state_text(e.entity_id) not in ("off", "standby") for e in players
    ):
        return None
    ids = [e.entity_id for e in players]
    if choosing:
        on = call(CONTROL, {"action": "turn_on", "entity_id": ids})
        return Plan(request, (on, *_calls_by_action(request, players)))
    return Plan(request, saying=Saying("is_off", entity_ids=tuple(ids)))


def _off_lights(request: Request, lights: Sequence[Entity], around: Surroundings) -> Plan | None:
    """What is said of lights that are off and are to be darker."""
    if not lights or (request.parameters.get("brightness_step_pct") or 0) >= 0:
        return None
    if any(e.domain != "light" or around.home.state_text(e.entity_id) != "off" for e in lights):
        return None
    return Plan(request, saying=Saying("is_off", entity_ids=tuple(e.entity_id for e in lights)))


def _play(request: Request, players: Sequence[Entity], around: Surroundings) -> Plan:
    """Music by its name goes to players that can search; others say that they cannot, since they need an address."""
    features = {
        e: int(s.attributes.get("supported_features") or 0) for e in players if (s := around.home.state(e.entity_id))
    }
    ids = tuple(e.entity_id for e in players)
    if not any(f & Feature.PLAY_MEDIA for f in features.values()):
        return Plan(request, saying=Saying("unsupported", entity_ids=ids[:1]))
    able = [e for e, f in features.items() if f & Feature.PLAY_MEDIA and f & Feature.SEARCH]
    if not able:
        return Plan(request, saying=Saying("no_search", entity_ids=ids[:1]))
    return Plan(request, _calls_by_action(request, able))


def _able(group: Sequence[str], around: Surroundings, domains: Sequence[str], request: Request) -> list[Entity]:
    """Of the things with one name those that can do the action: in the place said, near the speaker where
    there are several, and of the first domain that the action is for.
    """
    known = [e for i in group if (e := around.home.entity(i)) is not None]
    placed = [e for e in known if request.scope.selector.matches(e)] or known
    intent = bool(request.intent)
    able = [e for e in placed if intent or e.domain in domains or action_for(request.action, e.domain) in ("press",)]
    if len(able) > 1:
        able = around.nearest(able) or able
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
        call(CONTROL, {"action": a, "entity_id": ids, "parameters": parameters})
        for a, ids in by_action.items()
        for parameters in _one_by_one(request.parameters)
    )


def _one_by_one(parameters: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """The parameters once for each item, since a list takes one item a call."""
    items = parameters.get("item")
    for item in items if isinstance(items, list) else [items]:
        yield {**parameters, "item": item} if items else dict(parameters)


def _settle(request: Request, around: Surroundings) -> Scope | Plan:
    """The part of a set that is meant where no place was said: the speaker's room, else the one thing that is playing
    or running where the action is about that, else the room that was spoken of, else a question.
    """
    scope = request.scope
    members = entities_of(scope, around)
    if not members:
        return none_there(request, around)
    placed = scope.selector.area_ids or scope.selector.floor_ids or scope.selector.labels
    if placed or len(members) == 1 or (scope.every and request.action not in _ACTIVE):
        return scope
    if around.area_id:
        here = replace(scope.selector, area_ids=(around.area_id,))
        if around.select(here):
            return replace(scope, selector=here)
    if wanted := _ACTIVE.get(request.action) or (("playing",) if _OF_WHAT_PLAYS & request.parameters.keys() else None):
        active = [e for e in members if around.home.state_text(e.entity_id) in wanted]
        if len(active) == 1:
            return Scope(((active[0].entity_id,),))
        members = tuple(active) or members
    if scope.every:
        return scope
    running = _running(members, around)
    steps = _steps(request)
    if len(running) == 1 and (steps or request.action in _ENDING):
        return Scope(((running[0].entity_id,),))
    spoken = {i.partition(".")[0] for i in around.last_entities}
    if spoken.isdisjoint(domains_for(request.action, request.parameters)) and (told := around.nearest(members)):
        return each(e.entity_id for e in told)  # "switch it off" behind the TV is no order for the lights there
    return ask_which(request, [e.entity_id for e in (steps and running) or members])


def _control_set(request: Request, around: Surroundings) -> Plan:
    """Calls for a set, given by its properties and not by ids, so that its size does not matter."""
    members = entities_of(request.scope, around)
    if request.action == "play_media":
        return _play(request, members, around)
    able = domains_for(request.action, request.parameters)
    unfit = tuple(e.entity_id for e in members if request.parameters and e.domain not in able)
    if unfit and len(unfit) < len(members):
        # a switch that is called a lamp is meant by "the lights", and cannot be dimmed
        selector = replace(request.scope.selector, exclude=(*request.scope.selector.exclude, *unfit))
        request = replace(request, scope=replace(request.scope, selector=selector))
        members = entities_of(request.scope, around)
    if wanted := _ACTIVE.get(request.action):
        # "pause" in a room is said of what plays there
        active = [e for e in members if around.home.state_text(e.entity_id) in wanted]
        if active and len(active) < len(members):
            return Plan(request, _calls_by_action(request, active))
    if _steps(request):
        # "brighter" is said of what shines, not of what is dark
        return Plan(request, _calls_by_action(request, _running(members, around) or members))
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
        call(
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


def _steps(request: Request) -> bool:
    """Whether a value is to move from where it is, which is said of what is on."""
    return any("_step" in p for p in request.parameters)


_NOT_RUNNING = (None, "off", "unavailable", "unknown", "closed", "idle", "standby")


def _running(entities: Sequence[Entity], around: Surroundings) -> list[Entity]:
    return [e for e in entities if around.home.state_text(e.entity_id) not in _NOT_RUNNING]
