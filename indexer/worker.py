"""The index's child process: owns the embedding model and Chroma, so that neither can stall or hang the service."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import sys
import threading
from collections.abc import Callable, Sequence
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import ParamSpec, TypeVar

from indexer.chroma import ChromaStore, Metadata
from indexer.embed import Embedder, Vectors
from indexer.errors import LIBRARY_ERRORS, EmbedderUnavailable, IndexerError

_P = ParamSpec("_P")
_R = TypeVar("_R")


def _as_unavailable(method: Callable[_P, _R]) -> Callable[_P, _R]:
    """What goes wrong in a model's libraries, or in reading its files, by the one name that callers know."""

    @wraps(method)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            return method(*args, **kwargs)
        except IndexerError:
            raise
        except LIBRARY_ERRORS as error:
            raise EmbedderUnavailable(f"The embedding model failed: {type(error).__name__}: {error}") from error

    return call


def make(folder: str, chroma_url: str | None, embedder: str, model: str, threads: int) -> Worker:
    """The object that the child serves. ``embedder``: "package.module:factory", called with model and threads."""
    return Worker(Path(folder), chroma_url, embedder, model, threads)


class Worker:
    """Every method may be called from another thread; the store's take turns, so do the model's.

    ``embedder`` is empty where an endpoint embeds.
    """

    def __init__(self, folder: Path, chroma_url: str | None, embedder: str, model: str, threads: int) -> None:
        self._store = ChromaStore(folder, chroma_url)
        self._factory = embedder
        self._model = model
        self._threads = threads
        self._embedder: Embedder | None = None
        self._turn = threading.RLock()

    @_as_unavailable
    def find_embedder(self) -> str:
        """The embedder's fingerprint, without loading it. Raises `EmbedderUnavailable`."""
        module, _, name = self._factory.partition(":")
        self._embedder = getattr(import_module(module), name)(self._model, self._threads)
        assert self._embedder is not None
        return self._embedder.fingerprint

    @_as_unavailable
    def load_embedder(self) -> int:
        """Load the model; returns its dimension. Raises `EmbedderUnavailable`."""
        assert self._embedder is not None
        dimension = self._embedder.load()
        self.rest()
        return dimension

    @_as_unavailable
    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32, each row of length 1. Raises `EmbedderUnavailable`. Only after ``load_embedder``."""
        assert self._embedder is not None
        return self._embedder.embed(texts)

    def open_store(self, fresh: bool) -> dict[str, int]:
        """See `ChromaStore.open`."""
        with self._turn:
            return self._store.open(fresh)

    def names(self, prefix: str) -> list[str]:
        """See `ChromaStore.names`."""
        with self._turn:
            return self._store.names(prefix)

    def ids(self, collection: str) -> list[str]:
        """See `ChromaStore.ids`."""
        with self._turn:
            return self._store.ids(collection)

    def all(self, collection: str) -> tuple[list[str], Vectors, list[dict[str, object]]]:
        """See `ChromaStore.all`."""
        with self._turn:
            return self._store.all(collection)

    def upsert(
        self,
        collection: str,
        ids: Sequence[str],
        vectors: Vectors,
        metadatas: Sequence[Metadata],
        documents: Sequence[str],
        beside: bool = False,
    ) -> None:
        """See `ChromaStore.upsert`."""
        with self._turn:
            self._store.upsert(collection, ids, vectors, metadatas, documents, beside)

    def delete(self, collection: str, ids: Sequence[str]) -> None:
        """See `ChromaStore.delete`."""
        with self._turn:
            self._store.delete(collection, ids)

    def query(
        self, collection: str, vector: Vectors, k: int, where: dict[str, object] | None = None
    ) -> list[tuple[str, float]]:
        """See `ChromaStore.query`."""
        with self._turn:
            return self._store.query(collection, vector, k, where)

    def begin_beside(self, dropped: Sequence[str]) -> None:
        """See `ChromaStore.begin_beside`."""
        with self._turn:
            self._store.begin_beside(dropped)

    def finish_beside(self) -> None:
        """See `ChromaStore.finish_beside`."""
        with self._turn:
            self._store.finish_beside()

    def rest(self) -> None:
        """Give back what loading or a long sync needed and waiting does not."""
        gc.collect()
        if sys.platform.startswith("linux"):
            with contextlib.suppress(OSError, AttributeError):  # another C library
                ctypes.CDLL("libc.so.6").malloc_trim(0)

    def close(self) -> None:
        """Called when the child is told to stop: a write under way is finished first."""
        with self._turn:
            self._store.close()


__all__ = ["Worker", "make"]
