"""Keeps a statement, reconciled with what is known, in one transaction: killed half way, nothing of it has happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Engine, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from memory.alike_words import alike
from memory.errors import MemoryConflict
from memory.identity import same_statement
from memory.model import Memory, Sensitivity
from memory.reconcile import Relation, relation, taken_back, told_again
from memory.records import What, note
from memory.rows import memories_of, memory_of, put_subjects, row_of
from memory.statement_parts import wording
from memory.statements import Statement
from memory.tables import MemoryRow

_TABLE = MemoryRow.__table__
_TRIES = 3
_ORDER = (Sensitivity.PUBLIC, Sensitivity.PRIVATE, Sensitivity.SENSITIVE)
STALE, UNSURE = "stale", "inferred"
"""Why a statement is not kept: it would undo what this very turn has told; it is a guess against what was told."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a statement. ``memory`` None: refused, for ``refusal``. ``replaced``: old id -> relation."""

    memory: Memory | None
    new: bool = False
    replaced: Mapping[str, Relation] = field(default_factory=dict)
    gone: tuple[Memory, ...] = ()
    """Those that were replaced, as they were."""
    refusal: str | None = None


class Taker:
    """Writes statements. ``now`` is the clock."""

    def __init__(self, engine: Engine, now: Callable[[], datetime]) -> None:
        self._engine = engine
        self._reading = engine.execution_options(read_only=True)
        self._now = now

    def take(
        self, wanted: Statement, near: Sequence[str], replaces: Sequence[str] = (), said: str | None = None
    ) -> Taken:
        """Keep the statement, or refresh the memory that says the same; what it takes the place of is history then.

        ``near``: ids of what may be about the same; ``replaces``: of what it claims to replace. ``said``: what it
        was drawn from in a conversation; then it may not undo what the same turn has told.
        """
        for _ in range(_TRIES):
            try:
                return self._take(wanted, self._related(wanted, [*near, *replaces], replaces, said), replaces, said)
            except IntegrityError:  # another process was a moment faster with the same statement, or the same question
                continue
        raise MemoryConflict

    def _related(
        self, wanted: Statement, ids: Sequence[str], claimed: Sequence[str], said: str | None
    ) -> Sequence[str]:
        """Those of ``ids`` that say the same or something against it. Compared before the database is locked for
        writing: most of what is near is about something else."""
        now = self._now()
        wanted_rows = select(_TABLE).where(_TABLE.c.id.in_(list(dict.fromkeys(ids))))
        with self._reading.connect() as connection:
            rows = [row for row in connection.execute(wanted_rows) if row.user_id == wanted.user_id]
            known = [(one, row.slot) for one, row in zip(memories_of(connection, rows), rows, strict=True)]
        stands = {one.id: _stands(wanted, one, s, said, one.id in claimed) for one, s in known if one.is_current(now)}
        return [memory_id for memory_id, how in stands.items() if how is not Relation.DIFFERENT]

    def _take(self, wanted: Statement, related: Sequence[str], replaces: Sequence[str], said: str | None) -> Taken:
        with Session(self._engine) as session, session.begin():
            now = self._now()
            rows = self._current(session, wanted, related, now)
            known = {memory.id: memory for memory in memories_of(session.connection(), list(rows.values()))}
            stands = {i: _stands(wanted, memory, rows[i].slot, said, i in replaces) for i, memory in known.items()}
            same = _the_same(wanted, rows, stands)
            old = {i: how for i, how in stands.items() if how is not Relation.DIFFERENT and i != same}
            undone = [known[i] for i, how in old.items() if how is not Relation.SAME]
            if refusal := said is not None and _refusal(wanted, undone):
                return Taken(None, refusal=refusal)
            for memory_id in old:
                rows[memory_id].identity = rows[memory_id].slot = None
            session.flush()
            row = rows[same] if same else row_of(wanted, now)
            _refresh(session, row, wanted, now) if same else _insert(session, row, wanted)
            for memory_id, how in old.items():
                _supersede(session, rows[memory_id], row.id, how, now)
            note(session, now, row.id, row.user_id, What.REFRESHED if same else What.STORED, _channel(wanted))
            session.flush()
            return Taken(memory_of(session, row), not same, old, tuple(known[i] for i in old))

    def _current(self, session: Session, wanted: Statement, ids: Sequence[str], now: datetime) -> dict[str, MemoryRow]:
        """The current memories of the same scope that may be about the same."""
        claims = [MemoryRow.identity == wanted.identity]
        claims += [MemoryRow.slot == wanted.slot] if wanted.slot else []
        found = {row.id: row for claim in claims for row in session.scalars(select(MemoryRow).where(claim))}
        unknown = [memory_id for memory_id in dict.fromkeys(ids) if memory_id not in found]
        found |= {row.id: row for row in session.scalars(select(MemoryRow).where(MemoryRow.id.in_(unknown)))}
        for row in found.values():
            if row.valid_to is not None and row.valid_to <= now:  # over, and not yet put away
                row.identity = row.slot = None
        session.flush()
        return {
            row.id: row
            for row in found.values()
            if row.user_id == wanted.user_id
            and row.superseded_by is None
            and (row.valid_to is None or row.valid_to > now)
        }


