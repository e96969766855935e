"""The audit log: who asked for what, from where, what it resolved to, what was decided, and what came of it.
Verdicts as plain values."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine, bindparam, delete, insert, select
from sqlalchemy.orm import Session

from homeagent.errors import DatabaseError, NotFound
from homeagent.policy.verdicts import Verdict
from homeagent.privacy.redact import hidden, without_secrets
from homeagent.tables import AuditRow
from homeagent.turn import Turn
from homeagent.values.jsonable import jsonable

if TYPE_CHECKING:
    from homeagent.tools.carry_out import Done
    from homeagent.tools.judging import Judged

_KEPT = timedelta(days=180)
_OLD = delete(AuditRow.__table__).where(AuditRow.__table__.c.at < bindparam("before"))  # type: ignore[arg-type]
_NEW = insert(AuditRow.__table__)  # type: ignore[arg-type]
_log = logging.getLogger(__name__)


class AuditLog:
    """Kept in the database for half a year. A database that fails costs the note, not the turn, and is logged."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def note(
        self,
        turn: Turn,
        action: str,
        parameters: Mapping[str, object],
        judged: Judged,
        results: Sequence[Done],
        confirmation: Mapping[str, object] | None,
    ) -> None:
        """Keep what was asked for and what came of it."""
        by_id = {verdict.entity.entity_id: told(verdict) for verdict in judged.verdicts}
        secrets = turn.secrets()
        row = {
            "at": datetime.now(UTC),
            "turn_id": turn.turn_id,
            "conversation_id": turn.conversation_id,
            "user_id": turn.user_id,
            "device_id": turn.device_id,
            "text": hidden(turn.text, secrets),
            "action": action,
            "parameters": hidden(jsonable(without_secrets(dict(parameters))), secrets),
            "confirmation_id": str(confirmation["id"]) if confirmation else None,
            "approved": turn.confirmed,
            "answered_on": turn.answered_on,
            "targets": [
                {
                    **by_id.get(done.entity.entity_id, {"entity_id": done.entity.entity_id, "name": done.entity.name}),
                    "outcome": str(done.outcome),
                    "before": done.before.state if done.before else None,
                    "after": done.after.state if done.after else None,
                }
                for done in results
            ],
        }
        await self._keep(row)

    async def note_search(self, turn: Turn, sent: str, removed: Sequence[tuple[str, str]], *, blocked: bool) -> None:
        """Keep a search of the web as it was sent, or would have been; what was taken out of it, secrets by their kind
        alone; and whether it was blocked."""
        secrets = turn.secrets()
        taken = [f"{kind}: {'********' if kind == 'secret' else text}" for kind, text in removed]
        await self._keep(
            {
                "at": datetime.now(UTC),
                "turn_id": turn.turn_id,
                "conversation_id": turn.conversation_id,
                "user_id": turn.user_id,
                "device_id": turn.device_id,
                "text": "",
                "action": "web_search",
                "parameters": hidden({"sent": sent, "taken_out": taken, "blocked": blocked}, secrets),
                "confirmation_id": None,
                "approved": turn.confirmed,
                "answered_on": turn.answered_on,
                "targets": [],
            }
        )

    async def refuse(self, channel: str, reason: str, **about: object) -> None:
        """Keep that an answer from outside was not taken, and why. ``about``: whom it came from."""
        row = {
            "at": datetime.now(UTC),
            "turn_id": "",
            "conversation_id": "",
            "text": "",
            "action": "answer_refused",
            "parameters": jsonable({"channel": channel, "reason": reason, **about}),
            "approved": False,
            "answered_on": channel,
            "targets": [],
        }
        try:
            await asyncio.to_thread(self._insert, row)
        except DatabaseError as error:
            _log.warning("a refused answer is missing in the audit log: %s", error)

    async def entries(
        self, limit: int, entity_id: str | None = None, before: int | None = None
    ) -> list[dict[str, Any]]:
        """The newest ``limit`` actions, newest first; with ``entity_id`` those on it, with ``before`` those of a lower
        id. Raises DatabaseError."""
        return await asyncio.to_thread(self._read, limit, entity_id, before)

    async def entry(self, id_: int) -> dict[str, Any]:
        """One of them. Raises NotFound, DatabaseError."""
        return await asyncio.to_thread(self._one, id_)

    async def _keep(self, row: Mapping[str, Any]) -> None:
        try:
            await asyncio.to_thread(self._insert, row)
        except DatabaseError as error:
            _log.warning("an action is missing in the audit log: %s", error)

    def _insert(self, row: Mapping[str, Any]) -> None:
        with self._engine.begin() as connection:
            connection.execute(_OLD, {"before": row["at"] - _KEPT})
            connection.execute(_NEW, row)

    def _one(self, id_: int) -> dict[str, Any]:
        with Session(self._engine.execution_options(read_only=True)) as session:
            if (row := session.get(AuditRow, id_)) is None:
                raise NotFound(f"There is no entry {id_} in the audit log.")
            return _as_dict(row)

    def _read(self, limit: int, entity_id: str | None, before: int | None) -> list[dict[str, Any]]:
        older = () if before is None else (AuditRow.id < before,)
        with Session(self._engine.execution_options(read_only=True)) as session:
            rows = session.scalars(select(AuditRow).where(*older).order_by(AuditRow.id.desc()))
            found: list[dict[str, Any]] = []
            for row in rows:
                if entity_id is None or any(target.get("entity_id") == entity_id for target in row.targets):
                    found.append(_as_dict(row))
                if len(found) >= limit:
                    break
            return found


def _as_dict(row: AuditRow) -> dict[str, object]:
    names = ("id", "turn_id", "conversation_id", "user_id", "device_id", "text", "action", "parameters")
    more = ("confirmation_id", "approved", "answered_on", "targets")
    return {"at": row.at.isoformat(timespec="seconds"), **{name: getattr(row, name) for name in (*names, *more)}}


def told(verdict: Verdict) -> dict[str, Any]:
    """Target, decision, why, and each effect with what it falls on and through what."""
    return {
        "entity_id": verdict.entity.entity_id,
        "name": verdict.entity.name,
        "decision": verdict.decision.value,
        "reason": verdict.reason,
        "effects": [
            {
                "effect": consequence.effect.value,
                "action": consequence.action,
                "name": consequence.name,
                "through": consequence.through,
                "detail": consequence.detail,
                "content": consequence.content,
            }
            for consequence in verdict.consequences
        ],
    }
