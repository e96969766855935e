"""Rows of the database as memories, and the other way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, select
from sqlalchemy.orm import Session

from memory.identity import identity, slot
from memory.model import Memory, MemoryType, Source, Subject
from memory.statements import Statement
from memory.tables import MemoryRow, SubjectRow

_CHUNK = 500
_SUBJECTS = SubjectRow.__table__


def row_of(statement: Statement, now: datetime) -> MemoryRow:
    """A checked statement as a new row, current from ``valid_from``, else from ``now``."""
    return MemoryRow(
        id=statement.id,
        identity=statement.identity,
        slot=statement.slot,
        content=statement.content,
        type=statement.type.value,
        category=statement.category,
        key=statement.key,
        value=statement.value,
        importance=statement.importance,
        confidence=statement.confidence,
        inferred=statement.inferred,
        sensitivity=str(statement.sensitivity),
        user_id=statement.user_id,
        language=statement.language,
        source=statement.source.as_dict() if statement.source else None,
        created_at=now,
        updated_at=now,
        valid_from=statement.valid_from or now,
        valid_to=statement.valid_to,
        uses=0,
    )


def row_of_memory(memory: Memory, now: datetime) -> MemoryRow:
    """A memory that comes from elsewhere, as it was."""
    current = memory.is_current(now)
    return MemoryRow(
        id=memory.id,
        identity=identity(memory.content, memory.user_id) if current else None,
        slot=slot(memory.key, memory.subjects, memory.user_id) if current else None,
        content=memory.content,
        type=memory.type.value,
        category=memory.category,
        key=memory.key,
        value=memory.value,
        importance=memory.importance,
        confidence=memory.confidence,
        inferred=memory.inferred,
        sensitivity=str(memory.sensitivity),
        user_id=memory.user_id,
        language=memory.language,
        source=memory.source.as_dict() if memory.source else None,
        created_at=memory.created_at,
        updated_at=memory.updated_at,
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        superseded_by=memory.superseded_by,
        uses=memory.uses,
        last_used_at=memory.last_used_at,
    )


def put_subjects(session: Session, memory_id: str, subjects: Sequence[Subject]) -> None:
    """Make these the subjects of the memory, whatever they were."""
    session.execute(delete(SubjectRow).where(SubjectRow.memory_id == memory_id))
    session.add_all(
        SubjectRow(memory_id=memory_id, place=place, kind=str(s.kind), subject_id=s.id[:255], text=s.text)
        for place, s in enumerate(subjects)
    )


def memory_of(session: Session, row: MemoryRow) -> Memory:
    """The row as a memory, with its subjects."""
    return memories_of(session.connection(), [row])[0]


def memories_of(connection: Connection, rows: Sequence[MemoryRow | Row[object]]) -> list[Memory]:
    """The rows as memories in their order, with their subjects, read in one query."""
    subjects = _subjects(connection, [row.id for row in rows])
    return [_memory(row, tuple(subjects.get(row.id, ()))) for row in rows]


def _subjects(connection: Connection, ids: Sequence[str]) -> dict[str, list[Subject]]:
    found: defaultdict[str, list[Subject]] = defaultdict(list)
    for start in range(0, len(ids), _CHUNK):
        wanted = select(_SUBJECTS).where(_SUBJECTS.c.memory_id.in_(ids[start : start + _CHUNK]))
        rows: Iterable[Any] = connection.execute(wanted.order_by(_SUBJECTS.c.memory_id, _SUBJECTS.c.place))
        for row in rows:
            found[row.memory_id].append(Subject(row.kind, row.subject_id, row.text))
    return found


def _memory(row: MemoryRow | Row[object], subjects: tuple[Subject, ...]) -> Memory:
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
        subjects=subjects,
        category=row.category,
        key=row.key,
        value=row.value,
        confidence=row.confidence,
        inferred=row.inferred,
        sensitivity=row.sensitivity,
        uses=row.uses,
        last_used_at=row.last_used_at,
    )
