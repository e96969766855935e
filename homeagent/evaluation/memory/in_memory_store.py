"""A vector store in memory, so that each dialogue has an empty one; and an embedder that is not there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from indexer.documents import Filter
from indexer.errors import EmbedderUnavailable

Vectors = NDArray[np.float32]


class InMemoryStore:
    """Collections of vectors, compared by their cosine."""

    def __init__(self) -> None:
        self._kept: dict[str, dict[str, Vectors]] = {}

    async def upsert(
        self,
        collection: str,
        ids: Sequence[str],
        vectors: Vectors,
        metadatas: Sequence[Mapping[str, object]],
        documents: Sequence[str],
    ) -> None:
        """See `indexer.documents.Store.upsert`; metadata and documents are not kept."""
        self._kept.setdefault(collection, {}).update(zip(ids, vectors, strict=True))

    async def delete(self, collection: str, ids: Sequence[str]) -> None:
        """See `indexer.documents.Store.delete`."""
        for key in ids:
            self._kept.get(collection, {}).pop(key, None)

    async def names(self, prefix: str) -> list[str]:
        """See `indexer.documents.Store.names`."""
        return [name for name in self._kept if name.startswith(prefix)]

    async def ids(self, collection: str) -> list[str]:
        """See `indexer.documents.Store.ids`."""
        return list(self._kept.get(collection, {}))

    async def query(
        self, collection: str, vector: Vectors, k: int, where: Filter | None = None
    ) -> list[tuple[str, float]]:
        """See `indexer.documents.Store.query`; the similarity is -1 to 1 here, and there is no metadata to hold."""
        assert where is None
        near = [(key, float(kept @ vector)) for key, kept in self._kept.get(collection, {}).items()]
        return sorted(near, key=lambda pair: -pair[1])[:k]

    @property
    def everything(self) -> set[str]:
        """The ids that are anywhere."""
        return {key for kept in self._kept.values() for key in kept}


async def no_embedder(texts: Sequence[str]) -> Vectors:
    """For measuring what words alone find."""
    raise EmbedderUnavailable("Measured without an embedder.")
