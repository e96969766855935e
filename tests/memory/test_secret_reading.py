"""What tells a secret is kept nowhere, whichever way it comes into memory, with the encoder and without."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from sqlalchemy import Engine

from homeagent.evaluation.secrets_training import digest, labelled
from memory.errors import InvalidMemory
from memory.extract import Candidate, TurnFacts
from memory.secret_model import packaged_model
from memory.secret_reader import SecretReader
from memory.store import Memories
from tests.memory.fakes import DictStore, HashEmbedder

NO_WORD_FOR_IT = "to get into my laptop type teapot"
"""A secret that nothing calls one."""
EVERYDAY = "Grandma likes the living room warm in the evening"
DOSE = "Anna nimmt morgens 3 Tabletten"
"""Harmless by its meaning alone: without the encoder it is rather refused."""
TOLD = [
    ("en", NO_WORD_FOR_IT),
    ("en", "My passport number is 533401372"),
    ("de", "die Sicherheitsfrage mit dem Haustier, da steht Krümel"),
    ("fr", "tourner la molette jusqu'à 14, revenir à 52, finir sur 9"),
    ("es", "para desarmarla se marca dos veces el 8 y luego 32"),
    ("nl", "seedwoorden appel rivier steen wolk piano tijger"),
    ("ko", "경비 해제는 육이공구"),
    (None, "the recovery phrase is orbit lemon canyon fabric witness tulip dove anchor"),
]
HARMLESS = [
    ("en", "The safe is in the cellar behind the wine"),
    ("en", "The dishwasher is from 2019"),
    ("de", "Der Code liegt in der blauen Mappe"),
    ("fr", "le loyer est de 1450 par mois"),
    ("es", "Compramos la casa en 1998"),
    ("nl", "onze router is een Fritzbox 7590"),
    ("ko", "나는 비밀번호를 맨날 까먹어"),
    ("de", DOSE),
]


async def no_vectors(texts: Sequence[str]) -> np.ndarray:
    raise AssertionError("asked for vectors")


@pytest.fixture
def alone() -> SecretReader:
    return SecretReader(no_vectors, lambda: None)


@pytest.mark.parametrize(("language", "text"), TOLD)
async def test_what_tells_a_secret_is_known_without_an_encoder(alone: SecretReader, language: str, text: str) -> None:
    assert await alone.tell([(text, language)]) == [True]


@pytest.mark.parametrize(("language", "text"), [one for one in HARMLESS if one[1] != DOSE])
async def test_what_is_much_like_it_is_none(alone: SecretReader, language: str, text: str) -> None:
    assert await alone.tell([(text, language)]) == [False]


async def test_meaning_is_asked_for_only_where_the_rest_leaves_it_open() -> None:
    asked: list[str] = []

    async def embed(texts: Sequence[str]) -> np.ndarray:
        asked.extend(texts)
        return np.zeros((len(texts), len(packaged_model().together.meaning)), np.float32)

    reader = SecretReader(embed, lambda: packaged_model().encoder + "-t1")
    await reader.tell([(EVERYDAY, "en"), ("The wifi password is sunflower", "en"), ("it wants 4417", "en")])
    assert asked == ["it wants 0000"]


async def test_an_encoder_that_does_not_answer_lets_nothing_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.secret_reader._PATIENCE", 0.01)

    async def never(texts: Sequence[str]) -> np.ndarray:
        await asyncio.Event().wait()
        raise AssertionError

    reader = SecretReader(never, lambda: packaged_model().encoder)
    assert await reader.tell([(NO_WORD_FOR_IT, "en"), (EVERYDAY, "en")]) == [True, False]


async def test_no_way_into_memory_keeps_it(engine: Engine) -> None:
    memories = Memories(engine, HashEmbedder(), DictStore())
    with pytest.raises(InvalidMemory, match="codes are never kept"):
        await memories.add(NO_WORD_FOR_IT, language="en")
    kept = await memories.add("The laptop is in the study", language="en")
    with pytest.raises(InvalidMemory, match="codes are never kept"):
        await memories.edit(kept.id, {"content": NO_WORD_FOR_IT})
    [outcome] = await memories.take(
        [Candidate(NO_WORD_FOR_IT, language="en")], TurnFacts(said=NO_WORD_FOR_IT, language="en", user_id="anna")
    )
    assert outcome.reason == "secret"
    corrected = await memories.correct(kept, NO_WORD_FOR_IT, TurnFacts(said=NO_WORD_FOR_IT, language="en"))
    assert corrected.reason == "secret"
    restored = await memories.restore([replace(kept, id="other", content=NO_WORD_FOR_IT)])
    assert restored.refused == ("other",)
    assert [memory.content for memory in await memories.list()] == ["The laptop is in the study"]


def test_the_weights_are_those_of_the_sentences() -> None:
    assert packaged_model().sentences == digest(), "data/secrets has changed since: run `make secrets`"


def test_both_kinds_are_taught_in_each_language() -> None:
    taught = {(secret, language) for _, secret, language in labelled()}
    assert taught == {(secret, code) for secret in (True, False) for code in ("en", "de", "fr", "es", "nl", "ko")}


async def test_a_secret_is_refused_as_one_whatever_else_is_wrong(engine: Engine) -> None:
    """Nobody is told to say it again with a name."""
    memories = Memories(engine, HashEmbedder(), DictStore())
    said = f"In case I forget, {NO_WORD_FOR_IT}"
    facts = TurnFacts(said=said, language="en", user_id=None, conversation_id="c", turn_id="t")
    [outcome] = await memories.take([Candidate(said, language="en")], facts)
    assert outcome.reason == "secret"


async def test_dated_turns_of_an_import_are_no_combinations(alone: SecretReader) -> None:
    """A time, a day and a year are three numbers, as the turns of many a dump begin with."""
    said = [
        f"1:{minute:02} pm on {day} May, 2023: Caroline went to the pottery class"
        for minute, day in ((56, 8), (10, 25))
    ]
    assert await alone.tell([(text, "en") for text in said]) == [False, False]
