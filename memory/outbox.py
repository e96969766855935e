"""Turns that wait to be looked through for memories. They outlive a restart; each call but `put` blocks and is one
transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Engine, Select, bindparam, delete, insert, select, update
from sqlalchemy.orm import Session

from memory.tables import OutboxRow

_PAUSES = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=3), timedelta(hours=12))
"""Before the next attempts; after the last one the turn is given up."""

# What every turn runs. On the table, made once: as objects of the mapper it would cost four times as much.
_TABLE = OutboxRow.__table__
_PUT = insert(_TABLE)  # type: ignore[arg-type]
_DUE = (
    select(_TABLE.c.turn_id, _TABLE.c.turn, _TABLE.c.attempts)
    .where(_TABLE.c.next_at <= bindparam("now"))
    .order_by(_TABLE.c.created_at)
    .limit(bindparam("most"))
)
_THIS = _TABLE.c.turn_id == bindparam("this")
_HOLDS = select(_TABLE.c.turn_id).where(_THIS)
_DONE = delete(_TABLE).where(_THIS)  # type: ignore[arg-type]
_LATER = update(_TABLE).where(_THIS)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A turn that waits. ``turn`` is what was put; ``attempts``: how often it was tried in vain."""

    turn_id: str
    turn: Mapping[str, Any]
    attempts: int


class Outbox:
    """``now`` is the clock by which a turn is due."""

    def __init__(self, engine: Engine, now: Callable[[], datetime]) -> None:
        self._engine = engine
        self._reading = engine.execution_options(read_only=True)
        self._now = now

    def put(self, connection: Connection, turn_id: str, turn: Mapping[str, object]) -> None:
        """Note a turn, in the transaction in which it is kept itself."""
        now = self._now()
        row = {"turn_id": turn_id, "turn": dict(turn), "created_at": now, "attempts": 0, "next_at": now}
        connection.execute(_PUT, row)

    def due(self, limit: int = 20) -> list[Waiting]:
        """Those that may be tried now, oldest first."""
        with self._reading.connect() as connection:
            rows = connection.execute(_DUE, {"now": self._now(), "most": limit})
            return [Waiting(row.turn_id, row.turn, row.attempts) for row in rows]

    def done(self, turn_id: str) -> None:
        """Take a turn out: it was looked through, or is given up."""
        with self._engine.begin() as connection:
            connection.execute(_DONE, {"this": turn_id})

    def holds(self, turn_id: str) -> bool:
        """Whether the turn still waits; else it was looked through, or is to be forgotten."""
        with self._reading.connect() as connection:
            return connection.scalar(_HOLDS, {"this": turn_id}) is not None

    def failed(self, waiting: Waiting) -> bool:
        """Try again later; False: it was tried often enough, and is given up."""
        if waiting.attempts >= len(_PAUSES):
            self.done(waiting.turn_id)
            return False
        values = {"attempts": waiting.attempts + 1, "next_at": self._now() + _PAUSES[waiting.attempts]}
        with self._engine.begin() as connection:
            connection.execute(_LATER, {"this": waiting.turn_id, **values})
        return True


def forget_turns(session: Session, turn_ids: Sequence[str] | Select[str]) -> None:
    """Nothing is drawn from these any more, in the transaction in which what they said is forgotten."""
    gone = delete(OutboxRow).where(OutboxRow.turn_id.in_(turn_ids))
    session.execute(gone.execution_options(synchronize_session=False))
