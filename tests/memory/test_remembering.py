"""Finished turns are looked through in the background: once each, through restarts and failures of the model."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import Engine

from homeagent.assembly.remembering import make_remembering
from homeagent.brains.llm.client import Completion, LlmModel
from homeagent.brains.llm.external_model import MemoryModel
from homeagent.brains.llm.profile import Profile
from homeagent.config.settings import Settings
from homeagent.conversations import Answer, Conversations
from homeagent.database import open_database, upgrade
from homeagent.errors import LlmUnavailable
from homeagent.events import Emitter, ErrorOccurred, Event
from homeagent.ha.home import Home, HomeConfig
from homeagent.intents.intent_reader import IntentReader
from homeagent.remembering.turn_review import Remembering
from homeagent.tools.toolbox import Toolbox
from homeagent.turn import RecalledMemory, Turn
from homeagent.turns.gathering import nothing_gathered
from indexer.entity import Area, Entity
from indexer.index import Index
from memory.errors import MemoryConflict
from memory.extract import Candidate, Outcome, TurnFacts
from memory.model import Sensitivity, Source
from memory.outbox import Outbox
from memory.store import Memories
from tests.memory.fakes import TOLD, meant_as

LIKES = meant_as(TOLD, "I prefer", "allergic")


class Model:
    """Answers as it is told; ``down`` makes it fail as the real one does."""

    def __init__(self) -> None:
        self.answer = '{"memories": []}'
        self.down = False
        self.asked: list[Sequence[Mapping[str, Any]]] = []

    async def __call__(self, messages: Sequence[Mapping[str, Any]]) -> Completion:
        self.asked.append(messages)
        if self.down:
            raise LlmUnavailable("down")
        return Completion(self.answer)


@pytest.fixture
def home() -> Home:
    home = Home()
    bedroom = Area("bedroom", "Bedroom")
    lamp = Entity("light.sofa", "Sofa lamp", area=bedroom)
    home.replace(config=HomeConfig(), areas=[bedroom], floors=[], device_areas={}, entities=[lamp])
    return home


def remembering(memories: Memories, engine: Engine, home: Home, model: Model | None) -> Remembering:
    outbox = Outbox(engine, memories.now)
    return Remembering(memories, outbox, home, Emitter(), complete=model, model="scripted", guess=LIKES)


async def say(engine: Engine, room: Remembering, text: str, user_id: str | None = "anna") -> None:
    turn = Turn(text, user_id=user_id, context=nothing_gathered(text))
    answer = Answer("Fine.", "llm")
    await Conversations(engine).save(turn, answer, room.noting(turn, answer))


async def test_what_the_model_finds_is_kept_and_linked(memories: Memories, engine: Engine, home: Home) -> None:
    model = Model()
    room = remembering(memories, engine, home, model)
    model.answer = json.dumps(
        {
            "memories": [
                {"content": "The sofa lamp flickers below 20 percent", "importance": 0.6, "about": ["sofa lamp"]},
                {"content": "John Doe likes pizza"},
                {"content": ""},
            ]
        }
    )
    await say(engine, room, "By the way the sofa lamp flickers below 20 percent")
    assert await room.drain() == 1
    [kept] = await memories.list(user_id="anna")
    assert kept.content == "The sofa lamp flickers below 20 percent"
    assert ("entity", "light.sofa") in {(str(s.kind), s.id) for s in kept.subjects}
    assert kept.source is not None
    assert kept.source.user_id == "anna"
    assert await room.drain() == 0


@pytest.mark.parametrize(
    ("name", "more", "told"),
    [("gpt-4o-mini", {}, False), ("gpt-4o-mini", {"sensitive_to_hosted": True}, True), ("ollama/qwen3", {}, True)],
)
async def test_what_is_sensitive_is_shown_to_no_model_elsewhere(
    memories: Memories, engine: Engine, home: Home, tmp_path: Path, name: str, more: dict[str, bool], told: bool
) -> None:
    await memories.add("Anna takes pills for her asthma", user_id="anna", sensitivity=Sensitivity.SENSITIVE)
    await memories.add("Anna takes her pills with tea", user_id="anna")
    model = Model()
    own = cast(MemoryModel, SimpleNamespace(profile=Profile("memory", LlmModel(name)), ask=model))
    settings = Settings.model_validate({"memory": {"model": name, **more}})
    index, toolbox = Index(tmp_path, engine), Toolbox([], Emitter())
    intents = IntentReader(index.embed, lambda: None)
    room = make_remembering(settings, memories, engine, home, Emitter(), index, toolbox, None, own, intents)
    assert room is not None
    await say(engine, room, "I prefer my pills in the evening")
    await room.drain()
    assert "pills with tea" in str(model.asked)
    assert ("asthma" in str(model.asked)) is told


@pytest.mark.parametrize(
    "fields",
    [
        {"about": None, "replaces": None, "inferred": None, "private": None, "until": None, "key": None},
        {"about": "Tom", "replaces": "m7"},
        {
            "about": 7,
            "type": "habit",
            "importance": "high",
            "category": ["fact"],
            "key": "k" * 200,
            "inferred": "maybe",
        },
    ],
)
async def test_what_does_not_fit_costs_no_memory(
    memories: Memories, engine: Engine, home: Home, fields: dict[str, Any]
) -> None:
    model = Model()
    room = remembering(memories, engine, home, model)
    model.answer = json.dumps({"memories": [{"content": "Tom has the spare key for the shed", **fields}]})
    await say(engine, room, "Tom has the spare key for the shed")
    await room.drain()
    [kept] = await memories.list()
    assert (kept.content, kept.type, kept.importance) == ("Tom has the spare key for the shed", "fact", 0.5)


async def test_whom_a_memory_is_for_is_not_guessed(memories: Memories, engine: Engine, home: Home) -> None:
    model = Model()
    room = remembering(memories, engine, home, model)
    model.answer = json.dumps({"memories": [{"content": "Tom has the spare key", "private": "only Anna"}]})
    await say(engine, room, "Tom has the spare key for the shed")
    await room.drain()
    assert await memories.list(user_id="anna") == []


async def test_who_said_it_is_read_where_the_home_changes(
    memories: Memories, engine: Engine, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_in: list[threading.Thread] = []
    of_domain = home.of_domain

    def noting_where(domain: str) -> tuple[Entity, ...]:
        read_in.append(threading.current_thread())
        return of_domain(domain)

    monkeypatch.setattr(home, "of_domain", noting_where)
    told = await memories.add("Tom has the spare key", source=Source("conversation", user_id="anna"))
    turn = Turn("who has the spare key?", user_id="anna")
    recalled = RecalledMemory(told.id, told.content, "fact", 0.5, 0.9)
    turn.context = replace(nothing_gathered(turn.text), memories=(recalled,))
    answer = await remembering(memories, engine, home, None).tell(turn)
    assert answer is not None
    assert "Tom has the spare key" in answer.text
    assert set(read_in) == {threading.main_thread()}


async def test_commands_and_questions_cost_no_request(memories: Memories, engine: Engine, home: Home) -> None:
    model = Model()
    room = remembering(memories, engine, home, model)
    for text in ("is the sofa lamp on?", "the sofa lamp is on", "hello"):
        await say(engine, room, text)
    await room.drain()
    assert model.asked == []


async def test_a_turn_outlives_a_restart_and_a_model_that_is_down(
    memories: Memories, engine: Engine, home: Home
) -> None:
    model = Model()
    model.down = True
    await say(engine, remembering(memories, engine, home, model), "Tom has the spare key for the shed")
    again = remembering(memories, engine, home, model)  # a new process
    await again.drain()
    outbox = Outbox(engine, memories.now)
    assert outbox.due() == []  # not yet
    model.down = False
    model.answer = '```json\n[{"content": "Tom has the spare key for the shed", "type": "fact"}]\n```'
    later = Outbox(engine, lambda: memories.now().replace(year=memories.now().year + 1))
    assert len(later.due()) == 1
    assert await Remembering(memories, later, home, Emitter(), complete=model).drain() == 1
    assert [m.content for m in await memories.list()] == ["Tom has the spare key for the shed"]
    assert later.due() == []


async def test_without_a_model_what_is_said_outright_is_kept(memories: Memories, engine: Engine, home: Home) -> None:
    room = remembering(memories, engine, home, None)
    await say(engine, room, "Turn on the lamp. I prefer 19 degrees at night.")
    await say(engine, room, "what a nice day it was")
    await room.drain()
    assert [m.content for m in await memories.list(user_id="anna")] == ["I prefer 19 degrees at night"]
    assert await memories.list(user_id="ben") == []


async def test_the_request_shows_what_is_known_and_no_example(memories: Memories, engine: Engine, home: Home) -> None:
    old = await memories.add("The spare key is with the neighbours", user_id="anna")
    await memories.add("The spare key of Ben is under the mat", user_id="ben")
    model = Model()
    room = remembering(memories, engine, home, model)
    model.answer = json.dumps(
        {"memories": [{"content": "Tom keeps the spare key", "replaces": ["m1"], "private": True}]}
    )
    await say(engine, room, "Tom keeps the spare key now, not the neighbours")
    await room.drain()
    [messages] = model.asked
    assert "with the neighbours" in messages[1]["content"]
    assert "under the mat" not in messages[1]["content"]
    assert [m.content for m in await memories.list(user_id="anna")] == ["Tom keeps the spare key"]
    assert (await memories.get(old.id)).superseded_by is not None


async def test_one_part_of_a_turn_says_nothing_of_the_others(memories: Memories, engine: Engine, home: Home) -> None:
    model = Model()
    room = remembering(memories, engine, home, model)
    key = "Tom has the spare key for the shed."
    for text, shown, hidden in (
        (f"The alarm code is 4321. {key}", key, "4321"),
        (f"Is the sofa lamp on? {key}", key, "nothing"),
        (f"I prefer tea in the morning. {key}", key, "nothing"),
        (f"Remember that Ben prefers tea. {key}", key, "prefers"),
        (
            f"The wifi password is hunter22zebra, the guests take the wifi of the shed. {key}",
            "the guests take",
            "hunter",
        ),
        (f"The sofa lamp is on. {key}", key, "nothing"),
    ):
        model.asked.clear()
        await say(engine, room, text)
        await room.drain()
        [messages] = model.asked
        assert shown in messages[1]["content"]
        assert hidden not in messages[1]["content"].split("<known>")[0]
    kept = {m.content for m in await memories.list(user_id="anna")}
    assert kept == {"I prefer tea in the morning", "Ben prefers tea"}


@pytest.mark.parametrize(
    "text",
    [
        "Here comes the alarm code. It is 4321. Tom has the spare key.",
        "Is the sofa lamp on? Remember that I prefer tea.",
        "The alarm code: four, three, two, one.",
        "The alarm code is 4321. Hello.",
    ],
)
async def test_a_model_is_not_asked_for_nothing(memories: Memories, engine: Engine, home: Home, text: str) -> None:
    model = Model()
    room = remembering(memories, engine, home, model)
    await say(engine, room, text)
    await room.drain()
    assert model.asked == []


async def test_what_is_told_in_passing_is_kept_in_the_models_words_or_as_it_was_said(
    memories: Memories, engine: Engine, home: Home
) -> None:
    model = Model()
    room = remembering(memories, engine, home, model)
    model.answer = json.dumps(
        {"memories": [{"content": "Whoever speaks is allergic to cats", "sensitive": True, "type": "fact"}]}
    )
    await say(engine, room, "By the way, I'm allergic to cats.")
    await room.drain()
    [kept] = await memories.list(user_id="anna")
    assert (kept.content, kept.sensitivity) == ("Whoever speaks is allergic to cats", "sensitive")
    model.answer = '{"memories": []}'
    await say(engine, room, "By the way, I prefer tea in the morning.")
    await room.drain()
    assert {m.content for m in await memories.list(user_id="anna")} == {kept.content, "I prefer tea in the morning"}


async def test_what_is_told_in_passing_is_not_lost_where_the_model_never_answers(
    memories: Memories, engine: Engine, home: Home
) -> None:
    model = Model()
    model.down = True
    await say(engine, remembering(memories, engine, home, model), "I prefer tea in the morning.")
    for years in range(10):
        later = Outbox(engine, lambda years=years: memories.now().replace(year=memories.now().year + years))  # type: ignore[misc]
        await Remembering(memories, later, home, Emitter(), complete=model, guess=LIKES).drain()
    assert [m.content for m in await memories.list(user_id="anna")] == ["I prefer tea in the morning"]
    assert later.due() == []


@pytest.mark.parametrize("until", ["9999-12-31T23:59:59-05:00", "0001-01-01T00:00:00+05:00", "next Friday"])
async def test_a_time_that_there_is_not_costs_the_time_and_not_the_memory(
    memories: Memories, engine: Engine, home: Home, until: str
) -> None:
    model = Model()
    room = remembering(memories, engine, home, model)
    model.answer = json.dumps({"memories": [{"content": "Tom has the spare key for the shed", "until": until}]})
    await say(engine, room, "Tom has the spare key for the shed")
    assert await room.drain() == 1
    [kept] = await memories.list(user_id="anna")
    assert (kept.content, kept.valid_to) == ("Tom has the spare key for the shed", None)
    assert await room.drain() == 0


async def test_a_day_at_the_end_of_all_time_ends_nothing(memories: Memories, engine: Engine, home: Home) -> None:
    zone = ZoneInfo("America/New_York")
    home.replace(config=HomeConfig(time_zone=zone), areas=[], floors=[], device_areas={}, entities=[])
    room = remembering(memories, engine, home, None)
    await say(engine, room, "Remember that the warranty ends on 9999-12-31")
    assert await room.drain() == 1
    [kept] = await memories.list(user_id="anna")
    assert kept.valid_to is None


async def test_a_turn_that_cannot_be_looked_through_holds_up_no_other(
    memories: Memories, engine: Engine, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Heard:
        name = "heard"

        def __init__(self) -> None:
            self.events: list[Event] = []

        async def handle(self, event: Event) -> None:
            self.events.append(event)

    take = memories.take

    async def failing(candidates: Sequence[Candidate], facts: TurnFacts) -> list[Outcome]:
        if "tea" in facts.said:
            raise MemoryConflict
        if "milk" in facts.said:
            raise RuntimeError(f"broken by {facts.said}")
        return await take(candidates, facts)

    monkeypatch.setattr(memories, "take", failing)
    emitter, heard = Emitter(), Heard()
    emitter.add(heard)
    room = Remembering(memories, Outbox(engine, memories.now), home, emitter, guess=LIKES)
    for text in ("I prefer tea in the morning.", "I prefer milk at noon.", "I prefer 19 degrees at night."):
        await say(engine, room, text)
    assert await room.drain() == 3
    assert [m.content for m in await memories.list(user_id="anna")] == ["I prefer 19 degrees at night"]
    assert Outbox(engine, memories.now).due() == []  # put off
    await emitter.close()
    told = [event for event in heard.events if isinstance(event, ErrorOccurred)]
    assert [(event.error_type, event.user_id) for event in told] == [("conflict", "anna"), ("RuntimeError", "anna")]
    assert "milk" not in repr(told)
    monkeypatch.undo()
    later = Outbox(engine, lambda: memories.now() + timedelta(hours=1))
    assert await Remembering(memories, later, home, Emitter(), guess=LIKES).drain() == 2
    assert len(await memories.list(user_id="anna")) == 3


@pytest.mark.parametrize(
    ("user_id", "left"), [(None, []), ("anna", ["Tom has the spare key"]), ("ben", ["Anna is allergic to peanuts"])]
)
async def test_what_was_said_and_waits_is_cleared_with_the_memories(
    memories: Memories, engine: Engine, home: Home, user_id: str | None, left: list[str]
) -> None:
    room = remembering(memories, engine, home, None)
    await say(engine, room, "Remember that Anna is allergic to peanuts", "anna")
    await say(engine, room, "Remember that Tom has the spare key", "ben")
    await memories.clear(user_id)
    await room.drain()
    assert [m.content for m in await memories.list()] == left


async def test_what_was_said_and_waits_is_cleared_with_its_conversation(
    memories: Memories, engine: Engine, home: Home
) -> None:
    room = remembering(memories, engine, home, None)
    await say(engine, room, "Remember that Anna is allergic to peanuts")
    assert await Conversations(engine).clear() == 1
    assert await room.drain() == 0


async def test_a_turn_whose_memory_is_forgotten_tells_it_no_second_time(
    memories: Memories, engine: Engine, home: Home
) -> None:
    turn = Turn("Anna is allergic to peanuts", user_id="anna", context=nothing_gathered("Anna is allergic to peanuts"))
    room = remembering(memories, engine, home, None)
    await Conversations(engine).save(turn, Answer("Noted.", "llm"), room.noting(turn, Answer("Noted.", "llm")))
    source = Source("tool", turn.conversation_id, turn.turn_id, "anna")
    told = await memories.add("Anna is allergic to peanuts", source=source)
    await memories.delete(told.id)
    assert await room.drain() == 0


async def test_what_is_cleared_while_the_model_thinks_is_not_kept(
    memories: Memories, engine: Engine, home: Home
) -> None:
    class Slow(Model):
        async def __call__(self, messages: Sequence[Mapping[str, Any]]) -> Completion:
            await memories.clear()
            return await super().__call__(messages)

    model = Slow()
    model.answer = json.dumps({"memories": [{"content": "Tom has the spare key for the shed"}]})
    room = remembering(memories, engine, home, model)
    await say(engine, room, "Tom has the spare key for the shed")
    await say(engine, room, "Remember that Anna is allergic to peanuts")
    await room.drain()
    assert await memories.list(user_id="anna") == []


VICTIM = """
import asyncio, os, sys
from pathlib import Path
from homeagent.database import open_database
from memory.extract import Candidate, TurnFacts
from memory.store import Memories
from tests.memory.fakes import DictStore, HashEmbedder

