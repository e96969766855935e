"""Memories in the database, the truth, and the log of what happens to them. Every call blocks; use it in a thread."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from sqlalchemy import ColumnElement, Engine, Select, and_, delete, func, or_, select, update
from sqlalchemy.orm import Session

from memory.errors import MemoryNotFound
from memory.identity import NICKNAME
from memory.model import Memory, MemoryType
from memory.outbox import forget_turns
from memory.rows import memories_of, memory_of
from memory.tables import InstallationRow, LogRow, MemoryRow, OutboxRow, SubjectRow, UseRow, holds

_CHUNK = 500
_MOST = 1000
_TABLE = MemoryRow.__table__
"""Where many are read at once: plain rows cost a third of mapped ones."""
_TOLD_AT = (_TABLE.c.created_at, _TABLE.c.updated_at)


@dataclass(frozen=True, slots=True)
class Kept:
    """A current memory as far as finding it needs."""

    id: str
    content: str
    user_id: str | None
    session: str | None = None
    """The conversation that it was told in."""


@dataclass(frozen=True, slots=True)
class Only:
    """Which memories are looked for. ``since`` (included) and ``until`` (not): told between these, at first or last.
    ``about``: the ids of things, any of which they are about."""

    since: datetime | None = None
    until: datetime | None = None
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Use:
    """When a memory was shown to somebody, and in which turn; None: in none, or it is not known."""

    at: datetime
    turn_id: str | None


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log: what happened to a memory, and why. Never its content."""

    at: datetime
    memory_id: str
    what: str
    why: str
    user_id: str | None


