"""A source of a player is chosen by its name alone, and a station by the sort of music that its name tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.demo.showing import shown

SPEAKER, TV = "media_player.living_room_speaker", "media_player.tv"
SAID = {
    "en": ("put some jazz on in the living room", "put Netflix on"),
    "de": ("mach im Wohnzimmer etwas Jazz an", "mach mal Netflix an"),
    "fr": ("mets du jazz dans le salon", "mets-moi Netflix"),
    "es": ("pon un poco de jazz en el salón", "ponme Netflix"),
    "nl": ("zet wat jazz op in de woonkamer", "zet Netflix eens op"),
    "ko": ("거실에 재즈 좀 틀어 줘", "넷플릭스 틀어 줘"),
}


@pytest.mark.parametrize("language", SAID)
async def test_a_source_is_chosen_without_the_name_of_its_player(language: str, tmp_path: Path) -> None:
    music, source = SAID[language]
    async with shown(tmp_path, language) as home:
        await home.ask(music)
        await home.ask(source)
        chosen = [(c.entity_id, c.data["source"]) for c in home.server.calls if c.service == "select_source"]
        assert chosen == [(SPEAKER, "Jazz FM"), (TV, "Netflix")]


async def test_of_a_sort_that_no_station_is_of_none_is_chosen(tmp_path: Path) -> None:
    async with shown(tmp_path) as home:
        await home.ask("put some classical music on in the living room")
        assert [c for c in home.server.calls if c.service == "select_source"] == []
