"""The page in the visitor's language: which one, and that each is whole."""

from __future__ import annotations

import re
from enum import StrEnum

import pytest

from homeagent.languages.folder import Part, file_of, languages_with, read_words
from homeagent.service.web.rendering import language_of, words
from homeagent.timers.timer import TimerState
from homeagent.tools.carry_out import Outcome
from indexer.mentions import MentionKind
from tests.service.conftest import TOKEN
from tests.service.web.browser import Seen
from tests.service.web.conftest import Visits

LANGUAGES = languages_with(Part.PAGE)


def test_there_are_six() -> None:
    assert set(LANGUAGES) == {"en", "de", "fr", "es", "nl", "ko"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_has_every_text_with_its_fields(language: str) -> None:
    english, own = words("en"), read_words(file_of(language, Part.PAGE).read_text("utf-8"))
    assert isinstance(own, dict)
    assert own.keys() == english.keys()
    for key, text in own.items():
        assert text.strip()
        assert set(re.findall(r"{\w+}", text)) == set(re.findall(r"{\w+}", english[key])), key


@pytest.mark.parametrize(
    ("group", "kinds"),
    [("state", TimerState), ("outcome", Outcome), ("mention", MentionKind)],
    ids=lambda one: str(one),
)
def test_there_is_a_text_for_each_value_that_is_shown(group: str, kinds: type[StrEnum]) -> None:
    assert {f"{group}_{kind.value}" for kind in kinds} <= words("en").keys()


@pytest.mark.parametrize(
    ("accepted", "home", "chosen"),
    [
        ("de-CH,de;q=0.9,en;q=0.8", "en", "de"),
        ("pl,fr;q=0.4,ko;q=0.7", "en", "ko"),
        ("en-US", "de", "en"),
        ("pl", "nl-BE", "nl"),
        ("", "es", "es"),
        ("*", "fr", "fr"),
        ("de;q=0,nl;q=0.1", "en", "nl"),
        ("de;q=nonsense", "pl", "en"),
    ],
)
def test_the_best_liked_language_there_is_else_the_homes(accepted: str, home: str, chosen: str) -> None:
    assert language_of(accepted, home) == chosen


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_page_is_in_the_visitors_language(visit: Visits, language: str) -> None:
    browser = await visit()
    browser.http.headers["Accept-Language"] = language
    await browser.sign_in(TOKEN)
    response = await browser.http.get("")
    assert f'<html lang="{language}">' in response.text
    text = Seen(response.text).text
    for key in ("home", "memories", "sign_out", "hello", "say"):
        assert words(language)[key] in text


async def test_what_a_language_lacks_is_english(monkeypatch: pytest.MonkeyPatch) -> None:
    assert words("it") == words("en")
