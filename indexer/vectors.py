"""The entities' vectors in memory, for scoring: a copy of what the store holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from indexer.catalog import Catalog
from indexer.embed import Vectors
from indexer.postings import Scores


class VectorTable:
    """Rows of (id, text hash, vector). Changing it makes new arrays; a score that is under way keeps the old ones."""

    def __init__(self) -> None:
        self._ids: list[str] = []
        self.hashes: dict[str, str] = {}
        """Text hash of each id: what its vector was made from."""
        self._matrix: Vectors = np.zeros((0, 0), np.float32)
        self._slots: tuple[Catalog, int, NDArray[np.intp], NDArray[np.intp]] | None = None

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def vectors(self) -> Vectors:
        """All of them, a row each; another array after each change."""
        return self._matrix

    def load(self, ids: Sequence[str], vectors: Vectors, hashes: Mapping[str, str]) -> None:
        """Take everything anew."""
        self._ids, self._matrix, self.hashes = list(ids), vectors, dict(hashes)
        self._slots = None

    def change(self, vectors: Mapping[str, Vectors], hashes: Mapping[str, str], gone: Sequence[str]) -> None:
        """Put new or changed rows in and take others out."""
        if not vectors and not gone:
            return
        leaving = {*gone, *vectors}
        kept = [row for row, row_id in enumerate(self._ids) if row_id not in leaving]
        parts = [self._matrix[kept]] if kept else []
        if vectors:
            parts.append(np.stack(list(vectors.values())).astype(np.float32))
        ids = [*(self._ids[row] for row in kept), *vectors]
        known = {i: h for i, h in self.hashes.items() if i not in leaving} | {i: hashes[i] for i in vectors}
        self.load(ids, np.concatenate(parts) if parts else np.zeros((0, 0), np.float32), known)

    def scores(self, catalog: Catalog, vector: Vectors) -> Scores:
        """Cosine of each of the catalogue's slots with a vector of length 1; 0 where there is no vector."""
        found: Scores = self.likeness(catalog, vector[None])[0]
        return found

    def likeness(self, catalog: Catalog, vectors: Vectors) -> Scores:
        """(vectors, slots): the same for several vectors."""
        scores = np.zeros((len(vectors), catalog.size), np.float32)
        if len(self._ids) and self._matrix.shape[1] == vectors.shape[1]:
            slots, rows = self._places(catalog)
            scores[:, slots] = (vectors @ self._matrix.T)[:, rows]
        return scores

    def _places(self, catalog: Catalog) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Which slot takes which row; kept until either side changes."""
        if self._slots is None or self._slots[0] is not catalog or self._slots[1] != catalog.version:
            row_of = {row_id: row for row, row_id in enumerate(self._ids)}
            pairs = [(slot, row_of[i]) for slot, i in enumerate(catalog.ids) if i is not None and i in row_of]
            slots = np.array([slot for slot, _ in pairs], np.intp)
            rows = np.array([row for _, row in pairs], np.intp)
            self._slots = (catalog, catalog.version, slots, rows)
        return self._slots[2], self._slots[3]
