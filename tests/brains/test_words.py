"""The words of each language: the files are whole, and reading them never goes wrong whatever is typed."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homeagent.brains.language.clauses import clauses
from homeagent.brains.language.lexicon import fold, load, words_of
from homeagent.brains.language.reading import Reading, read
from indexer.mentions import Mentions

LANGUAGES = ("en", "de", "fr", "es", "nl", "ko")
LOADED = {language: load(language) for language in LANGUAGES}


def reading(text: str, language: str = "en") -> Reading:
    lexicon = LOADED[language]
    assert lexicon is not None
    return read(Mentions(text), lexicon)


def places(phrase: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(phrase) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_phrase_with_the_same_places_to_fill(language: str) -> None:
    english, other = LOADED["en"], LOADED[language]
    assert english is not None
    assert other is not None
    used = {k for k in english.phrases if not k.startswith("attr_") and k not in ("decimal",)}
    assert not used - other.phrases.keys()
    for key in used:
        assert places(other.phrases[key]) <= places(english.phrases[key]) | {"kind", "name"}, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_knows_the_states_of_a_door(language: str) -> None:
    lexicon = LOADED[language]
    assert lexicon is not None
    assert set(lexicon.states["door"]) == {"on", "off"}


def test_a_region_has_the_words_of_its_language_and_an_unknown_language_has_none() -> None:
    austrian = load("de-AT")
    assert austrian is not None
    assert austrian.language == "de"
    assert load("tlh") is None


@settings(deadline=None)
@given(st.text(max_size=200))
def test_words_stand_where_they_were_typed(text: str) -> None:
    for word in words_of(text):
        assert 0 <= word.start < word.end <= len(text)
        assert fold(text[word.start : word.end]) == word.text


@settings(deadline=None)
@given(st.text(max_size=120), st.sampled_from(LANGUAGES))
def test_anything_typed_can_be_read_and_no_word_is_lost_between_clauses(text: str, language: str) -> None:
    whole = reading(text, language)
    parts = clauses(whole)
    assert [w for part in parts for w in part.words] == list(whole.words)
    for spot in whole.spots:
        assert list(spot.positions) == sorted(set(spot.positions))
        assert spot.positions[-1] < len(whole.words)


@settings(deadline=None)
@given(st.integers(0, 100), st.sampled_from(["{} percent", "to {}%", "{} %"]))
def test_a_number_is_found_with_its_unit(number: int, form: str) -> None:
    (found,) = reading("set it " + form.format(number)).numbers
    assert found.value == number
    assert found.unit == "percent"


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("to thirty five percent", "en", 35),
        ("auf fünfunddreißig Prozent", "de", 35),
        ("à vingt et un degrés", "fr", 21),
        ("op vijfentwintig procent", "nl", 25),
        ("21,5 Grad", "de", 21.5),
    ],
)
def test_numbers_in_words_and_with_a_comma(text: str, language: str, value: float) -> None:
    (found,) = reading(text, language).numbers
    assert found.value == value


def test_a_word_like_one_is_no_number_without_a_unit() -> None:
    assert not reading("turn on that one").numbers


def test_a_sentence_is_cut_where_something_new_is_to_be_done() -> None:
    assert len(clauses(reading("close the shade and dim the lights"))) == 2
    assert len(clauses(reading("turn on the lamp and the fan"))) == 1
    assert len(clauses(reading("turn off all lights but not the hall and the porch"))) == 1
    assert len(clauses(reading("식탁등 켜고 주방등 꺼줘", "ko"))) == 2


def test_the_longer_pattern_wins_and_gaps_are_short() -> None:
    assert reading("turn the lights off").first("actions") == "turn_off"
    assert reading("turn off").first("actions") == "turn_off"
    assert "turn_off" not in [s.concept for s in reading("turn " + "very " * 12 + "of").of("actions")]
