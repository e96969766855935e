"""Whose a memory is: what is somebody's own needs somebody, and one person is one person however they are spelt."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from memory.store import Memories
from tests.memory.plain_sentences import Household

FOR_ME = [
    ("en", "Remember, just for me, that the ring is in the piano.", "I don't know who is speaking"),
    ("de", "Merk dir nur für mich: Der Ring ist im Klavier.", "Ich weiß nicht, wer spricht"),
    ("fr", "Note, rien que pour moi, que la bague est dans le piano.", "Je ne sais pas qui parle"),
    ("es", "Apunta, solo para mí, que el anillo está en el piano.", "No sé quién habla"),
    ("nl", "Noteer alleen voor mij dat de ring in de piano ligt.", "Ik weet niet wie er spreekt"),
    ("ko", "나만 알게 기억해 줘, 반지는 피아노에 있어.", "누가 말하는지 몰라서"),
]


@pytest.mark.parametrize(("language", "said", "why"), FOR_ME)
async def test_just_for_me_needs_somebody(
    memories: Memories, engine: Engine, language: str, said: str, why: str
) -> None:
    home = Household(memories, engine, language, user=None)
    await home.say(said)
    assert home.answers[-1].startswith(why)
    assert await memories.list(limit=10) == []


OF_A_GUEST = [
    ("en", "Note down that I have to book the car in.", "I have to book the car in"),
    ("de", "Merk dir, dass meine Mutter am Freitag kommt.", "Meine Mutter am Freitag kommt"),
    ("fr", "Note que ma mère arrive vendredi.", "Ma mère arrive vendredi"),
    ("es", "Apunta que mi madre se viene el viernes.", "Mi madre se viene el viernes"),
    ("nl", "Onthoud dat mijn moeder vrijdag komt.", "Mijn moeder vrijdag komt"),
    ("ko", "우리 어머니가 금요일에 오신다고 기억해 줘.", "우리 어머니가 금요일에 오신다"),
]


@pytest.mark.parametrize(("language", "said", "kept"), OF_A_GUEST)
async def test_what_somebody_unknown_tells_is_the_households(
    memories: Memories, engine: Engine, language: str, said: str, kept: str
) -> None:
    home = Household(memories, engine, language, user=None)
    await home.say(said)
    assert [(one.content, one.user_id) for one in await memories.list(limit=10)] == [(kept, None)]


async def test_what_is_to_stay_between_two_needs_somebody(memories: Memories, engine: Engine) -> None:
    home = Household(memories, engine, "en", user=None)
    await home.say("Remember that the ring is in the piano. Keep that to yourself.")
    assert await memories.list(limit=10) == []


async def test_what_is_everybodys_needs_no_speaker(memories: Memories, engine: Engine) -> None:
    home = Household(memories, engine, "en", user=None)
    await home.say("Remember that our cat is called Mimi.")
    assert [one.user_id for one in await home.kept()] == [None]


async def test_anna_and_anna_are_one(memories: Memories) -> None:
    assert await memories.known_as("anna") == "anna", "nobody is known yet"
    await memories.add("I like tea", user_id="Anna")
    assert await memories.known_as("anna") == "Anna"
    assert await memories.known_as("ÁNNA") == "Anna"
    assert await memories.known_as("hannah") == "hannah"
    assert await memories.known_as(None) is None


async def test_who_has_memories_under_two_spellings_loses_none(memories: Memories) -> None:
    await memories.add("I like tea", user_id="Anna")
    await memories.add("I like coffee", user_id="anna")
    assert [await memories.known_as(one) for one in ("Anna", "anna")] == ["Anna", "anna"]
