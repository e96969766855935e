"""Things spoken of by what they do or let through: "water the garden", "shut the water off"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from homeagent.brains.language.likeness import alike, name_words
from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.request import Act, Request, Scope
from homeagent.brains.local.meaning.understanding import is_question
from homeagent.brains.local.things.fitting import is_place
from homeagent.brains.local.things.grounding import Ground
from indexer.entity import Entity
from indexer.mentions import MentionKind
from indexer.selector import Selector

_WATERING = "watering"
_VALVE = "valve"
_DOMAINS: Mapping[str, tuple[str, ...]] = {
    _WATERING: ("switch", _VALVE, "script"),
    "water": (_VALVE,),
    "gas": (_VALVE,),
}
"""What does it: the section "tasks" of a language tells the words, its ``task_names`` what such things are called."""
_ENDING = frozenset({"turn_off", "close", "stop", "lock"})
_BEGINNING = frozenset({"turn_on", "open", "start"})


def task_request(reading: Reading, around: Ground) -> Request | None:
    """The request that a task says, or None where it says none, asks, or names a thing of its own."""
    spot = next(iter(reading.of("tasks")), None)
    if spot is None or reading.has("negation") or is_question(reading) or _names_more(reading, spot.positions):
        return None
    action = _action(reading, spot.concept)
    if action is None:
        return None
    found = _doers(spot.concept, reading, around)
    if not found and spot.concept != _WATERING:
        # what heats water is not "the water": nothing else may be taken for its valve
        return Request(Act.SAY, say="none_of_kind", words={"kinds": _VALVE, "place": ""})
    if not found:
        return None
    ids = tuple(e.entity_id for e in found)
    every = reading.has("every")
    return Request(Act.CONTROL, Scope(tuple((i,) for i in ids) if every else (ids,), every=every), action=action)


def _names_more(reading: Reading, task: Sequence[int]) -> bool:
    """Whether a thing is named besides the task and its place: "the water heater"."""
    return any(not is_place(reading, p) for p in reading.target if p not in task)


def _action(reading: Reading, task: str) -> str | None:
    said = {s.concept for s in reading.of("actions")}
    if said & _ENDING:
        return "turn_off"
    return "turn_on" if task == _WATERING or said & _BEGINNING else None


def _doers(task: str, reading: Reading, around: Ground) -> list[Entity]:
    """What does the task, in the place that was said if there is one."""
    pool = [e for e in around.exposed if e.domain in _DOMAINS[task]]
    found = [e for e in pool if e.device_class == task or _is_called(task, e, reading)]
    if task != _WATERING:
        found = [e for e in found if not _is_called(_WATERING, e, reading)] or found
    areas = tuple(v for m in reading.of_kind(MentionKind.AREA) for v in m.values)
    floors = tuple(v for m in reading.of_kind(MentionKind.FLOOR) for v in m.values)
    there = Selector(area_ids=areas, floor_ids=floors)
    return [e for e in found if there.matches(e)] or found


def _is_called(task: str, entity: Entity, reading: Reading) -> bool:
    words = [w for name in entity.names for w in name_words(name)]
    return any(alike(w, called) for called in reading.lexicon.task_names.get(task, ()) for w in words)
