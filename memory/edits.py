"""Changes that are not a new statement: a person's edit, export and import. Every call blocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from memory.checks import checked_content, checked_share, checked_time
from memory.errors import InvalidMemory, MemoryNotFound
from memory.identity import NICKNAME, identity
from memory.model import Memory, checked_sensitivity, checked_type
from memory.records import What, note
from memory.rows import memories_of, memory_of, put_subjects, row_of_memory
from memory.tables import MemoryRow

_CHECKS: Mapping[str, Callable[[Any], Any]] = {
    "content": checked_content,
    "type": checked_type,
    "importance": lambda value: checked_share("importance", value),
    "value": lambda value: None if value is None else checked_content(value),
    "valid_to": lambda value: None if value is None else checked_time("valid_to", value),
    "sensitivity": checked_sensitivity,
}
"""What can be edited."""
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Restored:
    """What became of exported memories. ``known``: how many were there already; ``refused``: the ids of those that
    hold a code."""

    added: int
    known: int
    refused: tuple[str, ...] = ()


class Changes:
    """``now`` is the clock by which a memory is current."""

    def __init__(self, engine: Engine, now: Callable[[], datetime]) -> None:
        self._engine = engine
        self._reading = engine.execution_options(read_only=True)
        self._now = now

    def edit(self, memory: Memory, changes: Mapping[str, Any], why: str) -> Memory:
        """``changes``: those of `checked_changes`. Raises InvalidMemory, MemoryNotFound."""
        try:
            return self._edit(memory.id, changes, why)
        except IntegrityError:
            raise InvalidMemory("content", "another memory says that already.", hint="Delete one of the two.") from None

    def _edit(self, memory_id: str, checked: Mapping[str, object], why: str) -> Memory:
        with Session(self._engine) as session, session.begin():
            row = session.get(MemoryRow, memory_id)
            if row is None:
                raise MemoryNotFound(memory_id)
            now = self._now()
            for name, value in checked.items():
                setattr(row, name, value)
            row.updated_at = now
            over = row.superseded_by is not None or (row.valid_to is not None and row.valid_to <= now)
            row.identity = None if over else identity(row.content, row.user_id)
            row.slot = None if over else row.slot
            note(session, now, row.id, row.user_id, What.EDITED, f"{why}: {', '.join(sorted(checked))}")
            session.flush()
            return memory_of(session, row)

    def export(self, user_id: str | None, everybody: bool) -> list[Memory]:
        """All memories, replaced ones too, oldest first: of everybody, or the household's and that user's."""
        wanted = select(MemoryRow.__table__).order_by(MemoryRow.created_at, MemoryRow.id)
        if not everybody:
            wanted = wanted.where(or_(MemoryRow.user_id.is_(None), MemoryRow.user_id == user_id))
        with self._reading.connect() as connection:
            return memories_of(connection, connection.execute(wanted).all())

    def restore(self, memories: Sequence[Memory]) -> list[Memory]:
        """Those that were added, all in one step. What says the same as a current memory that is here is left out."""
        with Session(self._engine) as session, session.begin():
            now = self._now()
            added = self._unknown(session, memories, now)
            ids = {memory.id for memory in added} | set(_there(session, [m.superseded_by or "" for m in added]))
            for memory in added:  # first without links: what takes its place may come later
                row = row_of_memory(memory, now)
                row.superseded_by = None
                if memory.superseded_by is not None and memory.superseded_by not in ids:
                    row.valid_to = min(now, memory.valid_to or now)  # nothing says any more that it was replaced
                session.add(row)
            session.flush()
            for memory in added:
                put_subjects(session, memory.id, memory.subjects)
                if memory.superseded_by in ids:
                    session.get_one(MemoryRow, memory.id).superseded_by = memory.superseded_by
                note(session, now, memory.id, memory.user_id, What.IMPORTED, "import")
            return added

    def _unknown(self, session: Session, memories: Sequence[Memory], now: datetime) -> list[Memory]:
        known = set(_there(session, [memory.id for memory in memories]))
        said = {row for row in session.scalars(select(MemoryRow.identity)) if row}
        slots = {row for row in session.scalars(select(MemoryRow.slot)) if row}
        added = []
        for memory in memories:
            row = row_of_memory(memory, now)
            if memory.id in known or row.identity in said or (row.slot is not None and row.slot in slots):
                continue
            known.add(memory.id)
            said |= {row.identity} if row.identity else set()
            slots |= {row.slot} if row.slot else set()
            added.append(memory)
        return added


def _there(session: Session, ids: Sequence[str]) -> list[str]:
    found: list[str] = []
    for start in range(0, len(ids), _CHUNK):
        found += session.scalars(select(MemoryRow.id).where(MemoryRow.id.in_(ids[start : start + _CHUNK])))
    return found


def _agreeing(memory: Memory, checked: dict[str, Any]) -> dict[str, Any]:
    """The changes, so that what a keyed memory says and its value stay one: who edits the one means both.

    What a nickname stands for is an id, which its words do not tell.
    """
    key = memory.key
    if key is None or key.startswith(NICKNAME) or ("content" in checked) == ("value" in checked):
        return checked
    if "content" in checked:
        return checked | _value_of(checked["content"], key, memory.value)
    value = checked["value"]
    if value is None:
        return checked
    once = memory.value is not None and memory.content.count(memory.value) == 1
    content = memory.content.replace(memory.value or "", value) if once else f"{key}: {value}"
    return checked | {"content": checked_content(content)}


def _value_of(content: str, key: str, before: str | None) -> dict[str, str]:
    """The value that a new wording gives the key; none where it tells the same one still."""
    if before is not None and before.casefold() in content.casefold():
        return {}
    named, _, rest = content.partition(":")
    return {"value": rest.strip() if rest.strip() and named.strip().casefold() == key else content}


def checked_changes(memory: Memory, changes: Mapping[str, object]) -> dict[str, Any]:
    """Changes as a memory takes them, what follows from them included. Raises InvalidMemory."""
    return _agreeing(memory, _checked(changes))


def _checked(changes: Mapping[str, object]) -> dict[str, Any]:
    if not changes:
        raise InvalidMemory("changes", "there are none.", hint=f"It can have: {', '.join(_CHECKS)}.")
    unknown = sorted(set(changes) - set(_CHECKS))
    if unknown:
        raise InvalidMemory(unknown[0], "it cannot be edited.", hint=f"These can: {', '.join(_CHECKS)}.")
    checked = {name: _CHECKS[name](value) for name, value in changes.items()}
    if "type" in checked:
        checked["type"] = checked["type"].value
    return checked
