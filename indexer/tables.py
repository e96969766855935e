"""The index's own tables: vectors that were computed once and need not be computed again; days as they were."""

from __future__ import annotations

from datetime import date

from sqlalchemy import JSON, Date, LargeBinary, MetaData, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """The tables of this package."""

    metadata = MetaData()


class CachedVector(Base):
    """The vector of a text under an embedder. ``vector``: float32, little-endian, normalised."""

    __tablename__ = "cached_vectors"

    text_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    embedder: Mapped[str] = mapped_column(String(200), primary_key=True)
    vector: Mapped[bytes] = mapped_column(LargeBinary)


class FormerIdRow(Base):
    """An entity id that a thing had before it was given another: its older records may still be kept under it."""

    __tablename__ = "former_ids"

    entity_id: Mapped[str] = mapped_column(String(255), primary_key=True)
    """As it is now."""
    former: Mapped[str] = mapped_column(String(255), primary_key=True)
    until: Mapped[float]
    """When it was noticed, in seconds since the epoch; what is recorded later is another thing's."""


class HistoryDayRow(Base):
    """A local day of an entity or an area, summed up. What it was summed up from may be gone: this is the truth."""

    __tablename__ = "history_days"

    about: Mapped[str] = mapped_column(String(255), primary_key=True)
    """An entity id, or ``area:`` and an area id (nothing more: what has no area)."""
    day: Mapped[date] = mapped_column(Date, primary_key=True, index=True)
    kind: Mapped[str] = mapped_column(String(20))
    name: Mapped[str] = mapped_column(String(255))
    """As it was called then."""
    area_id: Mapped[str | None] = mapped_column(String(255))
    area: Mapped[str] = mapped_column(String(255))
    text: Mapped[str] = mapped_column(Text)
    gist: Mapped[str] = mapped_column(Text)
    quiet: Mapped[bool]
    over: Mapped[bool]
    """Whether the day was over when it was summed up: then this is final."""
    withdrawn: Mapped[bool]
    """Whether the entity was exposed no longer when last looked at."""
    figures: Mapped[dict[str, object]] = mapped_column(JSON)
    points: Mapped[int]
    registry_id: Mapped[str | None] = mapped_column(String(64), index=True)
    text_hash: Mapped[str] = mapped_column(String(64))
    """Of the text that is embedded; empty where none is."""
