"""The index: what can be found in the home, by words at once and by meaning as soon as the embedder is loaded."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sqlalchemy import Engine

from indexer.entity import Area, Entity, Floor
from indexer.live import LiveCatalog
from indexer.retrieval import Retrieval, Situation
from indexer.retrieve import retrieve
from indexer.settings import DEFAULT_MODEL, EmbedEndpoint
from indexer.status import IndexStatus, Phase


class Index:
    """Finds entities. Lives on the event loop's thread."""

    def __init__(
        self,
        folder: Path,
        engine: Engine,
        *,
        model: str = DEFAULT_MODEL,
        embed_endpoint: EmbedEndpoint | None = None,
        chroma_url: str | None = None,
        threads: int = 1,
    ) -> None:
        self._live = LiveCatalog()

    async def start(self) -> None:
        """Returns at once; the embedder and the store load in the background."""

    async def stop(self) -> None:
        """End the child process."""

    @property
    def status(self) -> IndexStatus:
        return IndexStatus(Phase.WORDS, entities=len(self._live.entities))

    def put(
        self, entities: Iterable[Entity], *, areas: Iterable[Area] | None = None, floors: Iterable[Floor] | None = None
    ) -> None:
        """Take the whole set of exposed entities: words and structure are current at once, nothing is embedded.

        What is not among them can no longer be found from now on. ``areas`` and ``floors`` make places known that
        hold no exposed entity.
        """
        self._live.put(entities, areas, floors)

    async def retrieve(self, text: str, situation: Situation, *, limit: int = 10) -> Retrieval:
        """What a sentence may mean, best first."""
        return await retrieve(await self._live.current(), text, situation, None, limit=limit)
