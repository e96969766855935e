"""In which order memories come: scores without a bound, what was told around, and only those that are looked for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from memory.model import Memory, MemoryType, Source, Subject
from memory.ranking import RankWeights, Sessions
from memory.records import Only
from memory.store import Memories
from tests.memory.fakes import HashEmbedder

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
WEIGHTS = RankWeights(before=0.4, after=0.3, around=0.1, session=0.5)


def told(number: int, content: str, session: str | None = None, **fields: object) -> Memory:
    at = MONDAY + timedelta(hours=number)
    source = Source("tool", conversation_id=session) if session else None
    values = {"user_id": None, "created_at": at, "updated_at": at, "valid_from": at, "source": source, **fields}
    return Memory(id=f"m{number}", content=content, type=MemoryType.FACT, importance=0.5, **values)  # type: ignore[arg-type]


async def first(memories: Memories, text: str, limit: int = 3, **fields: object) -> list[str]:
    found = await memories.search(text, limit=limit, min_relevance=0.0, **fields)  # type: ignore[arg-type]
    return [one.memory.id for one in found]


def test_a_conversation_lifts_what_was_told_in_it() -> None:
    sessions = Sessions()
    for number in range(5):
        sessions.put(f"m{number}", "monday")
    sessions.put("alone", "tuesday")
    sessions.put("outside", None)
    lifted = sessions.lifted({"m2": 1.0, "alone": 1.0, "outside": 1.0}, WEIGHTS)
    assert lifted == {"m0": 0.6, "m1": 0.8, "m2": 1.5, "m3": 0.9, "m4": 0.6, "alone": 1.5, "outside": 1.5}
    sessions.remove("m3")
    lifted = sessions.lifted({"m2": 1.0}, WEIGHTS)
    assert lifted == {"m0": 0.6, "m1": 0.8, "m2": 1.5, "m4": 0.6}, "the others keep their distance"
    sessions.put("m2", "monday")
    assert sessions.lifted({"m2": 1.0}, WEIGHTS) == lifted, "what is told again stays where it was"


async def test_an_answer_is_found_by_its_question(memories: Memories) -> None:
    said = ["Good morning", "Which colour is the shed going to be", "A dark green", "Lovely weather", "See you soon"]
    await memories.restore([told(n, text, "monday") for n, text in enumerate(said)])
    await memories.restore([told(10 + n, f"Something about number {n}", "tuesday") for n in range(30)])
    assert (await first(memories, "colour of the shed"))[:2] == ["m1", "m2"]
    found = await memories.search("colour of the shed")
    assert [one.memory.id for one in found] == ["m1"], "what bears on it only by its conversation is not brought up"


@pytest.mark.dear
async def test_of_very_many_much_alike_the_very_one_comes_first(memories: Memories, embedder: HashEmbedder) -> None:
    names, things = ["Anna", "Ben", "Carla", "Tom", "Mia"], ["ladder", "tent", "drill", "sledge", "bucket", "rope"]
    places, reasons = ["cellar", "attic", "shed", "garage", "hall"], ["for Ben", "for Anna", "since May", "in winter"]
    texts = [
        f"{name} keeps the {thing} of {owner} in the {place} {reason}"
        for name, thing, owner, place, reason in product(names, things, names, places, reasons)
        if name != owner
    ][:2_865]
    assert len(texts) > 2_000
    embedder.down = True
    await memories.restore([told(n, text) for n, text in enumerate(texts)])
    for number in range(7, len(texts), 302):
        found = await memories.search(texts[number], limit=3)
        assert found[0].memory.id == f"m{number}", texts[number]
        assert found[0].score > found[1].score
        assert all(0 <= one.relevance_score <= 1 for one in found)


async def test_meaning_adds_to_words_without_a_bound(memories: Memories) -> None:
    await memories.restore([told(0, "The sofa is red"), told(1, "The red thing is the sofa of the attic")])
    await memories.settled()
    found = await memories.search("The sofa is red")
    assert [one.memory.id for one in found][:1] == ["m0"]
    assert found[0].score > 1.3 > 1.0 == found[0].relevance_score


async def test_only_what_was_told_then_or_is_about_that_is_found(memories: Memories) -> None:
    lamp = (Subject("entity", "light.sofa", "the sofa lamp"),)
    await memories.restore([told(0, "The sofa lamp hums", subjects=lamp), told(24, "The desk lamp hums")])
    assert set(await first(memories, "which lamp hums")) == {"m0", "m24"}
    tuesday = MONDAY + timedelta(hours=12)
    assert await first(memories, "which lamp hums", only=Only(until=tuesday)) == ["m0"]
    assert await first(memories, "which lamp hums", only=Only(since=tuesday)) == ["m24"]
    assert await first(memories, "which lamp hums", only=Only(since=tuesday, about=("light.sofa",))) == []
    assert await first(memories, "which lamp hums", only=Only(about=("light.sofa",))) == ["m0"]


async def test_others_conversations_lift_nothing_that_is_not_theirs(memories: Memories) -> None:
    await memories.restore(
        [told(0, "Anna has a secret about the boat", "c", user_id="anna"), told(1, "Rain is likely", "c")]
    )
    assert await first(memories, "secret boat", user_id="ben") == []
    assert await first(memories, "secret boat", user_id="anna") == ["m0", "m1"]
