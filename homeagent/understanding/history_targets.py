"""Of which things the past is asked, and which of their recorded states count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from homeagent.domains import MeasureUnit, profile_of
from homeagent.domains.person import PEOPLE
from homeagent.domains.states import ATTRIBUTES, MOVES, raw_of
from homeagent.knowledge import SOURCES
from homeagent.languages.concepts import Attribute, PastWord
from homeagent.safety.guards import LOCK, LOCKED
from homeagent.understanding.clauses import Clause
from homeagent.understanding.grounding import in_area, members
from homeagent.understanding.noun_phrases import Phrase, Target
from homeagent.understanding.request import Asking, Past, Tell, Wanted
from indexer.entity import Entity

_OPENINGS = frozenset({"door", "window", "garage_door", "opening", "garage"})
_PRESENCE = frozenset({"motion", "occupancy", "presence", "moving"})
_SENSORS = frozenset({"sensor", "binary_sensor"})
_MOST = 6
_MEASURED = frozenset({Tell.AVERAGE, Tell.LOWEST, Tell.HIGHEST, Tell.SUM})
_CAUSED = frozenset({Tell.WHY, Tell.WHO, Tell.ACTS})
_WHERE: Mapping[PastWord, str] = {
    PastWord.LEFT: "not_home", PastWord.CAME: "home", PastWord.AT_HOME: "home",
}  # fmt: skip
"""Where people are then."""
AT_HOME = ("default", _WHERE[PastWord.AT_HOME])
"""As it is said of a state."""
_ACTIONS: Mapping[PastWord, tuple[str, ...]] = {
    PastWord.OPENED: ("open",), PastWord.CLOSED: ("close",), PastWord.LOCKED: ("lock",),
    PastWord.UNLOCKED: ("unlock",), PastWord.TURNED_ON: ("turn_on",), PastWord.TURNED_OFF: ("turn_off",),
    PastWord.RAN: ("start", "play", "turn_on"), PastWord.CAME: ("open",), PastWord.LEFT: ("open",),
}  # fmt: skip
"""By what was done: the action that reaches the state that counts. Who comes through a door opens it."""
_NOTICED: Mapping[PastWord, tuple[frozenset[str], str]] = {
    PastWord.OPENED: (_OPENINGS, "on"), PastWord.CLOSED: (_OPENINGS, "off"), PastWord.SOMEBODY: (_PRESENCE, "on"),
    PastWord.CAME: (_OPENINGS, "on"), PastWord.LEFT: (_OPENINGS, "on"),
}  # fmt: skip
"""The device classes of the sensors that notice it, and what these are in then."""
DEEDS = frozenset({*_WHERE, *_ACTIONS, *_NOTICED, PastWord.CHANGED, PastWord.COUNTED})
COMINGS = frozenset(_WHERE)
DOINGS = DEEDS - COMINGS - {PastWord.SOMEBODY, PastWord.RAN, PastWord.COUNTED}
"""What somebody does to a thing."""
_METERS = frozenset({"energy", "gas", "water"})
"""Device classes of sensors that count up."""


def askings(clause: Clause, target: Target, wanted: Wanted, tell: Tell) -> tuple[Asking, ...]:
    """What a question about the past asks of each thing of its target. Empty where one of the named things does not
    tell it, and for more things than an answer can tell of.
    """
    found: dict[Asking, None] = {}
    for phrase in target.phrases or (Phrase(),):
        asked = [a for e in _meant(phrase, clause, wanted, tell) if (a := _asking(e, wanted, tell)) is not None]
        if not asked:
            return ()
        found.update(dict.fromkeys(_likeliest(asked) if phrase.entity_ids else asked))
    return tuple(found) if len(found) <= _MOST else ()


def same_kind(clause: Clause, target: Target, before: Past) -> tuple[Asking, ...]:
    """The previous question about the past, asked of the things that a target names, or of those of the same kind in
    its places.
    """
    names, wanted = clause.names, before.wanted
    if wanted is None:
        return ()
    known = [e for a in before.of if (e := names.by_id.get(a.entity_id)) is not None]
    kinds = {(e.domain, e.device_class) for e in known}
    named = [e for p in target.phrases for i in p.entity_ids if (e := names.by_id.get(i)) is not None]
    pool = named or [e for e in _in_place(target.areas, target.floors, clause) if (e.domain, e.device_class) in kinds]
    found = [a for e in pool if (a := _asking(e, wanted, before.tell)) is not None]
    return tuple(found) if len(found) <= _MOST else ()


def _meant(phrase: Phrase, clause: Clause, wanted: Wanted, tell: Tell) -> Sequence[Entity]:
    """The things of a phrase's name or kind; of a mere place, or of nothing, those there that can
    tell what is asked.
    """
    if phrase.entity_ids or phrase.kinds:
        return members(phrase, clause.names, accepts=lambda e: _asking(e, wanted, tell) is not None)
    if PastWord.WHO in wanted.words and wanted.words & COMINGS:
        people = (kind for kind in PEOPLE if any(e.domain == kind for e in clause.names.entities))
        kind = next(people, None)
        return [e for e in clause.names.entities if e.domain == kind]
    pool = _in_place(phrase.areas, phrase.floors, clause)
    if wanted.words & {PastWord.LOCKED, PastWord.UNLOCKED} or set(wanted.raw.get("default", ())) & LOCKED:
        return [e for e in pool if e.domain == LOCK]
    if PastWord.SOMEBODY in wanted.words:
        return [e for e in pool if e.domain == "binary_sensor" and e.device_class in _PRESENCE]
    if tell is Tell.SUM and wanted.attributes & {Attribute.ENERGY, Attribute.POWER}:
        return [e for e in pool if e.domain == "sensor" and e.device_class == "energy"]
    if tell in _MEASURED:
        kinds = {(d, c) for said in wanted.attributes for d, c, a in ATTRIBUTES.get(said.value, ()) if not a}
        return [e for e in pool if (e.domain, e.device_class) in kinds]
    if phrase.areas and wanted.words & {PastWord.OPENED, PastWord.CLOSED}:
        return [e for e in pool if e.domain in MOVES or e.device_class in _OPENINGS]
    return []


def _in_place(areas: Sequence[str], floors: Sequence[str], clause: Clause) -> list[Entity]:
    pool = (e for e in clause.names.entities if e.in_plurals or e.domain in _SENSORS)
    return in_area(pool, areas, floors)


def _asking(entity: Entity, wanted: Wanted, tell: Tell) -> Asking | None:
    """The states or the attribute of a thing that answer the question; None where it has none."""
    profile = profile_of(entity.domain)
    if tell is Tell.CHANGES or (tell is Tell.STATES and not profile.own_questions):
        return Asking(entity.entity_id)
    if tell in _MEASURED:
        return _measured(entity, tell)
    if tell is Tell.DOES:
        return Asking(entity.entity_id) if entity.domain in SOURCES else None
    states = _states(entity, wanted)
    doing = profile.doing if profile.doing and profile.doing.states else None
    if tell in _CAUSED:
        # what a thing does it decides itself: what can be explained is what it is set to
        return Asking(entity.entity_id, () if doing else states)
    if doing and profile.resting not in (said := wanted.raw.get("default", ())):
        meant = [value for value, state in doing.states.items() if {value, state} & set(said)]
        return Asking(entity.entity_id, (*meant, *doing.states)[:1], doing.attribute)
    return Asking(entity.entity_id, states) if states else None


def _states(entity: Entity, wanted: Wanted) -> tuple[str, ...]:
    """The state that the deed said leads to, else those of the states said that the thing can have."""
    done = (state_after(deed, entity) for deed in PastWord if deed in wanted.words)
    return next(filter(None, done), ()) or raw_of(entity, wanted.raw)


def state_after(deed: PastWord, entity: Entity) -> tuple[str, ...]:
    """The states that a thing is in once that was done; none where it cannot be done with it."""
    if entity.domain == "binary_sensor":
        classes, state = _NOTICED.get(deed, (frozenset[str](), "on"))
        return (state,) if entity.device_class in classes or deed is PastWord.RAN else ()
    if entity.domain in PEOPLE:
        return (_WHERE[deed],) if deed in _WHERE else ()
    actions = profile_of(entity.domain).actions
    reached = (actions[name].reaches for name in _ACTIONS.get(deed, ()) if name in actions)
    return next(filter(None, reached), ())


def _measured(entity: Entity, tell: Tell) -> Asking | None:
    if tell is not Tell.SUM and (attribute := _temperature(entity)):
        return Asking(entity.entity_id, attribute=attribute)
    counts = entity.device_class in _METERS or tell is not Tell.SUM
    return Asking(entity.entity_id) if entity.domain == "sensor" and entity.unit and counts else None


def _temperature(entity: Entity) -> str:
    """The attribute of a temperature that it measures itself; empty where it measures none."""
    measures = profile_of(entity.domain).measures
    return next((m.reads for m in measures if m.unit is MeasureUnit.DEGREE and m.asked and not m.wished), "")


def _likeliest(found: Sequence[Asking]) -> Sequence[Asking]:
    """Of things with one name the first that does something; all of them where they are only sensors."""
    actuators = [a for a in found if a.entity_id.partition(".")[0] not in _SENSORS]
    return actuators[:1] or found
