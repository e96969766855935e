"""Regular upkeep: what is over is put away, what nobody needs fades, what says the same becomes one, and beyond the cap
the least useful goes. Each is a line in the log. Every call blocks; each step is one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import Engine, Row, delete, func, not_, or_, select
from sqlalchemy.orm import Session

from memory.model import Memory, MemoryType
from memory.reconcile import Relation, relation
from memory.records import Kept, What, note
from memory.rows import memories_of, put_subjects
from memory.tables import LogRow, MemoryRow, holds

_FADES_AFTER = timedelta(days=90)
"""Without being used or said again."""
_FADES_EVERY = timedelta(days=30)
_FADED_TO = 0.8
"""What is left of the importance each time."""
_LEAST = 0.1
_VITAL = 0.8
"""Importance from which nothing fades: allergies are seldom asked for."""
_CONTEXT_LASTS = timedelta(days=30)
_LOOK_BACK = timedelta(days=2)
"""How new a memory must be to be compared again with all others."""
_USES_COUNT = 10
_BATCH = 500
_NO_MORE = (Relation.SAME, Relation.NARROWING)
"""How a memory stands to one that says the same or less."""
_TABLE = MemoryRow.__table__
_EVERYTHING = "all"
"""The memory id of a line that is about all."""


@dataclass(slots=True)
class Tended:
    """What an upkeep did. ``gone``: what can no longer be found."""

    expired: int = 0
    faded: int = 0
    merged: int = 0
    dropped: int = 0
    embedded: int = 0
    gone: list[Kept] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.expired or self.faded or self.merged or self.dropped or self.embedded)


class Upkeep:
    """``near`` gives the ids of memories of a scope that may be about the same as a text."""

    def __init__(
        self, engine: Engine, now: Callable[[], datetime], near: Callable[[str, str | None], Sequence[str]]
    ) -> None:
        self._engine = engine
        self._now = now
        self._near = near

    def run(self, most: int, embedder: str | None = None) -> Tended:
        """All of it. ``most``: current memories that are kept at most; ``embedder``: what the vectors are made with."""
        done = Tended()
        self._expire(done)
        self._fade(done)
        self._merge(done)
        self._drop(done, most)
        self._note_embedder(done, embedder)
        return done

    def _expire(self, done: Tended) -> None:
        """Events that are over, and background that nobody has needed for long. They become history."""
        with Session(self._engine) as session, session.begin():
            now = self._now()
            still_there = MemoryRow.identity.is_not(None)
            over = select(MemoryRow).where(still_there, MemoryRow.valid_to <= now)
            for row in session.scalars(over):
                row.identity = row.slot = None
                note(session, now, row.id, row.user_id, What.EXPIRED, "it is over")
                done.expired += 1
                done.gone.append(Kept(row.id, row.content, row.user_id))
            old = func.coalesce(MemoryRow.last_used_at, MemoryRow.updated_at) < now - _CONTEXT_LASTS
            idle = select(MemoryRow).where(
                still_there,
                MemoryRow.type == MemoryType.CONTEXT.value,
                MemoryRow.valid_to.is_(None),
                MemoryRow.updated_at < now - _CONTEXT_LASTS,
                old,
            )
            for row in session.scalars(idle):
                row.identity = row.slot = None
                row.valid_to = now
                note(session, now, row.id, row.user_id, What.EXPIRED, "background that was not needed any more")
                done.expired += 1
                done.gone.append(Kept(row.id, row.content, row.user_id))

    def _fade(self, done: Tended) -> None:
        with Session(self._engine) as session, session.begin():
            now = self._now()
            lately = select(LogRow.memory_id).where(LogRow.what == What.FADED.value, LogRow.at > now - _FADES_EVERY)
            idle = select(MemoryRow).where(
                holds(now),
                MemoryRow.importance > _LEAST,
                MemoryRow.importance < _VITAL,
                MemoryRow.updated_at < now - _FADES_AFTER,
                or_(MemoryRow.last_used_at.is_(None), MemoryRow.last_used_at < now - _FADES_AFTER),
                MemoryRow.id.not_in(lately),
            )
            for row in session.scalars(idle):
                before, row.importance = row.importance, round(max(_LEAST, row.importance * _FADED_TO), 3)
                why = f"not needed for {_FADES_AFTER.days} days: importance {before:.2f} to {row.importance:.2f}"
                note(session, now, row.id, row.user_id, What.FADED, why)
                done.faded += 1

    def _merge(self, done: Tended) -> None:
        """Make one of those that say the same or less than another: what is new is compared with all."""
        now = self._now()
        with Session(self._engine.execution_options(read_only=True)) as session:
            wanted = select(MemoryRow).where(holds(now), MemoryRow.updated_at > now - _LOOK_BACK)
            rows = session.scalars(wanted.order_by(MemoryRow.updated_at.desc()).limit(_BATCH)).all()
            new = memories_of(session.connection(), rows)
        for memory in new:
            if same := self._saying_no_more(memory):
                self._merge_one(done, memory, same)

    def _saying_no_more(self, memory: Memory) -> list[str]:
        """Ids of the others that say the same or less. Compared before the database is locked for writing."""
        now = self._now()
        near = list(self._near(memory.content, memory.user_id))
        others = select(_TABLE).where(_TABLE.c.id.in_(near), _TABLE.c.id != memory.id, _TABLE.c.identity.is_not(None))
        with self._engine.execution_options(read_only=True).connect() as connection:
            known = memories_of(connection, connection.execute(others).all())
        return [one.id for one in known if one.is_current(now) and relation(memory, one) in _NO_MORE]

    def _merge_one(self, done: Tended, memory: Memory, near: Sequence[str]) -> None:
        with Session(self._engine) as session, session.begin():
            now = self._now()
            kept = session.get(MemoryRow, memory.id)
            if kept is None or kept.identity is None:
                return
            others = select(MemoryRow).where(MemoryRow.id.in_(list(near)), MemoryRow.id != memory.id, holds(now))
            rows = session.scalars(others.where(MemoryRow.identity.is_not(None))).all()
            for row, other in zip(rows, memories_of(session.connection(), rows), strict=True):
                if relation(memory, other) not in _NO_MORE:
                    continue
                self._take_over_key(session, kept, row, other)
                row.identity = row.slot = None
                row.valid_to, row.superseded_by = now, memory.id
                kept.uses += row.uses
                kept.importance = max(kept.importance, row.importance)
                kept.confidence = max(kept.confidence, row.confidence)
                note(session, now, row.id, row.user_id, What.MERGED, f"into {memory.id}, which says it too")
                done.merged += 1
                done.gone.append(Kept(row.id, row.content, row.user_id))

    @staticmethod
    def _take_over_key(session: Session, kept: MemoryRow, row: MemoryRow, other: Memory) -> None:
        """What answers a question by its key goes on doing so: a nickname, a line of the profile."""
        if row.slot is None or kept.slot is not None:
            return
        taken, row.slot = row.slot, None
        session.flush()  # one memory has it at a time
        kept.slot, kept.key, kept.value, kept.category = taken, other.key, other.value, other.category
        put_subjects(session, kept.id, other.subjects)

    def _drop(self, done: Tended, most: int) -> None:
        """Delete the least useful beyond the cap, and of history as much as is beyond it too, the oldest first."""
        with Session(self._engine) as session, session.begin():
            now = self._now()
            count = session.scalar(select(func.count()).select_from(MemoryRow).where(holds(now))) or 0
            current = session.execute(select(_TABLE).where(holds(now))).all() if count > most else []
            least = sorted(current, key=lambda row: _use(row, now))[: max(0, count - most)]
            history = select(_TABLE).where(not_(holds(now))).order_by(_TABLE.c.valid_to.desc())
            over = session.execute(history.offset(most)).all()
            done.gone += [Kept(row.id, row.content, row.user_id) for row in least]
            for row in (*least, *over):
                note(session, now, row.id, row.user_id, What.DROPPED, f"more than {most} memories")
                session.execute(delete(MemoryRow).where(MemoryRow.id == row.id))
                done.dropped += 1

    def _note_embedder(self, done: Tended, embedder: str | None) -> None:
        if embedder is None:
            return
        with Session(self._engine) as session, session.begin():
            now = self._now()
            last = select(LogRow.why).where(LogRow.what == What.EMBEDDED.value).order_by(LogRow.id.desc()).limit(1)
            before = session.scalar(last)
            if before == embedder:
                return
            count = session.scalar(select(func.count()).select_from(MemoryRow).where(holds(now))) or 0
            note(session, now, _EVERYTHING, None, What.EMBEDDED, embedder)
            done.embedded = count if before is not None else 0


def _use(row: Row[object], now: datetime) -> float:
    """How useful a memory is: its importance first, then whether it was needed, then its newness."""
    days = max(0.0, (now - (row.last_used_at or row.updated_at)).total_seconds() / 86400)
    newness = float(0.5 ** (days / 90))
    return float(row.importance + 0.3 * min(row.uses, _USES_COUNT) / _USES_COUNT + 0.2 * newness)
