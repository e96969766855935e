"""What is said right after an order, a question or an offer, in the demo home of each language."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from homeagent.timers.due import After
from tests.demo.showing import Shown, shown

LAMP, TIMER = "light.reading_lamp", "timer.pizza"


async def said(home: Shown, *sentences: str) -> str:
    """The answer to the last of the sentences of one conversation."""
    conversation, answer = None, ""
    for text in sentences:
        reply = await home.app.agent.process(text, language=home.language, conversation_id=conversation)
        conversation, answer = reply.conversation_id, reply.response
    return answer


SAID = {
    "en": (
        "way too bright",
        "the pizza is in, start its timer",
        "forget the timer",
        "how warm is it outside?",
        "and in the bedroom?",
    ),
    "de": (
        "viel zu grell",
        "die Pizza ist drin, starte ihren Timer",
        "brich den Timer ab",
        "wie warm ist es draußen?",
        "und im Schlafzimmer?",
    ),
    "fr": (
        "beaucoup trop lumineux",
        "la pizza est au four, lance son minuteur",
        "annule le minuteur",
        "il fait combien dehors ?",
        "et dans la chambre ?",
    ),
}


@pytest.mark.parametrize("language", SAID)
async def test_it_leans_on_what_was_before(language: str, tmp_path: Path) -> None:
    bright, start, forget, outside, inside = SAID[language]
    async with shown(tmp_path, language) as home:
        lamp = str(home.server.state(LAMP)["attributes"]["friendly_name"])
        await said(home, f"{lamp} 80 %", bright)
        assert home.server.state(LAMP)["attributes"]["brightness"] == pytest.approx(0.7 * 255, abs=2)
        await said(home, start)
        assert home.state(TIMER) == "active"
        await said(home, start, forget)
        assert home.state(TIMER) == "idle"
        assert "°C" in await said(home, outside, inside)


@pytest.mark.parametrize(
    ("language", "order", "corrections"),
    [
        ("en", "set a timer for 12 minutes", ("make that fifteen minutes", "make it a quarter of an hour instead")),
        (
            "de",
            "stell einen Timer auf 12 Minuten",
            ("Mach lieber eine Viertelstunde draus", "Mach eine Viertelstunde daraus", "fünfzehn Minuten draus"),
        ),
        ("fr", "mets un minuteur de 12 minutes", ("mets plutôt un quart d'heure",)),
        ("es", "pon un temporizador de 12 minutos", ("que sean quince minutos mejor", "hazlo de quince minutos")),
        ("nl", "zet een timer van 12 minuten", ("maak er een kwartier van", "maak daar een kwartier van")),
        ("ko", "타이머 12분 맞춰줘", ("15분으로 바꿔줘",)),
    ],
)
async def test_a_timer_is_made_one_of_another_length(
    language: str, order: str, corrections: tuple[str, ...], tmp_path: Path
) -> None:
    async with shown(tmp_path, language) as home:
        for correction in corrections:
            answer = await said(home, order, correction)
            *_, timer = await home.app.timers.find()
            assert timer.due == After(timedelta(minutes=15)), answer
        assert len(await home.app.timers.find()) == len(corrections)
