"""What regular upkeep does, seen by what can still be found and by the log."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import Engine

from memory.extract import Candidate, TurnFacts
from memory.store import Memories
from tests.memory.fakes import DictStore, HashEmbedder

START = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


async def test_upkeep(engine: Engine, embedder: HashEmbedder, store: DictStore) -> None:
    time = [START]
    memories = Memories(engine, embedder, store, now=lambda: time[0])
    said = "The plumber comes on 5 March"
    await memories.take([Candidate(said)], TurnFacts(said, at=START))
    vital = await memories.add("Lisa is allergic to nuts", importance=0.95)
    dull = await memories.add("The fence was painted by Kowalski", importance=0.4)
    await memories.add("Guests are staying over", type="context")

    time[0] += timedelta(days=100)
    done = await memories.tend(most=100)
    assert (done.expired, done.faded) == (2, 1)
    assert {m.id: m.importance for m in await memories.list()} == {vital.id: 0.95, dull.id: 0.32}
    assert (await memories.tend(most=100)).faded == 0  # once a month at most

    for name in ("oak", "elm", "ash"):
        await memories.add(f"The {name} in the garden needs water", importance=0.5)
    done = await memories.tend(most=4)
    assert done.dropped == 1
    current = {m.id for m in await memories.list()}
    assert vital.id in current
    assert dull.id not in current
    assert {line.what for line in await memories.log(limit=50)} >= {"expired", "faded", "dropped"}
