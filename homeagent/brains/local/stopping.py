"""What a bare "stop" means now: what moves, runs or plays, and what was spoken of last before anything else."""

from __future__ import annotations

from collections.abc import Sequence

from homeagent.brains.local.surroundings import Surroundings
from homeagent.domains import profile_of
from homeagent.domains.states import MOVES
from homeagent.timers.timer import TimerAction, TimerState
from homeagent.understanding.request import Act, Request, Scope, Timing
from indexer.entity import Entity


def stop_what_runs(around: Surroundings, *, only_moving: bool = False) -> Request:
    """The request that a bare "stop" makes: what rings is silenced, else what was spoken of last and runs is stopped,
    else all that moves (covers and the like), else what runs in the speaker's room, else all that runs, else what was
    spoken of last. Where there is none, the phrase that nothing runs. ``only_moving``: leave out what plays.
    """
    if any(t.state is TimerState.RINGING for t in around.timers) and not only_moving:
        return Request(Act.TIMER, timing=Timing(TimerAction.DISMISS))
    running = [e for e in around.exposed if around.home.state_text(e.entity_id) in profile_of(e.domain).at_work]
    if only_moving:
        moving = [e for e in running if e.domain in MOVES]
        return _stop(moving, around) if moving else Request(Act.SAY, say="nothing_running")
    last = [
        e for i in around.last_entities if (e := around.home.entity(i)) is not None and profile_of(e.domain).at_work
    ]
    for chosen in (
        [e for e in last if e in running],
        [e for e in running if e.domain in MOVES],  # somebody may be in its way
        [e for e in running if e.area is not None and e.area.area_id == around.area_id],
        running,
        last,
    ):
        if chosen:
            return _stop(chosen, around)
    return Request(Act.SAY, say="nothing_running")


def _stop(chosen: Sequence[Entity], around: Surroundings) -> Request:
    """Stop all of them where they move; of several that play or clean, ask which."""
    moving = all(e.domain in MOVES for e in chosen)
    ids = [e.entity_id for e in chosen]
    scope = Scope(tuple((i,) for i in ids), every=True) if moving or len(ids) == 1 else Scope((tuple(ids),))
    return Request(Act.CONTROL, scope, action="pause" if _only_pauses(chosen, around) else "stop")


def _only_pauses(chosen: Sequence[Entity], around: Surroundings) -> bool:
    """Whether one among them can be paused and has no stop of its own."""
    return any("pause" in profile_of(e.domain).actions and not _stops(e, around) for e in chosen)


def _stops(entity: Entity, around: Surroundings) -> bool:
    stop, state = profile_of(entity.domain).actions.get("stop"), around.home.state(entity.entity_id)
    features = state.attributes.get("supported_features") if state is not None else None
    return stop is not None and not (isinstance(features, int) and stop.feature and not features & stop.feature)
