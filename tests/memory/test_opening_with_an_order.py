"""What begins as an order to the home is not kept as something told."""

from __future__ import annotations

import pytest

from homeagent.remembering.turn_sentences import opens_with_an_order


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Pop parents' evening in the calendar"),
        ("en", "please put oats on"),
        ("de", "mach mal lauter"),
        ("fr", "ajoute du lait"),
        ("nl", "zet melk erop"),
    ],
)
def test_an_order(language: str, text: str) -> None:
    assert opens_with_an_order(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Park Street is closed"),
        ("en", "the bins go out on Monday"),
        ("en", "keep the spare key under the pot"),
        ("de", "wir fahren Montag"),
        ("ko", "우리 고양이 이름은 나비야"),
    ],
)
def test_something_told(language: str, text: str) -> None:
    assert not opens_with_an_order(text, language)
