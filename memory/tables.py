"""Memory's own table: the truth about what is remembered. Vectors are derived from it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, DateTime, Dialect, ForeignKey, MetaData, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator


class UtcDateTime(TypeDecorator[datetime]):
    """Aware times in UTC, also on SQLite, which keeps no zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    metadata = MetaData()


class MemoryRow(Base):
    """One remembered statement.

    ``user_id`` None: the household's. ``valid_to`` None: current. ``identity`` is the fingerprint of scope and
    statement while it is current, else None: the database itself keeps a statement from being there twice, and history
    (no identity) may repeat it.
    """

    __tablename__ = "memories"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    identity: Mapped[str | None] = mapped_column(String(64), unique=True, index=True)
    content: Mapped[str] = mapped_column(Text)
    type: Mapped[str] = mapped_column(String(20), index=True)
    importance: Mapped[float]
    user_id: Mapped[str | None] = mapped_column(String(200), index=True)
    language: Mapped[str | None] = mapped_column(String(20))
    source: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    valid_from: Mapped[datetime] = mapped_column(UtcDateTime)
    valid_to: Mapped[datetime | None] = mapped_column(UtcDateTime)
    superseded_by: Mapped[str | None] = mapped_column(ForeignKey("memories.id", ondelete="SET NULL"))
