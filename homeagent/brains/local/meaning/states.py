"""The states that a clause says, and which of them a kind of thing can be in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from homeagent.brains.language.lexicon import Spot
from homeagent.brains.language.reading import Reading
from homeagent.domains import ON_OFF
from homeagent.domains.states import STATE, STATES, SWITCHED, raw_states
from indexer.entity import Entity
from indexer.mentions import MentionKind

_ACTION_STATE = {
    "turn_on": "on", "turn_off": "off", "open": "open", "close": "closed", "lock": "locked", "unlock": "unlocked",
    "pause": "paused", "play": "playing", "start": "cleaning",
}  # fmt: skip
_WAYS = frozenset({"up", "down"})
_PRESENCE = frozenset({"occupancy", "presence"})


def states_said(reading: Reading) -> dict[str, tuple[str, ...]]:
    """For each device class (and "default") the raw states that were said of it."""
    found: dict[str, tuple[str, ...]] = {}
    said = _state_spots(reading)
    for spot in said:
        if not any(set(spot.positions) < set(s.positions) for s in said):  # no "cerrada" in "cerrada con llave"
            kind = spot.section.removeprefix(STATE)
            found[kind] = (*found.get(kind, ()), spot.concept)
    if (
        _PRESENCE.isdisjoint(classes := {v for m in reading.of_kind(MentionKind.DEVICE_CLASS) for v in m.values})
        and classes
    ):
        # "did someone leave a window open": it is the window that is asked about
        found = {kind: raws for kind, raws in found.items() if kind not in _PRESENCE}
    if not found:
        meant = [_ACTION_STATE[s.concept] for s in reading.of("actions") if s.concept in _ACTION_STATE]
        if meant:
            found["default"] = tuple(meant)
    return found


def _state_spots(reading: Reading) -> Sequence[Spot]:
    """The words for states; "up" and "down" only of covers, "heating" not beside another one: "is the heating on"."""
    ways = [s for s in reading.of("adjust") if s.concept in _WAYS] if not _of_covers(reading) else []
    aside = {p for s in ways for p in s.positions}
    spots = [s for s in reading.spots if s.section.startswith(STATE) and not set(s.positions) & aside]
    return [s for s in spots if not all(reading.kinds_at(p) for p in s.positions)] or spots


def _of_covers(reading: Reading) -> bool:
    said = (v for m in reading.of_kind(MentionKind.NAME, MentionKind.DOMAIN) for v in m.values)
    return any(v.partition(".")[0] == "cover" for v in said)


def raw_of(entity: Entity, states: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Of the states that `states_said` gives those that the entity can be in; empty where it can be in none."""
    if entity.domain == "binary_sensor" and entity.device_class:
        bare = tuple(s for s in states.get("default", ()) if s in ON_OFF)
        return states.get(entity.device_class, bare)
    if entity.domain == "sensor":
        return states.get("battery", ()) if entity.device_class == "battery" else ()
    return raw_states(entity, states.get("default", ()))


def domains_in(states: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The domains whose things can be in them, the likelier first."""
    if not states:
        return ()
    said = set(states.get("default", ()))
    if said & {"home", "not_home"}:
        return ("person", "device_tracker")
    domains = [d for d, known in STATES.items() if said & set(known)]
    if said & set(ON_OFF):
        domains = ["light", "switch", "fan", *domains, *sorted(SWITCHED - {"light", "switch", "fan"})]
    if set(states) - {"default"}:
        domains.append("binary_sensor")
    if "battery" in states:
        domains.append("sensor")
    return tuple(dict.fromkeys(domains))
