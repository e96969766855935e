"""The sun in a room is let in by opening its blinds; where it blinds somebody, closing them is offered."""

from __future__ import annotations

import pytest

from tests.brains.talking import Other

_HOME = """
areas: [{id: salon, name: %s}]
entities:
  - {name: Veluxo, id: cover.blinds, area: salon, state: "%s", attributes: {device_class: blind}}
  - {name: Portalo, id: cover.gate, area: salon, state: closed, attributes: {device_class: garage}}
  - {name: Lampo, id: light.lamp, area: salon, state: "on",
     attributes: {supported_color_modes: [color_temp], color_mode: color_temp, color_temp_kelvin: 3000, brightness: 99}}
"""
SAID = {
    "en": ("Living room", "let some daylight into the living room", "the sun is blinding me in the living room"),
    "de": ("Wohnzimmer", "lass mal die Sonne ins Wohnzimmer", "die Sonne blendet im Wohnzimmer total"),
    "fr": ("Salon", "laisse entrer le soleil dans le salon", "le soleil m'éblouit dans le salon"),
    "es": ("Salón", "deja que entre el sol en el salón", "el sol me da en los ojos en el salón"),
    "nl": ("Woonkamer", "laat de zon maar binnen in de woonkamer", "de zon schijnt in mijn ogen in de woonkamer"),
    "ko": ("거실", "거실에 햇빛 좀 들어오게 해 줘", "거실에 햇빛이 너무 눈부셔"),
}


@pytest.mark.parametrize("language", SAID)
async def test_the_sun_is_let_in_by_the_blinds_alone(other_home: Other, language: str) -> None:
    room, let_in, _ = SAID[language]
    async with other_home(_HOME % (room, "closed")) as (ask, server):
        await ask(let_in, language=language)
        assert {c.entity_id for c in server.calls} == {"cover.blinds"}
        assert server.calls[0].service == "open_cover"


@pytest.mark.parametrize("language", SAID)
async def test_closing_the_blinds_is_offered_where_the_sun_blinds(other_home: Other, language: str) -> None:
    room, _, blinding = SAID[language]
    async with other_home(_HOME % (room, "open")) as (ask, server):
        reply = await ask(blinding, language=language)
        assert "Veluxo" in reply.response
        assert reply.question
        assert server.calls == []
