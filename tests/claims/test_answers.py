"""Answers of language models, written by others: what is so is said word for word, what is not is never said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from homeagent.claims.answer_checker import Checker
from homeagent.claims.claim_words import claim_words
from homeagent.turn import PastTurn, ToolCall
from homeagent.values.yaml_text import read_yaml
from tests.claims.homes import home_in, household_in
from tests.claims.playing import hear, home_of, lies, missing, turn_of, written

FOLDER = Path(__file__).parent
HELLO = {"en": "hello", "de": "Guten Abend", "fr": "bonsoir", "es": "hola", "nl": "hallo", "ko": "안녕"}
DIM = {
    "tool": "ha_control", "action": "turn_on", "entity_id": ["light.kitchen"], "parameters": {"brightness_pct": 20},
    "outcome": "done", "before": "off", "after": "on",
}  # fmt: skip
CLOSE = {
    "tool": "ha_control", "action": "close", "entity_id": ["cover.blinds"], "parameters": {},
    "outcome": "needs_confirmation", "before": "open", "after": "open",
}  # fmt: skip


@pytest.mark.parametrize("case", written(), ids=lambda case: case["id"])
async def test_what_is_so_is_said_and_what_is_not_is_not(case: dict[str, Any]) -> None:
    heard = await hear(case)
    for said in (heard.text, heard.streamed):
        assert missing(case, said) == []
        assert lies(case, said) == []


def of_household(kind: str) -> list[tuple[str, str]]:
    """Language and sentence, of the sentences about the household: "lies" or "truths"."""
    data = read_yaml((FOLDER / "household.yaml").read_text("utf-8"))
    return [(language, text) for language, kinds in data.items() for text in kinds[kind]]


def told(name: str) -> list[tuple[str, str]]:
    """Language and sentence, of a file of sentences."""
    data = read_yaml((FOLDER / name).read_text("utf-8"))
    return [(language, text) for language, texts in data.items() for text in texts]


async def say(
    language: str, text: str, *calls: dict[str, Any], said: str | None = None, home: list[dict[str, Any]] | None = None
) -> str:
    """What a person hears of an answer, in the small home where no other is given."""
    home = home or home_in(language)
    case = {"home": home, "lang": language, "said": said or HELLO[language], "calls": list(calls)}
    return (await hear({**case, "answer": [{"text": text, "is": "other"}]})).streamed


@pytest.mark.parametrize(("language", "text"), [*told("harmless.yaml"), *told("truths.yaml")])
async def test_what_claims_nothing_or_is_so_passes_word_for_word(language: str, text: str) -> None:
    assert await say(language, text) == text


@pytest.mark.parametrize(("language", "text"), [*told("harmless.yaml"), *of_household("truths")])
async def test_in_a_household_what_claims_nothing_or_is_so_passes_too(language: str, text: str) -> None:
    assert await say(language, text, home=household_in(language)) == text


@pytest.mark.parametrize(("language", "text"), of_household("lies"))
async def test_a_lie_about_a_household_is_not_said(language: str, text: str) -> None:
    heard = await say(language, text, home=household_in(language))
    assert text.rstrip(".") not in heard
    assert heard


@pytest.mark.parametrize(("language", "text"), told("lies.yaml"))
async def test_a_lie_is_replaced_by_what_is_so(language: str, text: str) -> None:
    heard = await say(language, text)
    assert text.rstrip(".") not in heard
    assert heard


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("The front door is locked.", "Front door is unlocked."),
        ("I have locked the front door.", "Front door is unlocked."),
        ("Kitchen light is at 80 percent.", "Kitchen light is on, brightness 20%."),
        ("All windows are closed.", "Bedroom window is open."),
        ("I saved that.", "I did not store that."),
        ("Timer set for ten minutes.", "I did not set a timer or a reminder."),
        ("I texted Anna.", "I did not send or order anything."),
        ("All done!", "I did not change anything."),
        ("Good night! The front door is locked. Sleep well.", "Good night! Front door is unlocked. Sleep well."),
        ("The front door is locked, so you can sleep soundly.", "Front door is unlocked."),
        ("The front door is shut and locked.", "The front door is shut. Front door is unlocked."),
        ("The front door is locked. I locked the front door.", "Front door is unlocked."),
    ],
)
async def test_what_is_said_instead(text: str, heard: str) -> None:
    assert await say("en", text) == heard


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("I turned on the kitchen light and locked the front door.",
         "I turned on the kitchen light. Front door is unlocked."),
        ("I dimmed the kitchen light to 80 percent.", "Kitchen light is on, brightness 20%."),
        ("I dimmed it to 20 %.", "I dimmed it to 20 %."),
        ("I've dimmed the kitchen light to about 21 percent. The bedroom is at 21 degrees.",
         "I've dimmed the kitchen light to about 21 percent. The bedroom is at 21 degrees."),
        ("I turned on all the lights.", "Bedroom lamp is off."),
        ("Done. I also saved that.", "Done. I did not store that."),
    ],
)  # fmt: skip
async def test_one_call_frees_what_it_did_and_nothing_else(text: str, heard: str) -> None:
    assert await say("en", text, DIM, said="dim the kitchen light to 20 percent") == heard


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Hecho."), ("en", "Ich habe die Haustür abgeschlossen."), ("de", "Done, the front door is locked."),
        ("fr", "Erledigt!"), ("ko", "I have turned off the lights."), ("es", "C'est fait."),
        ("it", "Ho spento la luce."),
    ],
)  # fmt: skip
async def test_a_lie_in_another_language_than_the_turns_is_none_the_less(language: str, text: str) -> None:
    home = home_in(language if language in HELLO else "en")
    case = {
        "home": home,
        "lang": language,
        "said": "spegni la luce",
        "calls": [],
        "answer": [{"text": text, "is": "lie"}],
    }
    assert lies(case, (await hear(case)).streamed) == []


async def test_beside_a_pending_yes_only_what_is_so_is_said() -> None:
    text = "The blinds are closed now. I have also locked the front door. It is cold outside."
    heard = await say("en", text, CLOSE, said="close the blinds")
    assert heard == "Front door is unlocked. It is cold outside."


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("Yes, I turned on the kitchen light.", "Yes, I turned on the kitchen light."),
        ("Yes, I turned on the bedroom lamp.", "Yes. Bedroom lamp is off."),
        ("Yes, I have noted that.", "Yes, I have noted that."),
        ("Yes, I sent Anna a message.", "Yes. I did not send or order anything."),
    ],
)
async def test_what_a_turn_before_did_may_be_told_as_long_as_it_is_so(text: str, heard: str) -> None:
    case = {"home": home_in("en"), "lang": "en", "said": "did you do it?", "calls": []}
    home = home_of(case["home"])
    turn = await turn_of(case, home)
    calls = (
        ToolCall("1", "ha_control", {"action": "turn_on", "entity_id": ["light.kitchen"]}),
        ToolCall("2", "store_memory", {"content": "I like tea."}),
    )
    past = PastTurn("t", "turn on the light", "On.", calls, targets=("light.kitchen", "light.bedroom"))
    turn.context = replace(turn.gathered, history=(past,))
    assert Checker(home).of(turn).finish(text).text == heard


async def test_once_warm_the_first_answer_reads_no_words() -> None:
    case = next(case for case in written() if case["lang"] == "en")
    home = home_of(case["home"])
    claim_words.cache_clear()
    checker = Checker(home)
    checker.warm("en")
    before = claim_words.cache_info().misses
    checker.of(await turn_of(case, home)).finish("Hecho.")  # so short an answer may be in any language
    assert claim_words.cache_info().misses == before
