"""Shuffle, repeat and sources: of several players the one that plays is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.demo.showing import shown

PLAYER = "media_player.living_room_speaker"
SAID = {
    "en": ("turn shuffle on", "put the music on repeat"),
    "de": ("mach die Zufallswiedergabe an", "Wiederholung einschalten"),
    "fr": ("passe en lecture aléatoire", "mets la musique en boucle"),
    "es": ("pon la música en aleatorio", "pon la música en bucle"),
    "nl": ("zet shuffle aan", "zet herhalen aan"),
    "ko": ("셔플로 틀어줘", "반복 재생 켜줘"),
}


@pytest.mark.parametrize("language", SAID)
async def test_the_one_that_plays_is_meant(language: str, tmp_path: Path) -> None:
    shuffle, repeat = SAID[language]
    async with shown(tmp_path, language) as home:
        said = await home.ask(shuffle)
        assert home.server.state(PLAYER)["attributes"]["shuffle"] is True, said.response
        said = await home.ask(repeat)
        assert home.server.state(PLAYER)["attributes"]["repeat"] == "all", said.response
