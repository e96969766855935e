"""Whose memory it is decides who sees it and who changes it, whichever way somebody comes to it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from memory.extract import Candidate
from memory.model import Memory, Subject
from memory.outbox import Outbox
from memory.store import Memories
from memory.tables import OutboxRow

LAMP = (Subject("entity", "light.lamp"),)
Seen = Callable[[Memories, str | None], Awaitable[set[str]]]


async def told_by_three(memories: Memories) -> dict[str | None, Memory]:
    """The household, Anna and Ben each call a lamp something."""
    kept = {}
    for user_id, name in ((None, "cellar lamp"), ("anna", "cellar moon"), ("ben", "cellar sun")):
        kept[user_id] = await memories.add(
            f"The {name} is the lamp", key=f"nickname {name}", value="light.lamp", subjects=LAMP, user_id=user_id
        )
    return kept


async def searched(memories: Memories, user_id: str | None) -> set[str]:
    query = "cellar lamp moon sun"
    return {one.memory.id for one in await memories.search(query, user_id=user_id, min_relevance=0)}


async def searched_by_thing(memories: Memories, user_id: str | None) -> set[str]:
    found = await memories.search("zzz", user_id=user_id, subjects=["light.lamp"], min_relevance=0.1)
    return {one.memory.id for one in found}


async def listed(memories: Memories, user_id: str | None) -> set[str]:
    return {one.id for one in await memories.list(user_id=user_id)}


async def listed_with_history(memories: Memories, user_id: str | None) -> set[str]:
    return {one.id for one in await memories.list(user_id=user_id, history=True)}


async def called(memories: Memories, user_id: str | None) -> set[str]:
    return {one.id for one in await memories.nicknames(user_id)}


async def exported(memories: Memories, user_id: str | None) -> set[str]:
    return {one.id for one in await memories.export(user_id)}


async def logged(memories: Memories, user_id: str | None) -> set[str]:
    return {line.memory_id for line in await memories.log(user_id=user_id)}


async def meant(memories: Memories, user_id: str | None) -> set[str]:
    texts = ("the cellar lamp is the lamp", "the cellar moon is the lamp", "the cellar sun is the lamp")
    return {one.id for text in texts for one in await memories.meant.by(text, "en", user_id)}


WAYS = [searched, searched_by_thing, listed, listed_with_history, called, exported, logged, meant]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
async def test_everybody_sees_the_households_and_their_own(memories: Memories, way: Seen) -> None:
    kept = await told_by_three(memories)
    await memories.settled()
    assert await way(memories, None) == {kept[None].id}
    assert await way(memories, "anna") == {kept[None].id, kept["anna"].id}
    assert await way(memories, "ben") == {kept[None].id, kept["ben"].id}
    assert await way(memories, "Anna") == {kept[None].id}


async def test_a_profile_is_of_the_one_who_asks(memories: Memories) -> None:
    kept = {}
    for user_id, wish in ((None, "tea"), ("anna", "cocoa"), ("ben", "coffee")):
        kept[user_id] = await memories.add(f"The drink is {wish}", key="drink", value=wish, user_id=user_id)
    about_ben = (Subject("user", "ben"),)
    of_ben = await memories.add("Ben is allergic to nuts", key="allergy", value="nuts", subjects=about_ben)
    assert {one.id for one in await memories.profile("anna")} == {kept[None].id, kept["anna"].id}
    assert {one.id for one in await memories.profile("ben")} == {kept[None].id, kept["ben"].id, of_ben.id}
    assert {one.id for one in await memories.profile(None)} == {kept[None].id}


async def test_what_is_told_anew_replaces_in_its_own_scope_alone(memories: Memories) -> None:
    first = {}
    for user_id in (None, "anna", "ben"):
        first[user_id] = await memories.add("The drink is tea", key="drink", value="tea", user_id=user_id)
    now = await memories.add("The drink is cocoa", key="drink", value="cocoa", user_id="anna")
    assert await listed(memories, None) == {first[None].id}
    assert await listed(memories, "anna") == {first[None].id, now.id}
    assert await listed(memories, "ben") == {first[None].id, first["ben"].id}
    assert [one.id for one in await memories.history(now.id, "anna")] == [first["anna"].id]
    assert list(await memories.history(now.id, "ben")) == []
    assert list(await memories.history(now.id)) == []


async def test_what_a_candidate_would_replace_is_of_its_own_scope(memories: Memories) -> None:
    kept = {}
    for user_id in (None, "anna", "ben"):
        kept[user_id] = await memories.add("The drink is tea", key="drink", value="tea", user_id=user_id)
    wanted = Candidate("The drink is cocoa", key="drink", value="cocoa")
    for user_id in (None, "anna", "ben"):
        found = await memories.meant.contradicted(replace(wanted, user_id=user_id))
        assert {one.id for one in found} <= {kept[None].id, kept[user_id].id}
        assert kept[user_id].id in {one.id for one in found}


async def test_clearing_ones_own_leaves_the_others(memories: Memories) -> None:
    kept = await told_by_three(memories)
    await memories.settled()
    assert await memories.clear("anna") == 1
    assert {one.id for one in await memories.export(everybody=True)} == {kept[None].id, kept["ben"].id}
    for way in (searched, listed, called, meant):
        assert await way(memories, "anna") == {kept[None].id}
        assert await way(memories, "ben") == {kept[None].id, kept["ben"].id}
    assert await memories.clear() == 2
    assert list(await memories.export(everybody=True)) == []


async def test_deleting_takes_away_what_it_replaced_and_nobody_elses(memories: Memories) -> None:
    kept = await told_by_three(memories)
    await memories.delete(kept["anna"].id)
    assert {one.id for one in await memories.export(everybody=True)} == {kept[None].id, kept["ben"].id}
    assert await searched(memories, "ben") == {kept[None].id, kept["ben"].id}


async def test_the_log_of_one_memory_is_for_those_who_may_see_it(memories: Memories) -> None:
    kept = await told_by_three(memories)
    own = kept["anna"].id
    assert {line.memory_id for line in await memories.log(user_id="anna", memory_id=own)} == {own}
    assert list(await memories.log(user_id="ben", memory_id=own)) == []
    assert list(await memories.log(memory_id=own)) == []


# --- the records themselves, which no search stands before


async def test_the_records_show_and_link_nothing_of_somebody_else(memories: Memories) -> None:
    kept = await told_by_three(memories)
    ids = [memory.id for memory in kept.values()]
    for user_id, others in ((None, ("anna", "ben")), ("anna", ("ben",)), ("ben", ("anna",))):
        visible = {memory.id for whose, memory in kept.items() if whose not in others}
        assert set(memories.records.many(ids, user_id)) == visible
        assert set(memories.records.about(["light.lamp"], user_id, 9)) == visible
    assert memories.records.about(["light.other"], "anna", 9) == []


async def test_what_one_clears_leaves_the_waiting_turns_of_others(memories: Memories) -> None:
    engine = memories.records.engine
    with engine.begin() as connection:
        for user_id in ("anna", "ben"):
            Outbox(engine, lambda: datetime.now(UTC)).put(connection, f"turn of {user_id}", {"user_id": user_id})
    memories.records.clear("anna", everybody=False)
    with Session(engine) as session:
        assert list(session.scalars(select(OutboxRow.turn_id))) == ["turn of ben"]
