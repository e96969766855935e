"""The index: what can be found in the home, by words at once and by meaning as soon as the embedder is loaded."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine

from indexer.backend import LOCAL_EMBEDDER, Backend, BackendSettings
from indexer.cache import VectorCache
from indexer.catalog import Catalog
from indexer.embed import Vectors
from indexer.embedding_models import DEFAULT_MODEL, EmbedEndpoint
from indexer.entity import Area, Entity, Floor
from indexer.errors import EmbedderUnavailable, IndexerError
from indexer.live_catalog import LiveCatalog
from indexer.postings import Scores
from indexer.purposes import PurposeTable
from indexer.retrieval import Retrieval, Situation
from indexer.retrieve import retrieve
from indexer.status import IndexStatus, Phase, SyncReport
from indexer.sync import Syncer
from indexer.vector_store import VectorStore
from indexer.vectors import VectorTable

log = logging.getLogger(__name__)

_PATIENCE = 2.0
"""Seconds that a sentence waits for its vector before words alone answer."""
_SENTENCE, _UNREAD, _PURPOSE = 2 / 7, 2 / 7, 3 / 7
"""Shares of what is near in meaning: descriptions to the sentence and to its unread part, purposes to the sentence."""


class Index:
    """Finds entities. Lives on the event loop's thread; the model and the store live in a child process.

    ``folder`` is the data folder; the store is in its ``chroma`` folder, or on the server at ``chroma_url``. ``engine``
    is the database with the table of cached vectors. ``model`` is a package, folder or cached name;
    ``embed_endpoint`` takes its place. ``threads`` are used for embedding many texts. ``embedder`` names the factory
    of the local embedder ("package.module:factory").
    """

    def __init__(
        self,
        folder: Path,
        engine: Engine,
        *,
        model: str = DEFAULT_MODEL,
        embed_endpoint: EmbedEndpoint | None = None,
        chroma_url: str | None = None,
        threads: int | None = None,
        embedder: str = LOCAL_EMBEDDER,
    ) -> None:
        settings = BackendSettings(folder / "chroma", model, chroma_url, embed_endpoint, threads or _cores(), embedder)
        self._place = chroma_url or str(settings.folder)
        self._live = LiveCatalog()
        self._table = VectorTable()
        self._backend = Backend(settings, self._on_open)
        self.store = VectorStore(self._backend)
        """Vectors of others: memory keeps its own collections here."""
        self._purposes = PurposeTable()
        self._syncer = Syncer(self._backend, self.store, self._table, self._purposes, VectorCache(engine))
        self._started = False
        self._synced_at: datetime | None = None

    async def start(self, *, after: Callable[[], Awaitable[object]] | None = None) -> None:
        """Start the child process; returns at once, the store and the model load in the background.

        ``after`` is awaited before the child starts: loading keeps a whole core busy.
        """
        self._started = True
        self._backend.start(after)

    async def stop(self) -> None:
        """End the child process; a write under way is finished first."""
        self._started = False
        await self._backend.stop()

    @property
    def status(self) -> IndexStatus:
        """How it is doing, and what to do where it is not well."""
        phase, detail = self._phase()
        return IndexStatus(
            phase,
            detail,
            entities=len(self._live.entities),
            vectors=len(self._table),
            embedder=self._syncer.fingerprint,
            store=self._place,
            synced_at=self._synced_at,
        )

    def put(
        self, entities: Iterable[Entity], *, areas: Iterable[Area] | None = None, floors: Iterable[Floor] | None = None
    ) -> None:
        """Take the whole set of exposed entities: words and structure are current at once, nothing is embedded.

        What is not among them can no longer be found from now on. ``areas`` and ``floors`` make places known that
        hold no exposed entity.
        """
        self._live.put(entities, areas, floors)

    async def sync(self, *, force: bool = False, progress: Callable[[int, int], None] | None = None) -> SyncReport:
        """Bring the vectors in step with the entities that were put; embeds only what changed.

        Waits for the store and, where something must be embedded, for the model. ``force`` computes everything anew
        and rebuilds the store. ``progress`` is called with entities done and entities in all. Raises
        `EmbedderUnavailable` or a `StoreError`; words carry on.
        """
        report = await self._syncer.sync(self._live.entities, force=force, progress=progress)
        self._synced_at = datetime.now(UTC)
        return report

    async def sync_entity(self, entity_id: str) -> SyncReport:
        """As `sync`, for one entity; one that is not exposed (any more) is removed."""
        return await self._syncer.sync_one(entity_id, self._live.entities.get(entity_id))

    async def retrieve(self, text: str, situation: Situation, *, limit: int = 10) -> Retrieval:
        """What a sentence may mean, best first: at most ``limit``, or the whole set where it asks for one.

        Never raises: without an embedder or store, words and structure answer and ``degraded`` says why.
        """
        return await retrieve(await self._live.current(), text, situation, self._meaning, limit=limit)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32, each row of length 1. Raises `EmbedderUnavailable`, also while the model loads."""
        return await self._backend.embed(texts)

    async def rest(self) -> None:
        """Let the child process give memory back after much work."""
        await self._backend.rest()

    async def wait_ready(self) -> None:
        """Wait for the store and the model. Raises `EmbedderUnavailable` or a `StoreError` where one fails."""
        await self._backend.store.wait()
        await self._backend.embedder.wait()

    async def _on_open(self) -> None:
        await self._syncer.load()

    async def _meaning(self, text: str, unread: str, catalog: Catalog) -> Scores:
        """Near is what is described alike, by the sentence or by its unread part, and what serves its purpose."""
        if not len(self._table):
            raise EmbedderUnavailable(self.status.detail or "There are no vectors yet.")
        try:
            async with asyncio.timeout(_PATIENCE):
                whole, *part = await self.embed([text, unread] if unread else [text])
        except TimeoutError:
            raise EmbedderUnavailable("The embedder is busy.") from None
        described = self._table.scores(catalog, _SENTENCE * whole + _UNREAD * (part[0] if part else whole))
        return described + _PURPOSE * self._purposes.scores(catalog, self._table, whole)

    def _phase(self) -> tuple[Phase, str]:
        if not self._started:
            return Phase.WORDS, ""
        problems: list[IndexerError] = [
            p.error for p in (self._backend.store, self._backend.embedder) if p.error is not None
        ]
        if problems:
            return Phase.DEGRADED, f"{problems[0]} {problems[0].hint}".strip()
        if self._backend.store.ready and self._backend.embedder.ready:
            return Phase.READY, ""
        loading = "the embedding model" if self._backend.store.ready else "the vector store"
        return Phase.LOADING, f"Loading {loading}."


def _cores() -> int:
    return min(4, os.cpu_count() or 1)


__all__ = ["DEFAULT_MODEL", "EmbedEndpoint", "Index", "IndexStatus", "Phase", "SyncReport"]
