"""Whoever complains of a thing that does nothing learns that it is unavailable, and of heating what it has reached."""

from __future__ import annotations

import asyncio

import pytest

from tests.brains.talking import Other

_HOME = """
areas: [{id: bedroom, name: Bedroom}]
entities:
  - {name: %s, id: light.porch, state: "on"}
  - {name: Xanadu, id: climate.bedroom, area: bedroom, state: heat,
     attributes: {hvac_modes: ["off", heat], temperature: 22, current_temperature: 16.5}}
"""
SAID = {
    "en": ("Porch lamp", "I keep pressing the porch lamp and nothing happens", "not available since"),
    "de": ("Verandalampe", "was ist mit der Verandalampe los, die macht gar nichts", "nicht verfügbar"),
    "fr": ("Lampadaire", "j'appuie sur le lampadaire et rien ne se passe", "indisponible"),
    "es": ("Lámpara de pie", "le doy a la lámpara de pie y no pasa nada", "no disponible"),
    "nl": ("Verandalamp", "ik druk steeds op de verandalamp en er gebeurt niks", "niet beschikbaar"),
    "ko": ("플로어 스탠드", "플로어 스탠드 아무리 눌러도 안 되네", "사용할 수 없습니다"),
}


@pytest.mark.parametrize("language", SAID)
async def test_a_complaint_is_told_that_the_thing_is_unavailable(other_home: Other, language: str) -> None:
    name, complaint, told = SAID[language]
    async with other_home(_HOME % name) as (ask, server):
        before = (await ask(complaint, language=language)).response
        assert told not in before
        server.world.set_state("light.porch", "unavailable")
        await asyncio.sleep(0.1)
        assert told in (await ask(complaint, language=language)).response
        assert server.calls == []


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "why is the Xanadu heating?"),
        ("fr", "pourquoi le Xanadu chauffe ?"),
        ("es", "¿por qué calienta el Xanadu?"),
    ],
)
async def test_why_a_thermostat_heats_tells_what_it_has_reached(
    other_home: Other, language: str, question: str
) -> None:
    async with other_home(_HOME % "Lamp") as (ask, _):
        reply = (await ask(question, language=language)).response
        assert "16" in reply
        assert "22" in reply
