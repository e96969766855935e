"""Kinds of everyday sentences, each in several wordings: what is reached, and what is said instead."""

from __future__ import annotations

import pytest

from homeagent.demo.server import DemoServer
from tests.brains.talking import Ask, Other, phrase, reached

_WATERED = """
areas: [{name: %(garden)s, id: garden}]
entities:
  - {name: %(sprinkler)s, id: switch.sprinkler, area: garden, state: "off"}
  - {name: %(boiler)s, id: water_heater.boiler, state: eco, attributes: {temperature: 50, supported_features: [ON_OFF]}}
"""


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "shut the water off"),
        ("de", "dreh das Wasser ab"),
        ("fr", "coupe l'eau"),
        ("es", "corta el agua"),
        ("nl", "draai het water dicht"),
        ("ko", "물 잠가 줘"),
    ],
)
async def test_the_water_is_its_valve_and_no_boiler(ask: Ask, demo: DemoServer, language: str, text: str) -> None:
    await ask(text, language=language)
    assert [(c.entity_id, c.service) for c in demo.calls] == [("valve.main_water", "close_valve")]


async def test_a_home_without_a_water_valve_says_so(other_home: Other) -> None:
    words = {"garden": "Garden", "sprinkler": "Sprinkler", "boiler": "Hot water"}
    async with other_home(_WATERED % words) as (ask, server):
        assert "valves" in (await ask("shut the water off")).response
        assert not reached(server)


@pytest.mark.parametrize(
    ("language", "names", "texts"),
    [
        ("en", ("Garden", "Sprinkler", "Boiler"), ("water the garden", "stop watering")),
        ("de", ("Garten", "Rasensprenger", "Boiler"), ("gieß den Garten", "hör auf zu bewässern")),
        ("fr", ("Jardin", "Arrosage", "Chaudière"), ("arrose le jardin", "arrête l'arrosage")),
        ("es", ("Jardín", "Aspersor", "Caldera"), ("riega el jardín", "deja de regar")),
        ("nl", ("Tuin", "Tuinsproeier", "Boiler"), ("sproei de tuin", "stop met sproeien")),
        ("ko", ("정원", "스프링클러", "보일러"), ("정원에 물 줘", "급수 중지해 줘")),
    ],
)
async def test_watering_is_the_sprinklers_work(
    other_home: Other, language: str, names: tuple[str, ...], texts: tuple[str, ...]
) -> None:
    text = _WATERED % dict(zip(("garden", "sprinkler", "boiler"), names, strict=True))
    async with other_home(text) as (ask, server):
        for said in texts:
            await ask(said, language=language)
        services = [(c.entity_id, c.service) for c in server.calls]
    assert services == [("switch.sprinkler", "turn_on"), ("switch.sprinkler", "turn_off")]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn on Hall light tonight"),
        ("de", "schalte Hall light heute Abend ein"),
        ("fr", "allume Hall light ce soir"),
        ("es", "enciende Hall light esta noche"),
        ("nl", "zet Hall light vanavond aan"),
        ("ko", "오늘 밤에 Hall light 켜 줘"),
    ],
)
async def test_this_evening_is_later(ask: Ask, demo: DemoServer, language: str, text: str) -> None:
    assert (await ask(text, language=language)).response == phrase(language, "no_timer")
    assert not reached(demo)


async def test_a_light_is_opened_only_where_that_is_said_so(ask: Ask, demo: DemoServer) -> None:
    assert "cannot" in (await ask("open the hall light")).response
    assert not reached(demo)
    await ask("ferme Hall light", language="fr")
    assert demo.state("light.hall")["state"] == "off"
