"""The log of what happens to memories: written in the same transaction as what it tells."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy.orm import Session

from memory.tables import LogRow


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
