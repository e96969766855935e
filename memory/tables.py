"""Memory's own tables: the truth about what is remembered. Vectors are derived from it."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    JSON,
    ColumnElement,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    MetaData,
    String,
    Text,
    and_,
    false,
    or_,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator


class UtcDateTime(TypeDecorator[datetime]):
    """Aware times in UTC, also on SQLite, which keeps no zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """An aware time in UTC, for the database."""
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The database's time, aware, in UTC; one without a zone is taken as UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """The tables of this package."""

    metadata = MetaData()


class MemoryRow(Base):
    """One remembered statement.

    ``user_id`` None: the household's. ``valid_to`` None or still to come: current. ``identity`` is the fingerprint of
    scope and statement while it is current, else None: the database itself keeps a statement from being there twice,
    and history (no identity) may repeat it. ``slot`` is the fingerprint of scope, subject and key of a keyed memory,
    kept from being there twice in the same way: one question has one current answer.
    """

    __tablename__ = "memories"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    identity: Mapped[str | None] = mapped_column(String(64), unique=True, index=True)
    slot: Mapped[str | None] = mapped_column(String(64), unique=True, index=True)
    content: Mapped[str] = mapped_column(Text)
    type: Mapped[str] = mapped_column(String(20), index=True)
    category: Mapped[str | None] = mapped_column(String(20))
    key: Mapped[str | None] = mapped_column(String(200))
    value: Mapped[str | None] = mapped_column(Text)
    importance: Mapped[float]
    confidence: Mapped[float] = mapped_column(server_default="0.9")
    inferred: Mapped[bool] = mapped_column(server_default=false())
    sensitivity: Mapped[str] = mapped_column(String(20), server_default="public")
    user_id: Mapped[str | None] = mapped_column(String(200), index=True)
    language: Mapped[str | None] = mapped_column(String(20))
    source: Mapped[dict[str, object] | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    valid_from: Mapped[datetime] = mapped_column(UtcDateTime)
    valid_to: Mapped[datetime | None] = mapped_column(UtcDateTime, index=True)
    superseded_by: Mapped[str | None] = mapped_column(ForeignKey("memories.id", ondelete="SET NULL"), index=True)
    uses: Mapped[int] = mapped_column(server_default="0")
    """How often it was recalled for somebody."""
    last_used_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


def holds(now: datetime) -> ColumnElement[bool]:
    """Whether a memory is current at ``now``. What another one took the place of never is again, even where the clock
    was ahead then: it was told before."""
    not_over = or_(MemoryRow.valid_to.is_(None), MemoryRow.valid_to > now)
    return and_(MemoryRow.superseded_by.is_(None), not_over)


class SubjectRow(Base):
    """Who or what a memory is about, in the order in which it was said."""

    __tablename__ = "memory_subjects"

    memory_id: Mapped[str] = mapped_column(ForeignKey("memories.id", ondelete="CASCADE"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(20))
    subject_id: Mapped[str] = mapped_column(String(255))
    text: Mapped[str] = mapped_column(Text, server_default="")

    __table_args__ = (Index("ix_memory_subjects_subject", "subject_id", "kind"),)


class LogRow(Base):
    """What happened to a memory. It never holds content, so that deleting leaves nothing of it."""

    __tablename__ = "memory_log"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    memory_id: Mapped[str] = mapped_column(String(64), index=True)
    user_id: Mapped[str | None] = mapped_column(String(200))
    """Whose memory it is or was."""
    what: Mapped[str] = mapped_column(String(30))
    why: Mapped[str] = mapped_column(Text)


class UseRow(Base):
    """That a memory was shown to somebody. ``turn_id`` None: in no turn."""

    __tablename__ = "memory_uses"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    memory_id: Mapped[str] = mapped_column(ForeignKey("memories.id", ondelete="CASCADE"), index=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    turn_id: Mapped[str | None] = mapped_column(String(64))


class OutboxRow(Base):
    """A finished turn that has not been looked through for memories yet. Gone once it has."""

    __tablename__ = "memory_outbox"

    turn_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    turn: Mapped[dict[str, object]] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    attempts: Mapped[int] = mapped_column(server_default="0")
    next_at: Mapped[datetime] = mapped_column(UtcDateTime)
    """When it may be tried (again)."""


class InstallationRow(Base):
    """Which installation this database is, among several that share a vector store. One row."""

    __tablename__ = "memory_installation"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
