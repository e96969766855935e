"""Who asks outright to remember, call or forget something is answered at once; what may mean something else is not."""

from __future__ import annotations

from functools import partial

import pytest
from sqlalchemy import Engine

from homeagent.confirmations import Confirmations
from homeagent.conversations import Answer
from homeagent.events import Emitter
from homeagent.ha.home import Home, HomeConfig
from homeagent.remembering.finished_turns import why_not_worth_it
from homeagent.remembering.held_names import HeldNames
from homeagent.remembering.nicknames import nicknames, with_real_names
from homeagent.remembering.turn_review import Remembering
from homeagent.tools.memory_tools import ForgetMemory, StoreMemory
from homeagent.tools.toolbox import Toolbox
from homeagent.turn import ToolCall, Turn
from homeagent.turns.gathering import nothing_gathered
from indexer.entity import Area, Entity
from indexer.normalise import unaccented
from indexer.retrieval import Retrieval, Situation
from memory.model import Subject
from memory.outbox import Outbox
from memory.store import Memories


async def find_nothing(text: str, situation: Situation) -> Retrieval:
    return nothing_gathered(text).retrieval


@pytest.fixture
def room(memories: Memories, engine: Engine) -> Remembering:
    home = Home()
    kitchen, hall = Area("kitchen", "Kitchen"), Area("hall", "Hall", aliases=("Entrance hall",))
    entities = [
        Entity("switch.gate", "Driveway gate"),
        Entity("light.hall", "Ceiling", aliases=("Big lamp",), area=hall),
        Entity("light.counter", "Kitchen counter light", area=kitchen),
        Entity("person.anna", "Anna"),
        Entity("sensor.bath", "Temperatur"),
    ]
    home.replace(config=HomeConfig(), areas=[kitchen, hall], floors=[], device_areas={}, entities=entities)
    toolbox = Toolbox([ForgetMemory(memories, Confirmations(engine, 90.0))], Emitter())
    return Remembering(memories, Outbox(engine, memories.now), home, Emitter(), toolbox=toolbox, find=find_nothing)


async def ask(
    room: Remembering, text: str, language: str = "en", *, otherwise: bool = False, user: str | None = "anna"
) -> Answer | None:
    turn = Turn(text, language=language, user_id=user, conversation_id="c", context=nothing_gathered(text))
    return await room.answer(turn, otherwise=otherwise)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "call the fire department"),
        ("en", "call Anna back"),
        ("en", "call the kitchen now"),
        ("en", "remember the milk"),
        ("en", "forget the timer"),
        ("en", "from now on turn the lights off at 10"),
        ("de", "Nenn mir die Temperatur"),
        ("de", "Nenn die Temperatur im Bad"),
        ("es", "llama a mi madre"),
    ],
)
async def test_the_brains_are_asked_first(room: Remembering, memories: Memories, language: str, text: str) -> None:
    assert await ask(room, text, language) is None
    assert await memories.list(user_id="anna") == []


async def test_a_thing_is_called_by_its_new_name(room: Remembering, memories: Memories) -> None:
    answer = await ask(room, "call the kitchen counter light the cooking lamp")
    assert answer is not None
    assert "cooking lamp" in answer.text
    assert nicknames(await memories.nicknames("anna")) == {"cooking lamp": ("light.counter",)}


@pytest.mark.parametrize("name", ["ceiling", "Big Lamp", "the kitchen", "entrance hall", "hall ceiling"])
async def test_a_name_that_is_there_is_no_nickname(room: Remembering, memories: Memories, name: str) -> None:
    answer = await ask(room, f"call the kitchen counter light {name}")
    assert answer is not None
    assert answer.text == "Something in your home has that name already, so I keep it for that."
    assert await memories.nicknames("anna") == []


@pytest.mark.parametrize(
    ("language", "text", "refused"),
    [
        ("en", "call the kitchen counter light the alarm", "I keep that word for all that it stands for"),
        ("de", "nenn Kitchen counter light die Alarmanlage", "Das Wort bleibt für alles, was so heißt"),
    ],
)
async def test_a_word_for_a_kind_is_no_nickname(
    room: Remembering, memories: Memories, language: str, text: str, refused: str
) -> None:
    answer = await ask(room, text, language)
    assert answer is not None
    assert answer.text.startswith(refused)
    assert await memories.nicknames("anna") == []


@pytest.mark.parametrize("user", ["ben", None])
async def test_a_way_in_gets_no_nickname(room: Remembering, memories: Memories, user: str | None) -> None:
    answer = await ask(room, "call the driveway gate the sparkle", user=user)
    assert answer is not None
    assert answer.text == "I give no other names to what lets people in."
    assert await memories.list(user_id=user) == []


async def test_a_nickname_is_its_speakers_alone(room: Remembering, memories: Memories) -> None:
    await ask(room, "call the kitchen counter light the cooking lamp", user="ben")
    assert nicknames(await memories.nicknames("ben")) == {"cooking lamp": ("light.counter",)}
    assert nicknames(await memories.nicknames("anna")) == {}
    assert await memories.nicknames(None) == []


