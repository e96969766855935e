"""A value said right after a statement corrects that; what is broken off or meant for several does not."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from memory.store import Memories
from tests.memory.plain_sentences import Household


@pytest.mark.parametrize(
    ("language", "told", "said", "now"),
    [
        ("en", "Remember that Mia needs her bag on Mondays.", "Tuesdays, love.", "Mia needs her bag on Tuesdays"),
        (
            "en",
            "Remember that the drill is in the shed.",
            "No, in the hall cupboard.",
            "The drill is in the hall cupboard",
        ),
        ("de", "Merk dir, dass Ben mittwochs in der Kantine isst.", "Montags.", "Ben montags in der Kantine isst"),
        ("de", "Merk dir: Mias Bettzeit ist um neun.", "Halb neun.", "Mias Bettzeit ist um halb neun"),
        (
            "fr",
            "Retiens que le lundi on part à huit heures moins le quart.",
            "Moins dix, plutôt.",
            "Le lundi on part à huit heures moins dix",
        ),
        (
            "es",
            "Recuerda que los domingos comemos a las tres.",
            "A las dos y media, cariño.",
            "Los domingos comemos a las dos y media",
        ),
        ("nl", "Onthoud dat wij op zaterdag om zeven uur eten.", "Half acht.", "Wij op zaterdag om half acht eten"),
        ("ko", "미아 피아노는 월요일이라고 기억해 줘.", "엄마, 수요일이야.", "미아 피아노는 수요일"),
    ],
)
async def test_a_mere_value_corrects_what_was_just_told(
    memories: Memories, engine: Engine, language: str, told: str, said: str, now: str
) -> None:
    home = Household(memories, engine, language)
    await home.say(told)
    await home.say(said)
    assert [one.content for one in await home.kept()] == [now]


async def test_a_mere_value_corrects_nothing_that_was_told_longer_ago(memories: Memories, engine: Engine) -> None:
    home = Household(memories, engine, "en")
    await home.say("Remember that Mia needs her bag on Mondays.")
    await home.say("What is the weather like?")
    await home.say("Tuesdays, love.")
    assert [one.content for one in await home.kept()] == ["Mia needs her bag on Mondays"]


@pytest.mark.parametrize(
    "said", ["Lamp 3 to 20 percent", "Twenty minutes", "Lights off in the kitchen", "Ah, found it"]
)
async def test_an_order_is_no_mere_value(memories: Memories, engine: Engine, said: str) -> None:
    home = Household(memories, engine, "en")
    await home.say("Remember that the rent is 800.")
    await home.say(said)
    assert [one.content for one in await home.kept()] == ["The rent is 800"]


async def test_which_one_is_meant_is_asked(memories: Memories, engine: Engine) -> None:
    for colour in ("blue", "green"):
        await memories.add(f"The {colour} bin goes out on Mondays", language="en")
    home = Household(memories, engine, "en")
    await home.say("Actually, the bin goes out on Fridays.")
    assert "blue bin" in home.answers[-1]
    assert "green bin" in home.answers[-1]
    assert {one.content[-7:] for one in await home.kept()} == {"Mondays"}


async def test_what_was_broken_off_is_not_kept(memories: Memories, engine: Engine) -> None:
    home = Household(memories, engine, "en")
    await home.say("Remember the boiler man is coming on... no, wait, I don't know yet.")
    assert await home.kept() == []
