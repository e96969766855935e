"""How much of a question's evidence is among the first turns found: plain ways beside ours, on the same turns.

dense: cosine of the turn's and the question's vectors. words: BM25 over lower-case words. sum: both, each divided by
its best, added. ours: the memory itself, with each turn as a memory and no floor.
"""

from __future__ import annotations

import asyncio
import math
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from homeagent.assembly.foundation import open_engine
from homeagent.config.settings import Settings
from homeagent.evaluation.memory.in_memory_store import InMemoryStore
from homeagent.evaluation.memory.locomo import Conversation, Question, Said
from homeagent.evaluation.memory.playing import Embedder
from memory.checks import MAX_CONTENT, checked_content
from memory.identity import identity
from memory.model import Memory, MemoryType
from memory.store import Memories

AT = (5, 10, 20)
_WORD = re.compile(r"\w+")
_K1, _B = 1.2, 0.75
"""BM25's usual constants."""
_BATCH = 64
Scores = NDArray[np.float64]


async def measure(conversations: Sequence[Conversation], embedder: Embedder) -> dict[str, object]:
    """Recall of the evidence, 0 to 1, for each way at each of `AT`: the mean over questions of the share found.

    Without an embedder only ``words`` and ``ours`` are measured.
    """
    found: defaultdict[str, defaultdict[str, list[tuple[float, ...]]]] = defaultdict(lambda: defaultdict(list))
    for conversation in conversations:
        for name, rankings in (await _rankings(conversation, embedder)).items():
            for question, ranking in zip(conversation.questions, rankings, strict=True):
                found[name][question.category].append(tuple(_share(question, ranking[:k]) for k in AT))
    return {
        "conversations": len(conversations),
        "turns": sum(len(c.turns) for c in conversations),
        "questions": sum(len(c.questions) for c in conversations),
        "embedder": embedder.fingerprint,
        "at": AT,
        "recall": {name: _means([row for rows in parts.values() for row in rows]) for name, parts in found.items()},
        "by_category": {
            name: {category: _means(rows) for category, rows in sorted(parts.items())} for name, parts in found.items()
        },
    }


def _share(question: Question, ranking: Sequence[str]) -> float:
    return len(question.evidence & set(ranking)) / len(question.evidence)


def _means(rows: Sequence[tuple[float, ...]]) -> dict[str, float]:
    return {str(k): round(sum(column) / len(column), 4) for k, column in zip(AT, zip(*rows, strict=True), strict=True)}


async def _rankings(conversation: Conversation, embedder: Embedder) -> dict[str, list[list[str]]]:
    """For each way, the best turns of each question, as ids."""
    texts = [turn.text for turn in conversation.turns]
    questions = [question.text for question in conversation.questions]
    bm25 = Bm25(texts)
    by_words = np.array([bm25.scores(question) for question in questions]).reshape(len(questions), len(texts))
    ways: dict[str, Scores] = {"words": by_words}
    if embedder.there:
        dense = await _embedded(embedder, questions) @ (await _embedded(embedder, texts)).T
        ways = {"dense": dense, "words": by_words, "sum": _of_best(dense) + _of_best(by_words)}
    ranked = {name: [_best(conversation.turns, row) for row in scores] for name, scores in ways.items()}
    return ranked | {"ours": await _ours(conversation, embedder)}


def _of_best(scores: Scores) -> Scores:
    best = scores.max(axis=1, keepdims=True)
    return np.asarray(scores / np.where(best > 0, best, 1.0), dtype=np.float64)


def _best(turns: Sequence[Said], scores: Scores) -> list[str]:
    order = np.argsort(-scores, kind="stable")[: max(AT)]
    return [turns[place].id for place in order if scores[place] > 0]


async def _embedded(embedder: Embedder, texts: Sequence[str]) -> Scores:
    parts = [await embedder.embed(texts[at : at + _BATCH]) for at in range(0, len(texts), _BATCH)]
    return np.concatenate(parts).astype(np.float64)


class Bm25:
    """Okapi BM25 over texts in memory."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._counts = [Counter(_words(text)) for text in texts]
        self._lengths = np.array([sum(count.values()) for count in self._counts], dtype=np.float64)
        holders = Counter(word for count in self._counts for word in count)
        total = len(texts)
        self._weight = {word: math.log(1 + (total - n + 0.5) / (n + 0.5)) for word, n in holders.items()}

    def scores(self, query: str) -> Scores:
        """One score for each text, 0 where no word is shared."""
        found = np.zeros(len(self._counts))
        norm = _K1 * (1 - _B + _B * self._lengths / max(1.0, float(self._lengths.mean())))
        for word in set(_words(query)) & self._weight.keys():
            often = np.array([count[word] for count in self._counts], dtype=np.float64)
            found += self._weight[word] * often * (_K1 + 1) / (often + norm)
        return found


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


async def _ours(conversation: Conversation, embedder: Embedder) -> list[list[str]]:
    with tempfile.TemporaryDirectory() as folder:
        engine = await asyncio.to_thread(open_engine, Settings(data_dir=Path(folder)))
        memories = Memories(engine, embedder.embed, InMemoryStore(), fingerprint=lambda: embedder.fingerprint)
        await memories.start()
        try:
            await memories.restore(_told(conversation, memories.now()))
            if embedder.there:
                await memories.settled()
            return [await _found(memories, question.text) for question in conversation.questions]
        finally:
            await memories.stop()
            engine.dispose()


def _told(conversation: Conversation, now: datetime) -> list[Memory]:
    """Each turn as a memory of what somebody said then, under its own id. They are no claims: none replaces another.

    The same said again in the same session is one memory, the first.
    """
    said: dict[str, Memory] = {}
    for turn in conversation.turns:
        content = checked_content(f"{turn.speaker}, {turn.when}: {turn.text}"[:MAX_CONTENT])
        memory = Memory(
            id=turn.id,
            content=content,
            type=MemoryType.CONTEXT,
            importance=0.5,
            user_id=None,
            created_at=now,
            updated_at=now,
            valid_from=now,
        )
        said.setdefault(identity(content, None), memory)
    return list(said.values())


async def _found(memories: Memories, question: str) -> list[str]:
    found = await memories.search(question, limit=max(AT), min_relevance=0.0)
    return [one.memory.id for one in found]
