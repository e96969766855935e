"""How long memory takes among many memories: a search with its embedding, an add; Chroma and plain words beside it."""

from __future__ import annotations

import asyncio
import random
import re
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homeagent.config.settings import Settings
from homeagent.evaluation.memory.memory_run import embedding
from indexer.index import Index
from memory.model import Memory, MemoryType
from memory.store import Memories
from tests.bench.measure import Times, watching_the_loop

_SEARCHES, _ADDS, _WARM_UP = 100, 50, 5
_AT_ONCE = 5000
_OWN_SHARE = 0.2
"""How many of the memories are the asking user's own; the others are the household's."""

_PEOPLE = (
    "Anna", "Ben", "Clara", "David", "Emma", "Finn", "Grandma", "Hugo", "Ida", "Jonas", "Kim", "Lena", "Mia", "Noah",
    "Olga", "Paul", "the neighbour", "the plumber", "the babysitter", "Uncle Frank", "the gardener", "Vera", "Yusuf",
)  # fmt: skip
_DOES = (
    "keeps {thing} in {place}", "likes {thing} best in {place}", "wants {thing} out of {place}",
    "bought {thing} for {place}", "needs {thing} in {place} on Mondays", "repairs {thing} in {place} every spring",
    "never leaves {thing} in {place}", "calls the lamp beside {thing} in {place} the moon",
    "puts {thing} into {place} when it rains", "has promised {thing} in {place} to the school",
)  # fmt: skip
_THINGS = (
    "the ladder", "the red umbrella", "the drill", "the sewing machine", "the chess set", "the old radio", "the tent",
    "the cake tin", "the spare key", "the tax folder", "the violin", "the dog's leash", "the paint brushes",
    "the camping stove", "the microscope", "the winter coats", "the fuse wire", "the preserving jars", "the globe",
    "the screwdrivers", "the picnic basket", "the map of Norway", "the coffee filters", "the skates", "the humidifier",
    "the thermos", "the bird food", "the stamps", "the candles", "the fondue set",
)  # fmt: skip
_PLACES = (
    "the attic", "the cellar", "the garage", "the tool shed", "the pantry", "the study", "the hall cupboard",
    "the bathroom cabinet", "the kids' room", "the grey cabinet", "the car", "the summer house", "the laundry room",
    "the drawer under the oven", "the box behind the stairs", "the top shelf", "the office", "the greenhouse",
)  # fmt: skip
_ASKED = (
    "where is {thing}?", "who needs {thing} on Mondays?", "what is kept in {place}?", "what is repaired in {place}?",
    "who has been promised {thing}?", "does {who} like {thing}?",
)  # fmt: skip
_WHEN = (
    "",
    " in winter",
    " for the holidays",
    " since the move",
    " at weekends",
    " as a rule",
    " for guests",
    " by now",
)
_FTS = "SELECT content FROM kept WHERE kept MATCH ? ORDER BY rank LIMIT 10"
Vectors = NDArray[np.float32]


async def memory_times(size: int) -> dict[str, Any]:
    """Fills a store with ``size`` memories, then measures; the same texts and questions in plain Chroma and SQLite."""
    texts = _texts(size)
    asked = _questions(_SEARCHES + _WARM_UP)
    new = [f"Aunt Rosa says that {text}" for text in _texts(_ADDS, seed=7)]
    with tempfile.TemporaryDirectory() as folder:
        async with embedding(Settings(data_dir=Path(folder)), by_meaning=True) as (index, embedder):
            once = _Once(index, texts)
            ours = await _ours(Path(folder), index, once, embedder.fingerprint, texts, asked, new)
            chroma = await _chroma(Path(folder), index, once, texts, asked, new)
        words = _words(Path(folder), texts, asked, new)
    return {"memories": size, "ours": ours, "plain Chroma": chroma, "plain words (SQLite FTS5)": words}


class _Once:
    """Embeds the texts of the store once, for all that are compared; what is asked is embedded each time."""

    def __init__(self, index: Index, texts: Sequence[str]) -> None:
        self._embed = index.embed
        self._known: dict[str, Vectors] = {}
        self._texts = frozenset(texts)

    async def __call__(self, texts: Sequence[str]) -> Vectors:
        if not self._texts.issuperset(texts):
            return await self._embed(texts)
        if missing := [text for text in texts if text not in self._known]:
            self._known |= zip(missing, await self._embed(missing), strict=True)
        return np.stack([self._known[text] for text in texts])


