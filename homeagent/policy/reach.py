"""All that a service call comes to: members of groups, what scenes set, what scripts and automations do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from homeagent.domains import from_service
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.home import Home
from homeagent.policy.effects import ANY_SERVICE
from homeagent.policy.verdicts import Call
from homeagent.targets.scripts import ScriptAction, Unreadable, script_actions
from indexer.entity import Entity

_DEEPEST = 5
"""Scripts that call scripts, groups of groups: deeper than this counts as unreadable."""
_HELPERS = frozenset(
    {"input_boolean", "input_button", "input_select", "input_number", "input_text", "counter", "timer"}
)
_STARTS = ("turn_on", "toggle")
_ARMS = "armed_"
_STATES_TO_SERVICES: Mapping[str, Mapping[str, str]] = {
    "lock": {"locked": "lock", "unlocked": "unlock", "open": "open"},
    "cover": {"open": "open_cover", "closed": "close_cover"},
    "valve": {"open": "open_valve", "closed": "close_valve"},
    "alarm_control_panel": {"disarmed": "alarm_disarm", "triggered": "alarm_trigger"},
}
_ON_OFF = frozenset(
    {"light", "switch", "fan", "siren", "input_boolean", "humidifier", "automation", "remote", "camera"}
)
_SET_TO = {
    "number": ("set_value", "value"),
    "input_number": ("set_value", "value"),
    "select": ("select_option", "option"),
    "input_select": ("select_option", "option"),
    "text": ("set_value", "value"),
    "input_text": ("set_value", "value"),
    "climate": ("set_hvac_mode", "hvac_mode"),
    "water_heater": ("set_operation_mode", "operation_mode"),
}
_MOST_DARING: Mapping[str, str] = {
    "lock": "unlock",
    "alarm_control_panel": "disarm",
    "cover": "open",
    "valve": "open",
    "automation": "turn_off",
}


@dataclass(frozen=True, slots=True)
class Part:
    """One of the things that a call leads to: a call of its own, or (``call`` None) why it cannot be told."""

    call: Call | None
    unreadable: str = ""
    denied: str = ""
    """Why it may not be done at all."""
    message: str = ""
    """The service that sends a message out of the home: the owner's words, but for what the caller gives along."""


@dataclass(frozen=True, slots=True)
class Reached:
    """What a call leads to directly, each part to be followed further; ``read`` is the text of what was read for it."""

    parts: tuple[Part, ...] = ()
    read: str = ""


async def reached(call: Call, ha: HomeAssistant, depth: int) -> Reached:
    """The next step of what a call leads to; nothing where it stands for itself."""
    entity = call.entity
    if entity is None:
        return Reached()
    leads_on = entity.members or entity.domain in ("scene", "script", "automation") or entity.domain in _HELPERS
    if leads_on and depth > _DEEPEST:
        return Reached((Part(None, f"{entity.name} reaches too many other things"),))
    if entity.domain == "scene":
        return await _scene(entity, ha) if call.service in (*_STARTS, ANY_SERVICE) else Reached()
    if entity.domain == "script":
        return await _script(entity, ha) if call.service in (*_STARTS, ANY_SERVICE) else Reached()
    if entity.domain == "automation":
        return await _automation(entity, ha) if call.service in ("trigger", ANY_SERVICE) else Reached()
    if entity.domain in _HELPERS:
        return await _set_off_by(entity, ha)
    members = _members(entity, ha.home)
    return Reached(tuple(Part(replace(call, domain=member.domain, entity=member)) for member in members))


async def _set_off_by(helper: Entity, ha: HomeAssistant) -> Reached:
    """What the automations do that a helper sets off: they are there for that. What cannot be told of one is left
    out, as it is started by much else, too."""
    started = [
        automation for automation in ha.home.of_domain("automation") if ha.home.state_text(automation.entity_id) == "on"
    ]
    configs = await asyncio.gather(*(ha.automation_config(one.entity_id) for one in started))
    led = [
        _done_by(automation, config, ha.home)
        for automation, config in zip(started, configs, strict=True)
        if config and _names(config.get("triggers", config.get("trigger")), helper.entity_id)
    ]
    return Reached(tuple(part for one in led for part in one.parts if part.call), "".join(one.read for one in led))


def _names(value: object, entity_id: str) -> bool:
    """Whether nested values hold the entity id."""
    if isinstance(value, Mapping):
        return any(_names(inner, entity_id) for inner in value.values())
    if isinstance(value, list):
        return any(_names(inner, entity_id) for inner in value)
    return isinstance(value, str) and entity_id in value


def _members(entity: Entity, home: Home) -> list[Entity]:
    """The members of a group; one that the home no longer has is taken for what its id says."""
    return [home.entity(i) or Entity(i, i.partition(".")[2].replace("_", " ")) for i in entity.members]


