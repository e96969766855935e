"""Codes as systems write them find what there is of their language, as in Home Assistant."""

from __future__ import annotations

import pytest
from home_assistant_intents import get_languages

from homeagent.brains.language import grammar
from homeagent.languages.answers import load_answers
from homeagent.languages.dictionary import base_form
from homeagent.languages.language_codes import base_language, best_match, parse
from homeagent.languages.pack import load_pack
from homeagent.turns.agent_phrases import phrase


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("zh", "zh-CN"),
        ("zh-cn", "zh-CN"),
        ("zh-Hans", "zh-CN"),
        ("zh_Hans_CN", "zh-CN"),
        ("zh-SG", "zh-CN"),
        ("zh-TW", "zh-TW"),
        ("zh-Hant", "zh-HK"),
        ("zh-Hant-TW", "zh-TW"),
        ("zh-mo", "zh-HK"),
        ("no", "nb"),
        ("nb-NO", "nb"),
        ("iw", "he"),
        ("pt", "pt"),
        ("pt-br", "pt-BR"),
        ("pt_BR", "pt-BR"),
        ("pt-PT", "pt"),
        ("en-GB", "en"),
        ("EN", "en"),
        ("de-ch", "de-CH"),
        ("de-AT", "de"),
        ("es-419", "es"),
        ("sr", "sr"),
        ("sr-Latn", "sr-Latn"),
        ("sr-latn-rs", "sr-Latn"),
        ("sr-RS", "sr"),
        ("xx", None),
        ("", None),
    ],
)
def test_a_code_finds_home_assistants_grammar(code: str, found: str | None) -> None:
    assert best_match(code, get_languages()) == found
    assert best_match(code, sorted(get_languages(), reverse=True)) == found


@pytest.mark.parametrize(("code", "text"), [("zh-Hans", "打开灯"), ("no", "hva er klokka"), ("pt-br", "que horas são")])
def test_a_grammar_that_is_found_reads_its_language(code: str, text: str) -> None:
    found = grammar.load(code)
    assert found is not None
    assert found.responses["intents"]


def test_without_a_region_the_usual_one_is_meant() -> None:
    assert best_match("en", ["en-AU", "en-GB", "en-US"]) == "en-US"
    assert best_match("en-AU", ["en-AU", "en-GB", "en-US"]) == "en-AU"
    assert best_match("fr-CA", ["fr-CH", "fr"]) == "fr"


def test_a_code_is_taken_apart() -> None:
    assert str(parse("ZH_hant_tw")) == "zh-Hant-TW"
    assert base_language("no_NO") == "nb"


def test_words_and_answers_are_found_by_any_spelling() -> None:
    for code in ("de-at", "DE", "de_CH"):
        pack, words = load_pack(code), load_answers(code)
        assert pack is not None
        assert words is not None
        assert pack.language == words.language == "de"
        assert phrase("no_answer", code) == phrase("no_answer", "de") != phrase("no_answer", "en")
    assert base_form("wohnt", "de-AT") == "wohnen"
