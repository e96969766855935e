"""Memories in the database: the truth. Every call blocks; use it in a thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, Row, delete, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from memory.errors import MemoryNotFound
from memory.model import Memory, MemoryType, Source, Statement
from memory.tables import MemoryRow

_CHUNK = 500
_TABLE = MemoryRow.__table__
"""Where many are read at once: plain rows cost a third of mapped ones."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A current memory as far as finding it needs."""

    id: str
    content: str
    user_id: str | None


class Records:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._reading = engine.execution_options(read_only=True)

    def add(self, statement: Statement) -> Memory:
        """Keep the statement, or refresh the memory that says the same in the same scope. On return it is kept."""
        try:
            return self._add(statement)
        except IntegrityError:  # another process was a moment faster with the same statement
            return self._add(statement)

    def _add(self, statement: Statement) -> Memory:
        with Session(self._engine, expire_on_commit=False) as session:
            row = session.scalar(select(MemoryRow).where(MemoryRow.identity == statement.identity))
            if row is None:
                row = _row(statement)
                session.add(row)
            else:
                row.updated_at = statement.at
                row.importance = max(row.importance, statement.importance)
                row.type = statement.type.value
            session.commit()
            return _memory(row)

    def get(self, memory_id: str) -> Memory:
        """Raises MemoryNotFound."""
        with Session(self._reading) as session:
            row = session.get(MemoryRow, memory_id)
            if row is None:
                raise MemoryNotFound(memory_id)
            return _memory(row)

    def many(self, ids: Sequence[str], user_id: str | None) -> dict[str, Memory]:
        """Those of ``ids`` that are current and that ``user_id`` may see."""
        found: dict[str, Memory] = {}
        with self._reading.connect() as connection:
            for start in range(0, len(ids), _CHUNK):
                # By id alone: SQLite would go by the scope's index instead, through all of them.
                rows = connection.execute(select(_TABLE).where(_TABLE.c.id.in_(ids[start : start + _CHUNK])))
                visible = (row for row in rows if row.valid_to is None and row.user_id in (None, user_id))
                found.update((row.id, _memory(row)) for row in visible)
        return found

    def newest(self, *, memory_type: MemoryType | None, limit: int, user_id: str | None) -> list[Memory]:
        """The current memories of the household and, where there is a user, that user's own, newest first."""
        household = _TABLE.c.user_id.is_(None)
        scope = household if user_id is None else or_(household, _TABLE.c.user_id == user_id)
        wanted = select(_TABLE).where(_TABLE.c.valid_to.is_(None), scope)
        if memory_type is not None:
            wanted = wanted.where(_TABLE.c.type == memory_type.value)
        wanted = wanted.order_by(_TABLE.c.updated_at.desc(), _TABLE.c.id).limit(limit)
        with self._reading.connect() as connection:
            return [_memory(row) for row in connection.execute(wanted)]

    def delete(self, memory_id: str) -> Memory:
        """Raises MemoryNotFound."""
        with Session(self._engine) as session:
            row = session.get(MemoryRow, memory_id)
            if row is None:
                raise MemoryNotFound(memory_id)
            memory = _memory(row)
            session.delete(row)
            session.commit()
            return memory

    def clear(self) -> list[Kept]:
        """Delete everything, history included; what was deleted."""
        with Session(self._engine) as session:
            rows = session.execute(select(MemoryRow.id, MemoryRow.content, MemoryRow.user_id)).all()
            session.execute(delete(MemoryRow))
            session.commit()
            return [Kept(*row) for row in rows]

    def current(self) -> Iterator[Kept]:
        """All that can be found, of every scope."""
        wanted = select(MemoryRow.id, MemoryRow.content, MemoryRow.user_id).where(MemoryRow.valid_to.is_(None))
        with self._reading.connect() as connection:
            yield from (Kept(*row) for row in connection.execute(wanted))


def _row(statement: Statement) -> MemoryRow:
    return MemoryRow(
        id=statement.id,
        identity=statement.identity,
        content=statement.content,
        type=statement.type.value,
        importance=statement.importance,
        user_id=statement.user_id,
        language=statement.language,
        source=statement.source.as_dict() if statement.source else None,
        created_at=statement.at,
        updated_at=statement.at,
        valid_from=statement.at,
    )


def _memory(row: MemoryRow | Row[Any]) -> Memory:
    return Memory(
        id=row.id,
        content=row.content,
        type=MemoryType(row.type),
        importance=row.importance,
        user_id=row.user_id,
        created_at=row.created_at,
        updated_at=row.updated_at,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        superseded_by=row.superseded_by,
        language=row.language,
        source=Source.from_dict(row.source) if row.source else None,
    )