def _stands(wanted: Statement, known: Memory, known_slot: str | None, said: str | None, claimed: bool) -> Relation:
    """How the statement stands to one that is known. What the database keeps once is never different: neither the same
    statement under another key, nor another answer to the same question."""
    if same_statement(wanted.content, known.content):
        return Relation.SAME
    how = relation(wanted, known)
    if how is Relation.DIFFERENT and wanted.slot is not None and known_slot == wanted.slot:
        return Relation.NEW_VALUE
    if how is Relation.DIFFERENT and said is not None and _takes_back(wanted, known, said):
        return Relation.CORRECTION
    if how is Relation.DIFFERENT and said is not None and not claimed and _told_again(wanted, known, said):
        return Relation.SAME
    if how is Relation.DIFFERENT and claimed and _share_a_word(wanted, known):
        return Relation.CORRECTION
    return how


def _takes_back(wanted: Statement, known: Memory, said: str) -> bool:
    its, theirs = wording(wanted.content, wanted.language), wording(known.content, known.language)
    return taken_back(its, theirs, wording(said, wanted.language))


def _told_again(wanted: Statement, known: Memory, said: str) -> bool:
    if wanted.key is not None and known.key is not None:
        return False
    its, theirs = wording(wanted.content, wanted.language), wording(known.content, known.language)
    return told_again(its, theirs, wording(said, wanted.language))


def _the_same(wanted: Statement, rows: Mapping[str, MemoryRow], stands: Mapping[str, Relation]) -> str | None:
    """The memory that says it already; of several, which a key has told apart so far, the one that answers its key."""
    same = [i for i, how in stands.items() if how is Relation.SAME]

    def rank(memory_id: str) -> tuple[bool, bool]:
        row = rows[memory_id]
        keyed = row.slot == wanted.slot if wanted.slot else row.slot is not None
        return keyed, row.identity == wanted.identity

    return max(same, key=rank, default=None)


def _share_a_word(wanted: Statement, known: Memory) -> bool:
    """Whether a claim to replace can be true at all: models name the wrong one at times."""
    mine = wording(wanted.content, wanted.language).content
    theirs = wording(known.content, known.language).content
    subjects = {s.id for s in wanted.subjects} & {s.id for s in known.subjects}
    return bool(subjects) or any(alike(a, b) for a in mine for b in theirs)


def _refusal(wanted: Statement, old: Sequence[Memory]) -> str:
    """Why the statement may not take the place of these; empty: it may."""
    turn = wanted.source.turn_id if wanted.source else None
    if turn and any(memory.source and memory.source.turn_id == turn for memory in old):
        return STALE
    return UNSURE if wanted.inferred and any(not memory.inferred for memory in old) else ""


def _insert(session: Session, row: MemoryRow, wanted: Statement) -> None:
    session.add(row)
    session.flush()
    put_subjects(session, row.id, wanted.subjects)


def _refresh(session: Session, row: MemoryRow, wanted: Statement, now: datetime) -> None:
    """It was said again: newer, at least as important and as sure, and at least as closely kept."""
    row.updated_at = now
    row.importance = max(row.importance, wanted.importance)
    row.confidence = max(row.confidence, wanted.confidence)
    row.inferred = row.inferred and wanted.inferred
    row.sensitivity = max(row.sensitivity, str(wanted.sensitivity), key=_ORDER.index)
    if wanted.valid_to is not None or row.valid_to is None:  # said again without its date, an event still ends
        row.type = wanted.type.value
        row.valid_to = wanted.valid_to
    if wanted.slot:
        if row.slot != wanted.slot:
            put_subjects(session, row.id, wanted.subjects)
        row.slot, row.key, row.value, row.category = wanted.slot, wanted.key, wanted.value, wanted.category


def _supersede(session: Session, row: MemoryRow, by: str, how: Relation, now: datetime) -> None:
    row.valid_to = now
    row.superseded_by = by
    note(session, now, row.id, row.user_id, What.SUPERSEDED, f"{how.value} by {by}")


def _channel(wanted: Statement) -> str:
    source = wanted.source
    return source.channel if source and source.channel else "unknown"
