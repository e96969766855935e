"""What is remembered stays, is found by those who may see it, and is gone when it is forgotten."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest
from sqlalchemy import Engine

from homeagent.errors import DatabaseError
from memory import memory_vectors as memory_vectors
from memory.errors import InvalidMemory, MemoryNotFound
from memory.model import MemoryType, Source
from memory.records import Records
from memory.store import Memories
from tests.memory.fakes import DictStore, HashEmbedder


def contents(recalled: list[object]) -> list[str]:
    return [found.memory.content for found in recalled]  # type: ignore[attr-defined]


async def test_what_is_added_can_be_read_back_whole(memories: Memories) -> None:
    source = Source("tool", conversation_id="c", turn_id="t", user_id="anna")
    added = await memories.add(
        " The  reading lamp\nis by the sofa ", type="preference", importance=0.8, language="en", source=source
    )
    kept = await memories.get(added.id)
    assert kept == added
    assert kept.content == "The reading lamp is by the sofa"
    assert (kept.type, kept.importance, kept.language, kept.source) == (MemoryType.PREFERENCE, 0.8, "en", source)
    assert kept.is_current(memories.now())
    assert kept.created_at == kept.updated_at == kept.valid_from
    assert kept.created_at.tzinfo is not None


async def test_it_is_found_by_meaning_once_its_vector_is_there(memories: Memories, store: DictStore) -> None:
    added = await memories.add("The reading lamp is by the sofa")
    await memories.add("The bins are collected on Tuesday")
    await memories.settled()
    assert added.id in store.ids_anywhere
    [found] = await memories.search("couch lamp reading")
    assert found.memory.id == added.id
    assert 0 < found.relevance_score <= 1
    assert any(reason.startswith("meaning") for reason in found.reasons)


async def test_an_unrelated_query_finds_nothing(memories: Memories) -> None:
    await memories.add("The reading lamp is by the sofa")
    await memories.add("Anna likes 19 degrees at night")
    await memories.settled()
    for query in ("what time is it?", "open the garage", "Wie spät ist es?", "打开厨房的灯", "!!!"):
        assert await memories.search(query) == []


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("Anna likes 19 degrees at night", "how many degrees does Anna like at night"),
        ("Die Leselampe steht neben dem Sofa", "Mach die Leselampe an"),
        ("Les poubelles sont ramassées le mardi", "Quand passent les poubelles ?"),
        ("De hond heet Bello", "Hoe heet de hond?"),
        ("Lisa es alérgica a los frutos secos", "¿A qué es alergica Lisa?"),
        ("안나는 밤에 19도를 좋아해요", "안나는 밤에 몇 도를 좋아해요?"),
        ("安娜晚上喜欢十九度", "安娜晚上喜欢多少度?"),
    ],
)
async def test_without_an_embedder_words_find_it_in_any_language(
    memories: Memories, embedder: HashEmbedder, content: str, query: str
) -> None:
    embedder.down = True
    await memories.add(content)
    assert contents(await memories.search(query)) == [content]
    assert await memories.search("turn on the hall heater") == []


async def test_an_add_is_kept_though_embedder_and_store_are_down_and_its_vector_follows(
    engine: Engine, embedder: HashEmbedder, store: DictStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_vectors, "_RETRY", (0.02, 0.02))
    embedder.down = store.down = True
    memories = Memories(engine, embedder, store, fingerprint=lambda: embedder.fingerprint)
    await memories.start()
    added = await memories.add("The reading lamp is by the sofa")
    assert contents(await memories.search("reading lamp")) == [added.content]
    await _until_problem(memories, "The embedder is down.")
    status = await memories.status()
    assert (status.memories, status.by_meaning) == (1, False)
    embedder.down = False
    await _until_problem(memories, "The store is down.")
    store.down = False
    await asyncio.wait_for(memories.settled(), 2)
    assert store.ids_anywhere == {added.id}
    assert (await memories.status()).problem is None
    await memories.stop()


async def test_it_is_well_again_once_the_store_is_though_nobody_asks_anything(
    memories: Memories, store: DictStore
) -> None:
    await memories.add("The kitchen window sticks")
    await memories.settled()
    store.down = True
    await memories.search("the window")
    assert (await memories.status()).problem == "The store is down."
    store.down = False
    async with asyncio.timeout(5):
        await memories.settled()
    assert (await memories.status()).problem is None


async def _until_problem(memories: Memories, problem: str) -> None:
    """Wait until the status tells this problem; what it told last is in the failure."""
    for _ in range(2000):
        told = (await memories.status()).problem
        if told == problem:
            return
        await asyncio.sleep(0.005)
    assert told == problem


async def test_a_store_that_fails_in_between_costs_meaning_and_nothing_else(
    memories: Memories, store: DictStore
) -> None:
    await memories.add("The reading lamp is by the sofa")
    await memories.settled()
    store.down = True
    [found] = await memories.search("reading lamp")
    assert found.reasons == ("words 1.00",)
    store.down = False
    [found] = await memories.search("reading lamp")
    assert len(found.reasons) == 2


async def test_an_embedder_that_hangs_costs_a_moment_and_words_answer(
    engine: Engine, embedder: HashEmbedder, store: DictStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_vectors, "_PATIENCE", 0.05)
    hanging = False

    async def embed(texts: list[str]) -> object:
        if hanging:
            await asyncio.Event().wait()
        return await embedder(texts)

    memories = Memories(engine, embed, store)  # type: ignore[arg-type]
    await memories.start()
    await memories.add("The reading lamp is by the sofa")
    await memories.settled()
    hanging = True
    [found] = await asyncio.wait_for(memories.search("reading lamp"), 2)
    assert found.reasons == ("words 1.00",)
    await memories.stop()


@pytest.mark.parametrize(
    "again",
    [
        "Anna likes 19 degrees at night",
        "anna likes 19 degrees at night.",
        "  Anna   likes 19 degrees at night! ",
    ],
)
async def test_the_same_statement_again_is_one_memory_and_newer(memories: Memories, again: str) -> None:
    first = await memories.add("Anna likes 19 degrees at night", importance=0.6)
    second = await memories.add(again, importance=0.2)
    assert second.id == first.id
    assert second.updated_at > first.updated_at
    assert second.importance == 0.6
    assert len(await memories.list()) == 1


@pytest.mark.parametrize(
    "other",
    [
        "Anna likes 20 degrees at night",
        "Anna likes -19 degrees at night",
        "Anna likes 1.9 degrees at night",
        "Anna doesn't like 19 degrees at night",
    ],
)
async def test_another_number_or_a_negation_takes_the_place_of_the_old_statement(
    memories: Memories, other: str
) -> None:
    first = await memories.add("Anna likes 19 degrees at night")
    second = await memories.add(other)
    assert [m.id for m in await memories.list()] == [second.id]
    assert contents(await memories.search("how many degrees does Anna like at night")) == [second.content]
    old = await memories.get(first.id)
    assert (old.is_current(memories.now()), old.superseded_by) == (False, second.id)
    assert [m.id for m in await memories.history(second.id)] == [first.id]


@pytest.mark.parametrize("other", ["Anna likes 19 degrees at night?", "Ana likes 19 degrees at night"])
async def test_a_question_or_another_name_is_another_statement(memories: Memories, other: str) -> None:
    first = await memories.add("Anna likes 19 degrees at night")
    second = await memories.add(other)
    assert first.id != second.id
    assert len(await memories.list()) == 2


async def test_the_same_statement_in_two_scopes_is_two_memories(memories: Memories) -> None:
    added = {(await memories.add("I like tea", user_id=user)).id for user in (None, "anna", "ben")}
    assert len(added) == 3


@pytest.mark.dear
async def test_a_hundred_at_once_with_repeats_are_kept_once_each(memories: Memories) -> None:
    await asyncio.gather(*(memories.add(f"Sensor {n % 25} is in the cellar") for n in range(100)))
    assert len(await memories.list(limit=1000)) == 25


async def test_a_private_memory_is_its_users_alone_in_every_way(memories: Memories, store: DictStore) -> None:
    secret = await memories.add("Anna hides the present in the cellar", user_id="anna")
    shared = await memories.add("The gas meter is in the cellar")
    await memories.settled()
    query = "what is in the cellar, the present?"
    for stranger in ("ben", None, "Anna", "anna ", "ANNA"):
        store.queried.clear()
        found = await memories.search(query, user_id=stranger, min_relevance=0)
        assert secret.id not in {r.memory.id for r in found}
        assert secret.id not in {m.id for m in await memories.list(user_id=stranger)}
        holders = {name for name, kept in store.collections.items() if secret.id in kept}
        assert holders.isdisjoint(store.queried)
    found = await memories.search(query, user_id="anna", min_relevance=0)
    assert {r.memory.id for r in found} == {secret.id, shared.id}


async def test_deleting_deletes_row_words_and_vector(memories: Memories, store: DictStore, tmp_path: Path) -> None:
    kept = await memories.add("The gas meter is in the cellar")
    gone = await memories.add("The ferry is called Zanzibar")
    await memories.settled()
    assert (await memories.delete(gone.id)).content == gone.content
    with pytest.raises(MemoryNotFound):
        await memories.get(gone.id)
    with pytest.raises(MemoryNotFound):
        await memories.delete(gone.id)
    assert await memories.search("ferry Zanzibar", min_relevance=0) == []
    await memories.settled()
    assert store.ids_anywhere == {kept.id}
    assert not any("Zanzibar" in document for document in store.documents)


async def test_a_memory_deleted_while_its_vector_is_made_leaves_none(
    engine: Engine, store: DictStore, embedder: HashEmbedder
) -> None:
    going_on, finish = asyncio.Event(), asyncio.Event()

    async def slow(texts: list[str]) -> object:
        if any("Zanzibar" in text for text in texts):
            going_on.set()
            await finish.wait()
        return await embedder(texts)

    memories = Memories(engine, slow, store)  # type: ignore[arg-type]
    await memories.start()
    gone = await memories.add("The ferry is called Zanzibar")
    await going_on.wait()
    await memories.delete(gone.id)
    finish.set()
    await asyncio.wait_for(memories.settled(), 2)
    assert store.ids_anywhere == set()
    await memories.stop()


async def test_clearing_says_how_many_and_leaves_nothing(memories: Memories, store: DictStore) -> None:
    for user in (None, None, "anna"):
        await memories.add(f"Sensor {len(await memories.list())} is of {user}", user_id=user)
    await memories.settled()
    assert await memories.clear() == 3
    assert await memories.list(user_id="anna") == []
    await memories.settled()
    assert store.ids_anywhere == set()
    assert await memories.clear() == 0


async def test_vectors_that_are_missing_or_left_over_are_put_right_at_the_next_start(
    engine: Engine, memories: Memories, embedder: HashEmbedder, store: DictStore
) -> None:
    first = await memories.add("The gas meter is in the cellar")
    second = await memories.add("Anna likes tea", user_id="anna")
    await memories.settled()
    await memories.stop()
    [household] = [kept for kept in store.collections.values() if first.id in kept]
    household["left-over"] = household.pop(first.id)
    again = Memories(engine, embedder, store, fingerprint=lambda: embedder.fingerprint)
    await again.start()
    embedder.texts.clear()
    await asyncio.wait_for(again.settled(), 2)
    assert store.ids_anywhere == {first.id, second.id}
    assert "Anna likes tea" not in embedder.texts
    assert contents(await again.search("where is the gas meter")) == [first.content]
    await again.stop()


@pytest.mark.parametrize("reading", ["current", "installation"])
async def test_vectors_follow_once_the_database_can_be_read_again(
    engine: Engine,
    embedder: HashEmbedder,
    store: DictStore,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    reading: str,
) -> None:
    caplog.set_level(logging.INFO)
    memories = Memories(engine, embedder, store, fingerprint=lambda: embedder.fingerprint)
    added = await memories.add("The gas meter is in the cellar")
    read, down = getattr(Records, reading), [True]

    def reading_or_not(records: Records) -> object:
        if down:
            raise DatabaseError("The disk is full.")
        return read(records)

    monkeypatch.setattr(Records, reading, reading_or_not)
    again = Memories(engine, embedder, store, fingerprint=lambda: embedder.fingerprint)
    await again.start()
    await asyncio.sleep(0.2)
    assert "The memories cannot be read: The disk is full." in caplog.text
    down.clear()
    await asyncio.wait_for(again.settled(), 4)
    assert (await again.status()).by_meaning
    assert store.ids_anywhere == {added.id}
    await again.stop()


async def test_another_embedder_gets_vectors_of_its_own(
    engine: Engine, memories: Memories, embedder: HashEmbedder, store: DictStore
) -> None:
    added = await memories.add("The reading lamp is by the sofa")
    await memories.settled()
    embedder.fingerprint = "hash-2"
    assert contents(await memories.search("reading lamp by the couch")) == [added.content]
    await asyncio.wait_for(memories.settled(), 2)
    [found] = await memories.search("reading lamp by the couch")
    assert any(reason.startswith("meaning") for reason in found.reasons)
    assert len([1 for kept in store.collections.values() if added.id in kept]) == 1  # the old one's is gone


async def test_a_vector_whose_user_has_nothing_left_goes_too(
    engine: Engine, memories: Memories, embedder: HashEmbedder, store: DictStore
) -> None:
    secret = await memories.add("Anna hides the present in the cellar", user_id="anna")
    await memories.settled()
    store.down = True
    await memories.delete(secret.id)
    await memories.stop()
    assert store.ids_anywhere == {secret.id}
    store.down = False
    again = Memories(engine, embedder, store, fingerprint=lambda: embedder.fingerprint)
    await again.start()
    await asyncio.wait_for(again.settled(), 2)
    assert store.ids_anywhere == set()
    await again.stop()


async def test_importance_limit_and_order(memories: Memories) -> None:
    for bulb, importance in (("kora", 0.1), ("tima", 0.9), ("lugo", 0.5)):
        await memories.add(f"The reading lamp takes the bulb {bulb}", importance=importance)
    found = await memories.search("reading lamp bulb")
    assert [r.memory.importance for r in found] == [0.9, 0.5, 0.1]
    assert len(await memories.search("reading lamp bulb", limit=1)) == 1
    important = await memories.search("reading lamp bulb", min_importance=0.5)
    assert {r.memory.importance for r in important} == {0.9, 0.5}


async def test_the_list_is_newest_first_by_type_and_limited(memories: Memories) -> None:
    await memories.add("One", type="fact")
    await memories.add("Two", type="event")
    await memories.add("Three", type="fact")
    await memories.add("one")
    assert [m.content for m in await memories.list()] == ["One", "Three", "Two"]
    assert [m.content for m in await memories.list(memory_type="fact", limit=1)] == ["One"]
    assert [m.content for m in await memories.list(memory_type="event")] == ["Two"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"content": ""}, "content"),
        ({"content": " \n "}, "content"),
        ({"content": "..."}, "content"),
        ({"content": "x" * 2001}, "2001 characters"),
        ({"content": "a\ud800b"}, "not valid text"),
        ({"content": "ok", "importance": 1.1}, "importance"),
        ({"content": "ok", "importance": float("nan")}, "importance"),
        ({"content": "ok", "importance": True}, "importance"),
        ({"content": "ok", "type": "rumour"}, "fact, preference, context, event"),
        ({"content": "ok", "user_id": ""}, "user_id"),
    ],
)
async def test_what_cannot_be_remembered_is_refused_with_the_reason(
    memories: Memories, fields: dict[str, object], said: str
) -> None:
    with pytest.raises(InvalidMemory) as raised:
        await memories.add(**fields)  # type: ignore[arg-type]
    assert said in f"{raised.value} {raised.value.hint}"
    assert await memories.list() == []


@pytest.mark.parametrize(
    "fields",
    [
        {"query": ""},
        {"query": "  "},
        {"query": "x", "limit": 0},
        {"query": "x", "limit": 101},
        {"query": "x", "min_importance": -0.1},
        {"query": "x", "min_relevance": 2},
    ],
)
async def test_a_search_that_cannot_be_is_refused(memories: Memories, fields: dict[str, object]) -> None:
    with pytest.raises(InvalidMemory):
        await memories.search(**fields)  # type: ignore[arg-type]


async def test_a_very_long_query_is_fine(memories: Memories) -> None:
    await memories.add("The reading lamp is by the sofa")
    await memories.search("lorem ipsum " * 10_000)
