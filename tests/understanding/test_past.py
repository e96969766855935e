"""Questions about a time gone by, beside what the same words say of now."""

from __future__ import annotations

import pytest

from homeagent.understanding.deciding import Verdict
from homeagent.understanding.request import Past, Tell
from tests.understanding.reading import decision


def asked(text: str, language: str = "en") -> Past:
    """What is asked about the past, and about nothing else."""
    found = decision(text, language=language)
    assert found.verdict is Verdict.ACT
    assert found.best is not None
    (frame,) = found.best.asking_for
    assert frame.request is not None
    assert frame.request.past is not None
    return frame.request.past


@pytest.mark.parametrize(
    ("language", "text", "tell", "entity_id", "states"),
    [
        ("en", "how often did the garage door open yesterday?", Tell.COUNT, "cover.garage", ("open",)),
        ("en", "when was the garage door last opened?", Tell.LAST, "cover.garage", ("open",)),
        ("en", "how long was the TV on between 2 and 3?", Tell.TIME, "media_player.tv", None),
        ("en", "who opened the garage door?", Tell.WHO, "cover.garage", ("open",)),
        (
            "de",
            "Wie lange war das Garage door gestern zwischen 14 und 16 Uhr offen?",
            Tell.TIME,
            "cover.garage",
            ("open",),
        ),
        ("fr", "Pourquoi Garage door est-il ouvert ?", Tell.WHY, "cover.garage", ("open",)),
        ("ko", "어제 Garage door가 몇 번 열렸어?", Tell.COUNT, "cover.garage", ("open",)),
    ],
)
def test_a_time_gone_by_is_asked_about(language, text, tell, entity_id, states):
    past = asked(text, language)
    assert past.tell is tell
    (of,) = past.of
    assert of.entity_id == entity_id
    assert states is None or of.states == states


def test_two_stretches_are_one_question():
    past = asked("how often did the garage door open yesterday and the day before yesterday?")
    assert past.said == ("yesterday", "the day before yesterday")


@pytest.mark.parametrize(
    "text",
    [
        "is the floor lamp on since yesterday at three thirty with glee?",
        "is the sauna on yesterday?",
        "is the TV on at 8?",
    ],
)
def test_what_is_now_is_no_answer_about_another_time(text):
    found = decision(text)
    assert found.verdict is Verdict.HAND_OVER


@pytest.mark.parametrize(
    "text",
    [
        "turn off the TV, at 8 turn on the floor lamp",
        "turn on the floor lamp between 2 and 4",
        "open the garage door last night",
    ],
)
def test_an_order_never_loses_its_time(text):
    found = decision(text)
    asked = found.best.asking_for if found.best and found.verdict is Verdict.ACT else ()
    done = [f for f in asked if f.acts and f.request is not None and f.request.timing is None]
    reached = {i for f in done for i in f.entity_ids}
    assert reached <= {"media_player.tv"}
