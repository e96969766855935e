"""Phrases with gaps and endings, found in a row of words."""

from __future__ import annotations

from collections.abc import Collection

from homeagent.languages.matching import PhraseMatcher

DEEDS = PhraseMatcher(
    {
        "deed": {"off": ["turned _ off", "turned off"], "on": ["turned _ on", "on"], "locked": ["lock+", "+sperrt"]},
        "mark": {"not": ["not"], "other": ["was not"]},
    }
)


def found(text: str, masked: Collection[int] = ()) -> list[str]:
    return [spot.concept for spot in DEEDS.matches(text.split(), masked)]


def test_the_longer_phrase_wins_and_a_word_belongs_to_one_of_a_section() -> None:
    assert found("turned the lamp on") == ["on"]
    assert found("was not turned off") == ["other", "off"]


def test_a_gap_is_of_one_word_at_least_and_short() -> None:
    assert found("turned the lamp off") == ["off"]
    assert found("turned " + "very " * 12 + "off") == []


def test_words_are_known_by_how_they_begin_or_end() -> None:
    assert found("locking abgesperrt unlock") == ["locked", "locked"]


def test_a_gap_runs_over_names_and_a_phrase_does_not_stand_in_one() -> None:
    assert found("turned lamp off", {1}) == ["off"]
    assert found("turned lamp off", {2}) == []
