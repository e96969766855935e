"""What of planned calls may run, what waits for a yes, what is denied, and what a sweeping order leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from homeagent.domains import from_service
from homeagent.errors import ActionDenied
from homeagent.policy.verdicts import Call, Consequence, Decision, Effect, Verdict, digest_of
from homeagent.prompting.outside import asks_first
from homeagent.tools.carry_out import Done, Job, Outcome
from homeagent.tools.toolbox import OUTSIDE_READ
from homeagent.turn import Turn


def calls_of(job: Job) -> list[Call]:
    """The calls of a plan as they will be sent, for the policy to judge."""
    return [
        Call(step.domain, step.service, from_service(step.domain, step.service) or step.service, job.entity, step.data)
        for step in job.plan.steps
    ]


def after_outside(found: Sequence[tuple[Job, Verdict]], action: str, turn: Turn) -> list[tuple[Job, Verdict]]:
    """The verdicts, of which none is simply allowed where a model has read what others wrote. May block at first."""
    if not found or not asks_first(turn):
        return list(found)
    return [(job, _asking(v, action) if v.decision is Decision.ALLOW else v) for job, v in found]


def _asking(verdict: Verdict, action: str) -> Verdict:
    asked = Consequence(Effect.AFTER_OUTSIDE, action, verdict.entity.name)
    return replace(verdict, decision=Decision.CONFIRM, reason=OUTSIDE_READ, consequences=(asked,))


@dataclass(frozen=True, slots=True)
class Judged:
    """The jobs of one call, parted by their verdicts. ``digest`` stands for all that waits."""

    verdicts: tuple[Verdict, ...]
    allowed: tuple[Job, ...]
    waiting: tuple[tuple[Job, Verdict], ...]
    denied: tuple[tuple[Job, Verdict], ...]
    left_out: tuple[Job, ...]
    digest: str

    @classmethod
    def of(cls, found: Sequence[tuple[Job, Verdict]], turn: Turn, *, sweeping: bool) -> Judged:
        """A yes counts only for what it was given to: the same deeds on the same things. A ``sweeping`` order does not
        mean what it would have to ask about; unless that is all there is."""
        guarded = [(job, verdict) for job, verdict in found if verdict.decision is Decision.CONFIRM]
        allowed = [job for job, verdict in found if verdict.decision is Decision.ALLOW]
        digest = digest_of(verdict.digest for _, verdict in guarded)
        said_yes = turn.confirmed and digest in turn.approved
        leaves_out = sweeping and bool(allowed) and not turn.confirmed
        return cls(
            verdicts=tuple(verdict for _, verdict in found),
            allowed=(*allowed, *(job for job, _ in guarded if said_yes)),
            waiting=() if said_yes or leaves_out else tuple(guarded),
            denied=tuple((job, verdict) for job, verdict in found if verdict.decision is Decision.DENY),
            left_out=tuple(job for job, _ in guarded) if leaves_out else (),
            digest=digest,
        )

    def not_done(self) -> list[Done]:
        """What came of the jobs that may not run."""
        denied = [
            Done(
                job.entity,
                Outcome.NOT_CALLED,
                job.before,
                job.before,
                False,
                ActionDenied(f"That is not allowed for {job.entity.name}: {verdict.reason}."),
            )
            for job, verdict in self.denied
        ]
        return [*denied, *(Done(job.entity, Outcome.LEFT_OUT, job.before, job.before) for job in self.left_out)]
