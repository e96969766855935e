"""Which sentences surely only ask, so that no model may act upon them; and which must never be taken for that."""

from __future__ import annotations

from pathlib import Path

import pytest

from homeagent.brains.question_detection import only_asks, touchable
from homeagent.ha.connection import HomeAssistant
from homeagent.turn import Turn, TurnContext
from indexer.index import Index
from indexer.retrieval import Situation
from tests.databases import database

ASKING = {
    "en": (
        "is the light on?",
        "is the kitchen ceiling on",
        "did I leave the hall light on?",
        "are all the doors locked",
        "should I turn off the heating?",
        "which lights are on",
        "why is the hall light on?",
        "is the garage door open and are the windows closed?",
    ),
    "it": ("la luce è accesa?",),
}
ORDERING = {
    "en": (
        "can you turn on the hall light?",
        "would you mind turning on the hall light?",
        "how about some light in the kitchen?",
        "why don't you turn on the hall light?",
        "what about the kitchen?",
        "the kitchen one?",
        "is the hall light on? If so, turn it off.",
        "if the hall light is on, turn it off",
        "can you turn off the light that is on?",
        "have Rosie clean the living room",
    ),
    "it": ("puoi accendere la luce?",),
    "pl": ("czy możesz włączyć światło?",),
    "sv": ("kan du tända lampan?",),
}


def cases(table: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(language, sentence) for language, sentences in table.items() for sentence in sentences]


@pytest.fixture
async def index(home_assistant: HomeAssistant, tmp_path: Path) -> Index:
    home = home_assistant.home
    index = Index(tmp_path, database(tmp_path))
    index.put(home.exposed(), areas=home.areas.values(), floors=home.floors.values())
    return index


async def asks(index: Index, language: str, sentence: str) -> bool:
    retrieval = await index.retrieve(sentence, Situation(language=language))
    return only_asks(Turn(sentence, language, context=TurnContext(retrieval)))


async def test_a_question_is_one(index: Index) -> None:
    assert [text for language, text in cases(ASKING) if not await asks(index, language, text)] == []


async def test_an_order_a_suggestion_or_a_follow_up_is_none(index: Index) -> None:
    assert [text for language, text in cases(ORDERING) if await asks(index, language, text)] == []


@pytest.mark.parametrize(
    ("text", "reached", "kept"),
    [
        ("how about some light in the kitchen?", "light.kitchen_ceiling", "lock.front_door"),
        ("what does the living room speaker play?", "media_player.living_room_speaker", "light.kitchen_ceiling"),
    ],
)
async def test_a_question_that_may_be_a_wish_reaches_what_it_may_mean(
    index: Index, text: str, reached: str, kept: str
) -> None:
    retrieval = await index.retrieve(text, Situation())
    allowed = touchable(Turn(text, context=TurnContext(retrieval)))
    assert allowed is not None
    assert reached in allowed
    assert kept not in allowed


@pytest.mark.parametrize("text", ["can you turn on the hall light?", "turn on the hall light", "it is dark in here"])
async def test_an_order_or_a_remark_reaches_all(index: Index, text: str) -> None:
    assert touchable(Turn(text, context=TurnContext(await index.retrieve(text, Situation())))) is None
