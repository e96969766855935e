"""Carrying out planned calls: many targets in one service call, different ones at once; then what came of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from enum import StrEnum
from weakref import WeakValueDictionary

from homeagent.domains import Effect
from homeagent.domains.way_back import settings_before
from homeagent.errors import HomeAgentError, HomeAssistantError, NotConfirmed, UnknownItem
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.home import State
from homeagent.tools.expected_state import missing
from homeagent.tools.plan import Plan
from indexer.entity import Entity

_UNDER_WAY_GRACE = 0.7
"""Seconds that a device which is at it gets to finish, so that a lock is "locked" rather than "locking"."""
_LINGER = 0.3
"""Seconds to wait for a fresh state where no state tells whether it worked."""


class Outcome(StrEnum):
    """What came of a call, for one target."""

    DONE = "done"
    UNDER_WAY = "under_way"
    SENT = "sent"
    """Home Assistant took it; no state can tell."""
    NO_REACTION = "no_reaction"
    FAILED = "failed"
    NOT_CALLED = "not_called"
    NEEDS_CONFIRMATION = "needs_confirmation"
    LEFT_OUT = "left_out"
    """A sweeping order did not mean it: it wants a yes of its own."""


@dataclass(frozen=True, slots=True)
class Job:
    """One target with its plan and its state before."""

    entity: Entity
    before: State
    plan: Plan


@dataclass(frozen=True, slots=True)
class Done:
    """What came of one target. ``confirmed``: None where nothing can tell. ``error``: set where it was not done."""

    entity: Entity
    outcome: Outcome
    before: State | None = None
    after: State | None = None
    confirmed: bool | None = False
    error: HomeAgentError | None = None
    attributes: tuple[str, ...] = ()
    """Those that tell whether it worked."""
    item: object = None
    """What of a list was meant, as the list has it, where it was called otherwise."""
    members: tuple[Done, ...] = ()
    """Of a group whose members were not all alike: those that are otherwise since."""

    @property
    def succeeded(self) -> bool:
        """Whether there is no error; so it is too for what was left out or waits for a yes."""
        return self.error is None

    @property
    def changed(self) -> bool:
        """Whether its state or a setting is another one since."""
        states = [state.state for state in (self.before, self.after) if state is not None]
        return len(set(states)) > 1 or bool(self._was())

    def as_dict(self) -> dict[str, object]:
        """For a model or a program."""
        shown: dict[str, object] = {
            "entity_id": self.entity.entity_id,
            "name": self.entity.name,
            "before": self.before.state if self.before else None,
            "after": self.after.state if self.after else None,
            "confirmed": self.confirmed,
            "outcome": self.outcome.value,
        }
        if self.after:
            held = {a: self.after.attributes[a] for a in self.attributes if a in self.after.attributes}
            shown |= {"attributes": held} if held else {}
        if was := self._was():
            shown["was"] = was
        if self.members:
            shown["members"] = [member.as_dict() for member in self.members]
        if self.item:
            shown["item"] = self.item
        if isinstance(self.error, UnknownItem):
            shown["items"] = list(self.error.items)
        if note := self._note():
            shown["note"] = note
        return shown

    def _was(self) -> dict[str, object]:
        """What was set otherwise before, as the parameters that set it back."""
        if self.before is None or self.after is None or self.outcome not in (Outcome.DONE, Outcome.UNDER_WAY):
            return {}
        before, after = ((s.state, s.attributes) for s in (self.before, self.after))
        return settings_before(self.entity.domain, before, after)

    def _note(self) -> str:
        if self.error:
            return self.error.message
        if self.outcome is Outcome.SENT:
            return "sent; whether it worked cannot be verified"
        if self.outcome is Outcome.LEFT_OUT:
            return "left as it is: it needs an order of its own, and a yes. Tell the person"
        return ""


class EntityLocks:
    """One call at a time on an entity: the second sees the state that the first left."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def hold(self, stack: AsyncExitStack, entities: Iterable[Entity]) -> None:
        """Hold these and the members of groups until ``stack`` closes; always in one order, so that none waits in a
        ring."""
        ids = {i for e in entities for i in (e.entity_id, *(() if e.domain in ("scene", "script") else e.members))}
        for entity_id in sorted(ids):
            lock = self._locks.setdefault(entity_id, asyncio.Lock())
            await stack.enter_async_context(lock)


async def carry_out(ha: HomeAssistant, jobs: Sequence[Job], *, settle: float) -> list[Done]:
    """Run all jobs and wait until their states show it, at most ``settle`` seconds. One result per job, in order."""
    batches: dict[str, list[Job]] = {}
    for job in jobs:
        steps = [(step.domain, step.service, dict(step.data)) for step in job.plan.steps]
        batches.setdefault(json.dumps(steps, sort_keys=True, default=str), []).append(job)
    members = {job.entity.entity_id: _members(ha, job.entity) for job in jobs}
    results = await asyncio.gather(*(_run_batch(ha, batch, settle) for batch in batches.values()))
    by_id = {done.entity.entity_id: done for batch in results for done in batch}
    done = [by_id[job.entity.entity_id] for job in jobs]
    return [replace(one, members=_unlike(ha, one, members[one.entity.entity_id])) for one in done]


