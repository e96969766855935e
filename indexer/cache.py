"""Vectors computed once, kept in the database by text and embedder: the vector store can be rebuilt from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from sqlalchemy import Engine, delete, func, insert, select
from sqlalchemy.orm import Session

from indexer.embed import Vectors
from indexer.tables import CachedVector

_AT_ONCE = 500
_SPARE = 3
"""Vectors of texts that are gone are kept up to this many times the current ones: names come back."""
_SPARE_LEAST = 2000


class VectorCache:
    """Blocking: call it in a thread.

    ``embedder`` is its fingerprint, after the kind of the texts and a colon where these are not the entities'.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def get(self, embedder: str, hashes: Iterable[str]) -> dict[str, Vectors]:
        """The vectors that are there, by text hash."""
        wanted = list(dict.fromkeys(hashes))
        found: dict[str, Vectors] = {}
        with Session(self._engine) as session:
            for start in range(0, len(wanted), _AT_ONCE):
                part = wanted[start : start + _AT_ONCE]
                rows = session.execute(
                    select(CachedVector.text_hash, CachedVector.vector).where(
                        CachedVector.embedder == embedder, CachedVector.text_hash.in_(part)
                    )
                )
                found.update((text_hash, np.frombuffer(data, "<f4")) for text_hash, data in rows)
        return found

    def put(self, embedder: str, vectors: Mapping[str, Vectors]) -> None:
        """Keep vectors by text hash, in place of older ones."""
        if not vectors:
            return
        rows = [
            {"text_hash": text_hash, "embedder": embedder, "vector": np.asarray(vector, "<f4").tobytes()}
            for text_hash, vector in vectors.items()
        ]
        with self._engine.begin() as connection:  # a merge of objects would ask for each row first
            for start in range(0, len(rows), _AT_ONCE):
                part = rows[start : start + _AT_ONCE]
                hashes = [row["text_hash"] for row in part]
                connection.execute(
                    delete(CachedVector).where(CachedVector.embedder == embedder, CachedVector.text_hash.in_(hashes))
                )
                connection.execute(insert(CachedVector), part)

    def forget(self, embedder: str, hashes: Iterable[str]) -> None:
        """Drop these, so that they are computed anew."""
        wanted = list(hashes)
        with Session(self._engine) as session, session.begin():
            for start in range(0, len(wanted), _AT_ONCE):
                part = wanted[start : start + _AT_ONCE]
                session.execute(
                    delete(CachedVector).where(CachedVector.embedder == embedder, CachedVector.text_hash.in_(part))
                )

    def tidy(self, embedder: str, current: Iterable[str]) -> None:
        """Drop vectors of texts that are gone, once there are far more of them than of current ones.

        Those of other embedders for texts of this kind are dropped at once: nothing asks for them any more.
        """
        kept = set(current)
        kind, colon, _ = embedder.rpartition(":")
        of_kind = CachedVector.embedder.startswith(kind + colon, autoescape=True)
        others = of_kind if colon else CachedVector.embedder.not_like("%:%")
        with Session(self._engine) as session, session.begin():
            session.execute(delete(CachedVector).where(others, CachedVector.embedder != embedder))
            count = session.scalar(select(func.count()).where(CachedVector.embedder == embedder)) or 0
            if count <= max(_SPARE * len(kept), _SPARE_LEAST):
                return
            stored = session.scalars(select(CachedVector.text_hash).where(CachedVector.embedder == embedder))
            gone = [h for h in stored if h not in kept]
        self.forget(embedder, gone)
