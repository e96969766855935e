"""The memories' vectors: derived from the database in the background, one collection per scope and embedder.

A private memory's vector is in its user's own collection, so no query of another user can meet it. When the embedder
or the store is down, everything waits here and is caught up with later; nothing of it is needed to keep a memory.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from indexer.documents import Store
from indexer.errors import IndexerError
from memory.recall import Vectors, Yardstick, anchors
from memory.records import Kept

T = TypeVar("T")
Embed = Callable[[Sequence[str]], Awaitable[NDArray[np.float32]]]
"""Texts -> (n, d) float32, each of length 1. Raises IndexerError where there is no embedder."""

_BATCH = 16
"""Texts embedded at once: few, since a person's query may wait behind them."""
_RETRY = (0.5, 10.0)
"""Seconds between attempts: at first, and at most."""
_PATIENCE = 1.0
"""Seconds that a person waits for meaning."""
_COMPARE_EVERY = 600.0
"""Seconds after which the store is compared again although nothing happened: it may have been rebuilt."""
_ALL = "memories-"
_HOUSEHOLD = "household"
_log = logging.getLogger(__name__)


class MemoryVectors:
    """Keeps the store's vectors in step with what there is to find, and asks them.

    ``fingerprint`` names the embedder that is loaded (model, dimension, text version); another one gets collections of
    its own, made anew. ``installation`` (blocks) names this home among those that share the store.
    """

    def __init__(
        self,
        embed: Embed,
        store: Store,
        fingerprint: Callable[[], str | None],
        installation: Callable[[], str] = lambda: "",
    ) -> None:
        self._embed = embed
        self._store = store
        self._fingerprint = fingerprint
        self._installation = installation
        self._home = ""
        """What all collections of this installation begin with; others may be on the same server."""
        self.measured: str | None = None
        """The fingerprint of the embedder that the vectors are of."""
        self._yardstick: Yardstick | None = None
        self._prefix = ""
        self._unsure = True
        """Whether the store may differ from what is waiting and leaving."""
        self._waiting: dict[str, Kept] = {}
        self._leaving: dict[str, Kept] = {}
        self._wake = asyncio.Event()
        self._settled = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.problem: str | None = None
        """Why vectors are not to be had at the moment; None: they are, or are on their way."""

    @property
    def pending(self) -> int:
        """How many changes have not reached the store."""
        return len(self._waiting) + len(self._leaving)

    @property
    def ready(self) -> bool:
        """Whether memories can be found by meaning."""
        return self._yardstick is not None and self.problem is None

    def start(self, everything: Callable[[], Sequence[Kept]]) -> None:
        """Catch up with ``everything`` (blocks) there is, and follow from then on."""
        self._task = asyncio.create_task(self._follow(everything), name="memory vectors")

    async def stop(self) -> None:
        """Stop following; what has not reached the store is found missing at the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    def put(self, memory: Kept) -> None:
        """Have a new or changed memory embedded in the background."""
        self._leaving.pop(memory.id, None)
        self._waiting[memory.id] = memory
        self._changed()

    def remove(self, memories: Iterable[Kept]) -> None:
        """Have these memories' vectors removed in the background."""
        for memory in memories:
            self._waiting.pop(memory.id, None)
            self._leaving[memory.id] = memory
        self._changed()

    def _changed(self) -> None:
        self._settled.clear()
        self._wake.set()

    async def settled(self) -> None:
        """Wait until the store has everything. Only returns when embedder and store work."""
        await self._settled.wait()

    async def nearness(self, query: str, user_id: str | None, k: int) -> dict[str, float] | None:
        """Memory id -> how near it is (see `Yardstick`) of the ``k`` nearest in each scope that ``user_id`` may see.

        None: there are no vectors to ask at the moment, and ``problem`` says why.
        """
        if self._yardstick is None or self._prefix != self._prefix_now():
            self._changed()
            return None
        yardstick = self._yardstick
        try:
            async with asyncio.timeout(_PATIENCE):
                [vector] = await self._embed([query])
                scopes = [None] if user_id is None else [None, user_id]
                near = await asyncio.gather(*(self._store.query(self._collection(s), vector, k) for s in scopes))
        except TimeoutError:  # busy with much else, such as a new index: words are enough for this once
            return None
        except IndexerError as error:
            self._fail(error)
            self._changed()
            return None
        self.problem = None
        similar = {memory_id: similarity for found in near for memory_id, similarity in found}
        return yardstick.nearness(vector, similar)

    async def _follow(self, everything: Callable[[], Sequence[Kept]]) -> None:
        pause = 0.0
        while True:
            self._wake.clear()
            try:
                await self._catch_up(everything)
                pause = 0.0
                if not self.pending and not self._unsure:
                    self._settled.set()
                async with asyncio.timeout(_COMPARE_EVERY):
                    await self._wake.wait()
            except IndexerError as error:
                self._fail(error)
                pause = min(max(pause * 2, _RETRY[0]), _RETRY[1])
                await asyncio.sleep(pause)
            except TimeoutError:
                self._unsure = True

    async def _catch_up(self, everything: Callable[[], Sequence[Kept]]) -> None:
        if self._yardstick is None or self._prefix != self._prefix_now():
            await self._measure()
        if self._unsure:
            await self._compare(await _read(everything))
            self.problem = None
        while batch := list(self._waiting.values())[:_BATCH]:
            await self._write(batch)
        for collection, ids in self._by_collection(self._leaving.values()).items():
            await self._store.delete(collection, ids)
            for memory_id in ids:
                self._leaving.pop(memory_id, None)

    async def _measure(self) -> None:
        """Take the measure of the embedder that is there now."""
        self._yardstick = None
        vectors = np.asarray(await self._embed(anchors()), dtype=np.float32)
        if not self._home:
            self._home = f"{_ALL}{_short(await _read(self._installation))[:12]}-"
        self._prefix = self._prefix_now()
        self.measured = self._fingerprint()
        self._unsure = True
        self._yardstick = Yardstick.of(vectors)

    async def _compare(self, everything: Sequence[Kept]) -> None:
        """Note what the store lacks of ``everything``; remove what it has that is gone, or of another embedder."""
        there_is = {memory.id: memory for memory in everything}
        stored: set[str] = set()
        for collection in await self._store.names(self._home):
            ids = await self._store.ids(collection)
            mine = collection.startswith(self._prefix)
            current = {i for i in ids if mine and (i in there_is or i in self._waiting)}
            if gone := [i for i in ids if i not in current]:
                await self._store.delete(collection, gone)
            stored |= current
        for memory_id, memory in there_is.items():
            if memory_id not in stored and memory_id not in self._leaving:
                self._waiting[memory_id] = memory
        self._unsure = False

    async def _write(self, batch: Sequence[Kept]) -> None:
        vectors: Vectors = np.asarray(await self._embed([memory.content for memory in batch]), dtype=np.float32)
        rows = {memory.id: row for row, memory in enumerate(batch)}
        for collection, ids in self._by_collection(batch).items():
            wanted = [memory_id for memory_id in ids if memory_id in self._waiting]  # not deleted meanwhile
            if wanted:
                chosen = vectors[[rows[memory_id] for memory_id in wanted]]
                # The statement itself stays in the database alone: what is deleted there is then gone.
                await self._store.upsert(collection, wanted, chosen, [{"of": "memory"}] * len(wanted), wanted)
            for memory_id in ids:
                self._waiting.pop(memory_id, None)

    def _by_collection(self, memories: Iterable[Kept]) -> dict[str, list[str]]:
        grouped: dict[str, list[str]] = {}
        for memory in memories:
            grouped.setdefault(self._collection(memory.user_id), []).append(memory.id)
        return grouped

    def _collection(self, user_id: str | None) -> str:
        return f"{self._prefix}-{_HOUSEHOLD if user_id is None else 'user-' + _short(user_id)}"

    def _prefix_now(self) -> str:
        return f"{self._home}{_short(self._fingerprint() or 'unnamed')}"

    def _fail(self, error: IndexerError) -> None:
        if self.problem is None:
            _log.info("memories are found by words alone for now: %s %s", error, error.hint)
        self.problem = str(error)
        self._unsure = True
        self._settled.clear()


async def _read(read: Callable[[], T]) -> T:
    """What the database gives. Raises IndexerError where it cannot: vectors have to wait for it then."""
    try:
        return await asyncio.to_thread(read)
    except Exception as error:  # whatever a database can raise
        raise IndexerError(f"The memories cannot be read: {error}") from error


def _short(text: str) -> str:
    """A name that any store takes, whatever is in ``text``."""
    return hashlib.sha256(text.encode()).hexdigest()[:24]
