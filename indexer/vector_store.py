"""The vector store as the rest of the program sees it: collections by name, asynchronous, in the worker process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from indexer.backend import Backend
from indexer.embed import Vectors


class VectorStore:
    """Collections of vectors with metadata. All methods raise `StoreUnavailable` or `StoreCorrupt`; a call that Chroma
    refuses (another dimension than the collection's, a bad name) is a plain `StoreError`.

    After a corruption the store is made anew and empty: who keeps something here compares `ids` with the truth now
    and then, and after every error.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    async def upsert(
        self,
        collection: str,
        ids: Sequence[str],
        vectors: Vectors,
        metadatas: Sequence[Mapping[str, object]],
        documents: Sequence[str],
        *,
        beside: bool = False,
    ) -> None:
        """Put rows in, in place of those with the same ids; of an id given twice the last counts.

        ``beside``: into the store that is being built, between `begin_beside` and `finish_beside`.
        """
        await self._backend.store_call(
            "upsert", collection, list(ids), vectors, list(metadatas), list(documents), beside
        )

    async def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Remove ids; unknown ones and none at all are fine."""
        if ids:
            await self._backend.store_call("delete", collection, list(ids))

    async def names(self, prefix: str) -> list[str]:
        """The collections there are whose name begins with ``prefix``."""
        found: list[str] = await self._backend.store_call("names", prefix)
        return found

    async def ids(self, collection: str) -> list[str]:
        """The ids in a collection; empty where there is no such collection."""
        found: list[str] = await self._backend.store_call("ids", collection)
        return found

    async def all(self, collection: str) -> tuple[list[str], Vectors, list[dict[str, Any]]]:
        """Everything in a collection: ids, (n, d) float32 vectors, metadata."""
        found: tuple[list[str], Vectors, list[dict[str, Any]]] = await self._backend.store_call("all", collection)
        return found

    async def query(
        self, collection: str, vector: Vectors, k: int, where: Mapping[str, object] | None = None
    ) -> list[tuple[str, float]]:
        """The ``k`` nearest ids with their similarity, 0 to 1, best first.

        ``where``: metadata that must all hold: a value, a list of values, or a pair (least, greatest) of numbers.
        """
        found: list[tuple[str, float]] = await self._backend.store_call(
            "query", collection, vector, k, dict(where) if where else None
        )
        return found

    async def begin_beside(self, dropped: Sequence[str]) -> None:
        """Start a new store beside this one, with a copy of every collection whose name has no ``dropped`` prefix."""
        await self._backend.store_call("begin_beside", list(dropped))

    async def finish_beside(self) -> None:
        """Use the new store from now on and remove the old one."""
        await self._backend.store_call("finish_beside")
