"""Texts that can be found by meaning, in a Chroma collection of their own, kept in step with what there is.

An id in the store ends in the hash of its text: what differs between the two is seen by the ids alone, whatever was
killed, damaged or rebuilt in between. Vectors come from the database's cache where they were computed before.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from indexer.cache import VectorCache
from indexer.describe import text_hash
from indexer.embed import Vectors
from indexer.errors import EmbedderUnavailable

Filter = Mapping[str, object]
"""Metadata that must hold: a value, a list of values, or a pair (least, greatest) of numbers."""

_CHUNK = 128
_TEXTS = 16
"""Texts embedded in one call: a person's sentence waits for one such call at most."""
_HASH = 16
"""Hexadecimal digits of a text's hash in an id."""
_PATIENCE = 2.0
"""Seconds that a question waits for its vector."""


class Store(Protocol):
    """Where the vectors are. Raises IndexerError."""

    async def upsert(
        self,
        collection: str,
        ids: Sequence[str],
        vectors: Vectors,
        metadatas: Sequence[Mapping[str, object]],
        documents: Sequence[str],
    ) -> None:
        """Put rows in, replacing those with the same ids; a new name makes a new collection.

        ``vectors`` are (n, d) float32, each of length 1; ids, metadatas and documents are n each.
        """

    async def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Remove ids; those that are not there are ignored."""

    async def names(self, prefix: str) -> list[str]:
        """The collections whose name begins with ``prefix``."""

    async def ids(self, collection: str) -> list[str]:
        """The ids in a collection; empty where there is no such collection."""

    async def query(
        self, collection: str, vector: Vectors, k: int, where: Filter | None = None
    ) -> list[tuple[str, float]]:
        """The ``k`` nearest ids to a (d,) vector, each with its cosine similarity (0 to 1), best first; ``where``:
        metadata that must hold.
        """


@dataclass(frozen=True, slots=True)
class Document:
    """A text to be found. ``metadata`` has the same keys in every document of a collection; ids hold no ``#``."""

    id: str
    text: str
    metadata: Mapping[str, str | int | float | bool]

    @property
    def stored_id(self) -> str:
        """The id under which the store has this text."""
        return stored_id(self.id, text_hash(self.text))


@dataclass(frozen=True, slots=True)
class DocumentReport:
    """What a sync did. ``embedded``: texts for which a vector had to be computed; the others had one."""

    written: int = 0
    removed: int = 0
    embedded: int = 0


class Documents:
    """A collection of texts. ``kind`` begins its name; ``installation`` (blocks) tells homes on one server apart.

    ``embed``, ``ready`` and ``fingerprint`` are the index's: texts to vectors, waiting until that works, and which
    embedder it is. Another embedder gets a collection of its own; those of older ones are emptied.
    """

    def __init__(
        self,
        kind: str,
        embed: Callable[[Sequence[str]], Awaitable[Vectors]],
        ready: Callable[[], Awaitable[None]],
        fingerprint: Callable[[], str | None],
        store: Store,
        cache: VectorCache,
        installation: Callable[[], str],
    ) -> None:
        self._kind = kind
        self._embed = embed
        self._ready = ready
        self._fingerprint = fingerprint
        self._store = store
        self._cache = cache
        self._installation = installation
        self._prefix = ""
        self._turn = asyncio.Lock()

    async def sync(
        self,
        wanted: Sequence[str],
        documents: Callable[[Sequence[str]], Sequence[Document]],
        progress: Callable[[int, int], None] | None = None,
    ) -> DocumentReport:
        """Make the collection hold exactly ``wanted`` (stored ids); ``documents`` (blocks) gives what is missing.

        Waits for the store and the model. What was done is kept, however it ends. Raises IndexerError.
        """
        async with self._turn:
            await self._ready()
            collection = await self._collection()
            there, kept = set(await self._store.ids(collection)), set(wanted)
            missing = [i for i in wanted if i not in there]
            embedded = 0
            for start in range(0, len(missing), _CHUNK):
                part = await asyncio.to_thread(documents, missing[start : start + _CHUNK])
                embedded += await self._write(collection, part)
                if progress is not None:
                    progress(min(start + _CHUNK, len(missing)), len(missing))
            gone = list(there - kept)
            await self._store.delete(collection, gone)
            await self._empty_others(collection)
            return DocumentReport(len(missing), len(gone), embedded)

    async def tidy(self, hashes: Sequence[str]) -> None:
        """Drop cached vectors of texts that are long gone; ``hashes`` are those of the texts that are kept."""
        name = self._embedder()
        await asyncio.to_thread(self._cache.tidy, name, hashes)

    async def near(self, text: str, k: int, where: Filter | None = None) -> list[tuple[str, float]]:
        """The ``k`` ids (without their hashes) nearest to a text, with their similarity (0 to 1), best first.

        Raises EmbedderUnavailable or a StoreError; does not wait long.
        """
        try:
            async with asyncio.timeout(_PATIENCE):
                [vector] = await self._embed([text])
                found = await self._store.query(await self._collection(), vector, k, where)
        except TimeoutError:
            raise EmbedderUnavailable("The embedder is busy.") from None
        return [(i.rpartition("#")[0], similarity) for i, similarity in found]

    async def _write(self, collection: str, part: Sequence[Document]) -> int:
        hashes = [text_hash(d.text) for d in part]
        name = self._embedder()
        known = await asyncio.to_thread(self._cache.get, name, hashes)
        texts = {h: d.text for h, d in zip(hashes, part, strict=True) if h not in known}
        fresh: dict[str, Vectors] = {}
        todo = list(texts)
        for start in range(0, len(todo), _TEXTS):
            some = todo[start : start + _TEXTS]
            fresh.update(zip(some, await self._embed([texts[h] for h in some]), strict=True))
        await asyncio.to_thread(self._cache.put, name, fresh)
        known |= fresh
        if part:
            vectors = np.stack([known[h] for h in hashes]).astype(np.float32)
            ids = [stored_id(d.id, h) for d, h in zip(part, hashes, strict=True)]
            await self._store.upsert(collection, ids, vectors, [d.metadata for d in part], [d.text for d in part])
        return len(fresh)

    async def _collection(self) -> str:
        if not self._prefix:
            home = hashlib.sha256((await asyncio.to_thread(self._installation)).encode()).hexdigest()[:12]
            self._prefix = f"{self._kind}-{home}-"
        return f"{self._prefix}{hashlib.sha256(self._fingerprint_now().encode()).hexdigest()[:12]}"

    def _embedder(self) -> str:
        """The cache's name of the embedder: apart from the entities', whose cache is tidied by their own texts."""
        return f"{self._kind}:{self._fingerprint_now()}"

    def _fingerprint_now(self) -> str:
        found = self._fingerprint()
        if found is None:
            raise EmbedderUnavailable("The embedding model is not known yet.")
        return found

    async def _empty_others(self, mine: str) -> None:
        for other in await self._store.names(self._prefix):
            if other != mine:
                await self._store.delete(other, await self._store.ids(other))


def stored_id(plain: str, digest: str) -> str:
    """A document's id in the store: ``#`` and the beginning of its text's hash stand behind its own."""
    return f"{plain}#{digest[:_HASH]}"
