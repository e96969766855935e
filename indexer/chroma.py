"""Chroma, as the worker process uses it: collections of vectors that we computed, in a folder or on a server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast
from urllib.parse import urlsplit

import numpy as np

from indexer.embed import Vectors
from indexer.errors import StoreCorrupt, StoreError, StoreUnavailable
from indexer.generations import Generations
from indexer.guard import bounded_growth, check_sizes
from indexer.lighter import import_chromadb

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

Metadata = Mapping[str, str | int | float | bool]

_BATCH = 2000
"""Chroma takes at most 5,461 rows at once."""
_PAGE = 250
_PROBES = 12
"""Stored vectors that are asked for after opening."""
_NOT_DAMAGE = ("(code: 13)", "(code: 8)", "(code: 14)", "(code: 5)", "os error 28", "Errno 28", "Errno 13", "Errno 30")
"""SQLite's and the system's words for a full disk, missing rights and a busy file: a rebuild would not help."""

_INSIDE = ("Error executing plan", "Error in compaction", "Internal error")
"""Chroma's words for what went wrong after it had taken the arguments."""

_P = ParamSpec("_P")
_R = TypeVar("_R")


def _named_errors(
    method: Callable[Concatenate[ChromaStore, _P], _R],
) -> Callable[Concatenate[ChromaStore, _P], _R]:
    """Chroma's and SQLite's errors by our names: damaged files are corrupt, everything else is unavailable."""

    @wraps(method)
    def call(self: ChromaStore, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        import httpx

        import_chromadb()
        from chromadb.errors import ChromaError

        try:
            return method(self, *args, **kwargs)
        except StoreError:
            raise
        except (ChromaError, httpx.HTTPError, OSError, ValueError, RuntimeError) as error:
            raise self._translated(error) from error

    return cast("Callable[Concatenate[ChromaStore, _P], _R]", call)


class ChromaStore:
    """Collections by name; cosine; never an embedding function of Chroma's. Not thread-safe.

    ``url`` None: in ``folder``, of which this process is the only user. `open` first; ``fresh`` starts an empty store.
    """

    def __init__(self, folder: Path, url: str | None = None) -> None:
        self._folder = folder
        self._url = url
        self._generations: Generations | None = None
        self._path: Path | None = None
        self._next: Path | None = None
        self._client: ClientAPI | None = None
        self._building: ClientAPI | None = None
        self._collections: dict[tuple[bool, str], Collection] = {}

    @property
    def place(self) -> str:
        return self._url or str(self._folder)

    def open(self, fresh: bool = False) -> dict[str, int]:
        """Open and try every collection; returns their sizes. Raises `StoreCorrupt`, `StoreUnavailable`."""
        self._collections = {}
        if self._url is not None:
            return self._open_server(self._url)
        return self._open_folder(fresh)

    @_named_errors
    def _open_folder(self, fresh: bool) -> dict[str, int]:
        if self._generations is None:
            self._generations = Generations(self._folder)
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
        self._client = _in_folder(path)
        return {c.name: self._try(c) for c in self._client.list_collections()}

    def _try(self, collection: Collection) -> int:
        """Count, and ask for a few stored vectors: each must find something, and one at least itself.

        Not each: among hundreds of equal vectors (things of one name) a healthy index does not find all of them.
        """
        count = collection.count()
        if not count:
            return 0
        some = collection.get(limit=_PROBES, include=["embeddings"])
        vectors = some["embeddings"]
        if vectors is None or len(vectors) != len(some["ids"]):
            raise StoreCorrupt(f"{collection.name} has entries without vectors")
        probes = np.asarray(vectors, np.float32)
        probes = probes[np.linalg.norm(probes, axis=1) != 0]
        if not len(probes):
            return count
        answer = collection.query(query_embeddings=probes, n_results=1, include=["distances"])
        nearest = [row[0] if row else np.inf for row in answer["distances"] or []]
        if not np.isfinite(nearest).all() or min(nearest, default=np.inf) > 1e-3:
            raise StoreCorrupt(f"{collection.name} does not find its own vectors")
        return count

    def _open_server(self, url: str) -> dict[str, int]:
        parts = urlsplit(url)
        import httpx

        chromadb = import_chromadb()
        from chromadb.errors import ChromaError

        try:
            self._client = chromadb.HttpClient(
                host=parts.hostname or "localhost",
                port=parts.port or (443 if parts.scheme == "https" else 8000),
                ssl=parts.scheme == "https",
                settings=_settings(),
            )
            return {c.name: c.count() for c in self._client.list_collections()}
        except (KeyError, AttributeError, TypeError) as error:
            raise self._version_clash(error) from error
        except (ChromaError, httpx.HTTPError, ValueError, RuntimeError, OSError) as error:
            raise StoreUnavailable(
                f"The Chroma server at {url} cannot be used: {error}",
                hint="Check that it runs and that `index.chroma_url` is right. Word matching carries on meanwhile.",
            ) from error

    @_named_errors
    def names(self, prefix: str) -> list[str]:
        """The collections there are whose name begins with ``prefix``."""
        return [c.name for c in self._open_client().list_collections() if c.name.startswith(prefix)]

    @_named_errors
    def ids(self, name: str) -> list[str]:
        """The ids in a collection; empty where there is no such collection."""
        collection = self._existing(name)
        return list(collection.get(include=[])["ids"]) if collection else []

    @_named_errors
    def all(self, name: str) -> tuple[list[str], Vectors, list[dict[str, Any]]]:
        """Everything in a collection: ids, (n, d) vectors, metadata.

        Raises `StoreCorrupt` where counts disagree (chroma-core/chroma#7090: an index lost after a restart).
        """
        collection = self._existing(name)
        if collection is None:
            return [], np.zeros((0, 0), np.float32), []
        ids: list[str] = []
        parts: list[Vectors] = []
        metadatas: list[dict[str, Any]] = []
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

    @_named_errors
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

    @_named_errors
    def delete(self, name: str, ids: Sequence[str]) -> None:
        """Remove ids; those that are not there are ignored."""
        collection = self._existing(name)
        if collection is None or not ids:
            return
        unique = list(dict.fromkeys(ids))
        for start in range(0, len(unique), _BATCH):
            collection.delete(ids=unique[start : start + _BATCH])

    @_named_errors
    def query(
        self, name: str, vector: Vectors, k: int, where: Mapping[str, Any] | None = None
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

    @_named_errors
    def begin_beside(self, dropped: Iterable[str]) -> None:
        """Start a new store beside this one, with a copy of every collection whose name has no ``dropped`` prefix."""
        if self._url is not None:
            self._drop(tuple(dropped))
            return
        assert self._generations is not None
        self._next = self._generations.new()
        self._building = _in_folder(self._next)
        for collection in self._open_client().list_collections():
            if not collection.name.startswith(tuple(dropped)):
                self._copy(collection)

    @_named_errors
    def finish_beside(self) -> None:
        """Use the new store from now on and remove the old one."""
        if self._url is not None or self._next is None:
            return
        assert self._generations is not None
        old, self._client = self._client, self._building
        self._path, self._next, self._building = self._next, None, None
        self._collections = {}
        if old is not None:
            _close(old)
        self._generations.use(self._path)

    def close(self) -> None:
        for client in (self._client, self._building):
            if client is not None and self._url is None:
                _close(client)
        self._client = self._building = None
        if self._generations is not None:
            self._generations.close()
            self._generations = None

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
        beside = beside and self._url is None
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

    def _translated(self, error: Exception) -> StoreError:
        """Ours for Chroma's: the caller's mistake, a store that cannot be used, or one that is damaged."""
        from chromadb.errors import DuplicateIDError, InvalidArgumentError, InvalidDimensionException, NotFoundError

        refused = isinstance(error, (DuplicateIDError, InvalidArgumentError, InvalidDimensionException, ValueError))
        if refused and not _failed_inside(str(error)):
            return StoreError(f"The vector store refuses this: {error}")
        if isinstance(error, NotFoundError):
            self._collections = {}  # removed by somebody else
        if self._url is not None:
            return StoreUnavailable(f"The Chroma server at {self._url} failed: {error}")
        if any(sign in str(error) for sign in _NOT_DAMAGE):
            return StoreUnavailable(f"The vector store in {self._folder} cannot be used: {error}")
        return StoreCorrupt(f"The vector store in {self._folder} is damaged: {error}")

    def _version_clash(self, error: Exception) -> StoreUnavailable:
        return StoreUnavailable(
            f"The Chroma server at {self._url} speaks another version: {error!r}",
            hint=f"This client is chromadb {version('chromadb')}; run a server of the same version.",
        )


def _conditions(where: Mapping[str, Any]) -> Any:
    """In Chroma's form, which takes several conditions only under one ``$and``."""
    conditions: list[dict[str, Any]] = []
    for key, value in where.items():
        if isinstance(value, tuple):
            conditions += [{key: {"$gte": value[0]}}, {key: {"$lte": value[1]}}]
        else:
            conditions.append({key: {"$in": value} if isinstance(value, list) else {"$eq": value}})
    return conditions[0] if len(conditions) == 1 else {"$and": conditions}


def _failed_inside(message: str) -> bool:
    """Whether Chroma failed at its own files, although it may call that an invalid argument."""
    return "dimension" not in message and any(sign in message for sign in _INSIDE)


def _settings() -> Any:
    from chromadb.config import Settings

    return Settings(anonymized_telemetry=False)


def _in_folder(path: Path) -> ClientAPI:
    chromadb = import_chromadb()
    if chromadb.config.is_thin_client:
        raise StoreUnavailable(
            "The installed Chroma is the client alone (the package chromadb-client), which keeps no files of its own.",
            hint="Install `chromadb` in its place, or name a Chroma server in `index.chroma_url`.",
        )
    client: ClientAPI = chromadb.PersistentClient(path=str(path), settings=_settings())
    return client


def _close(client: ClientAPI) -> None:
    close = getattr(client, "close", None)
    if close is not None:
        close()


def _flat(metadata: Metadata) -> dict[str, str | int | float | bool]:
    """Chroma refuses an empty record."""
    return dict(metadata) or {"kind": "vector"}