@pytest.mark.parametrize(
    ("statement", "kept"),
    [
        ("We call the driveway gate the sparkle", False),
        ("We call the kitchen counter light the ceiling", False),
        ("We call the kitchen counter light the alarm", False),
        ("We call the kitchen counter light the cooking lamp", True),
    ],
)
async def test_a_model_stores_no_such_name_either(
    room: Remembering, memories: Memories, statement: str, kept: bool
) -> None:
    toolbox = Toolbox([StoreMemory(memories, partial(why_not_worth_it, room._home))], Emitter())
    turn = Turn(statement, user_id="ben", conversation_id="c", context=nothing_gathered(statement))
    result = await toolbox.call(ToolCall("1", "store_memory", {"content": statement}), turn)
    assert result.success == kept, result.error


def test_a_nickname_of_before_gives_way_to_what_is_called_so_now(room: Remembering) -> None:
    said = {"sparkle": ("light.counter",), "ceiling": ("light.counter",), "glitter": ("switch.gate",)}
    held = HeldNames(room._home)
    assert held.that_hold(said, "turn on the sparkle, the ceiling and the glitter") == {"sparkle": ("light.counter",)}
    assert held.that_hold(said, "turn on the radio") == {}


async def test_what_somebody_calls_a_thing_goes_before_what_the_household_does(memories: Memories) -> None:
    async def call(entity_id: str, user_id: str | None) -> None:
        thing = (Subject("entity", entity_id),)
        await memories.add(
            f"Bertie is {entity_id}", key="nickname bertie", value=entity_id, subjects=thing, user_id=user_id
        )

    await call("light.sofa", None)
    await call("light.desk", "anna")
    assert nicknames(await memories.nicknames("anna")) == {"bertie": ("light.desk",)}
    await call("light.hall", None)
    assert nicknames(await memories.nicknames("anna")) == {"bertie": ("light.desk",)}
    assert nicknames(await memories.nicknames("ben")) == {"bertie": ("light.hall",)}


@pytest.mark.parametrize(
    ("nickname", "text", "understood"),
    [
        ("bertie", "turn on Bertie, and then Bertie off", "turn on Reading Lamp, and then Reading Lamp off"),
        ("lamp", "turn on the reading lamp", "turn on the reading lamp"),
        ("lamp", "turn on the lamp", "turn on the Reading Lamp"),
        ("lamp", "turn on the kitchen lamp and the lamp", "turn on the kitchen lamp and the Reading Lamp"),
        ("lamp", "turn on the lamps", "turn on the lamps"),
        ("müßige ecke", "mach die MÜSSIGE Ecke an", "mach die Reading Lamp an"),
        ("꼬마", "꼬마를 켜 줘", "Reading Lamp를 켜 줘"),
    ],
)
def test_a_nickname_is_understood_where_it_is_meant(nickname: str, text: str, understood: str) -> None:
    things = [Entity("light.reading", "Reading Lamp"), Entity("light.kitchen", "Kitchen lamp")]
    names = {
        unaccented(nickname): ("light.reading",),
        "gone": ("light.gone",),
        "both": ("light.reading", "light.kitchen"),
    }
    assert with_real_names(text, names, things) == understood


async def test_to_forget_is_for_memory_where_there_is_something(
    room: Remembering, memories: Memories, engine: Engine
) -> None:
    await memories.add("The timer in the pantry is too loud")
    answer = await ask(room, "forget the timer")
    assert answer is not None
    assert answer.text == "I need your yes first."
    (pending,) = await Confirmations(engine, 90.0).open("c")
    assert [one.name for one in pending.consequences] == ["The timer in the pantry is too loud"]
    assert await ask(room, "forget the radio") is None
    told = await ask(room, "forget the radio", otherwise=True)
    assert told is not None
    assert told.text == "I have nothing like that in memory."
    assert await ask(room, "delete the list", otherwise=True) is None


async def test_what_no_brain_knows_what_to_do_with_is_remembered(room: Remembering, memories: Memories) -> None:
    assert await ask(room, "remember the milk", otherwise=True) is not None
    assert await ask(room, "call the fire department", otherwise=True) is None


async def test_a_correction_is_answered_where_there_is_something_to_correct(
    room: Remembering, memories: Memories
) -> None:
    correction = "Correction: the milk is delivered on 6 May"
    assert await ask(room, correction) is None, "whatever was said before is the brains' business"
    await memories.add("The milk is delivered on 5 May", language="en")
    answer = await ask(room, correction)
    assert answer is not None
    assert "Until now it was: The milk is delivered on 5 May" in answer.text
    assert [one.content for one in await memories.list()] == ["The milk is delivered on 6 May"]
    assert await ask(room, "Correction: the kitchen light") is None
