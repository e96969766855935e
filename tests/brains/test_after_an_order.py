"""What is said right after an order, a question or an offer, in the demo home of each language."""

from __future__ import annotations

from pathlib import Path

import pytest

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
