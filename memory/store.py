"""Memories: what is kept, found, listed and forgotten. The one door to everything that is remembered."""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine

from memory.errors import InvalidMemory
from memory.model import (
    MAX_CONTENT,
    Memory,
    MemoryType,
    Recalled,
    Source,
    checked_id,
    checked_limit,
    checked_share,
    checked_type,
    statement,
)
from memory.recall import FLOOR, fuse
from memory.records import Kept, Records
from memory.vectors import Embed, MemoryVectors, VectorStore
from memory.words import WordIndex

MAX_SEARCH = 100
MAX_LIST = 1000
_MORE = 20
"""Memories asked for beyond the limit, since some may fall to importance."""


@dataclass(frozen=True, slots=True)
class MemoriesStatus:
    """``problem`` says why memories are found by words alone (None: also by meaning, or soon)."""

    memories: int
    pending_vectors: int
    by_meaning: bool
    problem: str | None


class Memories:
    """Remembers statements in the database of ``engine``; finds them by words at once, by meaning as vectors follow.

    ``embed`` gives the vectors of texts, ``vectors`` keeps them, ``fingerprint`` names the embedder. ``floor`` is the
    relevance (0 to 1) under which `search` gives nothing. Between `start` and `stop` vectors are derived in the
    background; without it, words alone find.
    """

    def __init__(
        self,
        engine: Engine,
        embed: Embed,
        vectors: VectorStore,
        *,
        fingerprint: Callable[[], str | None] = lambda: None,
        floor: float = FLOOR,
    ) -> None:
        self._records = Records(engine)
        self._vectors = MemoryVectors(embed, vectors, fingerprint)
        self._words: defaultdict[str | None, WordIndex] | None = None
        self._lock = threading.Lock()
        self._floor = floor

    async def start(self) -> None:
        """Start deriving vectors in the background; returns at once."""
        self._vectors.start(lambda: asyncio.to_thread(lambda: list(self._records.current())))

    async def stop(self) -> None:
        await self._vectors.stop()

    async def status(self) -> MemoriesStatus:
        count = await asyncio.to_thread(self._count)
        return MemoriesStatus(count, self._vectors.pending, self._vectors.ready, self._vectors.problem)

    async def settled(self) -> None:
        """Wait until every memory has its vector. For imports and tests; it only ends when the embedder works."""
        await self._vectors.settled()

    async def add(
        self,
        content: str,
        *,
        type: str = MemoryType.FACT,
        importance: float = 0.5,
        user_id: str | None = None,
        language: str | None = None,
        source: Source | str | None = None,
    ) -> Memory:
        """Remember a statement, for the household or (``user_id``) for that user alone.

        When this returns, the database has it. The same statement again refreshes the memory that is there: newer, and
        at least as important. Raises InvalidMemory.
        """
        wanted = statement(content, type=type, importance=importance, user_id=user_id, language=language, source=source)
        memory = await asyncio.to_thread(self._records.add, wanted)
        await asyncio.to_thread(self._index, memory)
        if memory.id == wanted.id:
            self._vectors.put(_kept(memory))
        return memory

    async def search(
        self,
        query: str,
        *,
        limit: int = 10,
        min_importance: float = 0.0,
        user_id: str | None = None,
        min_relevance: float | None = None,
    ) -> list[Recalled]:
        """What is remembered that bears on ``query``, most relevant first; none where nothing does.

        The household's memories and, with ``user_id``, that user's. ``limit`` 1 to 100; ``min_importance`` and
        ``min_relevance`` (None: the floor) 0 to 1. Raises InvalidMemory.
        """
        text = _checked_query(query)
        checked_limit(limit, MAX_SEARCH)
        least = checked_share("min_importance", min_importance)
        floor = self._floor if min_relevance is None else checked_share("min_relevance", min_relevance)
        user = checked_id("user_id", user_id)
        by_words, by_meaning = await asyncio.gather(
            asyncio.to_thread(self._by_words, text, user), self._vectors.relevance(text, user, limit + _MORE)
        )
        scores = {key: score for key, score in fuse(by_meaning, by_words).items() if score >= floor and score > 0}
        recalled = [
            Recalled(memory, round(scores[memory.id], 4), _reasons(memory.id, by_words, by_meaning))
            for memory in await asyncio.to_thread(self._best, scores, user, least, limit)
        ]
        return sorted(recalled, key=_by_relevance, reverse=True)[:limit]

    async def list(
        self, *, memory_type: str | None = None, limit: int = 100, user_id: str | None = None
    ) -> list[Memory]:
        """The current memories, newest first: the household's and, with ``user_id``, that user's.

        ``limit`` 1 to 1000. Raises InvalidMemory.
        """
        wanted = None if memory_type is None else checked_type(memory_type)
        checked_limit(limit, MAX_LIST)
        user = checked_id("user_id", user_id)
        return await asyncio.to_thread(self._records.newest, memory_type=wanted, limit=limit, user_id=user)

    async def get(self, memory_id: str) -> Memory:
        """One memory, current or not. Raises MemoryNotFound."""
        return await asyncio.to_thread(self._records.get, memory_id)

    async def delete(self, memory_id: str) -> Memory:
        """Forget one memory, its vector too; what it was. Raises MemoryNotFound."""
        memory = await asyncio.to_thread(self._records.delete, memory_id)
        await self._forget([_kept(memory)])
        return memory

    async def clear(self) -> int:
        """Forget everything of everybody; how many memories that were."""
        gone = await asyncio.to_thread(self._records.clear)
        await self._forget(gone)
        return len(gone)

    async def _forget(self, gone: Sequence[Kept]) -> None:
        self._vectors.remove(gone)
        await asyncio.to_thread(self._unindex, gone)

    # In threads from here on: the words of all memories, by scope, made at the first use.

    def _loaded(self) -> defaultdict[str | None, WordIndex]:
        if self._words is None:
            words: defaultdict[str | None, WordIndex] = defaultdict(WordIndex)
            for memory in self._records.current():
                words[memory.user_id].put(memory.id, memory.content)
            self._words = words
        return self._words

    def _by_words(self, text: str, user_id: str | None) -> dict[str, float]:
        with self._lock:
            words = self._loaded()
            found = words[None].match(text)
            return found | words[user_id].match(text) if user_id is not None and user_id in words else found

    def _best(self, scores: Mapping[str, float], user_id: str | None, least: float, limit: int) -> Sequence[Memory]:
        """The best of those that the database has, that ``user_id`` may see and that are important enough.

        A few more than ``limit``, since importance decides among those about as relevant.
        """
        found: Sequence[Memory] = ()
        ordered = sorted(scores, key=scores.__getitem__, reverse=True)
        for start in range(0, len(ordered), limit + _MORE):
            memories = self._records.many(ordered[start : start + limit + _MORE], user_id).values()
            found = [*found, *(memory for memory in memories if memory.importance >= least)]
            if len(found) >= limit:
                break
        return found

    def _index(self, memory: Memory) -> None:
        with self._lock:
            self._loaded()[memory.user_id].put(memory.id, memory.content)

    def _count(self) -> int:
        with self._lock:
            return sum(len(index) for index in self._loaded().values())

    def _unindex(self, gone: Sequence[Kept]) -> None:
        with self._lock:
            for memory in gone:
                self._loaded()[memory.user_id].remove(memory.id)


def _checked_query(query: str) -> str:
    if not isinstance(query, str) or not query.strip():
        raise InvalidMemory("query", "it is empty.", hint="Say what to look for.")
    return query[:MAX_CONTENT]


def _kept(memory: Memory) -> Kept:
    return Kept(memory.id, memory.content, memory.user_id)


def _reasons(key: str, by_words: Mapping[str, float], by_meaning: Mapping[str, float] | None) -> tuple[str, ...]:
    found = (("meaning", (by_meaning or {}).get(key, 0.0)), ("words", by_words.get(key, 0.0)))
    return tuple(f"{name} {share:.2f}" for name, share in found if share > 0)


def _by_relevance(recalled: Recalled) -> tuple[float, float, float]:
    """Relevance decides; where it is about the same, importance and then newness."""
    memory = recalled.memory
    return (round(recalled.relevance_score, 2), memory.importance, memory.updated_at.timestamp())