async def _scene(scene: Entity, ha: HomeAssistant) -> Reached:
    config = await ha.scene_config(scene.entity_id)
    states = config.get("entities") if config else None
    if isinstance(states, Mapping):
        return Reached(tuple(_set_to(states, ha.home)), _text(config))
    if not scene.members:
        return Reached((Part(None, f"what {scene.name} changes cannot be read"),))
    return Reached(tuple(_set_to(dict.fromkeys(scene.members), ha.home)), _text(scene.members))


async def _script(script: Entity, ha: HomeAssistant) -> Reached:
    config = await ha.script_config(script.entity_id)
    if config is None:
        return Reached((Part(None, f"what {script.name} does cannot be read"),))
    return _done_by(script, config, ha.home)


async def _automation(automation: Entity, ha: HomeAssistant) -> Reached:
    config = await ha.automation_config(automation.entity_id)
    if config is None:
        return Reached((Part(None, f"what {automation.name} does cannot be read"),))
    return _done_by(automation, config, ha.home)


def _done_by(script: Entity, config: Mapping[str, object], home: Home) -> Reached:
    try:
        done = script_actions(config, home)
    except Unreadable as why:
        return Reached((Part(None, f"{script.name} has {why}"),), _text(config))
    return Reached(tuple(part for deed in done for part in _parts_of(script, deed, home)), _text(config))


def _parts_of(script: Entity, deed: ScriptAction, home: Home) -> Iterable[Part]:
    if deed.domain == "homeassistant":
        return [Part(None, denied=f"{script.name} calls homeassistant.{deed.service}")]
    if deed.domain == "scene" and deed.service == "apply":
        states = deed.data.get("entities")
        known = states if isinstance(states, Mapping) else {}
        return _set_to({e.entity_id: known.get(e.entity_id) for e in deed.entities}, home)
    if deed.domain == "notify":
        return [Part(None, message=f"{deed.domain}.{deed.service}")]
    return [
        Part(Call(deed.domain, deed.service, deed.action, entity, deed.data, delayed=True)) for entity in deed.entities
    ]


def _set_to(states: Mapping[str, object], home: Home) -> list[Part]:
    """Each entity set to a state (with attributes, where it is a mapping); None: to any."""
    parts = []
    for entity_id, wanted in states.items():
        entity = home.entity(str(entity_id))
        if entity is None:
            parts.append(Part(None, f"it sets {entity_id}, which I cannot find"))
        else:
            parts += [Part(call) for call in _reproduced(entity, wanted, home)]
    return parts


def _reproduced(entity: Entity, wanted: object, home: Home) -> Sequence[Call]:
    """The calls by which Home Assistant brings an entity to a state."""
    if entity.domain == "group":
        return [call for member in _members(entity, home) for call in _reproduced(member, wanted, home)]
    attributes = dict(wanted) if isinstance(wanted, Mapping) else {}
    state = attributes.pop("state", None) if isinstance(wanted, Mapping) else wanted
    text = {True: "on", False: "off"}.get(state, str(state)) if isinstance(state, bool) else str(state)
    if state is None or "{" in text:
        return [_call(entity, ANY_SERVICE, attributes)]
    if entity.domain == "alarm_control_panel" and text.startswith(_ARMS):
        return [_call(entity, f"alarm_arm_{text.removeprefix(_ARMS)}", {})]
    if service := _STATES_TO_SERVICES.get(entity.domain, {}).get(text):
        return [_call(entity, service, attributes), *_positions(entity, attributes)]
    if entity.domain in _ON_OFF and text in ("on", "off"):
        return [_call(entity, f"turn_{text}", attributes)]
    if entity.domain in _SET_TO:
        service, field = _SET_TO[entity.domain]
        return [_call(entity, service, {field: text, **attributes})]
    if entity.domain == "media_player":
        return [_call(entity, "turn_off" if text == "off" else "play_media", attributes)]
    return [_call(entity, ANY_SERVICE, attributes)]


def _positions(entity: Entity, attributes: Mapping[str, object]) -> list[Call]:
    """Where a cover may be brought to, too: whether by its state or by a position depends on what it can."""
    if entity.domain != "cover" or "current_position" not in attributes:
        return []
    return [_call(entity, "set_cover_position", {"position": attributes["current_position"]})]


def _call(entity: Entity, service: str, data: Mapping[str, object]) -> Call:
    action = _MOST_DARING.get(entity.domain, "turn_on") if service == ANY_SERVICE else None
    known = action or from_service(entity.domain, service) or service
    return Call(entity.domain, service, known, entity, data, delayed=True)


def _text(read: object) -> str:
    return json.dumps(read, sort_keys=True, default=str)