async def _ours(
    folder: Path,
    index: Index,
    embed: _Once,
    fingerprint: str | None,
    texts: Sequence[str],
    asked: Sequence[str],
    new: Sequence[str],
) -> dict[str, Any]:
    from homeagent.assembly.foundation import open_engine

    engine = await asyncio.to_thread(open_engine, Settings(data_dir=folder))
    memories = Memories(engine, embed, index.store, fingerprint=lambda: fingerprint)
    await memories.start()
    started = time.perf_counter()
    for at in range(0, len(texts), _AT_ONCE):
        await memories.restore([_memory(text, at + place) for place, text in enumerate(texts[at : at + _AT_ONCE])])
    restored = time.perf_counter() - started
    await memories.settled()
    filled = time.perf_counter() - started
    async with watching_the_loop() as stalls:
        search = await _timed(lambda text: memories.search(text, user_id="anna", limit=10), asked)
        add = await _timed(lambda text: memories.add(text, user_id="anna"), new, warm_up=0)
    await memories.stop()
    engine.dispose()
    return {
        "restored_s": round(restored, 1),
        "filled_with_vectors_s": round(filled, 1),
        "search": str(search),
        "add": str(add),
        "worst_stall_of_the_loop_ms": round(stalls.worst_ms),
    }


async def _chroma(
    folder: Path, index: Index, embed: _Once, texts: Sequence[str], asked: Sequence[str], new: Sequence[str]
) -> dict[str, Any]:
    """A collection of Chroma's own making, in this process; embedded by the same child."""
    import chromadb
    from chromadb.config import Settings as ChromaSettings

    client = chromadb.PersistentClient(str(folder / "plain"), ChromaSettings(anonymized_telemetry=False))
    kept = client.create_collection("plain", metadata={"hnsw:space": "cosine"})
    for at in range(0, len(texts), _AT_ONCE):
        part = list(texts[at : at + _AT_ONCE])
        kept.add([str(at + place) for place in range(len(part))], await embed(part), documents=part)

    async def search(text: str) -> None:
        vectors = await index.embed([text])
        await asyncio.to_thread(lambda: kept.query(vectors, n_results=10))

    async def add(text: str) -> None:
        vectors = await index.embed([text])
        await asyncio.to_thread(lambda: kept.add([text], vectors, documents=[text]))

    return {"search": str(await _timed(search, asked)), "add": str(await _timed(add, new, warm_up=0))}


def _words(folder: Path, texts: Sequence[str], asked: Sequence[str], new: Sequence[str]) -> dict[str, Any]:
    with closing(sqlite3.connect(folder / "words.db")) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE VIRTUAL TABLE kept USING fts5(content)")
        with database:
            database.executemany("INSERT INTO kept VALUES (?)", ((text,) for text in texts))
        search, add = Times(), Times()
        for text in asked:
            query = " OR ".join(re.findall(r"\w+", text))
            with search.one():
                database.execute(_FTS, (query,)).fetchall()
        for text in new:
            with add.one(), database:
                database.execute("INSERT INTO kept VALUES (?)", (text,))
    search.ms = search.ms[_WARM_UP:]
    return {"search": str(search), "add": str(add)}


async def _timed(act: Callable[[str], Awaitable[object]], texts: Sequence[str], warm_up: int = _WARM_UP) -> Times:
    times = Times()
    for text in texts:
        with times.one():
            await act(text)
    times.ms = times.ms[warm_up:]
    return times


def _memory(text: str, number: int) -> Memory:
    at = datetime(2025, 3, 3, tzinfo=UTC)
    user = "anna" if number % round(1 / _OWN_SHARE) == 0 else None
    return Memory(
        id=f"memory-{number}",
        content=text,
        type=MemoryType.FACT,
        importance=0.5,
        user_id=user,
        created_at=at,
        updated_at=at,
        valid_from=at,
    )


def _texts(size: int, seed: int = 1) -> list[str]:
    """So many different statements, always the same ones."""
    chance = random.Random(seed)
    found: dict[str, None] = {}
    while len(found) < size:
        does = chance.choice(_DOES).format(thing=chance.choice(_THINGS), place=chance.choice(_PLACES))
        found[f"{chance.choice(_PEOPLE)} {does}{chance.choice(_WHEN)}"] = None
    return list(found)


def _questions(count: int) -> list[str]:
    chance = random.Random(2)
    return [
        chance.choice(_ASKED).format(
            thing=chance.choice(_THINGS), place=chance.choice(_PLACES), who=chance.choice(_PEOPLE)
        )
        for _ in range(count)
    ]
