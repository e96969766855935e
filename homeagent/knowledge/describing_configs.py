"""A configuration of Home Assistant in plain words: when, if, then, and which entities. No I/O; words are data.

Lenient where `targets/scripts.py` is strict: this is for telling, not for permitting. What is not understood is named
by its kind; templates, codes, topics, messages and web addresses are not told at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from homeagent.ha.home import Home
from homeagent.history.summaries.kinds import tellable, telling_of
from homeagent.knowledge.config_words import (
    as_map,
    cut,
    fragments,
    is_plain,
    listed,
    maps,
    texts,
    unexposed,
    untemplated,
    word,
    words,
)
from homeagent.prompting.firewall import clean
from indexer.entity import Entity

_LONGEST = 1200
"""Characters of a description."""
_MOST_NAMED = 6
_ENTITY = re.compile(r"\b[a-z_]+\.[a-z0-9_]+\b")
_PLACES = ("area_id", "floor_id", "label_id", "device_id")


@dataclass(frozen=True, slots=True)
class Described:
    """``text`` for people and models; ``reads`` are entities it waits for or asks, ``does`` what it does to which: an
    entity and the name of a service, or the state that it is put into."""

    text: str
    reads: frozenset[str] = frozenset()
    does: frozenset[tuple[str, str]] = frozenset()


def describe_automation(
    name: str, config: Mapping[str, object] | None, home: Home, *, all_named: bool = False
) -> Described:
    """An automation; ``config`` None: it cannot be read. ``all_named``: what is not exposed is named too."""
    teller = _Teller(home, all_named)
    if config is None:
        return Described(word("whole", "automation").format(name=cut(name), when="…") + word("whole", "unread"))
    triggers = [teller.trigger(t) for t in maps(_either(config, "triggers", "trigger"))]
    when = word("whole", "or").join(dict.fromkeys(triggers)) or word("whole", "nothing")
    conditions = teller.conditions(_either(config, "conditions", "condition"))
    steps = teller.steps(_either(config, "actions", "action"))
    text = word("whole", "automation").format(name=cut(name), when=when)
    text += word("whole", "if").format(conditions=conditions) if conditions else ""
    text += word("whole", "then").format(steps=steps or word("whole", "nothing"))
    return teller.described(text)


def describe_script(
    name: str, config: Mapping[str, object] | None, home: Home, *, all_named: bool = False
) -> Described:
    """A script; ``config`` None: it cannot be read."""
    teller = _Teller(home, all_named)
    text = word("whole", "script").format(name=cut(name))
    if config is None:
        return Described(text + word("whole", "unread"))
    about = f": {cut(str(config['description']), 200)}" if config.get("description") else ""
    steps = teller.steps(config.get("sequence")) or word("whole", "nothing")
    return teller.described(text + about + word("whole", "then").format(steps=steps))


def describe_scene(name: str, states: Mapping[str, object], home: Home, *, all_named: bool = False) -> Described:
    """A scene by the entities it sets, with the states where they are known (else None)."""
    teller = _Teller(home, all_named)
    wanted = {i: _scene_state(state) for i, state in states.items()}
    teller.does |= set(wanted.items())
    told = [
        teller.name(i) + (f" {teller.state(i, state)}" if state else "")
        for i, state in list(wanted.items())[: 2 * _MOST_NAMED]
    ]
    text = word("whole", "scene").format(name=cut(name))
    return teller.described(text + (word("whole", "sets").format(sets=", ".join(told)) if told else ""))


@dataclass(slots=True)
class _Teller:
    """Tells the parts of one configuration, and notes which entities it names."""

    home: Home
    all_named: bool
    reads: set[str] = field(default_factory=set)
    does: set[tuple[str, str]] = field(default_factory=set)

    def described(self, text: str) -> Described:
        return Described(clean(text, _LONGEST), frozenset(self.reads), frozenset(self.does))

    def trigger(self, trigger: Mapping[str, object]) -> str:
        kind = str(trigger.get("trigger", trigger.get("platform", "")))
        return self._by_fragments("triggers", kind, trigger)

    def conditions(self, some: object) -> str:
        return word("joints", "and").join(dict.fromkeys(self._condition(c) for c in listed(some)))

    def _condition(self, condition: object) -> str:
        if not isinstance(condition, Mapping):
            self._read_ids(condition)
            return fragments("conditions", "template")[""]
        joint = next((j for j in ("and", "or", "not") if j in condition), str(condition.get("condition", "")))
        if joint in ("and", "or", "not"):
            inner = [self._condition(c) for c in listed(condition.get(joint, condition.get("conditions")))]
            joined = word("joints", "or" if joint == "or" else "and").join(inner)
            return word("joints", "not").format(all=joined) if joint == "not" else joined
        return self._by_fragments("conditions", joint, condition)

    def steps(self, some: Any) -> str:
        told = [text for step in listed(some) if (text := self._step(step))]
        return ", ".join(told)

    def _step(self, step: object) -> str:
        if not isinstance(step, Mapping):
            self._read_ids(step)
            return ""
        if step.get("enabled") is False:
            return ""
        service = step.get("action", step.get("service"))
        if isinstance(service, str):
            return self._service(service, step)
        if isinstance(step.get("scene"), str):
            return word("called", "scene").format(targets=self._targets({"entity_id": step["scene"]}, "scene.turn_on"))
        return self._branching(step) or self._simple(step)

    def _branching(self, step: Mapping[str, Any]) -> str:
        parts = [
            self._branch("choose", _either(option, "conditions", "condition"), option.get("sequence"))
            for option in maps(step.get("choose"))
        ]
        if "if" in step:
            parts.append(self._branch("then", step["if"], step.get("then")))
        parts += [self._branch(name, None, step[name]) for name in ("default", "else") if step.get(name)]
        if isinstance(step.get("repeat"), Mapping):
            parts.append(self._branch("repeat", None, step["repeat"].get("sequence")))
        parts += [self.steps(step[name]) for name in ("parallel", "sequence") if step.get(name)]
        return ", ".join(part for part in parts if part)

    def _branch(self, kind: str, conditions: object, steps: object) -> str:
        told = self.steps(steps) or word("whole", "nothing")
        return word("steps", kind).format(conditions=self.conditions(conditions), steps=told)

    def _simple(self, step: Mapping[str, object]) -> str:
        if "wait_for_trigger" in step:
            waited = [self.trigger(t) for t in maps(step["wait_for_trigger"])]
            return word("steps", "wait_for_trigger").format(triggers=word("joints", "or").join(waited))
        if step.keys() & {"condition", "and", "or", "not"}:
            return word("steps", "condition").format(conditions=self._condition(step))
        for kind in ("delay", "wait_template", "event", "stop", "device_id"):
            if kind in step:
                self._read_ids(step[kind])
                return word("steps", kind).format_map(_Values(self, step))
        return ""

    def _service(self, service: str, step: Mapping[str, object]) -> str:
        service = untemplated(service)
        domain, _, name = service.partition(".")
        data = {**as_map(step.get("data_template")), **as_map(step.get("data"))}
        target = {**data, **as_map(step.get("target")), **{k: step[k] for k in ("entity_id", "area_id") if k in step}}
        if domain == "script" and name not in ("turn_on", "turn_off", "toggle"):
            target = {"entity_id": service}
        targets = self._targets(target, service)
        phrases = words()["services"]
        phrase = words()["called"].get(domain) or phrases.get(name) or phrases[""]
        told = [f"{key} {cut(str(data[key]))}" for key in words()["told_data"] if is_plain(data.get(key))]
        text = str(phrase).format(targets=targets or word("whole", "nothing"), service=service)
        return text + (f" ({', '.join(told)})" if told else "")

    def _targets(self, target: Mapping[str, object], service: str) -> str:
        ids = [i for i in texts(target.get("entity_id")) if "{" not in i]
        places = {name: [p for p in texts(target.get(name)) if "{" not in p] for name in _PLACES}
        domain, _, name = service.partition(".")
        there = {e.entity_id for e in self.home.entities.values() if domain in ("homeassistant", e.domain)}
        placed = {i for i in there if _is_in(self.home.entities[i], places)}
        self.does |= {(i, name) for i in (*ids, *placed)}
        named = [self.name(i) for i in ids] + [self._place(kind, p) for kind, some in places.items() for p in some]
        more = [f"… ({len(named)})"] if len(named) > _MOST_NAMED else []
        return ", ".join([*dict.fromkeys(named[:_MOST_NAMED]), *more])

    def _place(self, kind: str, place: str) -> str:
        known = self.home.areas.get(place) if kind == "area_id" else self.home.floors.get(place)
        if known is not None and kind in ("area_id", "floor_id"):
            return cut(known.name)
        if kind == "device_id":
            device = next((e for e in self.home.entities.values() if e.device_id == place), None)
            return cut(device.device_name or device.name) if device and self._may_name(device) else unexposed()
        return cut(place)

    def name(self, entity_id: str) -> str:
        """What an entity is called, where that may be told."""
        entity = self.home.entity(entity_id)
        if entity is None:
            return cut(entity_id.partition(".")[2].replace("_", " ")) if self.all_named else unexposed()
        return cut(entity.name) if self._may_name(entity) else unexposed()

    def state(self, entity_id: str, state: str) -> str:
        """A state in the words of its kind: ``on`` of a door is ``open``."""
        entity = self.home.entity(entity_id)
        text = {"true": "on", "false": "off"}.get(state, state)
        if entity is None or not tellable(entity.domain):
            return cut(text)
        return telling_of(entity.domain, entity.device_class).word(text)

    def _may_name(self, entity: Entity) -> bool:
        return entity.exposed or self.all_named

    def _by_fragments(self, part: str, kind: str, config: Mapping[str, object]) -> str:
        self._read_ids(
            {k: v for k, v in config.items() if k not in ("trigger", "platform", "condition", "alias", "id")}
        )
        values = _Values(self, {**config, "kind": kind})
        told = [
            text.format_map(values)
            for key, text in fragments(part, kind).items()
            if not key or config.get(key) is not None
        ]
        return "".join(told)

    def _read_ids(self, value: object) -> None:
        """Entity ids anywhere in it, templates too."""
        self.reads |= {i for i in _ENTITY.findall(json.dumps(value, default=str)) if self.home.entity(i)}


class _Values(dict[str, str]):
    """A configuration's values as words, for a phrase; what is not there is left out."""

    def __init__(self, teller: _Teller, config: Mapping[str, object]) -> None:
        super().__init__()
        self._teller, self._config = teller, config

    def __missing__(self, key: str) -> str:
        value = self._config.get(key)
        if isinstance(value, Mapping):
            return " ".join(f"{untemplated(v)} {cut(str(k))}" for k, v in value.items() if v)
        ids = texts(self._config.get("entity_id"))
        told = []
        for one in texts(value)[:_MOST_NAMED]:
            if self._teller.home.entity(one) or (key == "entity_id" and _ENTITY.fullmatch(one)):
                told.append(self._teller.name(one))
            elif key in ("to", "from", "state") and ids and "{" not in one:
                told.append(self._teller.state(ids[0], one))
            else:
                told.append(untemplated(one))
        return word("joints", "or").join(told)


def _is_in(entity: Entity, places: Mapping[str, list[str]]) -> bool:
    return (
        (entity.area is not None and entity.area.area_id in places["area_id"])
        or (entity.floor is not None and entity.floor.floor_id in places["floor_id"])
        or entity.device_id in places["device_id"]
        or any(label in places["label_id"] for label in entity.labels)
    )


def _scene_state(wanted: object) -> str:
    """The state in Home Assistant's words, empty where it is not known. YAML reads a bare ``off`` as False."""
    state = wanted.get("state") if isinstance(wanted, Mapping) else wanted
    if isinstance(state, bool):
        return "on" if state else "off"
    return "" if state is None else str(state)


def _either(config: Mapping[str, object], new: str, old: str) -> object:
    return config.get(new, config.get(old))
