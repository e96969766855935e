"""Orders under a condition that is looked at first: a question before them, and what is foretold."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.demo.showing import shown

ASKED = {
    "en": "Is it below minus thirty outside? Then start the vacuum cleaner",
    "de": "Ist es draußen unter minus dreißig Grad? Dann starte den Staubsauger",
    "nl": "Is het buiten onder de min dertig graden? Start dan de stofzuiger",
}
"""What is not so, and an order that hangs on it."""
FORETOLD = {
    "en": ("if it rains {day}, put umbrellas on the shopping list", "tomorrow"),
    "de": ("wenn es {day} regnet, setz Schirme auf die Einkaufsliste", "morgen"),
    "fr": ("s'il pleut {day}, ajoute parapluies à la liste de courses", "demain"),
    "es": ("si llueve {day}, apunta paraguas en la lista de la compra", "mañana"),
    "nl": ("als het {day} regent, zet paraplu's op de boodschappenlijst", "morgen"),
    "ko": ("{day} 비 오면 장보기 목록에 우산 넣어줘", "내일"),
}
DENIED = "if it doesn't rain tomorrow, put umbrellas on the shopping list"


@pytest.mark.parametrize("language", ASKED)
async def test_nothing_is_done_where_the_answer_is_no(language: str, tmp_path: Path) -> None:
    async with shown(tmp_path, language) as home:
        said = await home.ask(ASKED[language])
        assert home.state("vacuum.rosie") == "docked", said.response


@pytest.mark.parametrize("language", FORETOLD)
async def test_what_is_foretold_is_asked_for_first(language: str, tmp_path: Path) -> None:
    text, day = FORETOLD[language]
    async with shown(tmp_path, language) as home:
        said = await home.ask(text.format(day=day))
        done = [c.service for c in home.server.calls if c.service in ("get_forecasts", "add_item")]
        assert done == ["get_forecasts", "add_item"], said.response
        if language == "en":
            denied = await home.ask(DENIED)
            done = [c.service for c in home.server.calls if c.service == "add_item"]
            assert len(done) == 1, denied.response
