"""Finds memories: by words at once, by meaning where there are vectors, by what this turn is about."""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from datetime import datetime

from memory.memory_vectors import MemoryVectors
from memory.model import Memory, Recalled
from memory.ranking import RankWeights, Sessions
from memory.recall import fuse
from memory.records import Kept, Only, Records
from memory.word_search import Shared, WordIndex

_MORE = 20
"""Memories read beyond the limit, since importance decides among those that are about as good."""
_NEAREST = 100
"""Memories that meaning brings up at least: what is lifted by its conversation may not be among the first."""
_NEAREST_OF_SOME = 1000
"""As many where only some memories are asked for, which the vectors do not know."""
_PULLED = 5
"""Most memories that the things a turn is about bring along."""
_PULL = 0.5
"""Relevance of a memory about a thing that the turn names, whatever its words."""
_IMPORTANT, _RECENT = 0.06, 0.03
"""How much importance and newness count beside the score."""
_HALF_LIFE = 30.0
"""Days after which newness counts half."""
_MOST = 200
"""Memories of one scope that words bring up at most."""
_NEAR = 40
"""Memories that a new statement is compared with at most."""
_SURELY_NEAR, _APART = 0.5, 0.1
"""How near the memory is that a correction means, and by how much nearer than any other. Of 225 corrections 126 have
such a one, and all these mean it."""
_NEAR_FROM = 0.15
"""Share of its words that a memory must have for that."""


class Finder:
    """The words of all memories, by scope, made at the first use; and their vectors. Methods that block say so."""

    def __init__(
        self,
        records: Records,
        vectors: MemoryVectors,
        now: Callable[[], datetime],
        weights: RankWeights = RankWeights(),  # noqa: B008 - it cannot be changed
    ) -> None:
        self._records = records
        self._vectors = vectors
        self._now = now
        self._weights = weights
        self._words: defaultdict[str | None, WordIndex] | None = None
        self._sessions = Sessions()
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
        only: Only | None = None,
    ) -> list[Recalled]:
        """What bears on ``text``, the best score first; nothing whose relevance is under the floor. ``only``: none but
        these."""
        ids = None if only is None else await asyncio.to_thread(self._records.chosen, only, user_id)
        nearest = max(_NEAREST, limit + _MORE) if ids is None else _NEAREST_OF_SOME
        by_words, by_meaning, pulled = await asyncio.gather(
            asyncio.to_thread(self.by_words, text, user_id, language, ids),
            self._vectors.nearness(text, user_id, nearest),
            asyncio.to_thread(self._records.about, list(subjects), user_id, _PULLED),
        )
        if ids is not None:
            by_meaning = by_meaning and {key: near for key, near in by_meaning.items() if key in ids}
            pulled = [key for key in pulled if key in ids]
        relevance = fuse(by_meaning, {key: found.share for key, found in by_words.items()})
        for memory_id in pulled:
            relevance[memory_id] = 1 - (1 - relevance.get(memory_id, 0.0)) * (1 - _PULL)
        scores = await asyncio.to_thread(self._scores, by_words, by_meaning, pulled)
        scores = {
            key: score
            for key, score in scores.items()
            if relevance.get(key, 0.0) >= floor and score > 0 and (ids is None or key in ids)
        }
        found = [
            Recalled(
                memory,
                round(relevance.get(memory.id, 0.0), 4),
                _reasons(memory.id, by_words, by_meaning, pulled),
                round(scores[memory.id], 4),
            )
            for memory in await asyncio.to_thread(self._best, scores, user_id, least, limit)
        ]
        return sorted(found, key=self._order, reverse=True)[:limit]

    def _scores(
        self, by_words: Mapping[str, Shared], by_meaning: Mapping[str, float] | None, pulled: Sequence[str]
    ) -> dict[str, float]:
        """The sum of all that speaks for each, without a bound, and what its conversation adds."""
        weights = self._weights
        own = dict.fromkeys(pulled, weights.named)
        for key, found in by_words.items():
            own[key] = own.get(key, 0.0) + found.share + weights.whole * found.whole + weights.pairs * found.pairs
        if by_meaning:
            farthest = min(by_meaning.values())  # the others are no nearer
            for key in {*own, *by_meaning}:
                own[key] = own.get(key, 0.0) + weights.meaning * by_meaning.get(key, farthest)
        with self._lock:
            return self._sessions.lifted(own, weights)

    async def nearest(self, text: str, user_id: str | None) -> str | None:
        """The id of the one memory that is near to ``text`` by meaning, with no other nearly as near; None: none is."""
        near = await self._vectors.nearness(text, user_id, 2) or {}
        ordered = sorted(near, key=near.__getitem__, reverse=True)
        second = max([0.0, *(near[key] for key in ordered[1:])])
        return ordered[0] if ordered and near[ordered[0]] >= max(_SURELY_NEAR, second + _APART) else None

    def near(
        self, text: str, user_id: str | None, subjects: Iterable[str] = (), language: str | None = None
    ) -> list[str]:
        """Blocks. Ids of current memories of this very scope that may be about the same as ``text``."""
        with self._lock:
            words = self._loaded()
            found = words[user_id].match(text, _NEAR, language) if user_id in words else {}
        alike = [memory_id for memory_id, share in found.items() if share >= _NEAR_FROM]
        return [*alike, *self._records.about(list(subjects), user_id, _NEAR)]

    def by_words(
        self, text: str, user_id: str | None, language: str | None = None, only: Set[str] | None = None
    ) -> dict[str, Shared]:
        """Blocks. Memory id -> what it shares of the text's words, in all scopes that ``user_id`` may see."""
        with self._lock:
            words = self._loaded()
            scopes = [scope for scope in dict.fromkeys((None, user_id)) if scope in words]
            return {
                key: found
                for scope in scopes
                for key, found in words[scope].shared(text, _MOST, language, only).items()
            }

    def put(self, memory: Memory) -> None:
        """Blocks. The memory can be found by its words from now on."""
        with self._lock:
            self._loaded()[memory.user_id].put(memory.id, memory.content)
            self._sessions.put(memory.id, memory.source.conversation_id if memory.source else None)

    def remove(self, gone: Iterable[Kept]) -> None:
        """Blocks."""
        with self._lock:
            for memory in gone:
                self._loaded()[memory.user_id].remove(memory.id)
                self._sessions.remove(memory.id)

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
            sessions = Sessions()
            for memory in self._records.current():
                words[memory.user_id].put(memory.id, memory.content)
                sessions.put(memory.id, memory.session)
            self._words, self._sessions = words, sessions
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
        return (recalled.score + more, memory.updated_at.timestamp(), memory.id)


def _reasons(
    key: str, by_words: Mapping[str, Shared], by_meaning: Mapping[str, float] | None, pulled: Sequence[str]
) -> tuple[str, ...]:
    words = by_words[key].share if key in by_words else 0.0
    found = (("meaning", min(1.0, (by_meaning or {}).get(key, 0.0))), ("words", words))
    named = tuple(f"{name} {share:.2f}" for name, share in found if share > 0)
    named = (*named, "subject") if key in pulled else named
    return named or ("conversation",)
