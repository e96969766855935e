"""Chroma, as the worker process uses it: collections of vectors that we computed, in a folder or on a server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from indexer.chroma_client import close_client, in_folder, named_errors, on_server, try_collection
from indexer.embed import Vectors
from indexer.errors import StoreCorrupt, StoreError, StoreUnavailable
from indexer.generations import Generations, bounded_growth, check_sizes

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

Metadata = Mapping[str, str | int | float | bool]

_BATCH = 2000
"""Chroma takes at most 5,461 rows at once."""
_PAGE = 250


class ChromaStore:
    """Collections by name; cosine; never an embedding function of Chroma's. Not thread-safe.

    ``url`` None: in ``folder``, of which this process is the only user. `open` first; ``fresh`` starts an empty store.
    """

    def __init__(self, folder: Path, url: str | None = None) -> None:
        self.folder = folder
        self.url = url
        self._generations: Generations | None = None
        self._path: Path | None = None
        self._next: Path | None = None
        self._client: ClientAPI | None = None
        self._building: ClientAPI | None = None
        self._collections: dict[tuple[bool, str], Collection] = {}

    @property
    def place(self) -> str:
        """The server's address, or the folder."""
        return self.url or str(self.folder)

    @named_errors
    def open(self, fresh: bool = False) -> dict[str, int]:
        """Open and try every collection; returns their sizes. Raises `StoreCorrupt`, `StoreUnavailable`."""
        self._collections = {}
        if self.url is not None:
            self._client, sizes = on_server(self.url)
            return sizes
        return self._open_folder(fresh)

    def _open_folder(self, fresh: bool) -> dict[str, int]:
        if self._generations is None:
            self._generations = Generations(self.folder)
        path = None if fresh else self._generations.current
        if path is None:
            path = self._generations.new()
            self._generations.use(path)
        self._path = path
        check_sizes(path)
        with bounded_growth(path):
            return self._tried(path)

    def _tried(self, path: Path) -> dict[str, int]:
        try:
            return self._try_all(path)
        except (StoreCorrupt, StoreUnavailable):
            raise
        except StoreError as error:
            raise StoreCorrupt(str(error)) from error

    def _try_all(self, path: Path) -> dict[str, int]:
        self._client = in_folder(path)
        return {c.name: try_collection(c) for c in self._client.list_collections()}

    @named_errors
    def names(self, prefix: str) -> list[str]:
        """The collections there are whose name begins with ``prefix``."""
        return [c.name for c in self._open_client().list_collections() if c.name.startswith(prefix)]

    @named_errors
    def ids(self, name: str) -> list[str]:
        """The ids in a collection; empty where there is no such collection."""
        collection = self._existing(name)
        return list(collection.get(include=[])["ids"]) if collection else []

    @named_errors
    def all(self, name: str) -> tuple[list[str], Vectors, list[dict[str, Any]]]:
        """Everything in a collection: ids, (n, d) vectors, metadata.

        Raises `StoreCorrupt` where counts disagree (chroma-core/chroma#7090: an index lost after a restart).
        """
        collection = self._existing(name)
        if collection is None:
            return [], np.zeros((0, 0), np.float32), []
        ids: list[str] = []
        parts: list[Vectors] = []
        metadatas: list[dict[str, object]] = []
        while True:  # page by page: Chroma makes a Python number of every coordinate
            rows = collection.get(include=["embeddings", "metadatas"], limit=_PAGE, offset=len(ids))
            if not rows["ids"]:
                break
            ids += rows["ids"]
            parts.append(np.asarray(rows["embeddings"], np.float32))
            metadatas += [dict(m or {}) for m in rows["metadatas"] or []]
        vectors = np.concatenate(parts) if parts else np.zeros((0, 0), np.float32)
        if len(ids) != collection.count() or len(set(ids)) != len(ids) or len(vectors) != len(ids):
            raise StoreCorrupt(f"{name} counts {collection.count()} entries and gives {len(ids)}")
        if ids and (vectors.ndim != 2 or not np.isfinite(vectors).all()):
            raise StoreCorrupt(f"{name} holds damaged vectors")
        return ids, vectors, metadatas

    @named_errors
    def upsert(
        self,
        name: str,
        ids: Sequence[str],
        vectors: Vectors,
        metadatas: Sequence[Metadata],
        documents: Sequence[str],
        beside: bool = False,
    ) -> None:
        """Put rows in; of an id that comes twice the last counts. ``beside``: into the store that is being built."""
        last = {row_id: row for row, row_id in enumerate(ids)}
        rows = list(last.values())
        if not rows:
            return
        collection = self._collection(name, beside)
        folder = self._next if beside else self._path
        for start in range(0, len(rows), _BATCH):
            chosen = rows[start : start + _BATCH]

            def write(part: Sequence[int] = chosen) -> None:
                collection.upsert(
                    ids=[ids[r] for r in part],
                    embeddings=np.asarray(vectors[part], np.float32),
                    metadatas=[_flat(metadatas[r]) for r in part],
                    documents=[documents[r] for r in part],
                )

            if folder is None:
                write()
                continue
            with bounded_growth(folder, work=len(chosen) * vectors.shape[1] * 4):
                write()

    @named_errors
    def delete(self, name: str, ids: Sequence[str]) -> None:
        """Remove ids; those that are not there are ignored."""
        collection = self._existing(name)
        if collection is None or not ids:
            return
        unique = list(dict.fromkeys(ids))
        for start in range(0, len(unique), _BATCH):
            collection.delete(ids=unique[start : start + _BATCH])

    @named_errors
    def query(
        self, name: str, vector: Vectors, k: int, where: Mapping[str, object] | None = None
    ) -> list[tuple[str, float]]:
        """The ``k`` nearest ids with their similarity, 0 to 1 (cosine, negative ones as 0), best first.

        ``where``: metadata that must hold: a value, a list of values, or a pair (least, greatest) of numbers.
        """
        collection = self._existing(name)
        if collection is None or k < 1:
            return []
        answer = collection.query(
            query_embeddings=np.asarray([vector], np.float32),
            n_results=k,
            include=["distances"],
            where=_conditions(where) if where else None,
        )
        distances = (answer["distances"] or [[]])[0]
        return [(i, min(1.0, max(0.0, 1.0 - float(d)))) for i, d in zip(answer["ids"][0], distances, strict=True)]

    @named_errors
    def begin_beside(self, dropped: Iterable[str]) -> None:
        """Start a new store beside this one, with a copy of every collection whose name has no ``dropped`` prefix."""
        if self.url is not None:
            self._drop(tuple(dropped))
            return
        assert self._generations is not None
        self._abandon()
        self._next = self._generations.new()
        self._building = in_folder(self._next)
        for collection in self._open_client().list_collections():
            if not collection.name.startswith(tuple(dropped)):
                self._copy(collection)

    @named_errors
    def finish_beside(self) -> None:
        """Use the new store from now on and remove the old one."""
        if self.url is not None or self._next is None:
            return
        assert self._generations is not None
        old, self._client = self._client, self._building
        self._path, self._next, self._building = self._next, None, None
        self._collections = {}
        if old is not None:
            close_client(old)
        self._generations.use(self._path)

    def forget(self) -> None:
        """Look collections up anew: somebody else has removed one."""
        self._collections = {}

    def close(self) -> None:
        """Close the files; a store that was begun beside this one is not used."""
        for client in (self._client, self._building):
            if client is not None and self.url is None:
                close_client(client)
        self._client = self._building = None
        if self._generations is not None:
            self._generations.close()
            self._generations = None

    def _abandon(self) -> None:
        """Remove a store that was begun beside this one and never finished."""
        if self._building is None:
            return
        assert self._generations is not None
        close_client(self._building)
        self._next = self._building = None
        self._collections = {key: c for key, c in self._collections.items() if not key[0]}
        self._generations.tidy()

    def _copy(self, collection: Collection) -> None:
        rows = collection.get(include=["embeddings", "metadatas", "documents"])
        if rows["ids"]:
            self.upsert(
                collection.name,
                rows["ids"],
                np.asarray(rows["embeddings"], np.float32),
                [cast("Metadata", m or {}) for m in rows["metadatas"] or []],
                [d or "" for d in rows["documents"] or []],
                beside=True,
            )

    def _drop(self, prefixes: tuple[str, ...]) -> None:
        for collection in self._open_client().list_collections():
            if collection.name.startswith(prefixes):
                self._open_client().delete_collection(collection.name)
                self._collections.pop((False, collection.name), None)

    def _collection(self, name: str, beside: bool) -> Collection:
        beside = beside and self.url is None
        key = (beside, name)
        if key not in self._collections:
            client = self._building if beside else self._open_client()
            assert client is not None
            self._collections[key] = client.get_or_create_collection(
                name, embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
            )
        return self._collections[key]

    def _existing(self, name: str) -> Collection | None:
        from chromadb.errors import NotFoundError

        known = self._collections.get((False, name))
        if known is not None:
            return known
        try:
            found = self._open_client().get_collection(name, embedding_function=None)
        except NotFoundError:
            return None
        self._collections[(False, name)] = found
        return found

    def _open_client(self) -> ClientAPI:
        if self._client is None:
            raise StoreUnavailable("The vector store is not open.")
        return self._client


def _conditions(where: Mapping[str, object]) -> Any:
    """In Chroma's form, which takes several conditions only under one ``$and``."""
    conditions: list[dict[str, object]] = []
    for key, value in where.items():
        if isinstance(value, tuple):
            conditions += [{key: {"$gte": value[0]}}, {key: {"$lte": value[1]}}]
        else:
            conditions.append({key: {"$in": value} if isinstance(value, list) else {"$eq": value}})
    return conditions[0] if len(conditions) == 1 else {"$and": conditions}


def _flat(metadata: Metadata) -> dict[str, str | int | float | bool]:
    """Chroma refuses an empty record."""
    return dict(metadata) or {"kind": "vector"}
