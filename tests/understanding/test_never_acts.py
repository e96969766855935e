"""What is negated, conditional, quoted, told, asked, or for another time is never done as a plain order."""

from __future__ import annotations

import pytest

from homeagent.understanding.choosing import understand
from homeagent.understanding.deciding import decide
from homeagent.understanding.previous_turn import each
from homeagent.understanding.request import Act, Request
from homeagent.understanding.sentence_context import SentenceContext
from homeagent.understanding.tokeniser import tokenise
from tests.understanding.reading import TODAY, deeds, done, home_names


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
        "turn off the kettle in the kitchen",
        "please turn off the kettle in the kitchen, it is too loud",
        "turn on the telescope in the living room",
        "open the kettle in the bedroom",
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
        "I forgot to turn on the tv",
        "my son tried to turn the tv off",
        "my dad refused to open the garage door",
    ],
)
def test_nothing_is_done(text: str) -> None:
    assert deeds(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "I forgot, turn on the tv",
        "my son tried to sleep, turn on the tv",
        "turn on the tv, I forgot",
        "I wanted to ask you to turn on the tv",
        "I was hoping you could turn on the tv",
        "don't forget to turn on the tv",
    ],
)
def test_an_order_beside_what_is_told_is_done(text: str) -> None:
    assert deeds(text) == deeds("turn on the tv") != []


@pytest.mark.parametrize(
    ("language", "told", "ordered"),
    [
        (
            "de",
            "mein Sohn hat versucht, den TV auszuschalten",
            "mein Sohn hat versucht zu schlafen, schalte den TV aus",
        ),
        ("fr", "j'ai oublié d'éteindre la TV", "j'ai oublié, éteins la TV"),
        ("es", "mi hijo intentó apagar el TV", "quería pedirte apagar el TV"),
        ("nl", "mijn zoon probeerde de TV uit te zetten", "ik wil de TV uitzetten"),
        ("ko", "TV 끄는 걸 깜빡했어", "깜빡했어, TV 꺼 줘"),
    ],
)
def test_what_hangs_on_a_verb_that_tells_is_not_done(language: str, told: str, ordered: str) -> None:
    around = SentenceContext(home_names(language=language), TODAY)
    told_of, asked_for = (decide(understand(tokenise(text), around)) for text in (told, ordered))
    assert told_of.best is None or told_of.verdict != "act" or not any(f.acts for f in told_of.best.asking_for)
    assert asked_for.verdict == "act"
    assert asked_for.best is not None
    [order] = asked_for.best.asking_for
    assert order.request is not None
    assert (order.request.action, order.entity_ids) == ("turn_off", {"media_player.tv"})


def test_one_order_is_done_where_the_other_is_called_off() -> None:
    assert deeds("turn on the tv but don't open the blinds") in ([], [done("turn_on", "media_player.tv")])


def test_words_that_nobody_knows_behind_an_order_only_tell() -> None:
    assert deeds("turn on the tv, my knees ache terribly") == [done("turn_on", "media_player.tv")]


def _at_work(*, only_moving: bool = False) -> Request:
    """What a bare "stop" means while the TV plays and the blinds move."""
    return Request(
        Act.CONTROL, each(("cover.blinds",) if only_moving else ("cover.blinds", "media_player.tv")), action="stop"
    )


@pytest.mark.parametrize(
    ("text", "stopped"),
    [
        ("stop", {"cover.blinds", "media_player.tv"}),
        ("please stop", {"cover.blinds", "media_player.tv"}),
        ("stop, turn off the floor lamp", {"cover.blinds", "media_player.tv"}),
        ("stop, I am not ready", {"cover.blinds", "media_player.tv"}),
        ("stop, don't close the blinds", {"cover.blinds"}),
        ("stop! don't close them", {"cover.blinds"}),
        ("don't close the blinds, stop", {"cover.blinds"}),
    ],
)
def test_a_stop_that_refuses_something_ends_only_what_moves(text: str, stopped: set[str]) -> None:
    found = decide(understand(tokenise(text), SentenceContext(home_names(language="en"), TODAY, stop=_at_work)))
    assert found.best is not None
    ends = [f for f in found.best.asking_for if f.request is not None and f.request.action == "stop"]
    assert [set(f.entity_ids) for f in ends] == [stopped]
