"""The index's own tables: vectors that were computed once and need not be computed again."""

from __future__ import annotations

from sqlalchemy import LargeBinary, MetaData, String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    metadata = MetaData()


class CachedVector(Base):
    """The vector of a text under an embedder. ``vector``: float32, little-endian, normalised."""

    __tablename__ = "cached_vectors"

    text_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    embedder: Mapped[str] = mapped_column(String(200), primary_key=True)
    vector: Mapped[bytes] = mapped_column(LargeBinary)
