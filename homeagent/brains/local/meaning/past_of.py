"""Of which things the past is asked, and which of their states count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.things.grounding import Ground
from homeagent.brains.local.things.locks import LOCK, LOCKED, lock_of
from homeagent.domains.states import ATTRIBUTES, raw_of
from homeagent.history.sums import METERS
from homeagent.understanding.request import Asking, Tell, Wanted
from indexer.entity import Entity
from indexer.mentions import Mention, MentionKind

_OPENINGS = frozenset({"door", "window", "garage_door", "opening", "garage"})
_PRESENCE = frozenset({"motion", "occupancy", "presence", "moving"})
_SURE, _PERHAPS = 0.75, 0.6
"""A name that may also be a mere kind of thing ("the front door") is less sure, and taken where there is no other."""
_MOST = 6
_MEASURED = frozenset({Tell.AVERAGE, Tell.LOWEST, Tell.HIGHEST, Tell.SUM})
_BY_DEED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "opened": {"cover": ("open",), "valve": ("open",), "binary_sensor": ("on",)},
    "closed": {"cover": ("closed",), "valve": ("closed",), "binary_sensor": ("off",)},
    "unlocked": {"lock": ("unlocked",)},
    "locked": {"lock": ("locked",)},
    "left": {"person": ("not_home",), "device_tracker": ("not_home",)},
    "came": {"person": ("home",), "device_tracker": ("home",)},
    "at_home": {"person": ("home",), "device_tracker": ("home",)},
    "there": {"binary_sensor": ("on",)},
}
"""What a domain is in when that was done."""
_RUNNING: Mapping[str, tuple[str, ...]] = {
    "vacuum": ("cleaning",), "lawn_mower": ("mowing",), "media_player": ("playing",),
}  # fmt: skip
_ON_OFF = frozenset({"light", "switch", "fan", "input_boolean", "humidifier", "siren", "remote", "water_heater"})
_OWN_DAYS = frozenset({"calendar", "weather", "todo"})
"""What is asked of these on a day is not their state."""
_ROUTINES = frozenset({"automation", "script", "scene"})
ACTION = "hvac_action"
"""What a climate does; its state is only what it is set to."""
_COOLING = frozenset({"cool", "cooling"})


def askings(reading: Reading, around: Ground, wanted: Wanted) -> tuple[Asking, ...]:
    """What is asked of which thing; empty where that is not told, or is more than can be told of at once."""
    named = _named(reading)
    pool = _entities(named, around) if named else _placed(reading, around, wanted)
    if named and wanted.deeds & LOCKED and not any(e.domain == LOCK for e in pool):
        its = lock_of(pool, around.exposed)
        pool = [its] if its is not None else []
    found = [a for e in pool if (a := _asking(e, around, wanted)) is not None]
    if named and len(found) > 1:
        found = _likeliest(found, named, around)
    return tuple(found) if len(found) <= _MOST else ()


def places(reading: Reading, around: Ground) -> Mapping[str, tuple[str, ...]]:
    """The set of things that is asked about as `ha_query` takes it: what is named, or of a kind, or in a place; else
    everything."""
    if named := _named(reading):
        return {"entity_id": tuple(e.entity_id for e in _entities(named, around))}
    kinds = {
        "domain": MentionKind.DOMAIN,
        "device_class": MentionKind.DEVICE_CLASS,
        "area": MentionKind.AREA,
        "floor": MentionKind.FLOOR,
    }
    said = {
        key: tuple(dict.fromkeys(v for m in reading.of_kind(kind) for v in m.values)) for key, kind in kinds.items()
    }
    return {key: values for key, values in said.items() if values} or {
        "domain": tuple(sorted({e.domain for e in around.exposed}))
    }


def same_kind(reading: Reading, around: Ground, before: Iterable[Asking], wanted: Wanted) -> tuple[Asking, ...]:
    """What is asked of the things of the same kind that the clause names, or that are in the place that it names."""
    known = [e for a in before if (e := around.home.entity(a.entity_id)) is not None]
    kinds = {(e.domain, e.device_class) for e in known}
    named = _entities(_named(reading), around)
    pool = named or [e for e in _in_places(reading, around) if (e.domain, e.device_class) in kinds]
    found = [a for e in pool if (a := _asking(e, around, wanted)) is not None]
    return tuple(found) if len(found) <= _MOST else ()


def _asking(entity: Entity, around: Ground, wanted: Wanted) -> Asking | None:
    """What counts of a thing; None where it cannot be what was asked about."""
    if wanted.tell is Tell.CHANGES or (wanted.tell is Tell.STATES and entity.domain not in _OWN_DAYS):
        return Asking(entity.entity_id)
    if wanted.tell in _MEASURED:
        return _measured(entity, around, wanted)
    if wanted.tell is Tell.DOES:
        return Asking(entity.entity_id) if entity.domain in _ROUTINES else None
    state = around.home.state(entity.entity_id)
    if wanted.tell in (Tell.WHY, Tell.WHO, Tell.ACTS):
        # what a climate does, its thermostat decides: what can be explained is what it is set to
        states = () if entity.domain == "climate" else _states(entity, wanted)
        return Asking(entity.entity_id, states)
    if entity.domain == "climate" and state is not None and ACTION in state.attributes:
        said = wanted.states.get("default", ())
        if "off" not in said:
            return Asking(entity.entity_id, ("cooling" if _COOLING & set(said) else "heating",), ACTION)
    if states := _states(entity, wanted):
        return Asking(entity.entity_id, states)
    return None


def _states(entity: Entity, wanted: Wanted) -> tuple[str, ...]:
    for deed in sorted(wanted.deeds):
        states = _BY_DEED.get(deed, {}).get(entity.domain, ())
        if states and (entity.domain != "binary_sensor" or _fits(entity, deed)):
            return states
    if "ran" in wanted.deeds:
        return _RUNNING.get(entity.domain, ("on",) if entity.domain in {*_ON_OFF, "binary_sensor"} else ())
    if entity.domain in _ON_OFF and wanted.deeds & {"turned_on", "turned_off"}:
        return ("on",) if "turned_on" in wanted.deeds else ("off",)
    return raw_of(entity, wanted.states)


def _fits(entity: Entity, deed: str) -> bool:
    kinds = _PRESENCE if deed == "there" else _OPENINGS
    return entity.device_class in kinds


def _measured(entity: Entity, around: Ground, wanted: Wanted) -> Asking | None:
    state = around.home.state(entity.entity_id)
    if state is None:
        return None
    if entity.domain == "climate" and wanted.tell is not Tell.SUM:
        return Asking(entity.entity_id, attribute="current_temperature")
    if entity.domain != "sensor" or not state.attributes.get("unit_of_measurement"):
        return None
    counts = state.attributes.get("state_class") in METERS
    return Asking(entity.entity_id) if counts or wanted.tell is not Tell.SUM else None


def _named(reading: Reading) -> list[Mention]:
    """The names that were said, the longer where two overlap."""
    names = [m for m in reading.of_kind(MentionKind.NAME) if m.score >= _PERHAPS]
    names = [m for m in names if m.score >= _SURE] or names
    kept: list[Mention] = []
    for mention in sorted(names, key=lambda m: m.start - m.end):
        if all(mention.end <= k.start or mention.start >= k.end for k in kept):
            kept.append(mention)
    return sorted(kept, key=lambda m: m.start)


def _entities(named: Iterable[Mention], around: Ground) -> list[Entity]:
    ids = dict.fromkeys(i for m in named for i in m.values)
    exposed = {e.entity_id for e in around.exposed}
    return [e for i in ids if i in exposed and (e := around.home.entity(i)) is not None]


def _likeliest(found: list[Asking], named: list[Mention], around: Ground) -> list[Asking]:
    """Of things that share one name that which the word for the deed is used of; of several names all."""
    if len(named) > 1:
        return found
    domains = [a.entity_id.partition(".")[0] for a in found]
    actuators = [a for a, d in zip(found, domains, strict=True) if d not in ("binary_sensor", "sensor")]
    return actuators[:1] or found


def _placed(reading: Reading, around: Ground, wanted: Wanted) -> list[Entity]:
    """Things of the kind that was said, or that tell what was asked, in the place that was said."""
    areas = {v for m in reading.of_kind(MentionKind.AREA) for v in m.values}
    pool = _in_places(reading, around)
    if wanted.deeds & LOCKED:
        return [e for e in pool if e.domain == LOCK]
    if "there" in wanted.deeds:
        return [e for e in pool if e.domain == "binary_sensor" and e.device_class in _PRESENCE]
    if wanted.tell is Tell.SUM and "energy" in wanted.concepts:
        return [e for e in pool if e.domain == "sensor" and e.device_class == "energy"]
    if wanted.tell in _MEASURED:
        kinds = {(d, c) for s in reading.of("attributes") for d, c, a in ATTRIBUTES.get(s.concept, ()) if not a}
        return [e for e in pool if (e.domain, e.device_class) in kinds] if areas or len(kinds) else []
    domains = {v for m in reading.of_kind(MentionKind.DOMAIN) for v in m.values}
    classes = {v for m in reading.of_kind(MentionKind.DEVICE_CLASS) for v in m.values}
    if not domains and not classes and areas and wanted.deeds & {"opened", "closed"}:
        return [e for e in pool if e.domain in ("cover", "valve") or e.device_class in _OPENINGS]
    if not domains and not classes:
        return []
    return [e for e in pool if (e.device_class in classes if classes else e.domain in domains)]


def _in_places(reading: Reading, around: Ground) -> list[Entity]:
    """The things in the rooms and on the floors that were said; all where none was."""
    areas = {v for m in reading.of_kind(MentionKind.AREA) for v in m.values}
    floors = {v for m in reading.of_kind(MentionKind.FLOOR) for v in m.values}
    pool = [e for e in around.exposed if e.in_plurals or e.domain in ("sensor", "binary_sensor")]
    if areas:
        pool = [e for e in pool if e.area is not None and e.area.area_id in areas]
    if floors:
        pool = [e for e in pool if e.floor is not None and e.floor.floor_id in floors]
    return pool
