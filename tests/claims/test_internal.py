"""Nothing that is meant for a program reaches a person."""

from __future__ import annotations

import pytest

from homeagent.brains.call_outcomes import left_undone
from homeagent.brains.local.wording import control_answers
from homeagent.claims.answer_clauses import sentences, whole_until
from homeagent.claims.internal_text import is_internal, looks_like_call, with_names, without_thoughts
from homeagent.claims.replacing import own_phrases
from homeagent.prompting.prompt import NO_CALL, ONLY_ASKED, REPEATED
from homeagent.turn import Round, Step, ToolCall, ToolResult, Turn
from homeagent.turns.gathering import nothing_gathered
from tests.claims.homes import home_in
from tests.claims.playing import home_of
from tests.claims.test_answers import say

NOTE = "This very call was made before; its result stands above."


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>Hm.</think>Hello.", "Hello."),
        ("They want a joke.</think>\nKnock, knock.", "Knock, knock."),
        ("Hello. <think>and so on", "Hello."),
        ("<THINKING>a</THINKING> Yes <think>b</think>.", "Yes ."),
    ],
)
def test_thoughts_are_no_part_of_an_answer(text: str, left: str) -> None:
    assert without_thoughts(text) == left


@pytest.mark.parametrize("note", [REPEATED, ONLY_ASKED, NO_CALL])
async def test_our_own_notes_are_never_echoed(note: str) -> None:
    for sentence in sentences(note):
        if sentence.text.count(" ") > 3:
            assert is_internal(sentence.text), sentence.text
    assert await say("en", f"Hello there. {NOTE} It is late.") == "Hello there. It is late."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The state of light.kitchen is on.", "The state of Kitchen light is on."),
        ("Kitchen light (light.kitchen) is on.", "Kitchen light is on."),
        ("I found `sensor.bedroom` for you.", "I found Bedroom temperature for you."),
        ("There is no light.moon_lamp here.", "There is no moon lamp here."),
        ("See example.com or write to me.", "See example.com or write to me."),
        ("It is 21.5 degrees.", "It is 21.5 degrees."),
    ],
)
def test_ids_are_said_as_names(text: str, said: str) -> None:
    assert with_names(text, home_of(home_in("en"))) == said


async def test_a_call_that_is_read_out_is_not_said() -> None:
    text = 'Your list has milk. It also says {"name": "ha_control", "arguments": {}} there. That is all.'
    assert await say("en", text) == "Your list has milk. That is all."
    assert looks_like_call(text)


@pytest.mark.parametrize(
    ("text", "whole"),
    [("It is 21.", 0), ("It is 21. And", 9), ("It is 21.5 now", 0), ("Yes! No", 4), ("네. 좋아요", 2), ("a\nb", 2)],
)
def test_a_sentence_is_whole_once_the_next_begins(text: str, whole: int) -> None:
    assert whole_until(text) == whole


@pytest.mark.parametrize("text", ["a. b", "  a", "a\n\nb!? c", "", "...", "„Ja.“ Nein."])
def test_sentences_are_the_whole_text(text: str) -> None:
    assert "".join(s.text for s in sentences(text)) == text


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_tells_a_model_how_to_go_on_is_no_answer(language: str) -> None:
    call = ToolCall("1", "ha_control", {"action": "turn_on", "entity_id": "light.kitchen"})
    refused = ToolResult(success=False, error=REPEATED, error_type="repeated_call")
    phrases = own_phrases(language)
    assert phrases is not None
    told = control_answers.words([(call, refused)], home_of(home_in(language)), phrases)
    assert [text for text, _ in told if text] == []


def test_what_was_done_and_then_repeated_was_not_left_undone() -> None:
    call = ToolCall("1", "ha_control", {"action": "turn_on", "entity_id": "light.kitchen"})
    done = ToolResult(
        success=True, result={"targets": [{"entity_id": "light.kitchen", "name": "L", "outcome": "done"}]}
    )
    refused = ToolResult(success=False, error=REPEATED, error_type="repeated_call")
    turn = Turn("turn on the kitchen light", context=nothing_gathered(""))
    turn.rounds = [Round(Step(tool_calls=(call,)), (done,)), Round(Step(tool_calls=(call,)), (refused,))]
    assert left_undone(turn) == ()