class Records:
    """``now`` is the clock by which a memory is current."""

    def __init__(self, engine: Engine, now: Callable[[], datetime]) -> None:
        self.engine = engine
        self._now = now
        self._reading = engine.execution_options(read_only=True)

    def installation(self) -> str:
        """The id of this database among those that share a vector store; made at the first call."""
        with Session(self.engine) as session, session.begin():
            row = session.scalar(select(InstallationRow))
            if row is None:
                row = InstallationRow(id=uuid.uuid4().hex)
                session.add(row)
            return row.id

    def get(self, memory_id: str) -> Memory:
        """Raises MemoryNotFound."""
        with Session(self._reading) as session:
            row = session.get(MemoryRow, memory_id)
            if row is None:
                raise MemoryNotFound(memory_id)
            return memory_of(session, row)

    def beginning(self, start: str, user_id: str | None, most: int = 5) -> list[str]:
        """The ids that begin with ``start`` and that ``user_id`` may see, current or not; that very id first."""
        wanted = select(_TABLE.c.id).where(_TABLE.c.id.startswith(start, autoescape=True), _scope(user_id))
        with self._reading.connect() as connection:
            return list(connection.scalars(wanted.order_by(func.length(_TABLE.c.id), _TABLE.c.id).limit(most)))

    def many(self, ids: Sequence[str], user_id: str | None) -> dict[str, Memory]:
        """Those of ``ids`` that are current and that ``user_id`` may see."""
        found: dict[str, Memory] = {}
        now = self._now()
        with self._reading.connect() as connection:
            for start in range(0, len(ids), _CHUNK):
                # By id alone: SQLite would go by the scope's index instead, through all of them.
                rows = connection.execute(select(_TABLE).where(_TABLE.c.id.in_(ids[start : start + _CHUNK])))
                visible = [
                    row
                    for row in rows
                    if row.user_id in (None, user_id)
                    and row.superseded_by is None
                    and (row.valid_to is None or row.valid_to > now)
                ]
                found.update((memory.id, memory) for memory in memories_of(connection, visible))
        return found

    def newest(
        self,
        *,
        memory_type: MemoryType | None,
        limit: int,
        user_id: str | None,
        history: bool = False,
        before: tuple[datetime, str] | None = None,
    ) -> list[Memory]:
        """The memories of the household and, where there is a user, that user's own, newest first.

        The current ones; with ``history`` the others too. ``before``: only those behind one that was changed then, and
        its id.
        """
        wanted = select(_TABLE).where(_scope(user_id))
        if before is not None:
            at, id_ = before
            wanted = wanted.where(or_(_TABLE.c.updated_at < at, and_(_TABLE.c.updated_at == at, _TABLE.c.id > id_)))
        if not history:
            wanted = wanted.where(self._current())
        if memory_type is not None:
            wanted = wanted.where(_TABLE.c.type == memory_type.value)
        wanted = wanted.order_by(_TABLE.c.updated_at.desc(), _TABLE.c.id).limit(limit)
        with self._reading.connect() as connection:
            return memories_of(connection, connection.execute(wanted).all())

    def users(self) -> list[str]:
        """The ids of those who have memories of their own, current or not."""
        wanted = select(_TABLE.c.user_id).where(_TABLE.c.user_id.is_not(None)).distinct().order_by(_TABLE.c.user_id)
        with self._reading.connect() as connection:
            return list(connection.scalars(wanted))

    def keyed(self, user_id: str | None) -> list[Memory]:
        """The current keyed memories that ``user_id`` may see."""
        wanted = select(_TABLE).where(_TABLE.c.key.is_not(None), self._current(), _scope(user_id))
        with self._reading.connect() as connection:
            rows = connection.execute(wanted.order_by(_TABLE.c.updated_at.desc(), _TABLE.c.id)).all()
            return memories_of(connection, rows)

    def nicknames(self) -> list[Memory]:
        """The current memories of every scope that say what somebody calls a thing."""
        wanted = select(_TABLE).where(_TABLE.c.key.startswith(NICKNAME, autoescape=True), self._current())
        with self._reading.connect() as connection:
            return memories_of(connection, connection.execute(wanted).all())

    def about(self, subject_ids: Sequence[str], user_id: str | None, limit: int) -> list[str]:
        """Ids of the current memories about any of these, the most important first."""
        if not subject_ids:
            return []
        wanted = select(_TABLE.c.id).where(_TABLE.c.id.in_(_linked(subject_ids)), self._current(), _scope(user_id))
        wanted = wanted.order_by(_TABLE.c.importance.desc(), _TABLE.c.updated_at.desc()).limit(limit)
        with self._reading.connect() as connection:
            return list(connection.execute(wanted).scalars())

    def history(self, memory_id: str, user_id: str | None) -> list[Memory]:
        """What the memory took the place of, newest first, as far as ``user_id`` may see it."""
        found: list[Memory] = []
        with self._reading.connect() as connection:
            waiting = [memory_id]
            while waiting:
                wanted = select(_TABLE).where(_TABLE.c.superseded_by == waiting.pop(), _scope(user_id))
                older = memories_of(connection, connection.execute(wanted).all())
                older = [memory for memory in older if memory.id not in {memory_id, *(m.id for m in found)}]
                found += older
                waiting += [memory.id for memory in older]
        return sorted(found, key=lambda memory: memory.valid_to or memory.updated_at, reverse=True)

    def used(self, ids: Sequence[str], turn_id: str | None = None) -> None:
        """Note that these were recalled for somebody, in that turn."""
        with Session(self.engine) as session, session.begin():
            now = self._now()
            there = session.scalars(select(MemoryRow.id).where(MemoryRow.id.in_(list(ids)))).all()
            values = {"uses": MemoryRow.uses + 1, "last_used_at": now}
            session.execute(update(MemoryRow).where(MemoryRow.id.in_(there)).values(values))
            session.add_all(UseRow(memory_id=memory_id, at=now, turn_id=turn_id) for memory_id in there)

    def uses(self, memory_id: str, limit: int) -> list[Use]:
        """When it was recalled for somebody, newest first."""
        wanted = select(UseRow.at, UseRow.turn_id).where(UseRow.memory_id == memory_id)
        with self._reading.connect() as connection:
            return [Use(*row) for row in connection.execute(wanted.order_by(UseRow.id.desc()).limit(limit))]

    def forget_uses(self, older_than: timedelta) -> None:
        """Delete the notes of uses that are older."""
        with Session(self.engine) as session, session.begin():
            session.execute(delete(UseRow).where(UseRow.at < self._now() - older_than))

    def delete(self, ids: Sequence[str], why: str) -> list[Memory]:
        """Delete these with what they took the place of, and nothing is left but a line in the log for each: who wants
        something forgotten means what it was before, too, and the turn that told it, where that still waits. Those that
        were named come first. Raises MemoryNotFound for one that is not there: then none is deleted."""
        with Session(self.engine) as session, session.begin():
            rows = [row for memory_id in dict.fromkeys(ids) if (row := session.get(MemoryRow, memory_id))]
            if missing := set(ids) - {row.id for row in rows}:
                raise MemoryNotFound(min(missing))
            waiting = [row.id for row in rows]
            while waiting:
                older = session.scalars(select(MemoryRow).where(MemoryRow.superseded_by == waiting.pop())).all()
                new = [row for row in older if row not in rows]
                rows += new
                waiting += [row.id for row in new]
            gone = memories_of(session.connection(), rows)
            session.execute(delete(MemoryRow).where(MemoryRow.id.in_([row.id for row in rows])))
            forget_turns(session, [m.source.turn_id for m in gone if m.source and m.source.turn_id])
            for memory in gone:
                note(session, self._now(), memory.id, memory.user_id, What.DELETED, why)
            return gone

    def clear(self, user_id: str | None, *, everybody: bool) -> list[Kept]:
        """Delete everything, its history and the turns that wait: of everybody, or that user's own; which memories."""
        with Session(self.engine) as session, session.begin():
            mine = [] if everybody else [MemoryRow.user_id == user_id]
            said = [] if everybody else [OutboxRow.turn["user_id"].as_string() == user_id]
            forget_turns(session, select(OutboxRow.turn_id).where(*said))
            rows = session.execute(select(MemoryRow.id, MemoryRow.content, MemoryRow.user_id).where(*mine)).all()
            session.execute(delete(MemoryRow).where(*mine))
            for row in rows:
                note(session, self._now(), row.id, row.user_id, What.DELETED, "clear")
            return [Kept(*row) for row in rows]

    def current(self) -> Iterator[Kept]:
        """All that can be found, of every scope, as it was told one after the other."""
        told_in = _TABLE.c.source["conversation_id"].as_string()
        wanted = select(_TABLE.c.id, _TABLE.c.content, _TABLE.c.user_id, told_in).where(self._current())
        with self._reading.connect() as connection:
            yield from (Kept(*row) for row in connection.execute(wanted.order_by(_TABLE.c.created_at, _TABLE.c.id)))

    def chosen(self, only: Only, user_id: str | None) -> frozenset[str]:
        """The ids of the current memories that are looked for, as far as ``user_id`` may see them."""
        wanted = select(_TABLE.c.id).where(self._current(), _scope(user_id), *_described(only))
        with self._reading.connect() as connection:
            return frozenset(connection.scalars(wanted))

    def those(self, only: Only, user_id: str | None, of: str | None = None) -> list[Memory]:
        """The same as memories, newest first, a thousand at most. ``of``: a user; only what is theirs alone or about
        them."""
        wanted = select(_TABLE).where(self._current(), _scope(user_id), *_described(only))
        if of is not None:
            wanted = wanted.where(or_(_TABLE.c.user_id == of, _TABLE.c.id.in_(_linked([of]))))
        wanted = wanted.order_by(_TABLE.c.updated_at.desc(), _TABLE.c.id).limit(_MOST)
        with self._reading.connect() as connection:
            return memories_of(connection, connection.execute(wanted).all())

    def log(self, *, limit: int, user_id: str | None, memory_id: str | None = None) -> list[LogLine]:
        """The newest lines first: about the household's memories and, with a user, that user's."""
        wanted = select(LogRow).where(or_(LogRow.user_id.is_(None), LogRow.user_id == user_id))
        if memory_id is not None:
            wanted = wanted.where(LogRow.memory_id == memory_id)
        with Session(self._reading) as session:
            rows = session.scalars(wanted.order_by(LogRow.id.desc()).limit(limit))
            return [LogLine(row.at, row.memory_id, row.what, row.why, row.user_id) for row in rows]

    def forget_log(self, older_than: timedelta) -> int:
        """Delete the lines of the log that are older; how many there were."""
        with Session(self.engine) as session, session.begin():
            gone = session.execute(delete(LogRow).where(LogRow.at < self._now() - older_than))
            return int(getattr(gone, "rowcount", 0))

    def _current(self) -> ColumnElement[bool]:
        return holds(self._now())


