"""A vacuum rests where it is told to take a break, and beeps where it is to be found."""

from __future__ import annotations

import pytest

from tests.brains.talking import Other

_HOME = """
entities:
  - {name: Zelda, id: vacuum.zelda, state: cleaning,
     attributes: {supported_features: [START, STOP, PAUSE, RETURN_HOME, LOCATE, STATE]}}
"""
SAID = {
    "en": ("tell Zelda to take a break", "make Zelda beep so I can find it"),
    "de": ("Zelda soll mal Pause machen", "lass Zelda mal piepen"),
    "fr": ("mets Zelda en pause", "fais sonner Zelda"),
    "es": ("que Zelda haga una pausa", "haz que pite Zelda"),
    "nl": ("Zelda mag even pauzeren", "laat Zelda piepen"),
    "ko": ("Zelda 잠깐 쉬게 해 줘", "Zelda 소리 나게 해 줘"),
}


@pytest.mark.parametrize("language", SAID)
async def test_it_takes_a_break_and_is_found(other_home: Other, language: str) -> None:
    async with other_home(_HOME) as (ask, server):
        for text in SAID[language]:
            await ask(text, language=language)
        assert [c.service for c in server.calls] == ["pause", "locate"]
