"""Relevance means the same under every embedder: the floor is one number, and the yardstick is each embedder's own."""

from __future__ import annotations

import numpy as np
import pytest

from homeagent.config.settings import Settings
from memory.purposes import Purpose
from memory.recall import FLOOR, FLOOR_UNANSWERED, Vectors, Yardstick, anchors, floor_for, fuse

RANDOM = np.random.default_rng(4)
SIZE = 64


def unit(vectors: Vectors) -> Vectors:
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)  # type: ignore[no-any-return]


def crowded(vectors: Vectors, share: float) -> Vectors:
    """The same sentences under an embedder that finds everything alike: all its vectors have ``share`` in common."""
    common = np.full((*vectors.shape[:-1], 1), np.sqrt(share / (1 - share)), np.float32)
    return unit(np.concatenate([vectors, common], axis=-1))


ANCHORS = unit(RANDOM.normal(size=(len(anchors()), SIZE)).astype(np.float32))
QUERY = unit(RANDOM.normal(size=SIZE).astype(np.float32))
PARAPHRASE = unit(0.75 * QUERY + 0.66 * unit(RANDOM.normal(size=SIZE).astype(np.float32)))
UNRELATED = unit(RANDOM.normal(size=SIZE).astype(np.float32))


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.8])
def test_one_floor_parts_paraphrase_and_noise_whatever_the_embedder(share: float) -> None:
    """With ``share`` 0.8 any two sentences are at least 0.8 alike, which is more than a paraphrase has elsewhere."""
    made = [crowded(one, share) for one in (ANCHORS, QUERY, PARAPHRASE, UNRELATED)]
    known, query, paraphrase, unrelated = made
    near = {"paraphrase": float(paraphrase @ query), "unrelated": float(unrelated @ query)}
    relevance = Yardstick.of(known).nearness(query, near)
    assert relevance["paraphrase"] >= FLOOR > relevance["unrelated"]


def test_the_fused_relevance_is_never_less_than_either_side_and_never_more_than_one() -> None:
    by_meaning, by_words = {"a": 0.4, "b": 1.0}, {"a": 0.4, "c": 0.9}
    fused = fuse(by_meaning, by_words)
    assert fused.keys() == {"a", "b", "c"}
    assert fused["a"] > 0.4
    assert all(0 <= value <= 1 for value in fused.values())
    assert fuse(None, by_words)["a"] >= FLOOR, "two fifths of a question's weight are enough without an embedder"


def test_the_setting_begins_as_what_was_measured() -> None:
    assert Settings().memory.min_relevance == FLOOR


def test_a_question_may_be_further_from_what_it_asks_for_than_a_command() -> None:
    assert floor_for("Which lamp is by the couch?") < floor_for("Turn on the lamp by the couch") == FLOOR
    assert floor_for("?", 0.0) == 0.0


@pytest.mark.parametrize(
    ("text", "meant", "floor"),
    [
        ("Next number.", Purpose(order=0.6), 0.65),
        ("Next number.", None, FLOOR),
        ("Can you find Ben's number?", Purpose(order=0.6), 0.4),
        ("Fatou comes on which day?", Purpose(recall=0.3), FLOOR_UNANSWERED),
        ("Who painted the Night Watch?", Purpose(knowledge=0.9), 0.4),
    ],
)
def test_what_bears_on_an_order_must_bear_on_it_more_than_on_a_question(
    text: str, meant: Purpose | None, floor: float
) -> None:
    assert floor_for(text, purpose=meant) == pytest.approx(floor)