def _linked(subject_ids: Sequence[str]) -> Select[str]:
    return select(SubjectRow.memory_id).where(SubjectRow.subject_id.in_(subject_ids))


def _described(only: Only) -> list[ColumnElement[bool]]:
    """The conditions that a memory has to meet."""
    conditions: list[ColumnElement[bool]] = []
    if only.about:
        conditions.append(_TABLE.c.id.in_(_linked(only.about)))
    if only.since or only.until:
        since, until = only.since or datetime.min.replace(tzinfo=UTC), only.until or datetime.max.replace(tzinfo=UTC)
        conditions.append(or_(*(and_(at >= since, at < until) for at in _TOLD_AT)))
    return conditions


def _scope(user_id: str | None) -> ColumnElement[bool]:
    household = _TABLE.c.user_id.is_(None)
    return household if user_id is None else or_(household, _TABLE.c.user_id == user_id)


class What(StrEnum):
    """What happened to a memory."""

    STORED = "stored"
    REFRESHED = "refreshed"
    SUPERSEDED = "superseded"
    EDITED = "edited"
    DELETED = "deleted"
    EXPIRED = "expired"
    FADED = "faded"
    """Its importance went down, since nobody needed it."""
    MERGED = "merged"
    DROPPED = "dropped"
    """Gone for the cap."""
    IMPORTED = "imported"
    EMBEDDED = "embedded"
    """All vectors were made anew."""


def note(session: Session, at: datetime, memory_id: str, user_id: str | None, what: What, why: str) -> None:
    """Add a line. ``why`` never quotes the memory."""
    session.add(LogRow(at=at, memory_id=memory_id, user_id=user_id, what=what.value, why=why))
