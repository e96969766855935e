"""What is negated, conditional, quoted, told, asked, or for another time is never done as a plain order."""

from __future__ import annotations

import pytest

from tests.understanding.reading import deeds, done


@pytest.mark.parametrize(
    "text",
    [
        "don't turn on the kitchen lights",
        "please do not open the garage door",
        "never unlock the front door",
        "nobody should turn on the tv",
        "turn on the tv if nobody is home",
        "unless it rains, open the blinds",
        "turn off the reading lamp when we leave",
        "turn off the floor lamp in ten minutes",
        "turn off the floor lamp at 7",
        "turn off the floor lamp at 7:30",
        "turn on the coffee machine tomorrow morning",
        "turn on the coffee machine on monday",
        "mute the tv for 5 minutes",
        'he said "turn on the tv"',
        "the front door won't lock",
        "is the floor lamp on?",
        "the floor lamp is on",
        "I turned off the floor lamp",
        "we turned off the kitchen lights already",
        "turn on the tv? no",
        "turn on the floor lamp or the reading lamp",
        "turn on the sauna light",
        "turn off the lights in the sauna",
        "turn off the lights in the cellar",
        "turn off everything except the sauna",
        "turn on lamp 7",
        "change the kitchen lights to green and red",
        "it's quiet time",
        "I want an orange",
        "why did you turn on the tv",
        "anna said: open the garage door",
        "anna said turn on the tv",
        "pretend to turn on the tv",
        "I can't open the garage door",
        "cancel opening the garage door",
        "let nobody open the garage door",
        "unlock the front door? never",
        "before you open the garage door tell me",
        "what happens if I turn off the tv",
        "stop turning on the tv",
        "turn on the tv, the old blue sauna light",
    ],
)
def test_nothing_is_done(text: str) -> None:
    assert deeds(text) == []


def test_one_order_is_done_where_the_other_is_called_off() -> None:
    assert deeds("turn on the tv but don't open the blinds") in ([], [done("turn_on", "media_player.tv")])


def test_words_that_nobody_knows_behind_an_order_only_tell() -> None:
    assert deeds("turn on the tv, my knees ache terribly") == [done("turn_on", "media_player.tv")]
