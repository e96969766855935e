"""An action on one entity, as the service calls that do it and the state that shows it was done. No I/O.

Only what the domain and this entity support comes out; everything else is an error that names what is supported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from homeagent.domains import DOMAINS, SET_VALUE, Effect, Param, Profile, Service, actions_of, canonical_action
from homeagent.domains.actions import BROUGHT_BY, OPPOSITE
from homeagent.errors import InvalidParameters, UnsupportedAction
from homeagent.ha.home import State
from homeagent.tools import light_values, parameter_values
from homeagent.tools.expected_state import Expectation, Shown
from homeagent.values.name_matching import listed
from indexer.entity import Entity

_TAKES_SETTINGS = ("turn_on", SET_VALUE)
_TOGGLED = ("on", "off", "open", "closed")
"""The states that a toggle ends."""
"""What a toggle does, by the state."""


@dataclass(frozen=True, slots=True)
class Step:
    """One service call, but for its target."""

    domain: str
    service: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps to run in order, and what must show afterwards."""

    steps: tuple[Step, ...]
    expectation: Expectation


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked: our action, its parameters, the languages of colour names, the home's time zone."""

    action: str
    parameters: Mapping[str, Any]
    languages: tuple[str, ...]
    zone: ZoneInfo


def make_plan(entity: Entity, state: State, asked: Asked) -> Plan:
    """The plan for one entity. Raises UnsupportedAction and InvalidParameters."""
    abilities = DOMAINS.get(entity.domain)
    if abilities is None:
        raise UnsupportedAction(f"{entity.entity_id} can only be read, not controlled.", hint="Use ha_query.")
    action = _explicit(entity, state, abilities, asked.action)
    parameters = _meant(entity, state, abilities, asked)
    service = _service(entity, state, abilities, action, parameters)
    used = _sorted_out(entity, abilities, service, action, parameters)
    return _plan(entity, state, used, asked)


def supported_actions(entity: Entity, state: State) -> list[str]:
    """The actions that this entity can do now."""
    abilities = DOMAINS[entity.domain]
    able = [name for name, service in abilities.actions.items() if state.supports(service.feature)]
    if any(_param_missing(p, state) is None for s in abilities.setters for p in s.params):
        able.append(SET_VALUE)
    return able


def _explicit(entity: Entity, state: State, abilities: Profile, action: str) -> str:
    """What a toggle comes to where the state tells: what is sent then cannot do the opposite of what was judged."""
    toggled = action == "toggle" and entity.domain != "script" and state.state in _TOGGLED
    explicit = OPPOSITE[BROUGHT_BY[state.state]] if toggled else ""
    service = abilities.actions.get(explicit)
    able = service is not None and state.supports(service.feature)
    return explicit if able and not state.attributes.get("assumed_state") else action


def _meant(entity: Entity, state: State, abilities: Profile, asked: Asked) -> dict[str, object]:
    """The parameters in the words of the tables."""
    parameters = dict(asked.parameters)
    meant = _helper_part(state) if entity.domain == "input_datetime" else abilities.value
    if "value" in parameters and meant and meant not in parameters:
        parameters[meant] = parameters.pop("value")
    if entity.domain == "light":
        return light_values.light_parameters(parameters, state, asked.languages)
    if entity.domain == "climate":
        return _range_of(parameters, state)
    return parameters


def _helper_part(state: State) -> str:
    """What a date and time helper holds."""
    has_date, has_time = (bool(state.attributes.get(name)) for name in ("has_date", "has_time"))
    return "datetime" if has_date and has_time else "date" if has_date else "time"


def _range_of(parameters: dict[str, object], state: State) -> dict[str, object]:
    """Thermostats with a range: a step moves both ends, and one end alone keeps the other."""
    low, high = state.attributes.get("target_temp_low"), state.attributes.get("target_temp_high")
    if low is None or high is None:
        return parameters
    if "temperature_step" in parameters and state.attributes.get("temperature") is None:
        by = parameter_values.number("temperature_step", parameters.pop("temperature_step"))
        return parameters | {"target_temp_low": low + by, "target_temp_high": high + by}
    if "temperature" in parameters and state.attributes.get("temperature") is None:
        wanted = parameter_values.number("temperature", parameters.pop("temperature"))
        return {**_band_around(wanted, low, high, state.attributes), **parameters}
    if "target_temp_low" in parameters or "target_temp_high" in parameters:
        return {"target_temp_low": low, "target_temp_high": high} | parameters
    return parameters


