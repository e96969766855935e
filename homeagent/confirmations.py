"""Calls that wait for a yes: bound to one deed, and to who was asked, where; used once; short-lived."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import Engine, Select, delete, func, select, update
from sqlalchemy.orm import Session

from homeagent.errors import NotFound, Refused
from homeagent.policy.verdicts import Consequence, Effect
from homeagent.privacy.redact import without_secrets
from homeagent.tables import ConfirmationRow
from homeagent.turn import Turn, new_id

_KEPT = timedelta(days=30)
"""How long decided and expired ones stay, so that one can see what was asked and answered."""
_NUMBERED = timedelta(days=1)
"""How long after the last one has expired numbers go on counting: somebody may still have an old one in their ear."""
_LONGEST_NUMBER = 9
"""Digits of a number: an id has 32."""
_TOLD_LATE = timedelta(hours=1)
"""How long after its time was up it is still told that nobody answered: the service may have been down."""
_ASK_AGAIN = "Ask for the action again."


@dataclass(frozen=True, slots=True)
class Pending:
    """A call that waits for a yes. ``parameters`` run exactly as they stand, on exactly ``targets``.

    ``number`` is how people name it. ``description`` is for logs and models; people hear ``consequences``, put into
    words. ``digest`` stands for all that the yes is to; empty for rows of before: it is in no approved set.
    """

    id: str
    description: str
    targets: tuple[str, ...]
    tool_name: str
    parameters: Mapping[str, Any] = field(repr=False)
    conversation_id: str | None
    user_id: str | None
    expires_at: datetime
    device_id: str | None = None
    language: str | None = None
    number: int | None = None
    consequences: tuple[Consequence, ...] = ()
    digest: str = ""
    turn_id: str | None = None


class Outcome(StrEnum):
    """How a confirmation ended."""

    APPROVED = "approved"
    REJECTED = "rejected"
    EXPIRED = "expired"
    GONE = "gone"
    """The same was asked for again, or the conversation was deleted."""


class Confirmations:
    """Kept in the database, so that they outlive a restart. Codes are not: they stay in memory until used or expired.

    Only who was asked can answer: the same speaker at the same device, where neither is known the same unknown one.
    ``ttl``: seconds until one expires. Every method may raise `DatabaseError`.
    """

    def __init__(self, engine: Engine, ttl: float) -> None:
        self._engine = engine
        self._reading = engine.execution_options(read_only=True)
        self._ttl = timedelta(seconds=ttl)
        self._secrets: dict[str, tuple[datetime, dict[str, object]]] = {}
        self._listeners: list[Callable[[], None]] = []

    def listen(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` on the event loop whenever one begins to wait, or was answered."""
        self._listeners.append(listener)

    async def create(
        self,
        turn: Turn,
        tool_name: str,
        parameters: Mapping[str, object],
        targets: Sequence[str],
        description: str,
        *,
        consequences: Sequence[Consequence] = (),
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
            device_id=turn.device_id,
            language=turn.language,
            consequences=tuple(consequences),
            digest=digest,
            turn_id=turn.turn_id,
        )
        kept = without_secrets(pending.parameters)
        number = await asyncio.to_thread(self._insert, pending, kept, turn.turn_id)
        if kept != pending.parameters:
            self._forget_old_secrets()
            self._secrets[pending.id] = (pending.expires_at, dict(pending.parameters))
        self._tell()
        return replace(pending, number=number)

    async def take(self, confirmation_id: str, user_id: str | None = None, device_id: str | None = None) -> Pending:
        """Take one, by its id or number, to run it: it is used up by this. Raises NotFound (unknown, used, expired),
        Refused (asked of somebody else, or elsewhere)."""
        return await self._decide(confirmation_id, user_id, device_id, approved=True)

    async def reject(self, confirmation_id: str, user_id: str | None = None, device_id: str | None = None) -> Pending:
        """Take one to throw it away. Raises as `take`."""
        return await self._decide(confirmation_id, user_id, device_id, approved=False)

    async def answer_from(self, channel: str, confirmation_id: str, *, approved: bool) -> Pending:
        """Take one for whoever a channel has asked, in place of the speaker who was asked where it came up. Whether
        they may is the channel's to know. Raises NotFound."""
        return await self._decide(confirmation_id, None, None, approved=approved, answered_on=channel)

    async def time_out(self) -> list[Pending]:
        """Those that nobody has answered in time; each is given out once."""
        return await asyncio.to_thread(self._time_out)

    async def outcome(self, confirmation_id: str) -> Outcome | None:
        """How one ended; None while it waits."""
        return await asyncio.to_thread(self._outcome, confirmation_id)

    async def open(self, conversation_id: str, ids: Collection[str] | None = None) -> list[Pending]:
        """Those of a conversation that wait, oldest first; only those of ``ids`` where these are given."""
        chosen = () if ids is None else (ConfirmationRow.id.in_(ids),)
        return await asyncio.to_thread(self._open, ConfirmationRow.conversation_id == conversation_id, *chosen)

    async def waiting(self, user_id: str | None, device_id: str | None, limit: int) -> list[Pending]:
        """Those that this speaker can answer at this device, the newest ``limit``, oldest first."""
        return await asyncio.to_thread(self._open, *_asked_of(user_id, device_id), limit=limit)

    async def waiting_anywhere(self, limit: int) -> list[Pending]:
        """Those that wait for anybody, the newest ``limit``, oldest first."""
        return await asyncio.to_thread(self._open, limit=limit)

    async def waiting_one(self, confirmation_id: str) -> Pending | None:
        """The one of this id, whoever was asked; None where it does not wait."""
        return next(iter(await asyncio.to_thread(self._open, ConfirmationRow.id == confirmation_id)), None)

    async def count_waiting(self) -> int:
        """How many wait for anybody."""
        return await asyncio.to_thread(self._count_waiting)

    async def _decide(
        self,
        confirmation_id: str,
        user_id: str | None,
        device_id: str | None,
        *,
        approved: bool,
        answered_on: str | None = None,
    ) -> Pending:
        pending = await asyncio.to_thread(self._use, confirmation_id, user_id, device_id, approved, answered_on)
        self._tell()
        _, full = self._secrets.pop(pending.id, (None, None))
        if full is None or not approved:
            return pending
        return replace(pending, parameters=full)

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()

    def _forget_old_secrets(self) -> None:
        now = datetime.now(UTC)
        self._secrets = {key: kept for key, kept in self._secrets.items() if kept[0] > now}

    def _insert(self, pending: Pending, parameters: Mapping[str, object], turn_id: str) -> int:
        now = datetime.now(UTC)
        with Session(self._engine) as session, session.begin():
            session.execute(delete(ConfirmationRow).where(ConfirmationRow.expires_at < now - _KEPT))
            # Not given again soon, decided or expired: who says "3" means what was called so when they heard it.
            highest = select(func.max(ConfirmationRow.number)).where(ConfirmationRow.expires_at > now - _NUMBERED)
            number = (session.scalar(highest) or 0) + 1
            for row in session.scalars(_waiting(now).where(*_same_place(pending))):
                if row.parameters == parameters:
                    session.delete(row)
            session.flush()
            session.add(
                ConfirmationRow(
                    id=pending.id,
                    conversation_id=pending.conversation_id,
                    turn_id=turn_id,
                    user_id=pending.user_id,
                    device_id=pending.device_id,
                    language=pending.language,
                    number=number,
                    tool_name=pending.tool_name,
                    parameters=dict(parameters),
                    targets=list(pending.targets),
                    description=pending.description,
                    consequences=[asdict(one) for one in pending.consequences],
                    digest=pending.digest,
                    created_at=now,
                    expires_at=pending.expires_at,
                )
            )
            return number

    def _use(
        self,
        confirmation_id: str,
        user_id: str | None,
        device_id: str | None,
        approved: bool,
        answered_on: str | None,
    ) -> Pending:
        now = datetime.now(UTC)
        with Session(self._engine) as session, session.begin():
            if answered_on is None:
                row = self._row(session, confirmation_id, user_id, device_id, now)
            else:
                row = session.get(ConfirmationRow, confirmation_id)
            if row is None:
                raise NotFound(f"There is no confirmation {confirmation_id}.")
            device = row.device_id if row.number is not None else device_id  # rows of before do not tell it
            if answered_on is None and (row.user_id, device) != (user_id, device_id):
                raise Refused("That confirmation was asked of somebody else, or on another device.")
            if row.expires_at <= now:
                raise NotFound("That confirmation has expired.", hint=_ASK_AGAIN)
            used = session.execute(
                update(ConfirmationRow)
                .where(ConfirmationRow.id == row.id, ConfirmationRow.decided_at.is_(None))
                .values(decided_at=now, approved=approved, answered_on=answered_on)
            )
            if not getattr(used, "rowcount", 0):
                raise NotFound("That confirmation was already answered.", hint=_ASK_AGAIN)
            return _pending(row)

    def _time_out(self) -> list[Pending]:
        now = datetime.now(UTC)
        over = (ConfirmationRow.decided_at.is_(None), ConfirmationRow.expires_at <= now)
        marked = update(ConfirmationRow).where(*over).values(decided_at=now).returning(ConfirmationRow)
        with Session(self._engine) as session, session.begin():
            if session.scalar(select(ConfirmationRow.id).where(*over).limit(1)) is None:
                return []
            rows = sorted(session.scalars(marked), key=lambda row: row.created_at)
            return [_pending(row) for row in rows if row.expires_at > now - _TOLD_LATE]

    def _outcome(self, confirmation_id: str) -> Outcome | None:
        with Session(self._reading) as session:
            row = session.get(ConfirmationRow, confirmation_id)
            if row is None:
                return Outcome.GONE
            if row.approved is not None:
                return Outcome.APPROVED if row.approved else Outcome.REJECTED
            return Outcome.EXPIRED if row.decided_at or row.expires_at <= datetime.now(UTC) else None

    @staticmethod
    def _row(
        session: Session, confirmation_id: str, user_id: str | None, device_id: str | None, now: datetime
    ) -> ConfirmationRow | None:
        """The row of an id; of a number, the newest that has not expired, that of this speaker first."""
        if not (confirmation_id.isascii() and confirmation_id.isdigit() and len(confirmation_id) <= _LONGEST_NUMBER):
            return session.get(ConfirmationRow, confirmation_id)
        numbered = (
            select(ConfirmationRow)
            .where(ConfirmationRow.number == int(confirmation_id), ConfirmationRow.expires_at > now)
            .order_by(ConfirmationRow.created_at.desc())
        )
        own = session.scalars(numbered.where(*_asked_of(user_id, device_id))).first()
        return own or session.scalars(numbered).first()

    def _open(self, *where: Any, limit: int | None = None) -> list[Pending]:
        with Session(self._reading) as session:
            waiting = _waiting(datetime.now(UTC)).where(*where).order_by(ConfirmationRow.created_at.desc())
            return [_pending(row) for row in session.scalars(waiting.limit(limit))][::-1]

    def _count_waiting(self) -> int:
        with Session(self._reading) as session:
            waiting = _waiting(datetime.now(UTC)).subquery()
            return session.scalar(select(func.count()).select_from(waiting)) or 0


def _waiting(now: datetime) -> Select[ConfirmationRow]:
    return select(ConfirmationRow).where(ConfirmationRow.decided_at.is_(None), ConfirmationRow.expires_at > now)


def _same_place(pending: Pending) -> tuple[Any, ...]:
    return (
        ConfirmationRow.conversation_id == pending.conversation_id,
        ConfirmationRow.tool_name == pending.tool_name,
        ConfirmationRow.description == pending.description,  # not to read what surely is another call
        *_asked_of(pending.user_id, pending.device_id),
    )


def _asked_of(user_id: str | None, device_id: str | None) -> tuple[Any, ...]:
    """Conditions for what this speaker was asked for at this device; an unknown one fits only an unknown one."""
    return (
        ConfirmationRow.user_id.is_not_distinct_from(user_id),
        ConfirmationRow.device_id.is_not_distinct_from(device_id),
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
        device_id=row.device_id,
        language=row.language,
        number=row.number,
        consequences=tuple(Consequence(**{**one, "effect": Effect(one["effect"])}) for one in row.consequences or ()),
        digest=row.digest or "",
        turn_id=row.turn_id,
    )
