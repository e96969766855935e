"""What a turn leaves behind: one current truth, its history, and a line for everything that happened."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine

from memory.edits import Restored
from memory.errors import InvalidMemory
from memory.extract import Candidate, Outcome, Subject, TurnFacts
from memory.model import Memory
from memory.store import Memories
from tests.memory.fakes import DictStore, HashEmbedder

MONDAY = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.time = MONDAY

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def memories(engine: Engine, embedder: HashEmbedder, store: DictStore, clock: Clock) -> AsyncIterator[Memories]:
    memories = Memories(engine, embedder, store, fingerprint=lambda: embedder.fingerprint, now=clock)
    await memories.start()
    yield memories
    await memories.stop()


async def tell(
    memories: Memories, said: str, *candidates: Candidate, turn: str = "t", **facts: object
) -> list[Outcome]:
    told = TurnFacts(said, turn_id=turn, conversation_id="c", at=memories.now(), **facts)  # type: ignore[arg-type]
    return await memories.take(candidates or [Candidate(said)], told)


def kinds(outcomes: list[Outcome]) -> list[tuple[str, str | None]]:
    return [(outcome.kind.value, outcome.reason) for outcome in outcomes]


async def test_a_new_value_takes_over_and_the_old_one_is_history(memories: Memories, clock: Clock) -> None:
    [first] = await tell(memories, "Anna likes 19 degrees at night", turn="1")
    clock.time += timedelta(days=1)
    [second] = await tell(memories, "Anna likes 20 degrees at night", turn="2")
    assert kinds([first, second]) == [("stored", None), ("superseded", "new_value")]
    assert second.replaced == (first.memory.id,)  # type: ignore[union-attr]
    [current] = await memories.list()
    assert current.content == "Anna likes 20 degrees at night"
    [old] = await memories.history(current.id)
    assert (old.content, old.valid_to) == ("Anna likes 19 degrees at night", clock.time)
    found = await memories.search("how many degrees does Anna like at night")
    assert [one.memory.id for one in found] == [current.id]


async def test_back_and_forth_leaves_one_current_truth(memories: Memories) -> None:
    for turn, degrees in enumerate((19, 20, 19, 20, 19)):
        await tell(memories, f"Anna likes {degrees} degrees at night", turn=str(turn))
    [current] = await memories.list()
    assert current.content == "Anna likes 19 degrees at night"
    assert len(await memories.history(current.id)) == 4


async def test_a_contradiction_leaves_exactly_one(memories: Memories) -> None:
    await tell(memories, "Lisa is allergic to nuts", turn="1")
    [now] = await tell(memories, "Lisa is not allergic to nuts", turn="2")
    assert now.reason == "contradiction"
    assert [m.content for m in await memories.list()] == ["Lisa is not allergic to nuts"]


async def test_the_same_twice_is_one_memory_and_newer(memories: Memories, clock: Clock) -> None:
    [first] = await tell(memories, "Anna likes 19 degrees at night")
    clock.time += timedelta(hours=1)
    [again] = await tell(memories, "At night Anna prefers 19 degrees", turn="2")
    assert again.kind == "refreshed"
    [one] = await memories.list()
    assert one.id == first.memory.id  # type: ignore[union-attr]
    assert one.updated_at == clock.time


async def test_both_sides_of_a_correction_in_one_turn_leave_the_right_one(memories: Memories) -> None:
    await tell(memories, "Anna likes 19 degrees at night", turn="1")
    said = "Anna likes 20 degrees at night, 19 was too cold"
    noisy = [Candidate("Anna likes 20 degrees at night"), Candidate("Anna likes 19 degrees at night")]
    outcomes = await tell(memories, said, *noisy, turn="2")
    assert kinds(outcomes) == [("superseded", "new_value"), ("refused", "stale")]
    assert [m.content for m in await memories.list()] == ["Anna likes 20 degrees at night"]


async def test_a_guess_does_not_undo_what_was_told(memories: Memories) -> None:
    await tell(memories, "Anna likes 19 degrees at night", turn="1")
    said = "Anna has 22 degrees at night, she likes that"
    [guess] = await tell(memories, said, Candidate("Anna likes 22 degrees at night", inferred=True), turn="2")
    assert kinds([guess]) == [("refused", "inferred")]


async def test_a_model_may_say_what_is_replaced_but_not_nonsense(memories: Memories) -> None:
    [old] = await tell(memories, "The spare key is with the neighbours", turn="1")
    [other] = await tell(memories, "The bins are collected on Tuesday", turn="1b")
    new = Candidate("Tom keeps the spare key", replaces=(old.memory.id, other.memory.id, "no-such"))  # type: ignore[union-attr]
    [outcome] = await tell(memories, "Tom keeps the spare key these days", new, turn="2")
    assert outcome.replaced == (old.memory.id,)  # type: ignore[union-attr]
    assert {m.content for m in await memories.list()} == {
        "Tom keeps the spare key",
        "The bins are collected on Tuesday",
    }


async def test_an_event_lives_until_it_is_over(memories: Memories, clock: Clock) -> None:
    [outcome] = await tell(memories, "The dentist is on 5 March at 10:30")
    assert outcome.memory is not None
    assert outcome.memory.type == "event"
    clock.time += timedelta(days=3)
    assert len(await memories.search("when is the dentist")) == 1
    clock.time += timedelta(days=1)
    assert await memories.search("when is the dentist") == []
    assert await memories.list() == []
    [again] = await tell(memories, "The dentist is on 5 April at 10:30", turn="2")
    assert again.kind == "stored"


async def test_private_stays_private_and_scopes_do_not_mix(memories: Memories) -> None:
    mine = Candidate("I like 19 degrees at night", user_id="anna")
    await tell(memories, mine.content, mine, user_id="anna")
    his = Candidate("I like 22 degrees at night", user_id="ben")
    [outcome] = await tell(memories, his.content, his, user_id="ben", turn="2")
    assert outcome.kind == "stored"
    assert [m.content for m in await memories.list(user_id="anna")] == [mine.content]
    assert [m.content for m in await memories.list(user_id="ben")] == [his.content]
    assert await memories.list() == []


async def test_forgetting_takes_what_was_named_and_nothing_else(memories: Memories, store: DictStore) -> None:
    await tell(
        memories, "I like tea in the evening", Candidate("I like tea in the evening", user_id="anna"), user_id="anna"
    )
    await tell(memories, "We like coffee in the morning", turn="2")
    await memories.settled()
    assert await memories.meant.by("I like tea", "en", "ben") == []
    [tea] = await memories.meant.by("I like tea", "en", "anna")
    await memories.delete(tea.id)
    await memories.settled()
    assert [m.content for m in await memories.list(user_id="anna")] == ["We like coffee in the morning"]
    assert len(store.ids_anywhere) == 1


async def test_memories_about_what_the_turn_names_are_brought_along(memories: Memories) -> None:
    lamp = Candidate("Flickers below 20 percent", subjects=(Subject("entity", "light.sofa", "Sofa lamp"),))
    await tell(memories, "It flickers below 20 percent", lamp)
    assert await memories.search("dim it") == []
    [found] = await memories.search("dim it", subjects=["light.sofa"])
    assert "subject" in found.reasons
    assert found.memory.subjects == lamp.subjects


async def test_the_log_tells_everything_and_quotes_nothing(memories: Memories) -> None:
    await tell(memories, "Anna likes Zanzibar tea with 19 degrees", turn="1")
    [second] = await tell(memories, "Anna likes Zanzibar tea with 20 degrees", turn="2")
    assert second.memory is not None
    await memories.edit(second.memory.id, {"importance": 0.9})
    await memories.delete(second.memory.id)
    lines = list(reversed(await memories.log()))
    assert [line.what for line in lines] == ["stored", "superseded", "stored", "edited", "deleted", "deleted"]
    assert not any("Zanzibar" in f"{line}" for line in lines)


async def test_export_and_import_round_trip_exactly(
    memories: Memories, embedder: HashEmbedder, clock: Clock, tmp_path_factory: pytest.TempPathFactory
) -> None:
    from homeagent.database import open_database, upgrade

    await tell(memories, "Anna likes 19 degrees at night", turn="1")
    await tell(memories, "Anna likes 20 degrees at night", turn="2")
    await tell(
        memories, "I like tea", Candidate("I like tea", user_id="anna", key="drink", value="tea"), user_id="anna"
    )
    await tell(memories, "The lamp flickers", Candidate("The lamp flickers", subjects=(Subject("entity", "light.a"),)))
    written = [memory.as_dict() for memory in await memories.export(everybody=True)]
    other = open_database(None, tmp_path_factory.mktemp("other"))
    upgrade(other)
    fresh = Memories(other, embedder, DictStore(), now=clock)
    assert await fresh.restore([Memory.from_dict(one) for one in written]) == Restored(4, 0)
    assert [memory.as_dict() for memory in await fresh.export(everybody=True)] == written
    assert await fresh.restore([Memory.from_dict(one) for one in written]) == Restored(0, 4)
    assert [m.as_dict() for m in await fresh.list(user_id="anna")] == [
        m.as_dict() for m in await memories.list(user_id="anna")
    ]
    assert [one["content"] for one in written if one["user_id"] == "anna"] == ["I like tea"]
    assert "I like tea" not in [m.content for m in await memories.export("ben")]
    other.dispose()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("created_at", "9999-12-31T23:59:59-05:00"),
        ("valid_to", "0001-01-01T00:00:00+05:00"),
        ("importance", 10**400),
        ("confidence", float("nan")),
        ("language", 5),
    ],
)
async def test_what_no_memory_can_hold_is_named_at_its_import(
    memories: Memories, clock: Clock, field: str, value: object
) -> None:
    written = (await memories.add("Anna likes tea")).as_dict()
    with pytest.raises(InvalidMemory, match=field):
        Memory.from_dict(written | {field: value})


@pytest.mark.parametrize(
    "content",
    [
        "The alarm code is 4321",
        "The alarm code is four three two one",
        "Der Alarmcode ist 4 3 2 1",
        "비밀번호는 1234예요",
    ],
)
async def test_codes_are_never_kept(memories: Memories, content: str) -> None:
    with pytest.raises(InvalidMemory, match="never kept"):
        await memories.add(content)
    assert kinds(await tell(memories, content)) == [("refused", "secret")]
    kept = await memories.add("Tom knows the alarm code")
    with pytest.raises(InvalidMemory, match="never kept"):
        await memories.edit(kept.id, {"content": content})


async def test_two_homes_on_one_store_do_not_see_each_other(
    memories: Memories, embedder: HashEmbedder, store: DictStore, tmp_path_factory: pytest.TempPathFactory
) -> None:
    from homeagent.database import open_database, upgrade

    engine = open_database(None, tmp_path_factory.mktemp("neighbour"))
    upgrade(engine)
    neighbour = Memories(engine, embedder, store, fingerprint=lambda: embedder.fingerprint)
    await neighbour.start()
    mine = await memories.add("The gas meter is in the cellar")
    theirs = await neighbour.add("The gas meter is in the garage")
    await memories.settled()
    await neighbour.settled()
    assert store.ids_anywhere == {mine.id, theirs.id}
    store.queried.clear()
    await memories.search("where is the gas meter")
    asked = {i for name in store.queried for i in store.collections.get(name, {})}
    assert asked == {mine.id}
    await neighbour.stop()
    engine.dispose()


@pytest.mark.parametrize(
    "keyed",
    [
        Candidate("The one of the garage", category="fact", key="garage code", value="8815"),
        Candidate("Es ist 8815", category="fact", key="Code der Garage", value="wie gesagt", language="de"),
        Candidate("It is 8815", subjects=(Subject("thing", "the garage code", "the garage code"),)),
    ],
)
async def test_a_code_is_not_kept_in_parts_either(memories: Memories, keyed: Candidate) -> None:
    said = f"{keyed.content}, {keyed.key}, {keyed.value}, {keyed.subjects}"
    assert kinds(await tell(memories, said, keyed)) == [("refused", "secret")]
    with pytest.raises(InvalidMemory, match="never kept"):
        await memories.add(keyed.content, key=keyed.key, value=keyed.value, subjects=keyed.subjects)
    harmless = await memories.add("Tom has the garage code", category="fact", key="garage code", value="with Tom")
    with pytest.raises(InvalidMemory, match="never kept"):
        await memories.edit(harmless.id, {"value": "8815"})


async def test_an_event_said_again_without_its_date_still_ends(memories: Memories, clock: Clock) -> None:
    until = MONDAY + timedelta(days=3)
    event = Candidate("The plumber comes this week", type="event", valid_to=until)
    await tell(memories, event.content, event, turn="1")
    [again] = await tell(memories, event.content, Candidate(event.content), turn="2")
    assert (again.kind.value, again.memory.type.value, again.memory.valid_to) == ("refreshed", "event", until)  # type: ignore[union-attr]
    clock.time = until + timedelta(hours=1)
    assert await memories.list() == []


async def test_one_statement_and_one_answer_whatever_the_keys(memories: Memories) -> None:
    """What the database keeps once is reconciled, and never fails."""
    await memories.add("Night: 19 degrees", key="night", value="19 degrees", category="preference")
    same = await memories.add("Night: 19 degrees", key="night temperature", value="19 degrees", category="preference")
    assert [(m.key, m.value) for m in await memories.profile()] == [("night temperature", "19 degrees")]
    await memories.add("It is 19 degrees at night")
    other = await memories.add("It is 19 degrees at night", key="night temperature", value="19 degrees")
    assert [m.id for m in await memories.profile()] == [other.id]
    assert other.id == same.id or same.id in {m.id for m in await memories.history(other.id)}
    long = (Subject("thing", "x" * 300),)
    for value in ("one", "two"):
        await memories.add(f"Its name is {value}", key="name", value=value, subjects=long)
    assert [m.value for m in await memories.profile() if m.key == "name"] == ["two"]


async def test_nicknames_are_current_through_every_change(memories: Memories, clock: Clock) -> None:
    async def named(user: str | None = None) -> list[str | None]:
        return [memory.key for memory in await memories.nicknames(user)]

    assert await named() == []
    fields = {"key": "nickname moon", "category": "fact"}
    first = await memories.add("The moon is light.a", value="light.a", **fields)
    await memories.add("The sun is light.b", key="nickname sun", value="light.b", user_id="anna")
    assert (await named(), set(await named("anna"))) == (["nickname moon"], {"nickname moon", "nickname sun"})
    await memories.add("The moon is light.c", value="light.c", **fields)
    assert [memory.value for memory in await memories.nicknames()] == ["light.c"]
    [now] = await memories.nicknames()
    await memories.edit(now.id, {"valid_to": (clock.time + timedelta(days=1)).isoformat()})
    clock.time += timedelta(days=2)
    assert await named() == []
    everything = await memories.export(everybody=True)
    await memories.clear()
    assert await named("anna") == []
    await memories.restore(everything)
    assert await named("anna") == ["nickname sun"]
    assert first.id not in {memory.id for memory in await memories.nicknames("anna")}


async def test_what_was_found_is_given_though_its_use_cannot_be_noted(
    memories: Memories, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    await memories.add("The ladder is in the attic")

    def full(ids: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(memories.records, "used", full)
    assert [one.memory.content for one in await memories.search("where is the ladder", count=True)] == [
        "The ladder is in the attic"
    ]


async def test_editing_what_a_keyed_memory_says_or_its_value_changes_both(memories: Memories) -> None:
    kept = await memories.add("Night temperature: 19 degrees", key="night temperature", value="19 degrees")
    other = await memories.edit(kept.id, {"content": "night temperature: 20 degrees"})
    assert other.value == "20 degrees"
    other = await memories.edit(kept.id, {"value": "21 degrees"})
    assert (other.content, other.value) == ("night temperature: 21 degrees", "21 degrees")
    other = await memories.edit(kept.id, {"content": "At night it is 21 degrees"})
    assert other.value == "21 degrees"
    other = await memories.edit(kept.id, {"content": "Anna sleeps in the cold"})
    assert other.value == "Anna sleeps in the cold"
    assert [found.memory.id for found in await memories.search("who sleeps in the cold")] == [kept.id]


async def test_what_is_told_again_in_other_words_is_one_memory(memories: Memories) -> None:
    await tell(memories, "The pond pump needs 40 watts", turn="1")
    said = "It is 40 watts that the pond pump needs"
    [again] = await tell(memories, said, Candidate("The demand of the pond pump amounts to 40 watts"), turn="2")
    assert kinds([again]) == [("refreshed", None)]
    more = "The pond pump needs 40 watts, and the bicycle pump needs 40 watts too"
    [other] = await tell(memories, more, Candidate("The bicycle pump needs 40 watts"), turn="3")
    assert other.kind == "stored"
    assert len(await memories.list()) == 2


async def test_forgetting_takes_along_what_it_was_before(memories: Memories) -> None:
    for turn, degrees in enumerate((19, 20, 21)):
        await tell(memories, f"Anna likes {degrees} degrees at night", turn=str(turn))
    await memories.add("Ben likes 19 degrees at night")
    [now] = await memories.meant.by("Anna likes 21 degrees at night", "en", None)
    await memories.delete(now.id)
    assert [m.content for m in await memories.list(history=True)] == ["Ben likes 19 degrees at night"]


async def test_the_order_of_telling_decides_whatever_the_clock_did(memories: Memories, clock: Clock) -> None:
    right = clock.time
    clock.time = right + timedelta(days=1000)
    await tell(memories, "Anna likes 18 degrees at night", turn="1")
    await tell(memories, "Anna likes 19 degrees at night", turn="2")
    clock.time = right
    [current] = await memories.list()
    assert current.content == "Anna likes 19 degrees at night"
    assert [one.memory.content for one in await memories.search("Anna degrees at night")] == [current.content]
    [latest] = await tell(memories, "Anna likes 20 degrees at night", turn="3")
    assert latest.replaced == (current.id,)
    assert [one.content for one in await memories.list()] == ["Anna likes 20 degrees at night"]
    clock.time = right + timedelta(days=2000)
    exported = await memories.export(everybody=True)
    await memories.tend(100)
    clock.time = right + timedelta(hours=1)
    assert [one.content for one in await memories.list()] == ["Anna likes 20 degrees at night"]
    assert latest.memory is not None
    before = [one.content for one in await memories.history(latest.memory.id)]
    assert sorted(before) == ["Anna likes 18 degrees at night", "Anna likes 19 degrees at night"]
    await memories.clear()
    await memories.restore(exported)
    assert [one.content for one in await memories.list()] == ["Anna likes 20 degrees at night"]
    await memories.clear()
    await memories.restore([one for one in exported if "18" in one.content])
    assert await memories.list() == [], "what took its place is not there, and yet it was replaced"
