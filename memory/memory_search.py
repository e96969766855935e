"""Finds memories: by words at once, by meaning where there are vectors, by what this turn is about."""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from memory.memory_vectors import MemoryVectors
from memory.model import Memory, Recalled
from memory.recall import fuse
from memory.records import Kept, Records
from memory.word_search import WordIndex

_MORE = 20
"""Memories asked for beyond the limit, since some may fall to importance."""
_PULLED = 5
"""Most memories that the things a turn is about bring along."""
_PULL = 0.5
"""Relevance of a memory about a thing that the turn names, whatever its words."""
_IMPORTANT, _RECENT = 0.06, 0.03
"""How much importance and newness count beside relevance."""
_HALF_LIFE = 30.0
"""Days after which newness counts half."""
_MOST = 200
"""Memories of one scope that words bring up at most."""
_NEAR = 40
"""Memories that a new statement is compared with at most."""
_NEAR_FROM = 0.15
"""Share of its words that a memory must have for that."""


class Finder:
    """The words of all memories, by scope, made at the first use; and their vectors. Methods that block say so."""

    def __init__(self, records: Records, vectors: MemoryVectors, now: Callable[[], datetime]) -> None:
        self._records = records
        self._vectors = vectors
        self._now = now
        self._words: defaultdict[str | None, WordIndex] | None = None
        self._lock = threading.Lock()

    async def search(
        self,
        text: str,
        *,
        limit: int,
        least: float,
        user_id: str | None,
        floor: float,
        subjects: Sequence[str] = (),
        language: str | None = None,
    ) -> list[Recalled]:
        """What bears on ``text``: relevance first, then importance and newness; nothing under the floor."""
        by_words, by_meaning, pulled = await asyncio.gather(
            asyncio.to_thread(self.by_words, text, user_id, language),
            self._vectors.relevance(text, user_id, limit + _MORE),
            asyncio.to_thread(self._records.about, list(subjects), user_id, _PULLED),
        )
        scores = fuse(by_meaning, by_words)
        for memory_id in pulled:
            scores[memory_id] = 1 - (1 - scores.get(memory_id, 0.0)) * (1 - _PULL)
        scores = {key: score for key, score in scores.items() if score >= floor and score > 0}
        found = [
            Recalled(memory, round(scores[memory.id], 4), _reasons(memory.id, by_words, by_meaning, pulled))
            for memory in await asyncio.to_thread(self._best, scores, user_id, least, limit)
        ]
        return sorted(found, key=self._order, reverse=True)[:limit]

    def near(
        self, text: str, user_id: str | None, subjects: Iterable[str] = (), language: str | None = None
    ) -> list[str]:
        """Blocks. Ids of current memories of this very scope that may be about the same as ``text``."""
        with self._lock:
            words = self._loaded()
            found = words[user_id].match(text, _NEAR, language) if user_id in words else {}
        alike = [memory_id for memory_id, share in found.items() if share >= _NEAR_FROM]
        return [*alike, *self._records.about(list(subjects), user_id, _NEAR)]

    def by_words(self, text: str, user_id: str | None, language: str | None = None) -> dict[str, float]:
        """Blocks. Memory id -> share of the text's words, in all scopes that ``user_id`` may see."""
        with self._lock:
            words = self._loaded()
            scopes = [scope for scope in dict.fromkeys((None, user_id)) if scope in words]
            return {key: share for scope in scopes for key, share in words[scope].match(text, _MOST, language).items()}

    def put(self, memory: Memory) -> None:
        """Blocks. The memory can be found by its words from now on."""
        with self._lock:
            self._loaded()[memory.user_id].put(memory.id, memory.content)

    def remove(self, gone: Iterable[Kept]) -> None:
        """Blocks."""
        with self._lock:
            for memory in gone:
                self._loaded()[memory.user_id].remove(memory.id)

    def reload(self) -> None:
        """Read everything anew at the next use."""
        with self._lock:
            self._words = None

    def count(self) -> int:
        """Blocks."""
        with self._lock:
            return sum(len(index) for index in self._loaded().values())

    def _loaded(self) -> defaultdict[str | None, WordIndex]:
        if self._words is None:
            words: defaultdict[str | None, WordIndex] = defaultdict(WordIndex)
            for memory in self._records.current():
                words[memory.user_id].put(memory.id, memory.content)
            self._words = words
        return self._words

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

    def _order(self, recalled: Recalled) -> tuple[float, float, str]:
        memory = recalled.memory
        days = max(0.0, (self._now() - memory.updated_at).total_seconds() / 86400)
        more = _IMPORTANT * memory.importance + _RECENT * 0.5 ** (days / _HALF_LIFE)
        return (recalled.relevance_score + more, memory.updated_at.timestamp(), memory.id)


def _reasons(
    key: str, by_words: Mapping[str, float], by_meaning: Mapping[str, float] | None, pulled: Sequence[str]
) -> tuple[str, ...]:
    found = (("meaning", (by_meaning or {}).get(key, 0.0)), ("words", by_words.get(key, 0.0)))
    named = tuple(f"{name} {share:.2f}" for name, share in found if share > 0)
    return (*named, "subject") if key in pulled else named
