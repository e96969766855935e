"""What Home Assistant's things can be asked: the states of each domain, and where an attribute is to be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from homeagent.domains import ON_OFF, PROFILES, Measure, Profile, profile_of
from homeagent.domains.actions import BROUGHT_BY, OPPOSITE
from homeagent.domains.person import PEOPLE
from homeagent.domains.service import MOVING
from indexer.entity import Entity

STATES: Mapping[str, tuple[str, ...]] = {d: p.states for d, p in PROFILES.items() if p.states}
SWITCHED = frozenset(d for d, p in PROFILES.items() if p.switched)
OPENS = frozenset(d for d, p in PROFILES.items() if "open" in p.actions)
"""Domains of what lets somebody through, or shows that it could."""
MOVES = frozenset(d for d, p in PROFILES.items() if set(MOVING) <= set(p.at_work))
"""Domains of what moves between open and closed: somebody may be in its way."""
DOES_CHORES = frozenset(d for d, p in PROFILES.items() if p.chore)


def _opposites() -> Iterator[tuple[str, str]]:
    into = {action: state for state, action in BROUGHT_BY.items()}
    for one in ("on", "open", "locked"):
        yield one, into[OPPOSITE[BROUGHT_BY[one]]]
    yield "home", "not_home"


OPPOSITES: Mapping[str, str] = {raw: other for pair in _opposites() for raw, other in (pair, pair[::-1])}
"""States of which a thing is in the one or the other."""


def _under_way() -> Mapping[str, tuple[str, ...]]:
    moves = [(on, s.reaches) for p in PROFILES.values() for s in p.actions.values() for on in s.under_way]
    return {on: tuple(dict.fromkeys(r for o, reached in moves if o == on for r in reached)) for on, _ in moves}


UNDER_WAY = _under_way()
"""States of what is on its way, and those that it may come to."""


READINGS: Mapping[str, Measure] = {
    m.reads: m for p in PROFILES.values() for m in p.measures if m.unit is not None and m.reads
}
"""By the name of an attribute: in which unit people say it."""


def _settings() -> Iterator[tuple[str, Measure]]:
    for param in (p for profile in PROFILES.values() for s in profile.setters for p in s.params if not p.step):
        if (shown := READINGS.get(param.reads)) is not None:
            yield param.name, replace(shown, whole=shown.whole / param.shown_scale)


SETTINGS: Mapping[str, Measure] = dict(_settings())
"""By the name of a parameter: in which unit people say what is set."""


def _measured() -> Mapping[str, tuple[tuple[str, str, str], ...]]:
    rows = [(m.of, p, m) for p in sorted(PROFILES.values(), key=_likelihood) for m in p.measures if m.asked]
    return {of: tuple((p.domain, m.device_class, m.reads) for o, p, m in rows if o == of) for of, *_ in rows}


def _likelihood(profile: Profile) -> tuple[bool, int]:
    """What only measures goes before what is controlled."""
    return profile.rank is not None, profile.rank or 0


ATTRIBUTES = _measured()
"""Where an attribute is to be read, the likelier first: domain, device class, attribute (empty: the state itself)."""
RANGE = ("target_temp_low", "target_temp_high")
"""What a climate is set to that heats and cools."""
FINISHED = "finished"
"""What is asked of a thing as a whole: whether it has come to its end."""
AT_REST = frozenset(
    {
        *("off", "idle", "standby", "docked", "ready", "inactive", "not_running", "none"),
        *("finished", "done", "complete", "completed", "end", "ended", "program_ended"),
    }
)
"""Raw states of a machine that is not, or no longer, at work."""


_WIDER: Mapping[str, tuple[str, ...]] = {
    "armed": ("armed_away", "armed_home", "armed_night", "armed_vacation", "armed_custom_bypass"),
}
"""What people say that is several states of Home Assistant."""


def raw_states(entity: Entity, states: Iterable[str]) -> tuple[str, ...]:
    """Of these raw states the ones that this entity can be in."""
    profile = profile_of(entity.domain)
    known = profile.known_states
    wider = {**_WIDER, "on": ("on", *profile.running)}
    return tuple(dict.fromkeys(raw for s in states for raw in wider.get(s, (s,)) if raw in known))


def raw_of(entity: Entity, states: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Of states that were said, by device class or "default", those that the entity can be in; may be none."""
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
        return PEOPLE
    domains = [d for d, known in STATES.items() if said & set(known)]
    if said & set(ON_OFF):
        domains = ["light", "switch", "fan", *domains, *sorted(SWITCHED - {"light", "switch", "fan"})]
    if set(states) - {"default"}:
        domains.append("binary_sensor")
    if "battery" in states:
        domains.append("sensor")
    return tuple(dict.fromkeys(domains))
