"""A bare "stop": what moves, runs or plays, and what was spoken of last before anything else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from homeagent.brains.language.reading import Reading
from homeagent.brains.local.meaning.request import Act, Request, Scope
from homeagent.brains.local.things.grounding import Ground
from homeagent.ha.services.media import Feature
from indexer.entity import Entity

_RUNNING: Mapping[str, tuple[str, ...]] = {
    "cover": ("opening", "closing"),
    "valve": ("opening", "closing"),
    "vacuum": ("cleaning", "returning"),
    "lawn_mower": ("mowing", "returning"),
    "media_player": ("playing", "buffering"),
}
_MOVING = frozenset({"cover", "valve"})
"""What stops first: somebody may be in its way."""


def stop_request(reading: Reading, around: Ground) -> Request | None:
    """The request to stop what is at it; None where the clause says what to stop, or something else."""
    if not says_only_stop(reading):
        return None
    running = [e for e in around.exposed if around.home.state_text(e.entity_id) in _RUNNING.get(e.domain, ())]
    last = [e for i in around.last_entities if (e := around.home.entity(i)) is not None and e.domain in _RUNNING]
    for chosen in (
        [e for e in last if e in running],
        [e for e in running if e.domain in _MOVING],
        [e for e in running if e.area is not None and e.area.area_id == around.area_id],
        running,
        last,
    ):
        if chosen:
            return _stop(chosen, around)
    return Request(Act.SAY, say="nothing_running")


def _stop(chosen: Sequence[Entity], around: Ground) -> Request:
    """All that moves is stopped; of several that play or clean the person says which."""
    moving = all(e.domain in _MOVING for e in chosen)
    ids = [e.entity_id for e in chosen]
    scope = Scope(tuple((i,) for i in ids), every=True) if moving or len(ids) == 1 else Scope((tuple(ids),))
    return Request(Act.CONTROL, scope, action=_action(chosen, around))


def _action(chosen: Sequence[Entity], around: Ground) -> str:
    for entity in chosen:
        state = around.home.state(entity.entity_id)
        features = state.attributes.get("supported_features") if state is not None else None
        if entity.domain == "media_player" and isinstance(features, int) and not features & Feature.STOP:
            return "pause"  # it cannot stop
    return "stop"


def says_only_stop(reading: Reading) -> bool:
    """Whether a clause is a bare "stop"."""
    said = {p for s in reading.of("halting") for p in s.positions}
    if not said or set(reading.target) - said:
        return False
    if reading.of("ahead", "weekdays", "horizon", "delays"):
        return False
    doing = {p for s in reading.of("actions", "adjust", "questions", "set", "negation") for p in s.positions}
    return doing <= said and not reading.numbers
