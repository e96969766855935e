"""A thing's own values by the words of a language, how a robot is looked for, and what everybody is to be told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.demo.showing import shown

SAID = {
    "en": ("put the vacuum cleaner on quiet mode", "make the vacuum cleaner beep", "tell everyone dinner is ready"),
    "de": ("Staubsauger auf leise", "lass den Staubsauger piepen", "sag allen, das Essen ist fertig"),
    "fr": ("mets l'aspirateur en mode silencieux", "fais biper l'aspirateur", "annonce que le repas est prêt"),
    "es": ("pon Rosie en modo silencioso", "haz que pite Rosie", "anuncia que la cena está lista"),
    "nl": ("zet de stofzuiger op stille stand", "laat de stofzuiger piepen", "roep om dat het eten klaar is"),
    "ko": ("청소기 조용한 모드로 해줘", "청소기 삑 소리 나게 해줘", "저녁 먹으라고 방송해 줘"),
}


@pytest.mark.parametrize("language", SAID)
async def test_they_are_found_and_done(language: str, tmp_path: Path) -> None:
    quiet, locate, announce = SAID[language]
    async with shown(tmp_path, language) as home:
        said = await home.ask(quiet)
        assert home.server.state("vacuum.rosie")["attributes"]["fan_speed"] == "quiet", said.response
        said = await home.ask(locate)
        assert [c.service for c in home.server.calls if c.entity_id == "vacuum.rosie"][-1] == "locate", said.response
        said = await home.ask(announce)
        sent = [c.service for c in home.server.calls if c.service in ("announce", "send_message")]
        assert sent == [], "what reaches phones needs a yes, and the satellite is not shared"
        assert said.response
