"""Who asks what they told, or what is known of somebody, hears it in the words it was told in, without a model."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from homeagent.app import App
from tests.service.conftest import Services


async def say(call: Services, text: str, user: str | None = "anna", language: str = "en") -> str:
    return str((await call("process", text=text, user_id=user, language=language))["response"])


@pytest.mark.parametrize(
    ("language", "told", "asked", "nothing", "not_known"),
    [
        (
            "en",
            "Remember that the boiler has to be descaled in October",
            "What did I say about the boiler?",
            "What did I say about the piano?",
            "I remember nothing about “the piano”.",
        ),
        (
            "de",
            "Merk dir, dass der Boiler im Oktober entkalkt werden muss",
            "Was habe ich über den Boiler gesagt?",
            "Was habe ich über das Klavier gesagt?",
            "Über „das Klavier“ habe ich mir nichts gemerkt.",
        ),
        (
            "fr",
            "Retiens que la chaudière doit être détartrée en octobre",
            "Qu'est-ce que j'ai dit sur la chaudière ?",
            "Qu'est-ce que j'ai dit sur le piano ?",
            "Je n'ai rien en mémoire sur « le piano ».",
        ),
        (
            "es",
            "Recuerda que la caldera se revisa en octubre",
            "¿Qué dije sobre la caldera?",
            "¿Qué dije sobre el piano?",
            "No recuerdo nada sobre «el piano».",
        ),
        (
            "nl",
            "Onthoud dat de ketel in oktober ontkalkt moet worden",
            "Wat heb ik over de ketel gezegd?",
            "Wat heb ik over de piano gezegd?",
            "Over “de piano” heb ik niets onthouden.",
        ),
        (
            "ko",
            "보일러는 시월에 청소해야 한다고 기억해 줘",
            "보일러에 대해 내가 뭐라고 했지?",
            "피아노에 대해 내가 뭐라고 했지?",
            "“피아노”에 대해 기억하는 것이 없어요.",
        ),
    ],
)
async def test_what_somebody_said_about_a_thing(
    call: Services, language: str, told: str, asked: str, nothing: str, not_known: str
) -> None:
    await say(call, told, language=language)
    [kept] = (await call("list_memories", user_id="anna"))["memories"]
    assert kept["content"] in await say(call, asked, language=language)
    assert await say(call, nothing, language=language) == not_known


async def test_what_is_known_of_who_asks_and_of_nobody_else(call: Services) -> None:
    assert await say(call, "What do you know about me?") == "I remember nothing of you yet."
    await say(call, "Remember that I like the bedroom at 19 degrees at night")
    await say(call, "Remember that I like green tea in the morning", "ben")
    answer = await say(call, "What do you know about me?")
    assert "bedroom at 19" in answer
    assert "green tea" not in answer
    unknown = await say(call, "What do you know about me?", None)
    assert unknown == "I do not know who is speaking, so I tell nothing of you."


async def test_what_is_known_of_a_person(call: Services) -> None:
    await say(call, "Remember that Grandma Rosa is allergic to nuts", "ben")
    await say(call, "Remember just for me that Grandma Rosa gets a bicycle", "ben")
    answer = await say(call, "What do you know about Grandma Rosa?")
    assert "nuts" in answer
    assert "bicycle" not in answer
    assert "bicycle" in await say(call, "What do you know about Grandma Rosa?", "ben")


async def test_what_was_told_in_a_time_that_is_named(app: App, call: Services) -> None:
    await say(call, "Remember that the chimney sweep comes in May")
    old = app.memories.now() - timedelta(days=40)
    told = {"memory_id": "old", "content": "The chimney was swept in autumn", "source": {"channel": "service"}}
    await call(
        "import_memories",
        memories=[{**told, **dict.fromkeys(("created_at", "updated_at", "valid_from"), old.isoformat())}],
    )
    both = await say(call, "What do you know about the chimney?")
    assert "comes in May" in both
    assert "swept in autumn" in both
    today = await say(call, "What did I tell you today about the chimney?")
    assert "comes in May" in today
    assert "swept in autumn" not in today
    assert "comes in May" in await say(call, "What did I tell you today?")


async def test_of_many_the_latest_are_told_and_the_others_counted(call: Services) -> None:
    for number in range(7):
        await call("add_memory", content=f"Shelf {number} of the pantry holds jars of kind {number}")
    answer = await say(call, "What do you know about the pantry?")
    assert answer.count("Shelf") == 5
    assert answer.endswith("And 2 more.")


async def test_what_was_said_in_this_conversation_is_told_from_it(call: Services) -> None:
    first = await call("process", text="The piano tuner was late", user_id="anna", language="en")
    asked = "What did I say about the piano tuner?"
    answer = await call("process", text=asked, user_id="anna", language="en", conversation_id=first["conversation_id"])
    assert answer["response"] == "You said here: “The piano tuner was late”."


async def test_who_asks_what_is_known_of_a_thing_that_nothing_is_remembered_of_hears_so(call: Services) -> None:
    assert await say(call, "What do you know about the sundial?") == "I remember nothing about “the sundial”."


async def test_what_is_told_back_counts_as_a_use_in_that_turn(app: App, call: Services) -> None:
    added = await call("add_memory", content="The boiler has to be descaled in October")
    answer = await call("process", text="What did I say about the boiler?", user_id="anna", language="en")
    [use] = await app.memories.uses(added["memory_id"])
    assert use.turn_id == answer["turn_id"]
    assert (datetime.now(UTC) - use.at) < timedelta(minutes=5)
