"""What the agent says in each language: the files are whole."""

from __future__ import annotations

import string

import pytest

from homeagent.brains.language.responses import Phrases
from homeagent.languages.answers import Answers, load_answers

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "ko")


def loaded(language: str) -> Answers:
    answers = load_answers(language)
    assert answers is not None
    return answers


def places(phrase: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(phrase) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_phrase_with_the_same_places_to_fill(language: str) -> None:
    english, other = loaded("en").phrases, loaded(language).phrases
    used = {k for k in english if not k.startswith("attr_") and k not in ("decimal",)}
    assert not used - other.keys()
    for key in used:
        assert places(other[key]) <= places(english[key]) | {"kind", "name"}, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_words_for_the_states_of_a_door_and_for_the_week(language: str) -> None:
    answers = loaded(language)
    assert set(answers.states["door"]) == {"on", "off"}
    assert len({answers.weekday(day) for day in range(7)}) == 7


def test_a_region_has_the_words_of_its_language_and_an_unknown_language_has_none() -> None:
    assert loaded("de-AT").language == "de"
    assert load_answers("tlh") is None


@pytest.mark.parametrize(
    ("language", "name", "said"),
    [
        ("en", "Kitchen lights", "Kitchen lights are on."),
        ("en", "Christmas tree", "Christmas tree is on."),
        ("en", "Glass cabinet", "Glass cabinet is on."),
        ("de", "Küchenlichter", "Küchenlichter sind an."),
        ("de", "Gartenlampe", "Gartenlampe ist an."),
        ("de", "Füllstand", "Füllstand ist an."),
        ("nl", "Keukenlampen", "Keukenlampen zijn aan."),
        ("nl", "Gang", "Gang is aan."),
    ],
)
def test_the_verb_goes_by_the_number_of_the_name(language: str, name: str, said: str) -> None:
    words = Phrases(loaded(language), None)
    assert words.say("one", name=name, state=words.state("switch", "on")) == said
