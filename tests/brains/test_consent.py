"""Short answers: a yes opens doors, so nothing but a bare yes is one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeagent.brains.consent import is_no, is_yes

LANGUAGES = ("en", "de", "fr", "es", "nl", "ko")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("yes", "en"),
        ("Yes, please!", "en"),
        ("go ahead", "en"),
        ("Ja bitte", "de"),
        ("ja, mach das", "de-AT"),
        ("Oui, s'il te plaît", "fr"),
        ("Sí", "es"),
        ("por supuesto", "es"),
        ("ja graag", "nl"),
        ("네, 부탁해요", "ko"),
        ("yes", "it"),
        ("Yes please, go ahead.", "en"),
        ("yes yes", "en"),
        ("ja bitte, mach", "de"),
        ("oui bien sûr, vas-y", "fr"),
        ("sí claro, adelante", "es"),
        ("ja hoor, doe maar", "nl"),
        ("네 그렇게 해 주세요", "ko"),
    ],
)
def test_a_bare_yes(text: str, language: str) -> None:
    assert is_yes(text, language)
    assert not is_no(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("yes and also open the garage", "en"),
        ("yes please and open the garage", "en"),
        ("not yes", "en"),
        ("yes no", "en"),
        ("ok, stop", "en"),
        ("ja, warte", "de"),
        ("yesterday", "en"),
        ("what?", "en"),
        ("", "en"),
        ("ja und das Tor auch", "de"),
        ("oui mais pas le garage", "fr"),
        ("네 그리고 차고도", "ko"),
    ],
)
def test_more_than_a_yes_is_none(text: str, language: str) -> None:
    assert not is_yes(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [("don't stop", "en"), ("do not cancel", "en"), ("nicht abbrechen", "de"), ("nicht warte", "de")],
)
def test_the_opposite_of_a_no_is_none(text: str, language: str) -> None:
    assert not is_no(text, language)
    assert not is_yes(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("no", "en"),
        ("No thanks", "en"),
        ("don't", "en"),
        ("no, wait", "en"),
        ("nein, lass mal", "de"),
        ("nee, wacht even", "nl"),
        ("아니요 괜찮아요", "ko"),
        ("Nein danke", "de"),
        ("non merci", "fr"),
        ("아니요", "ko"),
    ],
)
def test_a_bare_no(text: str, language: str) -> None:
    assert is_no(text, language)
    assert not is_yes(text, language)


@given(st.text(), st.sampled_from(LANGUAGES))
def test_no_text_is_both_and_none_breaks_it(text: str, language: str) -> None:
    assert not (is_yes(text, language) and is_no(text, language))


@given(st.sampled_from(["yes", "ok", "sure", "please do"]), st.sampled_from(["the garage", "unlock it", "but", "x"]))
def test_a_yes_with_anything_known_or_unknown_after_it_is_none(yes: str, more: str) -> None:
    assert not is_yes(f"{yes} {more}", "en")
