"""Matching by words: any text in any language gives shares from 0 to 1, and what is removed is gone."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory.checks import checked_content
from memory.function_words import function_words, weak_words
from memory.identity import identity
from memory.recall import FLOOR, fuse
from memory.tokens import tokens
from memory.word_search import WordIndex


def one(content: str) -> WordIndex:
    index = WordIndex()
    index.put("m", content)
    return index


@given(st.lists(st.text(max_size=60), max_size=8), st.text(max_size=60))
def test_shares_are_from_0_to_1_and_removing_leaves_nothing(contents: list[str], query: str) -> None:
    index = WordIndex()
    for number, content in enumerate(contents):
        index.put(str(number), content)
    assert all(0 < share <= 1 for share in index.match(query).values())
    for number in range(len(contents)):
        index.remove(str(number))
    assert index.match(query) == {}
    assert all(not index.match(content) for content in contents)
    assert len(index) == 0


@given(st.text(min_size=1, max_size=80))
@example("A:가")
@example("0:0्1")
@example("0्0")
def test_a_text_covers_itself(text: str) -> None:
    if set(tokens(text)) - function_words():
        assert one(text).match(text)["m"] == pytest.approx(1.0)


def test_function_words_alone_are_hardly_a_match() -> None:
    assert one("The reading lamp is by the sofa").match("is the, by the")["m"] < 0.4


@given(st.text(max_size=200))
def test_tokens_are_never_empty_and_do_not_depend_on_case_of_ascii(text: str) -> None:
    assert all(token for token in tokens(text))
    if text.isascii():
        assert tokens(text) == tokens(text.upper())


def test_another_form_of_a_word_matches_and_another_number_does_not() -> None:
    assert one("Tom prefers the blinds closed").match("preferred blind")["m"] > 0.6
    assert one("Room 1234 is locked").match("1235") == {}
    assert one("Die Temperatur im Bad").match("Temperaturen")["m"] > 0.7


def test_rare_words_weigh_more_than_common_ones() -> None:
    index = WordIndex()
    for number in range(200):
        index.put(str(number), f"the lamp of room number{number}")
    index.put("rare", "the sauna of the house")
    shares = index.match("sauna lamp")
    assert shares["rare"] > shares["7"]


@given(st.text(min_size=1, max_size=100), st.sampled_from([None, "anna", "household"]))
def test_identity_does_not_change_with_how_a_statement_is_written(text: str, user: str | None) -> None:
    if not any(c.isalnum() for c in text):
        return
    kept = checked_content(text)
    assert checked_content(kept) == kept
    assert identity(kept, user) == identity(f"{kept}.", user)
    assert identity(kept, user) != identity(kept, "somebody else")
    assert identity(kept, user) != identity(f"not {kept}", user)
    assert identity(kept, user) != identity(f"{kept} 7", user)


def test_units_are_told_apart_by_case_and_words_are_not() -> None:
    assert identity("The panel makes 10 mW", None) != identity("The panel makes 10 MW", None)
    assert identity("The Panel makes 10 mW", None) == identity("the panel makes 10 mW", None)
    assert identity("10² is 100", None) != identity("102 is 100", None)
    assert identity("Er trinkt in Maßen", None) != identity("Er trinkt in Massen", None)


@pytest.mark.parametrize(
    ("content", "query", "language"),
    [
        ("The straw hat is on the shelf", "hat", "en"),
        ("The straw hat is on the shelf", "where is my hat?", None),
        ("Le son de la cloche est faible", "son", "de"),
        ("준호의 기차는 7시 21분에 출발한다", "내 기차 몇 시에 출발해?", "ko"),
    ],
)
def test_a_word_says_something_in_one_language_and_nothing_in_another(
    content: str, query: str, language: str | None
) -> None:
    assert one(content).match(query, language=language)["m"] > 0.4


def test_each_language_has_its_own_function_words() -> None:
    assert "hat" in weak_words(["das", "hat"])
    assert "hat" not in weak_words(["where", "is", "the", "hat"])
    assert "hat" in weak_words(["das", "hat", "er"], "en")
    assert "니다" in weak_words(["합니", "니다"], "ko")


@pytest.mark.parametrize(
    ("code", "kept", "command", "question"),
    [
        ("en", "The bakery closes at noon", "Close all the blinds", "When does the bakery close?"),
        ("de", "Die Luke klemmt bei feuchtem Wetter", "Wie wird das Wetter morgen?", "Klemmt die Luke bei Regen?"),
        ("nl", "Het luik klemt bij vochtig weer", "Wat voor weer wordt het morgen?", "Wanneer klemt het luik?"),
    ],
)
def test_a_word_that_any_command_may_hold_does_not_bring_up_a_memory_by_itself(
    code: str, kept: str, command: str, question: str
) -> None:
    index = WordIndex()
    index.put("m", kept)
    assert fuse(None, index.match(command, language=code)).get("m", 0.0) < FLOOR
    assert fuse(None, index.match(question, language=code))["m"] >= FLOOR


def test_a_question_of_nothing_but_such_words_still_finds() -> None:
    index = WordIndex()
    index.put("m", "The lamp is from Malmö")
    assert fuse(None, index.match("Where is the lamp from?", language="en"))["m"] >= FLOOR
