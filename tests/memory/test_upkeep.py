"""What regular upkeep does, seen by what can still be found and by the log."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from sqlalchemy import Engine

from memory.extract import Candidate, Subject, TurnFacts
from memory.store import Memories
from tests.memory.fakes import DictStore, HashEmbedder

START = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


async def test_upkeep(engine: Engine, embedder: HashEmbedder, store: DictStore) -> None:
    time = [START]
    memories = Memories(engine, embedder, store, now=lambda: time[0])
    said = "The plumber comes on 5 March at 10:30"
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


async def test_what_is_merged_goes_on_answering_its_key(
    engine: Engine, embedder: HashEmbedder, store: DictStore
) -> None:
    time = [START]
    memories = Memories(engine, embedder, store, now=lambda: time[0])
    old = "The reading lamp is by the sofa"
    lamp = (Subject("entity", "light.sofa", "Sofa lamp"),)
    await memories.add(old, key="nickname reading lamp", value="light.sofa", category="fact", subjects=lamp)
    [named] = await memories.nicknames()
    time[0] += timedelta(hours=1)
    # As another process may have left it, which does not know of the first one.
    newer = replace(named, id="newer", content=f"{old} in winter", key=None, value=None, category=None, subjects=())
    await memories.restore([replace(newer, created_at=time[0], updated_at=time[0], valid_from=time[0])])
    assert (await memories.tend(most=100)).merged == 1
    [kept] = await memories.nicknames()
    assert (kept.id, kept.key, kept.value, kept.subjects) == ("newer", "nickname reading lamp", "light.sofa", lamp)
    exported = await memories.export(everybody=True)
    await memories.clear()
    assert (await memories.restore(exported)).added == 2
    await memories.add("It is light.desk", key="nickname reading lamp", value="light.desk", category="fact")
    assert [m.value for m in await memories.nicknames()] == ["light.desk"]
