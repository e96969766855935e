"""Tokens, covers, weights: what the readings are made of."""

from __future__ import annotations

import pytest

from homeagent.errors import ConfigError
from homeagent.understanding.deciding import Verdict
from homeagent.understanding.frame import Feature
from homeagent.understanding.lattice import lattice
from homeagent.understanding.segmentation import segmentations
from homeagent.understanding.spans import Free, Named
from homeagent.understanding.tokeniser import tokenise
from homeagent.understanding.weights import weights, weights_of
from tests.understanding.reading import NAMES, decision


def test_numbers_keep_their_decimals_and_times_their_colon() -> None:
    assert [t.text for t in tokenise("to 21,5 or 21.5 at 7:30, fan08").tokens] == [
        *("to", "21.5", "or", "21.5", "at", "7:30", "fan", "08")
    ]
    assert tokenise("fan08").tokens[1].glued
    assert tokenise("off, please").tokens[1].mark == ","


def test_what_is_quoted_is_not_read() -> None:
    said = lattice(tokenise('call it "floor lamp"'), NAMES)
    assert all(isinstance(s.meaning, Free) and s.meaning.quoted for s in said[2])


def test_a_word_that_exists_is_no_misspelling() -> None:
    for word in ("smart", "late", "oranges", "happily"):
        assert all(isinstance(s.meaning, Free) for s in lattice(tokenise(word), NAMES)[0]), word


def test_a_whole_name_is_one_cell_in_the_cheapest_cover() -> None:
    best = segmentations(lattice(tokenise("turn off the floor lamp"), NAMES))[0]
    named = [c for c in best.cells if c.has(Named)]
    assert [(c.first, c.end) for c in named] == [(3, 5)]


def test_a_feature_without_a_weight_is_an_error_that_names_it() -> None:
    content = weights().model_dump()
    content["features"] = {f: w for f, w in content["features"].items() if f is not Feature.NEGATED}
    with pytest.raises(ConfigError, match="negated"):
        weights_of(content)


def test_the_same_sentence_is_always_understood_alike() -> None:
    text = "hey jarvis, turn on the kitchen lights and set the floor lamp to 30 percent because it's dark"
    assert decision(text) == decision(text)


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("turn off the tv", True),
        ("mute", True),
        ("turn on the tv slowly", True),
        ("ask Robbie to clean", True),
        ("turn off the lights in the kitchen", True),
        ("dim the floor lamp to 30 percent", True),
        ("add milk to the shopping list", True),
        ("what is on my shopping list", True),
        ("turn off the tv, please", True),
        ("tv, off", False),
        ("go and turn off the tv", False),
        ("turn on the tv xylophone", False),
        ("turn on the raeding lamp", False),
        ("is the tv on", False),
        ("don't turn on the tv", False),
        ("turn off the tv later", False),
    ],
)
def test_only_what_is_understood_to_its_last_word_needs_no_second_look(text: str, sure: bool) -> None:
    found = decision(text)
    assert (found.verdict, found.sure) == (Verdict.ACT, sure)


@pytest.mark.parametrize(
    ("text", "verdict", "action"),
    [
        ("turn off the tv if the floor lamp dims", Verdict.ACT, ""),
        ("he told me to turn on the tv", Verdict.ASK, "turn_on"),
        ("make the floor lamp red and turn it blue", Verdict.HAND_OVER, "turn_on"),
        ("turn on the floor lamp in the kitchen", Verdict.HAND_OVER, "turn_on"),
        ("turn off the lights without the kitchen", Verdict.ASK, "turn_off"),
        ("turn off the tv", Verdict.ACT, "turn_off"),
    ],
)
def test_what_is_not_done_stays_known_to_who_decides_next(text: str, verdict: Verdict, action: str) -> None:
    found = decision(text)
    assert found.verdict is verdict
    assert found.best is not None
    request = found.best.asking_for[0].request
    assert request is not None
    assert request.action == action


@pytest.mark.parametrize("text", ["it is loud", "the kids left the tv on", "I forgot to lock the front door"])
def test_what_only_tells_is_left_to_others(text: str) -> None:
    found = decision(text)
    assert found.verdict is Verdict.HAND_OVER
    assert found.best is not None
    assert not found.best.asking_for


def test_what_nobody_understands_is_left_to_others() -> None:
    assert decision("xylophone").verdict is Verdict.HAND_OVER
    assert decision("").verdict is Verdict.HAND_OVER
