"""A question about several things stays one: nothing is switched, locked or moved because it was asked about."""

from __future__ import annotations

import pytest

from tests.brains.talking import Ask, Other, reached

BOAT = """
x-name: Boat
areas: [{id: galley, name: Galley}, {id: saloon, name: Saloon}]
entities:
  - {name: Lantern, id: light.lantern, area: saloon, state: "on", attributes: {supported_color_modes: [onoff]}}
  - {name: Kettle, id: switch.kettle, area: galley, state: "on"}
  - {name: Extractor, id: fan.extractor, area: galley, state: "off"}
  - {name: Hatch, id: lock.hatch, area: saloon, state: unlocked}
"""


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "are the lantern and the kettle off?"),
        ("en", "is the lantern on and the kettle off?"),
        ("en", "is the lantern on and the kettle off"),
        ("en", "did you turn off the kettle and lock the hatch?"),
        ("en", "did you turn off the kettle and lock the hatch"),
        ("de", "sind Lantern und Kettle aus?"),
        ("de", "ist die Lantern an und der Kettle aus?"),
        ("fr", "est-ce que Lantern et Kettle sont éteints ?"),
        ("fr", "as-tu verrouillé Hatch et éteint Kettle"),
        ("es", "¿está Lantern encendida y Kettle apagado?"),
        ("nl", "zijn Lantern en Kettle uit?"),
        ("nl", "is Lantern aan en Kettle uit?"),
        ("ko", "Lantern 켜져 있고 Kettle 꺼져 있어?"),
    ],
)
async def test_nothing_is_done_for_it(other_home: Other, language: str, text: str) -> None:
    async with other_home(BOAT) as (ask, server):
        reply = await ask(text, language=language)
        assert not reached(server), reply.response


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("are the lantern and the kettle on?", "Yes."),
        ("are the lantern and the extractor on?", "No, not Extractor."),
        ("is the kettle or the extractor on?", "No, not Extractor."),
        ("is the lantern on and the kettle off?", "Yes, Lantern is on. No, Kettle is on."),
    ],
)
async def test_each_of_them_is_answered(other_home: Other, text: str, answer: str) -> None:
    async with other_home(BOAT) as (ask, _):
        assert (await ask(text)).response == answer


@pytest.mark.parametrize(
    ("language", "text", "meant"),
    [
        ("en", "could you please turn off the kettle and lock the hatch?", {"switch.kettle", "lock.hatch"}),
        ("en", "can you turn off the kettle and the lantern?", {"switch.kettle", "light.lantern"}),
        ("en", "is the lantern on? turn on the extractor", {"fan.extractor"}),
        ("es", "¿puedes apagar Lantern y apagar Kettle?", {"light.lantern", "switch.kettle"}),
        ("nl", "kun je Lantern uitzetten en Kettle uitzetten?", {"light.lantern", "switch.kettle"}),
        ("ko", "Kettle 꺼줄래?", {"switch.kettle"}),
    ],
)
async def test_an_order_beside_a_question_is_one(other_home: Other, language: str, text: str, meant: set[str]) -> None:
    async with other_home(BOAT) as (ask, server):
        reply = await ask(text, language=language)
        assert reached(server) == meant, reply.response


@pytest.mark.parametrize(
    ("language", "text", "no"),
    [
        ("en", "are the lights off?", "No, not "),
        ("de", "sind die Lichter aus?", "Nein"),
        ("fr", "les lumières sont-elles éteintes ?", "Non"),
        ("es", "¿están apagadas las luces?", "No"),
        ("nl", "zijn de lichten uit?", "Nee"),
    ],
)
async def test_lights_are_off_when_all_are(ask: Ask, language: str, text: str, no: str) -> None:
    assert (await ask(text, language=language)).response.startswith(no)
