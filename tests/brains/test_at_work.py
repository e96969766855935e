"""Whether something is on, by the states that say so in other words; and what heats, turned off by that word."""

from __future__ import annotations

import pytest

from tests.brains.talking import Other, reached

CABIN = """
x-name: Cabin
entities:
  - {name: Stove, id: climate.stove, state: heat, attributes: {hvac_modes: ["off", heat], temperature: 21}}
  - {name: Cylinder, id: water_heater.cylinder, state: eco}
  - {name: Jukebox, id: media_player.jukebox, state: playing}
  - {name: Breeze, id: fan.breeze, state: "on"}
  - {name: Lantern, id: light.lantern, state: "on"}
"""


@pytest.mark.parametrize(
    ("language", "text", "yes"),
    [
        ("en", "is the jukebox on?", "Yes, Jukebox"),
        ("en", "is the stove on?", "Yes, Stove"),
        ("en", "is the cylinder on?", "Yes, Cylinder"),
        ("en", "is the heating on?", "Yes, Stove"),
        ("de", "ist die Heizung an?", "Ja, Stove"),
        ("de", "läuft der Ventilator?", "Ja, Breeze"),
        ("de", "ist der Ventilator in Betrieb?", "Ja, Breeze"),
        ("fr", "le ventilateur tourne ?", "Oui, Breeze"),
        ("es", "¿está funcionando el ventilador?", "Sí, Breeze"),
        ("nl", "draait de ventilator?", "Ja, Breeze"),
        ("ko", "선풍기 돌아가고 있어?", "네, Breeze"),
    ],
)
async def test_what_works_is_on(other_home: Other, language: str, text: str, yes: str) -> None:
    async with other_home(CABIN) as (ask, _):
        assert (await ask(text, language=language)).response.startswith(yes)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn off the heating"),
        ("en", "heating off"),
        ("de", "mach die Heizung aus"),
        ("fr", "éteins le chauffage"),
        ("es", "apaga la calefacción"),
        ("nl", "zet de verwarming uit"),
        ("ko", "난방 꺼줘"),
    ],
)
async def test_the_heating_is_turned_off(other_home: Other, language: str, text: str) -> None:
    async with other_home(CABIN) as (ask, server):
        reply = await ask(text, language=language)
        assert reached(server) == {"climate.stove"}, reply.response
        assert server.state("climate.stove")["state"] == "off"