def _band_around(wanted: float, low: float, high: float, attributes: Mapping[str, Any]) -> dict[str, float]:
    """The range that brings a room to ``wanted``: from there on it heats where it is colder now, and cools where it is
    warmer; the other end stays where it is beyond that, else it keeps its distance. Where the room is so warm, or
    nobody measures it, ``wanted`` is the middle.
    """
    width, now = high - low, attributes.get("current_temperature")
    if not isinstance(now, int | float) or now == wanted:
        low, high = wanted - width / 2, wanted + width / 2
    elif now < wanted:
        low, high = wanted, high if high > wanted else wanted + width
    else:
        low, high = low if low < wanted else wanted - width, wanted
    least, most = attributes.get("min_temp", low), attributes.get("max_temp", high)
    return {"target_temp_low": max(low, min(least, wanted)), "target_temp_high": min(high, max(most, wanted))}


def _service(
    entity: Entity, state: State, abilities: Profile, action: str, parameters: Mapping[str, object]
) -> Service | None:
    """The action's own service; None where its settings alone do it."""
    if action == SET_VALUE and SET_VALUE not in abilities.actions:
        if not abilities.setters:
            raise _unsupported(entity, state, action)
        return None
    service = abilities.actions.get(action)
    if service is None:
        raise _unsupported(entity, state, action)
    if entity.domain == "climate" and action == "turn_on" and "hvac_mode" in parameters:
        return None
    if not state.supports(service.feature):
        return _instead(entity, state, action) or _refuse(entity, state, action)
    return service


def _instead(entity: Entity, state: State, action: str) -> Service | None:
    """Thermostats without on and off are switched by their mode, as Home Assistant does itself."""
    offered = state.attributes.get("hvac_modes") or ()
    if entity.domain != "climate":
        return None
    wanted = ("off",) if action == "turn_off" else ("heat_cool", "heat", "cool", "auto")
    mode = next((mode for mode in wanted if mode in offered), None)
    if mode is None or action == "toggle":
        return None
    return Service("set_hvac_mode", data={"hvac_mode": mode}, reaches=(mode,))


def _refuse(entity: Entity, state: State, action: str) -> Service:
    raise _unsupported(entity, state, action)


def _unsupported(entity: Entity, state: State, action: str) -> UnsupportedAction:
    able = supported_actions(entity, state)
    hint = f"It can: {', '.join(able)}." if able else "It can only be read."
    return UnsupportedAction(f"{entity.entity_id} cannot {action}.", hint=hint)


Used = list[tuple[Service, dict[Param, Any]]]


def _sorted_out(
    entity: Entity, abilities: Profile, service: Service | None, action: str, parameters: Mapping[str, object]
) -> Used:
    """Which service takes which parameter, in the order in which they are called."""
    services = [service] if service else []
    if action in _TAKES_SETTINGS:
        services += [s for s in abilities.setters if service is None or s.name != service.name]
    left = dict(parameters)
    used: Used = []
    for candidate in services:
        own = {p: left.pop(p.name) for p in candidate.params if p.name in left}
        if own or candidate is service:
            used.append((candidate, own))
    known = sorted({p.name for s in services for p in s.params})
    if left:
        hint = f"It takes: {', '.join(known)}." if known else "It takes no parameters."
        raise InvalidParameters(f"{entity.domain} {action} has no parameter {', '.join(sorted(left))}.", hint=hint)
    if not used:
        raise InvalidParameters(
            f"{action} needs a value for {entity.entity_id}.", hint=f"Give one of: {listed(known, 20)}."
        )
    for candidate, own in used:
        absent = [p.name for p in candidate.params if p.required and p not in own]
        if absent:
            raise InvalidParameters(f"{entity.domain} {action} needs {', '.join(absent)}.")
    return used


