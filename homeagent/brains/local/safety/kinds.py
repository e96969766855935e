"""What guards a home, by kind: which things are of it, and how such a thing is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from homeagent.brains.language.lexicon import Lexicon, words_of
from homeagent.brains.local.things.dangers import heats, lets_gas_out, protects
from homeagent.domains.states import AT_REST
from homeagent.ha.home import UNAVAILABLE, UNKNOWN
from homeagent.languages.folder import Part, read_part
from indexer.entity import Entity
from indexer.words import normalise

_ENGLISH = "en"
_IDLE_WATTS = 5.0
"""A plug that draws no more than this feeds nothing that gets hot."""


class Kind(StrEnum):
    """What a question about safety can be about."""

    SMOKE = "smoke"
    FIRE = "fire"
    """Told by what notices smoke or heat."""
    GAS = "gas"
    CARBON_MONOXIDE = "carbon_monoxide"
    LEAK = "leak"
    LOCK = "lock"
    DOOR = "door"
    WINDOW = "window"
    GARAGE = "garage"
    GATE = "gate"
    OPENING = "opening"
    """A contact of which nothing tells what it is on."""
    ALARM = "alarm"
    SIREN = "siren"
    STOVE = "stove"
    OVEN = "oven"
    IRON = "iron"
    MOTION = "motion"
    PRESENCE = "presence"
    """Somebody who is there, as what notices motion tells, too."""
    UNSAFE = "unsafe"
    """What reports that it is unsafe, or was tampered with."""
    HEAT = "heat"
    """Whatever can start a fire, by its name."""
    GAS_VALVE = "gas_valve"
    TAP = "tap"
    """A valve of anything but gas."""
    GUARD = "guard"
    """What watches, records or locks up by itself, and can be switched off."""


HAZARDS = frozenset({Kind.SMOKE, Kind.FIRE, Kind.GAS, Kind.CARBON_MONOXIDE, Kind.LEAK})
WATCHING = HAZARDS | {Kind.ALARM, Kind.SIREN}
OPENINGS = frozenset({Kind.DOOR, Kind.WINDOW, Kind.GARAGE, Kind.GATE, Kind.OPENING})
HOT = frozenset({Kind.STOVE, Kind.OVEN, Kind.IRON})
_SENSORS: Mapping[Kind, frozenset[str]] = {
    Kind.SMOKE: frozenset({"smoke"}),
    Kind.FIRE: frozenset({"smoke", "heat"}),
    Kind.GAS: frozenset({"gas"}),
    Kind.CARBON_MONOXIDE: frozenset({"carbon_monoxide"}),
    Kind.LEAK: frozenset({"moisture"}),
    Kind.LOCK: frozenset({"lock"}),
    Kind.DOOR: frozenset({"door", "garage_door"}),
    Kind.WINDOW: frozenset({"window"}),
    Kind.GARAGE: frozenset({"garage_door"}),
    Kind.MOTION: frozenset({"motion"}),
    Kind.PRESENCE: frozenset({"occupancy", "presence"}),
    Kind.UNSAFE: frozenset({"safety", "tamper"}),
}
"""Device classes of binary sensors."""
_COVERS: Mapping[Kind, frozenset[str]] = {
    Kind.DOOR: frozenset({"door", "garage"}),
    Kind.WINDOW: frozenset({"window"}),
    Kind.GARAGE: frozenset({"garage"}),
    Kind.GATE: frozenset({"gate"}),
}
_DOMAINS: Mapping[Kind, str] = {Kind.LOCK: "lock", Kind.ALARM: "alarm_control_panel", Kind.SIREN: "siren"}
_SWITCHES = frozenset({"switch", "input_boolean", "binary_sensor", "climate", "water_heater"})
_TELLING = frozenset({None, "enum", "power", "outlet", "switch", "heat", "running", "plug"})
"""Device classes of what tells whether an appliance is on."""
_GONE = (UNAVAILABLE, UNKNOWN)
_OPEN = frozenset({"open", "opening", "closing"})
_NOT_HEATING = frozenset({*AT_REST, "cool", "dry", "fan_only"})
_UNSURE = frozenset({"arming", "pending", "triggered"})
"""States of an alarm that is neither armed nor disarmed."""
NOTABLE: Mapping[Kind, frozenset[str]] = {
    Kind.ALARM: frozenset({"disarmed"}),
    Kind.GUARD: frozenset({"off"}),
    Kind.TAP: _OPEN,
}
"""States that are no danger by themselves, and still keep a home from being called safe."""
ASIDE = frozenset({Kind.GUARD, Kind.TAP})
"""Kinds of which nothing is told but such a state."""
_ALARMED = frozenset({"triggered", "pending"})


class Ask(StrEnum):
    """What is asked of each thing: whether it is amiss (open, unlocked, alarmed, on), whether it is as it should be,
    whether it watches, or not."""

    AMISS = "amiss"
    FINE = "fine"
    ARMED = "armed"
    DISARMED = "disarmed"


@dataclass(frozen=True)
class SafetyWords:
    """What is said about safety in one language. ``lexicon`` finds it in a sentence, ``second`` what
    the second chance looks for besides, and ``names`` the kinds in a name. ``whole``: words for the house and for
    everything in it, in comparable spelling."""

    lexicon: Lexicon
    second: Lexicon
    vocabulary: frozenset[str]
    names: Lexicon
    whole: frozenset[str]
    beside: frozenset[str]
    lacking: Mapping[str, str]
    states: Mapping[str, Mapping[str, str]]
    phrases: Mapping[str, str]


@lru_cache(maxsize=16)
def safety_words(language: str) -> SafetyWords | None:
    """The words of a language; None where there is no file. Blocks: it reads a file."""
    found = read_part(language, Part.SAFETY)
    if found is None:
        return None
    data: dict[str, Any] = found[1]
    concepts = data["concepts"]
    # each in a section of its own, as a word may say several of them: "on" is an alarm that is armed, and an oven
    said = {f"says.{concept}": {concept: patterns} for concept, patterns in concepts["says"].items()}
    done = {f"deeds.{concept}": {concept: patterns} for concept, patterns in concepts.get("deeds", {}).items()}
    others = {section: found for section, found in concepts.items() if section not in ("says", "deeds")}
    sections = {**others, **said, **done}
    phrases = (p for section in sections.values() for patterns in section.values() for p in patterns)
    return SafetyWords(
        Lexicon(language, {"concepts": sections}),
        Lexicon(language, {"concepts": data["second"]}),
        frozenset(w.text for p in phrases for w in words_of(p)),
        Lexicon(language, {"concepts": {"kinds": concepts["kinds"]}}),
        frozenset(normalise(p.rstrip("+")) for patterns in concepts["all"].values() for p in patterns),
        frozenset(w.text for word in data["beside"] for w in words_of(word)),
        data["kinds"],
        data["states"],
        data["phrases"],
    )


def is_of(kind: Kind, entity: Entity, language: str) -> bool:
    """Whether a thing is of a kind: by its domain and device class; what has none by its name, and so appliances."""
    if entity.domain == _DOMAINS.get(kind):
        return True
    if kind in HOT:
        tells = entity.domain in _SWITCHES or entity.domain == "sensor"
        return tells and entity.device_class in _TELLING and _is_called(kind, entity, language)
    if entity.domain == "binary_sensor":
        if entity.device_class in _SENSORS.get(kind, ()):
            return True
        if entity.device_class == "opening" and kind in OPENINGS:
            return kind in ([k for k in OPENINGS if _is_called(k, entity, language)] or [Kind.OPENING])
        return entity.device_class is None and kind in _SENSORS and _is_called(kind, entity, language)
    if kind is Kind.HEAT:
        return heats(entity)
    if kind is Kind.GUARD:
        return protects(entity)
    if entity.domain == "valve":
        return kind is (Kind.GAS_VALVE if lets_gas_out(entity) else Kind.TAP)
    if entity.domain == "cover":
        if entity.device_class is None:
            return kind in (Kind.GARAGE, Kind.GATE) and _is_called(kind, entity, language)
        return entity.device_class in _COVERS.get(kind, ())
    return entity.domain == "sensor" and kind is Kind.CARBON_MONOXIDE and entity.device_class == "carbon_monoxide"


def members_of(kind: Kind, entities: Iterable[Entity], language: str) -> tuple[Entity, ...]:
    """The things of a kind. An appliance that can be switched tells by itself, whatever measures it beside it."""
    found = tuple(e for e in entities if e.in_plurals and is_of(kind, e, language))
    if kind in HOT and any(e.domain != "sensor" for e in found):
        return tuple(e for e in found if e.domain != "sensor")
    ids = {e.entity_id for e in found}
    return tuple(e for e in found if not (e.members and ids.issuperset(e.members)))


def _is_called(kind: Kind, entity: Entity, language: str) -> bool:
    return any(
        kind.value in _kinds_called(name, known)
        for name in entity.names
        for known in (safety_words(language), safety_words(_ENGLISH))
        if known is not None
    )


def _kinds_called(name: str, known: SafetyWords) -> frozenset[str]:
    """The kinds that a name tells; none where it is that of something beside: "oven light"."""
    words = words_of(name)
    spots = known.names.spot(words)
    told = {p for s in spots for p in s.positions}
    if any(w.text in known.beside for p, w in enumerate(words) if p not in told):
        return frozenset()
    return frozenset(s.concept for s in spots)


def is_amiss(entity: Entity, raw: str) -> bool | None:
    """Whether a thing is open, unlocked, alarmed or on; None where it does not tell."""
    if raw in _GONE:
        return None
    if entity.domain == "lock":
        return raw != "locked"
    if entity.domain in ("cover", "valve"):
        return raw != "closed"
    if entity.domain == "climate":
        return raw not in _NOT_HEATING
    if entity.domain == "alarm_control_panel":
        return raw in _ALARMED
    if entity.domain == "sensor":
        try:
            return float(raw) > (_IDLE_WATTS if entity.device_class == "power" else 0.0)
        except ValueError:
            return raw.casefold() not in AT_REST
    return raw.casefold() not in AT_REST


def holds(ask: Ask, entity: Entity, raw: str, mode: str = "") -> bool | None:
    """Whether what is asked is so of a thing; None where it does not tell. ``mode``: how an alarm is to be armed."""
    amiss = is_amiss(entity, raw)
    if amiss is None or ask is Ask.AMISS:
        return amiss
    if ask is Ask.FINE:
        return not amiss
    if ask is Ask.DISARMED:
        return raw == "disarmed"
    return None if raw in _UNSURE else raw == mode if mode else raw != "disarmed"
