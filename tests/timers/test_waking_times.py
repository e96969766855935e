"""The time that Home Assistant keeps for waking is set, asked for and put back; no alarm is set beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.demo.showing import shown

WAKE_UP = "input_datetime.wake_up"
SAID = {
    "en": ("bump the wake-up time to quarter past seven", "when does my alarm go off?", "move my alarm to 7:30"),
    "de": (
        "stell meine Weckzeit auf viertel nach sieben",
        "wann geht mein Wecker?",
        "verschieb meinen Wecker auf 7:30",
    ),
    "fr": ("mets l'heure de réveil à 7h15", "à quelle heure est mon réveil ?", "déplace mon réveil à 7h30"),
    "es": ("pon la hora de despertar a las 7:15", "¿a qué hora es mi despertador?", "cambia mi despertador a las 7:30"),
    "nl": ("zet de wektijd op kwart over zeven", "op welke tijd staat mijn wekker?", "verzet mijn wekker naar 7:30"),
    "ko": ("기상 시간을 7시 15분으로 바꿔줘", "내 알람 몇 시야?", "알람을 7시 30분으로 바꿔줘"),
}


@pytest.mark.parametrize("language", SAID)
async def test_it_is_set_and_told(language: str, tmp_path: Path) -> None:
    order, question, move = SAID[language]
    async with shown(tmp_path, language) as home:
        before = home.state(WAKE_UP)
        said = await home.ask(order)
        assert home.state(WAKE_UP) == "07:15:00", said.response
        assert await home.app.timers.find() == []
        assert "07:15" in (await home.ask(question)).response
        await home.ask(move)
        assert home.state(WAKE_UP) == "07:30:00"
        assert await home.app.timers.find() == []
        if language == "en":
            await home.ask("undo", said.conversation_id)
            assert home.state(WAKE_UP) == before