def _members(ha: HomeAssistant, group: Entity) -> Mapping[Entity, State]:
    """How the members of a group are; empty where there is none, or where one must not be told of."""
    if group.domain in ("scene", "script"):
        return {}
    states = {e: ha.home.state(i) for i in group.members if (e := ha.home.entity(i)) is not None and e.exposed}
    known = {e: state for e, state in states.items() if state is not None}
    return known if len(known) == len(group.members) else {}


def _unlike(ha: HomeAssistant, done: Done, before: Mapping[Entity, State]) -> tuple[Done, ...]:
    """The members that are otherwise since, where they were not all alike: the group as a whole cannot tell how."""
    members = [Done(e, done.outcome, was, ha.home.state(e.entity_id), done.confirmed) for e, was in before.items()]
    ways_back = [(was.state, one._was()) for one, was in zip(members, before.values(), strict=True)]
    unlike = any(way != ways_back[0] for way in ways_back)
    return tuple(one for one in members if one.changed) if unlike else ()


async def _run_batch(ha: HomeAssistant, jobs: Sequence[Job], settle: float) -> list[Done]:
    error: HomeAgentError | None = None
    try:
        for step in jobs[0].plan.steps:
            ids = [job.entity.entity_id for job in jobs]
            await ha.call_service(step.domain, step.service, entity_ids=ids, data=step.data)
    except HomeAssistantError as refused:  # one bad target fails the call for all: the states tell who was reached
        error = refused
    await _settle(ha, jobs, min(settle, _LINGER) if error else settle)
    return [_done(job, ha.home.state(job.entity.entity_id), error) for job in jobs]


async def _settle(ha: HomeAssistant, jobs: Sequence[Job], timeout: float) -> None:
    telling = [job for job in jobs if _tells(job)]
    silent = [job for job in jobs if not _tells(job)]
    await asyncio.gather(
        _wait(ha, telling, timeout, under_way_will_do=True),
        *(_wait_for_any_change(ha, job, min(timeout, _LINGER)) for job in silent),
    )
    moving = [job for job in telling if not _met(ha, job)]
    if any(job.plan.expectation.is_under_way(ha.home.state(job.entity.entity_id)) for job in moving):
        await _wait(ha, moving, min(timeout, _UNDER_WAY_GRACE), under_way_will_do=False)


async def _wait(ha: HomeAssistant, jobs: Sequence[Job], timeout: float, *, under_way_will_do: bool) -> None:
    def all_there() -> bool:
        return all(
            _met(ha, job)
            or (under_way_will_do and job.plan.expectation.is_under_way(ha.home.state(job.entity.entity_id)))
            for job in jobs
        )

    if jobs:
        await ha.home.wait_until(all_there, [job.entity.entity_id for job in jobs], timeout)


async def _wait_for_any_change(ha: HomeAssistant, job: Job, timeout: float) -> None:
    entity_id = job.entity.entity_id
    await ha.home.wait_until(lambda: ha.home.state(entity_id) != job.before, [entity_id], timeout)


def _met(ha: HomeAssistant, job: Job) -> bool:
    return job.plan.expectation.met(job.before, ha.home.state(job.entity.entity_id))


def _tells(job: Job) -> bool:
    """Whether the entity's state will tell: not where it only assumes it."""
    return job.plan.expectation.is_seen and not job.before.attributes.get("assumed_state")


def _done(job: Job, after: State | None, error: HomeAgentError | None) -> Done:
    expectation, attributes = job.plan.expectation, job.plan.expectation.attributes()
    met = expectation.is_seen and expectation.met(job.before, after)
    if error and not (met and after != job.before):
        return Done(job.entity, Outcome.FAILED, job.before, after, False, error, attributes)
    if job.before.attributes.get("assumed_state") or expectation.effect is Effect.UNSEEN:
        return Done(job.entity, Outcome.SENT, job.before, after, None, None, attributes)
    if met or expectation.effect is Effect.ACCEPTED:
        return Done(job.entity, Outcome.DONE, job.before, after, True, None, attributes)
    if expectation.is_under_way(after):
        return Done(job.entity, Outcome.UNDER_WAY, job.before, after, True, None, attributes)
    return Done(job.entity, Outcome.NO_REACTION, job.before, after, False, _no_reaction(job, after), attributes)


def _no_reaction(job: Job, after: State | None) -> NotConfirmed:
    if after is None or not after.available:
        return NotConfirmed(f"{job.entity.name} was told, but became unavailable.")
    if after.state == "jammed":
        return NotConfirmed(f"{job.entity.name} is jammed.")
    return NotConfirmed(f"{job.entity.name} was told, but did not react: {missing(job.plan.expectation, after)}.")