def _plan(entity: Entity, state: State, used: Used, asked: Asked) -> Plan:
    steps: list[Step] = []
    shown: list[Shown] = []
    for service, given in used:
        data = dict(service.data)
        for param, value in given.items():
            _must_support(entity, state, param)
            amount = (
                parameter_values.stepped(param, value, state)
                if param.step
                else parameter_values.checked(param, value, state, asked.zone)
            )
            if param.sent_as in data:
                raise InvalidParameters(
                    f"{param.name} and another parameter both say what {param.sent_as} is to be.",
                    hint="Give one of them.",
                )
            data[param.sent_as] = parameter_values.sent(param, amount)
            shown += _shows(param, amount, state)
        shown += [Shown(name, value, 3.0) for name, value in service.shows.items()]
        steps.append(Step(entity.domain, service.name, data))
    if entity.domain == "light" and (dark := _dark(steps)):
        return dark
    return Plan(tuple(steps), _expectation([service for service, _ in used], shown))


def _shows(param: Param, amount: object, state: State) -> list[Shown]:
    tint = light_values.tint_shown(param.sent_as, amount, state)
    if tint or param.sent_as in ("rgb_color", "color_temp_kelvin"):
        return [tint] if tint else []
    if not param.reads:
        return []
    value = amount * param.shown_scale if isinstance(amount, float | int) and not isinstance(amount, bool) else amount
    return [Shown(param.reads, value, parameter_values.tolerance(param, state))]


def _dark(steps: list[Step]) -> Plan | None:
    """Brightness 0 is off, and is told so."""
    data = steps[0].data
    if steps[0].service == "turn_on" and 0 in (data.get("brightness"), data.get("brightness_pct")):
        kept = {name: data[name] for name in ("transition",) if name in data}
        return Plan((Step("light", "turn_off", kept),), Expectation(reaches=("off",)))
    return None


def _expectation(services: list[Service], shown: list[Shown]) -> Expectation:
    reaches = tuple(state for service in services for state in service.reaches)
    leaves = tuple(state for service in services for state in service.leaves)
    under_way = tuple(state for service in services for state in service.under_way)
    effects = [service.effect for service in services if service.effect is not Effect.SHOWN]
    seen = bool(reaches or leaves or shown)
    effect = Effect.SHOWN if seen or not effects else effects[0]
    if effect is Effect.SHOWN and not seen:
        effect = Effect.ACCEPTED
    return Expectation(effect, reaches, leaves, under_way, tuple(shown))


def _must_support(entity: Entity, state: State, param: Param) -> None:
    if (lacking := _param_missing(param, state)) is None:
        return
    if entity.domain == "light":
        able = light_values.abilities(state)
    else:
        able = ", ".join(
            p.name for s in DOMAINS[entity.domain].setters for p in s.params if _param_missing(p, state) is None
        )
    hint = f"It supports: {able}." if able else f"It can: {', '.join(supported_actions(entity, state))}."
    raise UnsupportedAction(f"{entity.entity_id} does not support {param.name}{lacking}.", hint=hint)


def _param_missing(param: Param, state: State) -> str | None:
    """Why an entity cannot take a parameter, in words to put behind its name; None: it can."""
    if not state.supports(param.feature):
        return ""
    if param.modes and not param.modes & light_values.modes(state):
        return ""
    if isinstance(param.options, str) and param.options and not state.attributes.get(param.options):
        return f" (it has no {param.options})"
    return None


def needs_code(entity: Entity, state: State, action: str) -> bool:
    """Whether the lock or alarm wants a code for this."""
    name = canonical_action(entity.domain, action)
    service = DOMAINS[entity.domain].actions.get(name) if name and name in actions_of(entity.domain) else None
    if service is None or not service.code or not state.attributes.get("code_format"):
        return False
    return not action.startswith("arm_") or bool(state.attributes.get("code_arm_required", True))
