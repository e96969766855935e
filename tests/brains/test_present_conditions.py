"""Orders under a condition about the present: it is looked at, and acted upon or told."""

from __future__ import annotations

import pytest

from homeagent.demo.server import DemoServer
from homeagent.ha.connection import HomeAssistant
from tests.brains.talking import Ask, phrase, pressed, reached

LAMP, DOOR = "light.reading_lamp", "lock.front_door"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "if the front door is unlocked, turn on the reading lamp"),
        ("en", "if the front door isn't locked turn on the reading lamp"),
        ("en", "turn on the reading lamp if the front door is unlocked"),
        ("de", "Falls die Front door nicht abgeschlossen ist, mach die Reading lamp an"),
        ("fr", "si la Front door n'est pas verrouillée, allume la Reading lamp"),
        ("es", "si la Front door no está bloqueada, enciende la Reading lamp"),
        ("nl", "als de Front door niet op slot is, doe de Reading lamp aan"),
        ("ko", "Front door 안 잠겨 있으면 Reading lamp 켜 줘"),
    ],
)
async def test_what_an_order_depends_on_is_looked_at(
    ask: Ask, demo: DemoServer, home_assistant: HomeAssistant, language: str, text: str
) -> None:
    await pressed(demo, home_assistant, DOOR, "locked")
    await pressed(demo, home_assistant, LAMP, "off")
    told = await ask(text, language=language)
    assert reached(demo) == set()
    assert phrase(language, "left_alone") in told.response
    await pressed(demo, home_assistant, DOOR, "unlocked")
    await ask(text, language=language)
    assert reached(demo) == {LAMP}


async def test_otherwise_the_other_is_done(ask: Ask, demo: DemoServer, home_assistant: HomeAssistant) -> None:
    text = "if the front door is locked turn off the reading lamp, otherwise turn on the reading lamp"
    await pressed(demo, home_assistant, DOOR, "unlocked")
    await pressed(demo, home_assistant, LAMP, "off")
    await ask(text)
    assert demo.state(LAMP)["state"] == "on"
    await pressed(demo, home_assistant, DOOR, "locked")
    await ask(text)
    assert demo.state(LAMP)["state"] == "off"


async def test_nothing_holds_of_what_is_not_known(ask: Ask, demo: DemoServer, home_assistant: HomeAssistant) -> None:
    await pressed(demo, home_assistant, DOOR, "unavailable")
    for text in ("if the front door is locked, turn on the reading lamp", "if the front door isn't locked, turn it on"):
        await ask(text)
    assert reached(demo) == set()
