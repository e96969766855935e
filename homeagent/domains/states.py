"""What Home Assistant's things can be asked: the states of each domain, and where an attribute is to be read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from homeagent.domains import ON_OFF, PROFILES, Profile, profile_of
from indexer.entity import Entity

STATES: Mapping[str, tuple[str, ...]] = {d: p.states for d, p in PROFILES.items() if p.states}
SWITCHED = frozenset(d for d, p in PROFILES.items() if p.switched)


def _measured() -> Mapping[str, tuple[tuple[str, str, str], ...]]:
    rows = [(m.of, p, m) for p in sorted(PROFILES.values(), key=_likelihood) for m in p.measures]
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
        return ("person", "device_tracker")
    domains = [d for d, known in STATES.items() if said & set(known)]
    if said & set(ON_OFF):
        domains = ["light", "switch", "fan", *domains, *sorted(SWITCHED - {"light", "switch", "fan"})]
    if set(states) - {"default"}:
        domains.append("binary_sensor")
    if "battery" in states:
        domains.append("sensor")
    return tuple(dict.fromkeys(domains))
