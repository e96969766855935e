"""Whatever a model writes is judged without an error, in pieces as whole."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homeagent.claims.answer_checker import Checker
from homeagent.claims.answer_clauses import sentences, whole_until
from homeagent.turn import Turn
from tests.claims.homes import home_in
from tests.claims.playing import home_of, turn_of
from tests.claims.test_answers import told
from tests.examples import share

LANGUAGES = ("en", "de", "fr", "es", "nl", "ko")
TOLD = [text for name in ("lies.yaml", "truths.yaml", "harmless.yaml") for _, text in told(name)]
WORDS = sorted({word for text in TOLD for word in text.split()})
MADE = {language: (Checker(home := home_of(home_in(language))), home) for language in LANGUAGES}


def turn_in(language: str) -> Turn:
    return asyncio.run(turn_of({"lang": language, "said": "hello", "calls": []}, MADE[language][1]))


TURNS = {language: turn_in(language) for language in LANGUAGES}
anything = st.text(max_size=120)
nearly = st.lists(st.sampled_from([*WORDS, ",", ".", "?", "20 %", "(", "\n", "21.5"]), max_size=14).map(" ".join)


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=share(40), deadline=None)
@given(text=anything | nearly)
def test_any_text_is_judged(language: str, text: str) -> None:
    MADE[language][0].of(TURNS[language]).finish(text)


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=share(25), deadline=None)
@given(text=nearly)
def test_in_pieces_it_is_judged_as_whole(language: str, text: str) -> None:
    """What was let through on the way is how the whole begins."""
    check = MADE[language][0].of(TURNS[language])
    said, done = "", 0
    for end in range(0, len(text), 5):
        if (whole := whole_until(text[:end])) > done:
            said, done = said + check.take(text[:whole]).text, whole
    whole_text = check.finish(text).text
    assert whole_text.startswith(said.strip()) or not said.strip()


@given(text=anything)
def test_sentences_lose_nothing(text: str) -> None:
    assert "".join(sentence.text for sentence in sentences(text)) == text
