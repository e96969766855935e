"""What a script would do: every service it may call, with the entities that this reaches. No I/O.

A script is read cautiously: all branches count, and whatever cannot be told from the text (templates, device actions,
events, services that are not of a domain that we know) makes it unreadable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from homeagent.domains import DOMAINS, from_service
from homeagent.ha.home import Home
from indexer.entity import Entity

_HARMLESS_STEPS = frozenset(
    {
        "delay",
        "wait_template",
        "wait_for_trigger",
        "condition",
        "and",
        "or",
        "not",
        "conditions",
        "variables",
        "stop",
        "set_conversation_response",
    }
)
_HARMLESS_DOMAINS = frozenset({"persistent_notification", "tts", "logbook", "system_log", "weather"})
_SEQUENCES = ("sequence", "actions", "action")
"""Where a script and an automation have their steps."""
_ON_OFF = frozenset({"turn_on", "turn_off", "toggle"})
_TARGETS = ("entity_id", "area_id", "device_id", "floor_id", "label_id")


class Unreadable(Exception):
    """What a script does cannot be told; the text says why."""


@dataclass(frozen=True, slots=True)
class ScriptAction:
    """One thing that a script may do: ``domain`` and ``service`` as in Home Assistant; ``action`` is our word.

    ``scene`` and ``apply``: the entities are set to the states in ``data["entities"]``, by entity id; one that is not
    there may be set to anything. ``notify``: a message is sent out of the home.
    """

    domain: str
    service: str
    action: str
    entities: tuple[Entity, ...]
    data: Mapping[str, Any]


def script_actions(config: Mapping[str, object], home: Home) -> list[ScriptAction]:
    """All that the configuration of a script or an automation may do, in order. Raises Unreadable."""
    steps = next((config[name] for name in _SEQUENCES if name in config), None)
    if steps is None:  # made from a blueprint that is gone or broken; else its steps are told
        raise Unreadable("steps that I cannot see")
    found: list[ScriptAction] = []
    made: set[str] = set()
    for step in _steps(steps):
        if (scene := _made_scene(step)) is not None:
            made.add(scene)
        if not _is_start_of(step, made, home):
            found += _deeds_of(step, home)
    return found


def _made_scene(step: Mapping[str, object]) -> str | None:
    """The entity id of the scene that a step makes: what it sets is judged where it is made."""
    data = step.get("data")
    if step.get("action", step.get("service")) != "scene.create" or not isinstance(data, Mapping):
        return None
    return f"scene.{data.get('scene_id')}"


def _is_start_of(step: Mapping[str, Any], made: set[str], home: Home) -> bool:
    """Whether a step starts nothing but scenes that were made before it. One that is there anyway may be meant."""
    target = step.get("target", {})
    if step.get("action", step.get("service")) != "scene.turn_on" or set(target) != {"entity_id"}:
        return False
    asked = set(map(str, _listed(target["entity_id"])))
    return bool(asked) and asked <= made and not any(home.entity(scene) for scene in asked)


def _steps(steps: object) -> Iterator[Mapping[str, object]]:
    """The steps, those inside branches, loops and parallels included; a step that is switched off is left out."""
    for step in steps if isinstance(steps, list) else [steps]:
        if not isinstance(step, Mapping):
            if isinstance(step, str) and ("{{" in step or "{%" in step):
                continue  # a template alone is a condition
            raise Unreadable("a step that I do not know")
        if step.get("enabled") is False:
            continue
        inner = list(_inner(step))
        if inner or any(name in step for name in ("choose", "if", "repeat", "parallel", "sequence")):
            yield from _steps(inner)
        else:
            yield step


def _inner(step: Mapping[str, object]) -> Iterator[object]:
    for branch in _listed(step.get("choose")):
        yield from _listed(branch.get("sequence") if isinstance(branch, Mapping) else branch)
    repeat = step.get("repeat")
    yield from _listed(repeat.get("sequence") if isinstance(repeat, Mapping) else None)
    for name in ("default", "then", "else", "parallel", "sequence"):
        yield from _listed(step.get(name))


def _listed(value: object) -> list[Any]:
    return [] if value is None else value if isinstance(value, list) else [value]


def _deeds_of(step: Mapping[str, object], home: Home) -> Iterable[ScriptAction]:
    if isinstance(scene := step.get("scene"), str):
        return [_deed("scene", "turn_on", (_entity(home, scene),), {})]
    service = step.get("action", step.get("service"))
    if service is None:
        if step.keys() & _HARMLESS_STEPS:
            return []
        raise Unreadable("a step that is not a service call")
    if not isinstance(service, str) or "{" in service or "." not in service:
        raise Unreadable("a service that is only known when it runs")
    domain, _, name = service.partition(".")
    data = {**_mapping(step.get("data")), **_mapping(step.get("data_template"))}  # the template wins
    if domain == "script" and name not in (*_ON_OFF, "reload"):
        return [_deed("script", "turn_on", (_entity(home, service),), {"variables": data} if data else {})]
    if domain in _HARMLESS_DOMAINS:
        return []
    if domain == "notify":
        return [ScriptAction(domain, name, "send_message", (), data)]
    return _called(domain, name, {**data, **_mapping(step.get("target")), **_direct(step)}, home)


def _called(domain: str, name: str, data: Mapping[str, object], home: Home) -> list[ScriptAction]:
    reached = _reached(domain, data, home)
    rest = {key: value for key, value in data.items() if key not in _TARGETS}
    if domain == "homeassistant":
        if name not in _ON_OFF:
            return [ScriptAction(domain, name, name, (), rest)]
        return [_deed(entity.domain, name, (entity,), rest) for entity in reached]
    if domain == "scene" and name in ("apply", "create"):
        ids = (*_mapping(data.get("entities")), *_texts(data.get("snapshot_entities")))
        return [_deed("scene", "apply", tuple(_entity(home, entity_id) for entity_id in ids), rest)]
    if domain not in DOMAINS:
        raise Unreadable(f"the service {domain}.{name}")
    return [_deed(domain, name, reached, rest)]


def _deed(domain: str, service: str, entities: tuple[Entity, ...], data: Mapping[str, object]) -> ScriptAction:
    return ScriptAction(domain, service, from_service(domain, service) or service, entities, data)


def _reached(domain: str, data: Mapping[str, object], home: Home) -> tuple[Entity, ...]:
    """The entities of the domain that a target reaches, exposed or not."""
    found: dict[str, Entity] = {}
    for entity_id in _texts(data.get("entity_id")):
        if entity_id == "all":
            found.update((e.entity_id, e) for e in home.of_domain(domain))
        elif entity_id != "none":
            found[entity_id] = _entity(home, entity_id)
    places = {(name, text) for name in _TARGETS[1:] for text in _texts(data.get(name))}
    reached = {place: [entity for entity in home.entities.values() if place in _places_of(entity)] for place in places}
    for (_, text), entities in reached.items():
        if not entities:  # perhaps it reaches what I do not know of
            raise Unreadable(f"{text}, where I know nothing")
        found.update((e.entity_id, e) for e in entities if domain in ("homeassistant", e.domain))
    return tuple(found.values())


def _places_of(entity: Entity) -> set[tuple[str, str | None]]:
    """What of a target that names places reaches an entity: kind and id, as Home Assistant has them."""
    return {
        ("area_id", entity.area.area_id if entity.area else None),
        ("floor_id", entity.floor.floor_id if entity.floor else None),
        ("device_id", entity.device_id),
        *(("label_id", label) for label in entity.label_ids),
    }


def _entity(home: Home, entity_id: str) -> Entity:
    if "{" in entity_id:
        raise Unreadable("a target that is only known when it runs")
    entity = home.entity(entity_id)
    if entity is None:
        raise Unreadable(f"{entity_id}, which I cannot find")
    return entity


def _texts(value: object) -> list[str]:
    parts = [part.strip() for text in _listed(value) for part in str(text).split(",")]
    if any("{" in part for part in parts):
        raise Unreadable("a target that is only known when it runs")
    return [part for part in parts if part]


def _mapping(value: object) -> Mapping[str, object]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise Unreadable("data that is only known when it runs")
    return value


def _direct(step: Mapping[str, object]) -> Mapping[str, object]:
    """Targets that stand beside the service, as old scripts have them."""
    return {name: step[name] for name in ("entity_id", "area_id") if name in step}
