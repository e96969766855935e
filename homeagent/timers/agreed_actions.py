"""What an action may do when its time comes: settled when it is set, and bound to exactly that."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from homeagent.confirmations import Confirmations, Pending
from homeagent.errors import CodeRequired, ConfirmationRequired, EntityUnavailable, InvalidParameters
from homeagent.policy.verdicts import digest_of
from homeagent.timers.due import At, Due, as_json
from homeagent.tools.control_result import describe
from homeagent.tools.ha_control import Foreseen, HaControlParams
from homeagent.turn import Turn

_NO_CODE = "A code is never kept, so what needs one cannot be done later."


class Foresees(Protocol):
    """What tells what a call would come to: `ha_control`."""

    async def foresee(self, params: HaControlParams, turn: Turn) -> Foreseen:
        """What the call would do, judged as if it were made now; nothing is done. Raises HomeAgentError."""
        ...


@dataclass(frozen=True, slots=True)
class Agreed:
    """Calls with their targets as ids, and the digests of the deeds that somebody said yes to.

    ``asks`` is set where a yes is needed first; ``confirmation`` tells of it.
    """

    calls: tuple[Mapping[str, object], ...] = ()
    approved: frozenset[str] = frozenset()
    asks: ConfirmationRequired | None = None
    confirmation: Mapping[str, object] = field(default_factory=dict)


class Later:
    """Judges the calls of an action when it is set, and keeps what waits for a yes."""

    def __init__(self, control: Foresees, confirmations: Confirmations) -> None:
        self._control = control
        self._confirmations = confirmations

    async def agreed(
        self,
        calls: Sequence[HaControlParams],
        due: Due,
        turn: Turn,
        asked: Mapping[str, object],
        timer_id: str | None = None,
    ) -> Agreed:
        """What may be done, at ``due`` and no other time. ``asked``: the tool's parameters, which a yes runs again.

        Raises what keeps a call from ever being made: ActionDenied, CodeRequired, and as `ha_control`.
        """
        foreseen = []
        for call in calls:
            if "code" in call.parameters:
                raise InvalidParameters(_NO_CODE)
            foreseen.append(await self._foresee(call, turn))
        bound = tuple(_bound(call, found) for call, found in zip(calls, foreseen, strict=True))
        guarded = [found.judged for found in foreseen if _guarded(found)]
        approved = frozenset(judged.digest for judged in guarded)
        digest = digest_of([*approved, json.dumps([as_json(due), timer_id], sort_keys=True)])
        if turn.dry_run or not guarded or (turn.confirmed and digest in turn.approved):
            return Agreed(bound, approved)
        again = {**asked, "calls": [dict(call) for call in bound]}
        if isinstance(due, At) and due.day is not None:  # a yes that comes late is to this day, and not to the next
            again["at"] = datetime.combine(due.day, due.time).isoformat()
        verdicts = [verdict for judged in guarded for _, verdict in judged.waiting]
        jobs = [(call, found) for call, found in zip(calls, foreseen, strict=True) if _guarded(found)]
        description = "; ".join(
            describe(call.action, [job.entity for job, _ in found.judged.waiting], call.parameters)
            for call, found in jobs
        )
        pending = await self._confirmations.create(
            turn,
            "timer",
            again,
            [verdict.entity.entity_id for verdict in verdicts],
            f"later: {description}",
            consequences=tuple(dict.fromkeys(c for verdict in verdicts for c in verdict.consequences)),
            digest=digest,
        )
        reasons = list(dict.fromkeys(verdict.reason for verdict in verdicts))
        message = f"This needs the person's yes first, and is not set yet: {description}."
        asks = ConfirmationRequired(message, confirmation_id=pending.id)
        return Agreed(bound, frozenset(), asks, _told(pending, reasons))

    async def _foresee(self, call: HaControlParams, turn: Turn) -> Foreseen:
        """Raises what keeps all of the call from being made. What is out of reach at the moment may be there then."""
        found = await self._control.foresee(call, turn)
        for left in found.left:
            if isinstance(left.error, CodeRequired):
                raise InvalidParameters(_NO_CODE)
        never = [done.error for done in found.left if done.error and not isinstance(done.error, EntityUnavailable)]
        refused = [done.error for done in found.judged.not_done() if done.error]
        if not _ids(found) and (errors := [*refused, *never]):
            raise errors[0]
        return found


def _guarded(found: Foreseen) -> bool:
    return bool(found.judged.waiting)


def _ids(found: Foreseen) -> list[str]:
    jobs = [*found.judged.allowed, *(job for job, _ in found.judged.waiting)]
    away = [done.entity for done in found.left if isinstance(done.error, EntityUnavailable)]
    return sorted({entity.entity_id for entity in (*(job.entity for job in jobs), *away)})


def _bound(call: HaControlParams, found: Foreseen) -> dict[str, object]:
    """The call with its targets as ids: what is moved or renamed meanwhile is still what was meant."""
    return {"action": call.action, "entity_id": _ids(found), "parameters": call.parameters}


def _told(pending: Pending, reasons: Sequence[str]) -> dict[str, object]:
    return {
        "id": pending.id,
        "number": pending.number,
        "description": pending.description,
        "reasons": list(reasons),
        "expires_at": pending.expires_at.isoformat(timespec="seconds"),
    }
