"""Calls that wait for a yes: bound to one tool, its parameters, its targets and the person; used once; short-lived."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Engine, delete, select, update
from sqlalchemy.orm import Session

from homeagent.errors import NotFound, Refused
from homeagent.privacy.redact import without_secrets
from homeagent.tables import ConfirmationRow
from homeagent.turn import Turn, new_id

_KEPT = timedelta(days=30)
"""How long decided and expired ones stay, so that one can see what was asked and answered."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A call that waits for a yes. ``parameters`` run exactly as they stand, on exactly ``targets``."""

    id: str
    description: str
    targets: tuple[str, ...]
    tool_name: str
    parameters: Mapping[str, Any] = field(repr=False)
    conversation_id: str | None
    user_id: str | None
    expires_at: datetime
    digest: str = ""


class Confirmations:
    """Kept in the database, so that they outlive a restart. Codes are not: they stay in memory until used or expired.

    ``ttl``: seconds until one expires. Every method may raise `DatabaseError`.
    """

    def __init__(self, engine: Engine, ttl: float) -> None:
        self._engine = engine
        self._reading = engine.execution_options(read_only=True)
        self._ttl = timedelta(seconds=ttl)
        self._secrets: dict[str, tuple[datetime, dict[str, Any]]] = {}

    async def create(
        self,
        turn: Turn,
        tool_name: str,
        parameters: Mapping[str, Any],
        targets: Sequence[str],
        description: str,
        *,
        consequences: Sequence[Any] = (),
        digest: str = "",
    ) -> Pending:
        """Keep a call until it is decided. The same call asked for again in the conversation takes its place."""
        pending = Pending(
            id=new_id(),
            description=description,
            targets=tuple(targets),
            tool_name=tool_name,
            parameters=dict(parameters),
            conversation_id=turn.conversation_id,
            user_id=turn.user_id,
            expires_at=datetime.now(UTC) + self._ttl,
            digest=digest,
        )
        kept = without_secrets(pending.parameters)
        await asyncio.to_thread(self._insert, pending, kept, turn.turn_id)
        if kept != pending.parameters:
            self._forget_old_secrets()
            self._secrets[pending.id] = (pending.expires_at, dict(pending.parameters))
        return pending

    async def take(self, confirmation_id: str, user_id: str | None = None) -> Pending:
        """Take one to run it: it is used up by this. Raises NotFound (unknown, used, expired), Refused (somebody
        else's)."""
        return await self._decide(confirmation_id, user_id, approved=True)

    async def reject(self, confirmation_id: str, user_id: str | None = None) -> Pending:
        """Take one to throw it away. Raises as `take`."""
        return await self._decide(confirmation_id, user_id, approved=False)

    async def open(self, conversation_id: str) -> list[Pending]:
        """Those of a conversation that wait, oldest first."""
        return await asyncio.to_thread(self._open, conversation_id)

    async def _decide(self, confirmation_id: str, user_id: str | None, *, approved: bool) -> Pending:
        pending = await asyncio.to_thread(self._use, confirmation_id, user_id, approved)
        _, full = self._secrets.pop(confirmation_id, (None, None))
        if full is None or not approved:
            return pending
        return replace(pending, parameters=full)

    def _forget_old_secrets(self) -> None:
        now = datetime.now(UTC)
        self._secrets = {key: kept for key, kept in self._secrets.items() if kept[0] > now}

    def _insert(self, pending: Pending, parameters: Mapping[str, Any], turn_id: str) -> None:
        now = datetime.now(UTC)
        with Session(self._engine) as session, session.begin():
            session.execute(delete(ConfirmationRow).where(ConfirmationRow.expires_at < now - _KEPT))
            for row in session.scalars(_waiting(now).where(*_same_place(pending))):
                if row.parameters == parameters:
                    session.delete(row)
            session.add(
                ConfirmationRow(
                    id=pending.id,
                    conversation_id=pending.conversation_id,
                    turn_id=turn_id,
                    user_id=pending.user_id,
                    tool_name=pending.tool_name,
                    parameters=dict(parameters),
                    targets=list(pending.targets),
                    description=pending.description,
                    created_at=now,
                    expires_at=pending.expires_at,
                )
            )

    def _use(self, confirmation_id: str, user_id: str | None, approved: bool) -> Pending:
        now = datetime.now(UTC)
        with Session(self._engine) as session, session.begin():
            row = session.get(ConfirmationRow, confirmation_id)
            if row is None:
                raise NotFound(f"There is no confirmation {confirmation_id}.")
            if row.user_id is not None and row.user_id != user_id:
                raise Refused("That confirmation is another person's.")
            if row.expires_at <= now:
                raise NotFound("That confirmation has expired.", hint="Ask for the action again.")
            used = session.execute(
                update(ConfirmationRow)
                .where(ConfirmationRow.id == confirmation_id, ConfirmationRow.decided_at.is_(None))
                .values(decided_at=now, approved=approved)
            )
            if not getattr(used, "rowcount", 0):
                raise NotFound("That confirmation was already answered.", hint="Ask for the action again.")
            return _pending(row)

    def _open(self, conversation_id: str) -> list[Pending]:
        with Session(self._reading) as session:
            waiting = _waiting(datetime.now(UTC)).where(ConfirmationRow.conversation_id == conversation_id)
            return [_pending(row) for row in session.scalars(waiting.order_by(ConfirmationRow.created_at))]


def _waiting(now: datetime) -> Any:
    return select(ConfirmationRow).where(ConfirmationRow.decided_at.is_(None), ConfirmationRow.expires_at > now)


def _same_place(pending: Pending) -> tuple[Any, ...]:
    return (
        ConfirmationRow.conversation_id == pending.conversation_id,
        ConfirmationRow.user_id.is_(None) if pending.user_id is None else ConfirmationRow.user_id == pending.user_id,
        ConfirmationRow.tool_name == pending.tool_name,
    )


def _pending(row: ConfirmationRow) -> Pending:
    return Pending(
        id=row.id,
        description=row.description,
        targets=tuple(row.targets),
        tool_name=row.tool_name,
        parameters=row.parameters,
        conversation_id=row.conversation_id,
        user_id=row.user_id,
        expires_at=row.expires_at,
    )
