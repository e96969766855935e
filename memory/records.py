"""Memories in the database: the truth. Every call blocks; use it in a thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Engine, Select, delete, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from memory.errors import MemoryNotFound
from memory.model import Memory, MemoryType, Source, Statement
from memory.tables import MemoryRow

_CHUNK = 500


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
        with Session(self._reading) as session:
            for start in range(0, len(ids), _CHUNK):
                rows = session.scalars(_current(user_id).where(MemoryRow.id.in_(ids[start : start + _CHUNK])))
                found.update((row.id, _memory(row)) for row in rows)
        return found

    def newest(self, *, memory_type: MemoryType | None, limit: int, user_id: str | None) -> list[Memory]:
        wanted = _current(user_id).order_by(MemoryRow.updated_at.desc(), MemoryRow.id).limit(limit)
        if memory_type is not None:
            wanted = wanted.where(MemoryRow.type == memory_type.value)
        with Session(self._reading) as session:
            return [_memory(row) for row in session.scalars(wanted)]

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


def _current(user_id: str | None) -> Select[MemoryRow]:
    """The household's and, where there is a user, that user's own."""
    household = MemoryRow.user_id.is_(None)
    scope = household if user_id is None else or_(household, MemoryRow.user_id == user_id)
    return select(MemoryRow).where(MemoryRow.valid_to.is_(None), scope)


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


def _memory(row: MemoryRow) -> Memory:
    return Memory(
        id=row.id,
        content=row.content,
        type=MemoryType(row.type),
        importance=row.importance,
        user_id=row.user_id,
        created_at=row.created_at.astimezone(UTC),
        updated_at=row.updated_at.astimezone(UTC),
        valid_from=row.valid_from.astimezone(UTC),
        valid_to=_utc(row.valid_to),
        superseded_by=row.superseded_by,
        language=row.language,
        source=Source.from_dict(row.source) if row.source else None,
    )


def _utc(time: datetime | None) -> datetime | None:
    return time.astimezone(UTC) if time else None