async def main():
    memories = Memories(open_database(None, Path(sys.argv[1])), HashEmbedder(), DictStore())
    for number in range(100000):
        text = f"Anna likes {number % 50} degrees at night"
        [outcome] = await memories.take([Candidate(text)], TurnFacts(text, turn_id=str(number)))
        print(outcome.memory.id, text, flush=True)

asyncio.run(main())
"""


def killed_after(seconds: float, folder: Path) -> list[str]:
    """What the victim had acknowledged when it was killed, so long after its first line."""
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    command = [sys.executable, "-c", VICTIM, str(folder)]
    victim = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
    assert victim.stdout is not None
    lines = [victim.stdout.readline()]
    try:
        victim.wait(seconds)
    except subprocess.TimeoutExpired:
        os.kill(victim.pid, signal.SIGKILL)
    return lines + victim.communicate()[0].splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.15, 0.3, 0.5])
async def test_killed_while_one_takes_the_place_of_another(tmp_path: Path, seconds: float) -> None:
    engine = open_database(None, tmp_path)
    upgrade(engine)
    acknowledged = killed_after(seconds, tmp_path)
    memories = Memories(engine, None, None)  # type: ignore[arg-type]
    [current] = await memories.list()  # exactly one truth, whenever it was killed
    everything = {memory.id: memory for memory in await memories.export(everybody=True)}
    for line in acknowledged:
        assert line.split()[0] in everything
    for memory in everything.values():
        assert memory.id == current.id or (memory.valid_to is not None and memory.superseded_by in everything)
    engine.dispose()
