"""Parsers of what models write, and the fences around what they read: for any text at all."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homeagent.brains.llm.brain import UNREADABLE, Gate, _parameters
from homeagent.brains.llm.provider_words import retry_after
from homeagent.brains.llm.text_calls import find_calls, whole_call
from homeagent.claims.answer_checker import AnswerCheck, Checker
from homeagent.claims.internal_text import looks_like_call, without_thoughts
from homeagent.ha.home import Home
from homeagent.prompting.firewall import clean, fence, fence_json, suspicions
from homeagent.prompting.prompt import NOTHING_CHANGED
from homeagent.prompting.token_counting import estimate, load_counter
from homeagent.turn import Say as Speak
from homeagent.turn import Turn
from homeagent.turns.gathering import nothing_gathered
from tests.examples import share

KNOWN = {"ha_control", "ha_query"}
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=9), v, max_size=3),
    max_leaves=5,
)
arguments = st.dictionaries(st.text(max_size=9), json_values, max_size=3)
words = st.text(alphabet=st.characters(blacklist_characters="{}[]<>`\"'"))
WRAPS = [
    "{}",
    "```json\n{}\n```",
    "<tool_call>{}</tool_call>",
    "[TOOL_CALLS][{}]",
    "<|python_tag|>{}",
    '{{"tool_calls": [{}]}}',
]


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert all(call.name in KNOWN for call in find_calls(text, KNOWN))
    looks_like_call(text)
    without_thoughts(text)
    suspicions(text)
    assert isinstance(_parameters(text), dict)


@given(words, arguments, st.sampled_from(WRAPS), st.sampled_from(["arguments", "parameters", "args"]), words)
def test_a_call_is_found_in_any_wrapping(before: str, made: dict[str, Any], wrap: str, key: str, after: str) -> None:
    text = before + wrap.format(json.dumps({"name": "ha_control", key: made})) + after
    (call,) = find_calls(text, KNOWN)
    assert call.name == "ha_control"
    assert json.loads(call.arguments) == made
    assert looks_like_call(text)


@given(arguments)
def test_arguments_survive_being_written_as_text(made: dict[str, Any]) -> None:
    assert _parameters(json.dumps(made)) == made
    assert _parameters(json.dumps(json.dumps(made))) == made


@pytest.mark.parametrize("text", ["", "  "])
def test_no_arguments_are_none(text: str) -> None:
    assert _parameters(text) == {}


@pytest.mark.parametrize("text", ["{", "[1]", "3", '"x"', '{"a": 1', '{"a":' * 50 + "1" + "}" * 50])
def test_other_arguments_are_kept_for_the_model_to_see(text: str) -> None:
    assert _parameters(text) == {UNREADABLE: text}


@pytest.mark.parametrize(
    "text",
    [
        '<function=ha_control>{"action": "turn_on"}</function>',
        '{"tool": "ha_control", "parameters": {"action": "turn_on"}}',
        '{"function": {"name": "ha_control", "arguments": "{\\"action\\": \\"turn_on\\"}"}}',
        'I will do it. [{"name": "ha_control", "arguments": {"action": "turn_on"}}]',
    ],
)
def test_other_ways_to_write_a_call(text: str) -> None:
    (call,) = find_calls(text, KNOWN)
    assert _parameters(call.arguments) == {"action": "turn_on"}


@pytest.mark.parametrize(
    "text",
    [
        '{"service": "light.turn_on"}',
        '{"name": "ha_con',
        '<tool_call>{"name":',
        "[TOOL_CALLS] x",
        "```homeassistant\n{'service': 'light.turn_on'}\n```",
        "<function=ha_control><parameter=action>turn_on</parameter></function>",
        'ha_control(action="turn_on", entity_id="light.hall")',
        "[ha_control(action=turn_on)]",
        "action: turn_on\nentity_id: light.hall",
        'print(default_api.ha_control(action="turn_on"))',
    ],
)
def test_what_only_a_program_should_read_is_recognised(text: str) -> None:
    assert looks_like_call(text)


@pytest.mark.parametrize(
    "text", ["It is 5 < 6.", "Set [maybe] to 3 {or so}.", "The light is on.", "a > b", "It is so: on (or off)."]
)
def test_plain_words_are_not(text: str) -> None:
    assert not looks_like_call(text)


@pytest.mark.parametrize(
    "text",
    [
        "Your Wi-Fi name is guest_net (2.4 GHz).",
        "sensor.living_room: 21 °C",
        "The entity is light.kitchen_ceiling: it is on.",
    ],
)
def test_an_id_before_a_mark_is_no_call(text: str) -> None:
    assert not looks_like_call(text)


@given(st.text())
def test_nothing_gets_out_of_a_fence(text: str) -> None:
    body = fence("home", text)
    assert body.count("<") == 2
    assert "\n" not in clean(text)
    assert len(clean(text)) <= 300


@given(json_values)
def test_fenced_json_is_still_the_value(value: Any) -> None:
    text = fence_json(value)
    assert "<" not in text
    if json.dumps(value, ensure_ascii=False).isprintable():
        assert json.loads(text) == value


@settings(deadline=None)
@given(st.lists(st.text(alphabet="ab .!?{\n", max_size=12), max_size=8))
def test_a_gate_says_whole_sentences_of_the_beginning_only(pieces: list[str]) -> None:
    said: list[str] = []

    async def say(piece: str) -> None:
        said.append(piece)

    asyncio.run(through_a_gate(pieces, say))
    whole = "".join(pieces).lstrip()
    assert " ".join(whole.split()).startswith(" ".join("".join(said).split()))
    assert "{" not in "".join(said)


@settings(deadline=None)
@given(words)
def test_the_declaration_is_never_spoken(text: str) -> None:
    assert NOTHING_CHANGED not in check_of_a_bare_turn().finish(f"{NOTHING_CHANGED} {text}").text


@pytest.mark.parametrize(
    ("headers", "words", "seconds"),
    [
        ({"retry-after": "7"}, "", 7.0),
        ({"retry-after": "0.5"}, "", 0.5),
        ({"retry-after-ms": "1500"}, "", 1.5),
        ({"retry-after": "nonsense"}, "", None),
        ({"retry-after": "Mon, 01 Jan 2001 00:00:00 GMT"}, "", 0.0),
        ({}, "Rate limit reached. Please try again in 1.3s.", 1.3),
        ({}, "try again in 20ms", 0.02),
        ({}, '"retryDelay": "17s"', 17.0),
        ({}, "quota exceeded", None),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], words: str, seconds: float | None) -> None:
    error = Exception(words)
    error.headers = headers  # type: ignore[attr-defined]
    assert retry_after(error) == seconds


@pytest.fixture(scope="module")
def encoding() -> Any:
    litellm = find_spec("litellm")
    assert litellm is not None
    assert litellm.submodule_search_locations
    folder = Path(litellm.submodule_search_locations[0]) / "litellm_core_utils" / "tokenizers"
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    import tiktoken

    return tiktoken.get_encoding("cl100k_base")


@given(text=st.text(max_size=200))
@settings(max_examples=share(100), deadline=None)
def test_our_counter_counts_as_tiktoken_does(encoding: Any, text: str) -> None:
    count = _counter()
    assert count(text) == len(encoding.encode_ordinary(text))
    assert estimate(text) >= 0


def _counter(kept: list[Any] = []) -> Any:  # noqa: B006  read once for all examples
    if not kept:
        kept.append(load_counter())
    return kept[0]


@pytest.mark.parametrize("text", ["a" * 100_000, "灯" * 30_000, "x1" * 50_000])
def test_counting_a_monstrous_word_is_quick_and_not_too_low(encoding: Any, text: str) -> None:
    assert _counter()(text) > 0


def test_the_words_of_a_sentence_are_held_back_until_they_may_pass() -> None:
    said: list[str] = []

    async def say(piece: str) -> None:
        said.append(piece)

    asyncio.run(through_a_gate(("It is dark. ", "I have tur", "ned on the lamp. ", "Good night. "), say))
    assert said == ["It is dark."]


def check_of_a_bare_turn() -> AnswerCheck:
    """What judges an answer to a greeting, in a home that has nothing."""
    return Checker(Home(), recognise=lambda _, likeliest: likeliest).of(
        Turn("hello", context=nothing_gathered("hello"))
    )


async def through_a_gate(pieces: Iterable[str], say: Speak) -> None:
    gate = Gate(say, check_of_a_bare_turn(), patient=True)
    for piece in pieces:
        await gate(piece)


@pytest.mark.parametrize("wrap", [*WRAPS[:2], "<tool_call>\n{}\n</tool_call>"])
def test_a_text_that_is_one_call_is_one(wrap: str) -> None:
    (found,) = whole_call(wrap.format('{"name": "ha_control", "arguments": {"action": "turn_on"}}'), KNOWN)
    assert found.name == "ha_control"


@pytest.mark.parametrize(
    "text",
    [
        'Sure! {"name": "ha_control", "arguments": {}}',
        '{"name": "ha_control", "arguments": {}} Done.',
        '[{"name": "ha_control", "arguments": {}}, {"name": "ha_query", "arguments": {}}]',
        '{"name": "open_sesame", "arguments": {}}',
        "Hello.",
    ],
)
def test_a_text_that_is_more_than_one_call_is_none(text: str) -> None:
    assert whole_call(text, KNOWN) == ()
