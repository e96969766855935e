"""Conversations in the LoCoMo format: what is read of them, and how much evidence is among the first turns found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from homeagent.errors import InvalidInput
from homeagent.evaluation.memory.evidence import Bm25, Conversation, Question, Said, load, measure
from homeagent.evaluation.memory.playing import Embedder, no_embedder
from tests.memory.fakes import HashEmbedder

pytestmark = pytest.mark.dear

OWN = Path(__file__).parent / "data" / "conversation.json"
WORDS = Embedder(no_embedder, None, there=False)


def test_sessions_turns_and_evidence_are_read() -> None:
    [read] = load([OWN])
    assert read.id == "nora-and-paul"
    assert len(read.turns) == 20
    bowl = next(turn for turn in read.turns if turn.id == "D1:7")
    assert (bowl.speaker, bowl.when) == ("Nora", "9:10 am on 3 March, 2025")
    assert "blue bowl" in bowl.text
    evidence = {question.text: question.evidence for question in read.questions}
    assert evidence["What did Nora make in her pottery course?"] == {"D1:7", "D3:1"}  # two ids in one text
    assert evidence["How much was the vase sold for?"] == {"D3:3"}  # "D:3:3"
    assert "What did Paul name his dog?" not in evidence  # its evidence is no turn


def test_a_file_that_is_no_conversation_is_named(tmp_path: Path) -> None:
    file = tmp_path / "odd.json"
    file.write_text(json.dumps([{"conversation": {"session_1": [{"text": "hello"}]}}]))
    with pytest.raises(InvalidInput, match=r"odd\.json, conversation 1"):
        load([file])
    with pytest.raises(InvalidInput, match="no conversations"):
        load([tmp_path / "missing.json"])


def test_rare_words_weigh_more_and_long_texts_less() -> None:
    scores = Bm25(["the canoe", "the lake the lake", "the canoe " + "and so on " * 20, "nothing"]).scores("The canoe?")
    assert scores[0] > max(scores[1], scores[2])
    assert min(scores[1], scores[2]) > scores[3] == 0


async def test_each_way_finds_what_it_can() -> None:
    turns = (
        Said("D1:1", 1, "Nora", "the couch is new", "1 May"),
        *(Said(f"D1:{n}", 1, "Paul", f"filler number {n} about boats", "1 May") for n in range(2, 30)),
        Said("D2:1", 2, "Nora", "my passport is in the drawer", "2 May"),
    )
    questions = (
        Question("passport drawer", frozenset({"D2:1"}), "words"),
        Question("sofa", frozenset({"D1:1"}), "meaning"),
    )
    conversation = Conversation("one", turns, questions)
    embedder = HashEmbedder()
    found = await measure([conversation], Embedder(embedder, embedder.fingerprint))
    assert set(found["recall"]) == {"dense", "words", "sum", "ours"}, "nothing to cross with"
    assert found["by_category"]["words"]["words"]["5"] == 1.0
    assert found["by_category"]["words"]["meaning"]["20"] == 0.0
    assert found["by_category"]["dense"]["meaning"]["5"] == 1.0
    assert found["by_category"]["sum"]["meaning"]["5"] == 1.0
    assert found["recall"]["ours"]["20"] == 1.0


async def test_the_project_own_conversation_by_words() -> None:
    found = await measure(load([OWN]), WORDS)
    assert (found["conversations"], found["turns"], found["questions"]) == (1, 20, 8)
    assert set(found["recall"]) == {"words", "ours"}
    assert found["recall"]["ours"]["10"] >= found["recall"]["words"]["10"] > 0.5


@pytest.fixture
def published(tmp_path: Path) -> list[Path]:
    """Two conversations in files of their own, as LoCoMo's are published."""
    told = json.loads(OWN.read_text())
    [raw] = told if isinstance(told, list) else [told]
    paths = [tmp_path / name for name in ("26.json", "30.json")]
    for path in paths:
        path.write_text(json.dumps({**raw["conversation"], "qa": raw["qa"]}))
    return paths


async def test_files_as_they_are_published_are_read(published: list[Path]) -> None:
    conversations = load(published)
    assert [(c.id, len(c.turns), len(c.questions)) for c in conversations] == [("26-1", 20, 8), ("30-1", 20, 8)]
    found = await measure(conversations, WORDS)
    assert set(found["recall"]) == {"words", "ours", "crossed"}
    assert found["recall"]["crossed"]["10"] >= found["recall"]["words"]["10"]


async def test_weights_are_chosen_on_the_other_conversations() -> None:
    """The answer stands beside the question in one of them, where none of its words is said again."""
    said = ["filler about boats", "where is my umbrella", "top drawer", "filler about trains"] + ["nothing"] * 30
    turns = tuple(Said(f"D1:{n}", 1, "Nora", text + "!" * n, "1 May") for n, text in enumerate(said))
    beside = Conversation("beside", turns, (Question("the umbrella", frozenset({"D1:2"}), "1"),))
    found = await measure([beside, Conversation("other", turns, beside.questions)], WORDS)
    assert found["recall"]["words"]["5"] == 0.0
    assert found["recall"]["crossed"]["5"] == 1.0


async def test_the_same_said_twice_is_no_error() -> None:
    twice = tuple(Said(f"D1:{n}", 1, "Nora", "Thanks!", "1 May") for n in (1, 2))
    found = await measure([Conversation("one", twice, (Question("thanks", frozenset({"D1:1"}), "1"),))], WORDS)
    assert found["recall"]["ours"]["5"] == 1.0
