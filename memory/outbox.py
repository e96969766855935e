"""Turns that wait to be looked through for memories. They outlive a restart; each call but `put` blocks and is one
transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Engine, Select, delete, select, update
from sqlalchemy.orm import Session

from memory.tables import OutboxRow

_PAUSES = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=3), timedelta(hours=12))
"""Before the next attempts; after the last one the turn is given up."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A turn that waits. ``turn`` is what was put; ``attempts``: how often it was tried in vain."""

    turn_id: str
    turn: Mapping[str, Any]
    attempts: int


class Outbox:
    def __init__(self, engine: Engine, now: Callable[[], datetime]) -> None:
        self._engine = engine
        self._reading = engine.execution_options(read_only=True)
        self._now = now

    def put(self, session: Session, turn_id: str, turn: Mapping[str, Any]) -> None:
        """Note a turn, in the transaction in which it is kept itself."""
        now = self._now()
        session.merge(OutboxRow(turn_id=turn_id, turn=dict(turn), created_at=now, attempts=0, next_at=now))

    def due(self, limit: int = 20) -> list[Waiting]:
        """Those that may be tried now, oldest first."""
        wanted = select(OutboxRow).where(OutboxRow.next_at <= self._now()).order_by(OutboxRow.created_at).limit(limit)
        with Session(self._reading) as session:
            return [Waiting(row.turn_id, row.turn, row.attempts) for row in session.scalars(wanted)]

    def done(self, turn_id: str) -> None:
        with Session(self._engine) as session, session.begin():
            session.execute(delete(OutboxRow).where(OutboxRow.turn_id == turn_id))

    def holds(self, turn_id: str) -> bool:
        """Whether the turn still waits; else it was looked through, or is to be forgotten."""
        with Session(self._reading) as session:
            return session.get(OutboxRow, turn_id) is not None

    def failed(self, waiting: Waiting) -> bool:
        """Try again later; False: it was tried often enough, and is given up."""
        if waiting.attempts >= len(_PAUSES):
            self.done(waiting.turn_id)
            return False
        values = {"attempts": waiting.attempts + 1, "next_at": self._now() + _PAUSES[waiting.attempts]}
        with Session(self._engine) as session, session.begin():
            session.execute(update(OutboxRow).where(OutboxRow.turn_id == waiting.turn_id).values(values))
        return True


def forget_turns(session: Session, turn_ids: Sequence[str] | Select[str]) -> None:
    """Nothing is drawn from these any more, in the transaction in which what they said is forgotten."""
    gone = delete(OutboxRow).where(OutboxRow.turn_id.in_(turn_ids))
    session.execute(gone.execution_options(synchronize_session=False))
