"""From the home to the index: embeds what was said differently before, and nothing else."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from indexer.backend import Backend
from indexer.cache import VectorCache
from indexer.describe import TEXT_VERSION, describe, text_hash
from indexer.embed import Vectors
from indexer.entity import Entity
from indexer.errors import EmbedderUnavailable, StoreError
from indexer.purposes import PurposeTable, texts
from indexer.status import SyncReport
from indexer.vector_store import VectorStore
from indexer.vectors import VectorTable

Progress = Callable[[int, int], None]
"""Called with entities done and entities in all."""

_PREFIX = "entities-"
_CHUNK = 256
_TEXTS = 32
"""Texts embedded in one call: a person's sentence waits for one such call at most."""
_HASH = "text_hash"


@dataclass(frozen=True, slots=True)
class Described:
    """An entity with the text that is embedded for it and that text's hash."""

    entity: Entity
    text: str
    hash: str


class Syncer:
    """Brings the store and the table of vectors in step with the home; one sync at a time."""

    def __init__(
        self, backend: Backend, store: VectorStore, table: VectorTable, purposes: PurposeTable, cache: VectorCache
    ) -> None:
        self._backend = backend
        self._store = store
        self._table = table
        self._purposes = purposes
        self._cache = cache
        self._turn = asyncio.Lock()
        self._described: dict[str, Described] = {}

    @property
    def fingerprint(self) -> str | None:
        """The embedder and the way texts are made; what differs in it cannot be compared."""
        return f"{self._backend.fingerprint}-t{TEXT_VERSION}" if self._backend.fingerprint else None

    async def load(self) -> None:
        """Read the entities' vectors from the store into the table."""
        if self.fingerprint is None:
            return
        ids, vectors, metadatas = await self._store.all(self._collection())
        hashes = {i: str(m.get(_HASH, "")) for i, m in zip(ids, metadatas, strict=True)}
        self._table.load(ids, vectors, hashes)

    async def sync(self, entities: Mapping[str, Entity], *, force: bool, progress: Progress | None) -> SyncReport:
        """Bring everything up to date. ``force``: compute every vector anew and rebuild the store beside.

        Raises `EmbedderUnavailable` or a `StoreError`; what was done until then is kept.
        """
        async with self._turn:
            started = time.perf_counter()
            await self._backend.store.wait()
            described = await asyncio.to_thread(self._describe, tuple(entities.values()))
            self._described = {d.entity.entity_id: d for d in described}
            rebuild = force or self._other_embedder()
            report = await (self._rebuild if rebuild else self._update)(described, force, progress)
            await asyncio.to_thread(self._cache.tidy, self._name(), [d.hash for d in described])
            if report.added + report.updated > _CHUNK:
                await self._backend.rest()
            await self._learn_purposes()
            return _timed(report, started)

    async def sync_one(self, entity_id: str, entity: Entity | None) -> SyncReport:
        """Bring one entity up to date; None: it is gone."""
        async with self._turn:
            started = time.perf_counter()
            await self._backend.store.wait()
            described = self._describe((entity,)) if entity else []
            known = {entity_id: self._table.hashes[entity_id]} if entity_id in self._table.hashes else {}
            report = await self._apply(described, known, None)
            return _timed(report, started)

    def _describe(self, entities: Sequence[Entity]) -> list[Described]:
        found = []
        for entity in entities:
            known = self._described.get(entity.entity_id)
            if known is None or known.entity != entity:
                text = describe(entity)
                known = self._described[entity.entity_id] = Described(entity, text, text_hash(text))
            found.append(known)
        return found

    def _other_embedder(self) -> bool:
        """Whether the store holds entities of another embedder and none of this one."""
        mine = self._collection()
        return mine not in self._backend.collections and any(c.startswith(_PREFIX) for c in self._backend.collections)

    async def _update(self, described: list[Described], _force: bool, progress: Progress | None) -> SyncReport:
        return await self._apply(described, dict(self._table.hashes), progress)

    async def _apply(
        self, described: Sequence[Described], known: Mapping[str, str], progress: Progress | None
    ) -> SyncReport:
        """Make the store hold exactly ``described`` in place of ``known`` (id to text hash)."""
        wanted = {d.entity.entity_id for d in described}
        gone = [i for i in known if i not in wanted]
        changed = [d for d in described if known.get(d.entity.entity_id) != d.hash]
        if gone:
            await self._store.delete(self._collection(), gone)
            self._table.change({}, {}, gone)
        embedded = await self._write(changed, len(described), progress)
        added = sum(d.entity.entity_id not in known for d in changed)
        return SyncReport(added, len(changed) - added, len(described) - len(changed), len(gone), embedded)

    async def _rebuild(self, described: list[Described], force: bool, progress: Progress | None) -> SyncReport:
        """Fill a new store beside the old one, which answers until the swap."""
        known = dict(self._table.hashes)
        await self._store.begin_beside([_PREFIX])
        embedded = await self._write(described, len(described), progress, beside=True, anew=force)
        await self._store.finish_beside()
        self._backend.collections = {self._collection(): len(described)}
        await self.load()
        if len(self._table) != len(described):
            raise StoreError(f"The new vector store holds {len(self._table)} of {len(described)} entities.")
        ids = {d.entity.entity_id for d in described}
        updated = len(ids & known.keys())
        return SyncReport(len(ids) - updated, updated, 0, len(known.keys() - ids), embedded)

    async def _write(
        self,
        changed: Sequence[Described],
        total: int,
        progress: Progress | None,
        beside: bool = False,
        anew: bool = False,
    ) -> int:
        """Store the vectors of these, from the cache or computed (all of them, if ``anew``).

        Returns how many texts were embedded. Old vectors stay in the cache until new ones take their place.
        """
        hashes = [] if anew else [d.hash for d in changed]
        cached = await asyncio.to_thread(self._cache.get, self._name(), hashes)
        embedded, done = 0, total - len(changed)
        for start in range(0, len(changed), _CHUNK):
            part = changed[start : start + _CHUNK]
            embedded += await self._embed_missing({d.hash: d.text for d in part}, cached, self._name())
            await self._put(part, cached, beside)
            done += len(part)
            if progress is not None:
                progress(done, total)
        return embedded

    async def _learn_purposes(self) -> None:
        """The vectors of what things are for, once an embedder. Without them what is described alike is found only."""
        if self._purposes.embedder == self._name():
            return
        by_hash = {text_hash(text): text for text in texts()}
        kept_as = f"purposes:{self._name()}"
        vectors = await asyncio.to_thread(self._cache.get, kept_as, by_hash)
        try:
            await self._embed_missing(by_hash, vectors, kept_as)
        except EmbedderUnavailable:
            return  # tried again at the next sync
        await asyncio.to_thread(self._cache.tidy, kept_as, by_hash)
        self._purposes.load(self._name(), {text: vectors[h] for h, text in by_hash.items()})

    async def _embed_missing(self, texts: Mapping[str, str], cached: dict[str, Vectors], kept_as: str) -> int:
        """Embed what ``cached`` lacks of these texts by hash, and keep it; returns how many that were."""
        missing = {h: text for h, text in texts.items() if h not in cached}
        if not missing:
            return 0
        await self._backend.embedder.wait()
        hashes = list(missing)
        fresh: dict[str, Vectors] = {}
        for start in range(0, len(hashes), _TEXTS):
            some = hashes[start : start + _TEXTS]
            fresh.update(zip(some, await self._backend.embed([missing[h] for h in some]), strict=True))
        await asyncio.to_thread(self._cache.put, kept_as, fresh)
        cached.update(fresh)
        return len(missing)

    async def _put(self, part: Sequence[Described], cached: Mapping[str, Vectors], beside: bool) -> None:
        vectors = {d.entity.entity_id: cached[d.hash] for d in part}
        await self._store.upsert(
            self._collection(),
            list(vectors),
            np.stack(list(vectors.values())).astype(np.float32),
            [_metadata(d) for d in part],
            [d.text for d in part],
            beside=beside,
        )
        if not beside:
            self._backend.collections.setdefault(self._collection(), 0)
            self._table.change(vectors, {d.entity.entity_id: d.hash for d in part}, ())

    def _collection(self) -> str:
        return f"{_PREFIX}{self._name()}"

    def _name(self) -> str:
        if self.fingerprint is None:
            raise self._backend.embedder.error or EmbedderUnavailable("The embedding model is not known yet.")
        return self.fingerprint


def _metadata(described: Described) -> dict[str, str]:
    """What Chroma keeps with a vector. Always the same keys: an upsert merges, and a dropped key would survive."""
    entity = described.entity
    return {
        "entity_id": entity.entity_id,
        "name": entity.name,
        "domain": entity.domain,
        "device_class": entity.device_class or "",
        "area": entity.area.name if entity.area else "",
        "floor": entity.floor.name if entity.floor else "",
        _HASH: described.hash,
    }


def _timed(report: SyncReport, started: float) -> SyncReport:
    return replace(report, seconds=time.perf_counter() - started)
