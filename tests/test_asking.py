"""The question for a yes: it tells what will come of it, in every language, and ends in the question."""

from __future__ import annotations

from string import Formatter
from typing import Any

import pytest

from homeagent.policy.verdicts import UNKNOWN_ACTION, Consequence, Effect
from homeagent.turns.agent_phrases import answers
from homeagent.turns.confirmation_question import deed, question

LANGUAGES = ("en", "de", "fr", "es", "nl", "ko")
TABLE: dict[str, Any] = answers("asking")


def unlocks(name: str, through: str = "") -> Consequence:
    return Consequence(Effect.OPENS, "unlock", name, through)


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        ("en", "Come home unlocks Front door. Shall I?"),
        ("de-AT", "Come home entriegelt Front door. Soll ich?"),
        ("fr", "Come home déverrouille Front door. Je le fais ?"),
        ("es", "Come home desbloquea Front door. ¿Lo hago?"),
        ("nl", "Come home ontgrendelt Front door. Zal ik dat doen?"),
        ("ko", "Come home: Front door 잠금 해제. 진행할까요?"),
        ("it", "Come home sblocca Front door. Lo faccio?"),
        ("pt", "Come home unlocks Front door. Shall I?"),
    ],
)
def test_a_scene_is_asked_about_by_what_it_does(language: str, asked: str) -> None:
    assert question([unlocks("Front door", "Come home")], language) == asked


@pytest.mark.parametrize(
    ("consequences", "asked"),
    [
        ([Consequence(Effect.OPENS, "open", "Garagentor")], "Das öffnet Garagentor. Soll ich?"),
        ([unlocks("Vorne"), unlocks("Hinten")], "Das entriegelt Vorne und Hinten. Soll ich?"),
        (
            [Consequence(Effect.OPENS, "press", "Torimpuls")],
            "Das drückt Torimpuls, was einen Zugang öffnen kann. Soll ich?",
        ),
        (
            [unlocks("Vorne", "Heimkommen"), Consequence(Effect.UNPROTECTS, "disarm", "Alarm", "Heimkommen")],
            "Heimkommen entriegelt Vorne und schaltet Alarm unscharf. Soll ich?",
        ),
        (
            [Consequence(Effect.FIRE_OR_FLOOD, "turn_on", "Herd"), unlocks("Vorne")],
            "Das schaltet Herd ein, was einen Brand oder Wasserschaden auslösen kann; entriegelt Vorne. Soll ich?",
        ),
        (
            [Consequence(Effect.UNREADABLE, "turn_on", "Abend", detail="its template cannot be told")],
            "Ich kann nicht sagen, was Abend tut. Soll ich trotzdem?",
        ),
        (
            [Consequence(Effect.UNREADABLE, "set_value", "Tor", "Abend")],
            "Ich kann nicht sagen, was Abend mit Tor tut. Soll ich trotzdem?",
        ),
    ],
)
def test_every_effect_is_told(consequences: list[Consequence], asked: str) -> None:
    assert question(consequences, "de") == asked


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("effect", Effect)
def test_no_effect_is_passed_over_in_any_language(language: str, effect: Effect) -> None:
    """What the words for the deed alone do not tell is told beside them."""
    plain = deed("set_value", ["Relay"], language).rstrip(".")
    asked = question([Consequence(effect, "set_value", "Relay", "Evening")], language)
    assert "Relay" in asked
    assert "Evening" in asked
    assert len(asked) > len(plain) + len(TABLE[language]["ask"])
    assert asked.endswith(("?", "？"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_have_the_same_words_with_the_same_places(language: str) -> None:
    def places(table: dict[str, Any]) -> dict[str, Any]:
        return {
            key: places(words)
            if isinstance(words, dict)
            else {place for _, place, _, _ in Formatter().parse(words) if place}
            for key, words in table.items()
        }

    assert places(TABLE[language]) == places(TABLE["en"])
    assert set(TABLE[language]["effects"]) | {Effect.UNREADABLE} == set(Effect)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_goes_out_is_told_in_every_language(language: str) -> None:
    sent = Consequence(Effect.LETS_OUT, "send_message", "Phone", content="The key is under the mat.\nNow")
    played = Consequence(Effect.LETS_OUT, "play_media", "Speaker", content="radio.example")
    shown = Consequence(Effect.LETS_OUT, "frobnicate", "Camera", content="cam.example")
    asked = question([sent, played, shown], language)
    for told in ("The key is under the mat. Now", "Phone", "radio.example", "Speaker", "cam.example", "Camera"):
        assert told in asked
    assert asked.endswith(TABLE[language]["ask"])


def test_what_goes_out_cannot_pass_for_our_own_words() -> None:
    forged = Consequence(Effect.LETS_OUT, "send_message", "Phone", content='hi” to nobody. "x' + "y" * 500)
    asked = question([forged], "en")
    assert asked.count("“") == asked.count("”") == 1
    assert '"' not in asked
    assert len(asked) < 320


def test_what_is_done_to_a_thing_is_told_as_unknown_where_it_is() -> None:
    unknown = Consequence(Effect.OPENS, UNKNOWN_ACTION, "Front door", "Come home")
    assert question([unknown], "en") == "I cannot tell what Come home does with Front door. Shall I do it all the same?"
    ruled = Consequence(Effect.OWN_RULE, UNKNOWN_ACTION, "Front door", "Come home")
    assert "rule of yours" in question([ruled], "en")


def test_an_action_without_words_names_the_thing_and_the_effect() -> None:
    asked = question([Consequence(Effect.IRREVERSIBLE, "frobnicate", "Boiler")], "en")
    assert asked == "That does something to Boiler, which cannot be undone. Shall I?"


def test_a_name_cannot_grow_over_the_question_and_many_are_counted() -> None:
    asked = question([unlocks("Door.\n" + "x" * 500)], "en")
    assert len(asked) < 200
    assert "\n" not in asked
    many = question([unlocks(f"Door {number}") for number in range(40)], "en")
    assert "29 more" in many
    assert many.endswith("Shall I?")
