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
    assert (await ask(text, language=language)).response == phrase(language, "ask_when")
    assert not reached(demo)


async def test_a_light_is_opened_only_where_that_is_said_so(ask: Ask, demo: DemoServer) -> None:
    assert "cannot" in (await ask("open the hall light")).response
    assert not reached(demo)
    await ask("ferme Hall light", language="fr")
    assert demo.state("light.hall")["state"] == "off"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "set Bedroom thermostat to 19 and a half degrees"),
        ("en", "set Bedroom thermostat to nineteen point five degrees"),
        ("de", "stelle Bedroom thermostat auf neunzehneinhalb Grad"),
        ("fr", "règle Bedroom thermostat sur 19 degrés et demi"),
        ("es", "pon Bedroom thermostat a 19 grados y medio"),
        ("nl", "zet Bedroom thermostat op negentien en een halve graad"),
        ("ko", "Bedroom thermostat 19도 반으로 맞춰 줘"),
    ],
)
async def test_a_spoken_half_counts(ask: Ask, demo: DemoServer, language: str, text: str) -> None:
    await ask(text, language=language)
    assert demo.state("climate.bedroom")["attributes"]["temperature"] == 19.5


async def test_halfway_is_no_hallway(ask: Ask, demo: DemoServer) -> None:
    await ask("close the blinds halfway")
    assert demo.state("cover.living_room_blinds")["attributes"]["current_position"] == 50


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "I'm home", "welcome"),
        ("de", "ich bin wieder da", "welcome"),
        ("fr", "je suis rentré", "welcome"),
        ("es", "ya estoy en casa", "welcome"),
        ("nl", "ik ben thuis", "welcome"),
        ("ko", "나 왔어", "welcome"),
        ("en", "when does the sun set", "no_sun"),
        ("de", "wann geht die Sonne unter?", "no_sun"),
        ("fr", "à quelle heure se couche le soleil ?", "no_sun"),
        ("es", "¿a qué hora se pone el sol?", "no_sun"),
        ("nl", "hoe laat gaat de zon onder?", "no_sun"),
        ("ko", "해가 언제 져?", "no_sun"),
        ("en", "when will the washing machine be done", "not_ahead"),
    ],
)
async def test_what_is_only_said_or_not_known(ask: Ask, demo: DemoServer, language: str, text: str, said: str) -> None:
    assert (await ask(text, language=language)).response == phrase(language, said)
    assert not reached(demo)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("did somebody leave a window open", "Yes, Kitchen window is open."),
        ("is anyone in the study", "Yes, Study occupancy is occupied."),
        ("what's it like outside right now", "cloudy, 11.2 °C."),
        ("which doors are not locked", "None."),
        ("who is not home", "Ben."),
        ("which blinds are not closed", "Living room blinds."),
        ("is the washing machine done", "No, Washing machine is rinsing."),
        ("is the dishwasher done", "Dishwasher power is on."),
        (
            "is it warmer in the bedroom or the living room",
            "Living room temperature is 21.5 °C, higher than Bedroom temperature with 18.4 °C.",
        ),
        (
            "is it colder in the bedroom or the living room",
            "Bedroom temperature is 18.4 °C, lower than Living room temperature with 21.5 °C.",
        ),
        ("set the tv source to HBO", 'LG C2 55": there is HDMI 1, Netflix, YouTube.'),
        ("mute the tv", 'LG C2 55": off right now, so that cannot be done.'),
    ],
)
async def test_the_answer_is_one_to_the_question(ask: Ask, demo: DemoServer, text: str, said: str) -> None:
    assert (await ask(text)).response == said
    assert not reached(demo)


async def test_many_are_told_with_their_number(ask: Ask) -> None:
    assert (await ask("which lights are off")).response[0].isdigit()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "have the lawn mowed"),
        ("de", "lass den Rasen mähen"),
        ("fr", "fais tondre la pelouse"),
        ("es", "que corten el césped"),
        ("nl", "laat het gras maaien"),
        ("ko", "잔디 깎아 줘"),
    ],
)
async def test_to_have_it_done_is_an_order(ask: Ask, demo: DemoServer, language: str, text: str) -> None:
    await ask(text, language=language)
    assert reached(demo) == {"lawn_mower.garden"}


async def test_the_radio_is_what_is_called_so(ask: Ask, demo: DemoServer) -> None:
    await ask("turn the radio down a bit")
    assert reached(demo) == {"media_player.kitchen_radio"}


async def test_a_player_that_is_off_is_turned_on_for_its_source(ask: Ask, demo: DemoServer) -> None:
    await ask("switch the tv to netflix")
    assert demo.state("media_player.tv")["state"] != "off"
    assert demo.state("media_player.tv")["attributes"]["source"] == "Netflix"


async def test_both_ends_of_a_range_are_told(ask: Ask, demo: DemoServer) -> None:
    response = (await ask("bump the living room temperature up by one degree")).response
    assert "21 °C" in response
    assert "25 °C" in response


async def test_white_in_a_room_is_its_lights(ask: Ask, demo: DemoServer) -> None:
    await ask("warm white in the living room please")
    assert demo.state("light.reading_lamp")["attributes"]["color_temp_kelvin"] == 2700
    assert not any(entity_id.startswith("climate") for entity_id in reached(demo))


_ONE_STOREY = """
areas: [{name: Kitchen, id: kitchen}, {name: Bath, id: bath}]
entities:
  - {name: Kitchen lamp, id: light.kitchen, area: kitchen, state: "on"}
  - {name: Bath lamp, id: light.bath, area: bath, state: "on"}
"""


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn off all lights upstairs"),
        ("de", "mach oben alle Lichter aus"),
        ("fr", "éteins toutes les lumières en haut"),
        ("es", "apaga todas las luces de arriba"),
        ("nl", "doe boven alle lampen uit"),
        ("ko", "위층 불 다 꺼 줘"),
    ],
)
async def test_a_storey_that_is_not_there_is_not_the_whole_home(other_home: Other, language: str, text: str) -> None:
    async with other_home(_ONE_STOREY) as (ask, server):
        await ask(text, language=language)
        assert not reached(server)


_CALLED_UPSTAIRS = """
areas: [{name: Kitchen, id: kitchen}, {name: Upstairs hallway, id: hallway}]
entities:
  - {name: Kitchen lamp, id: light.kitchen, area: kitchen, state: "on"}
  - {name: Wall lamp, id: light.wall, area: hallway, state: "on"}
  - {name: Upstairs vacuum, id: vacuum.upstairs, area: hallway, state: cleaning}
  - {name: Kitchen vacuum, id: vacuum.kitchen, area: kitchen, state: cleaning}
"""


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("send the upstairs vacuum home", {"vacuum.upstairs"}),
        ("turn off all lights upstairs", {"light.wall"}),
    ],
)
async def test_without_storeys_upstairs_is_what_is_called_so(other_home: Other, text: str, meant: set[str]) -> None:
    async with other_home(_CALLED_UPSTAIRS) as (ask, server):
        await ask(text)
        assert reached(server) == meant


_LISTS = """
entities:
  - {name: %(shopping)s, id: todo.shopping_list, attributes: {supported_features: [CREATE_TODO_ITEM, DELETE_TODO_ITEM, UPDATE_TODO_ITEM]}, x-items: [%(milk)s, %(eggs)s]}
  - {name: %(tasks)s, id: todo.tasks, attributes: {supported_features: [CREATE_TODO_ITEM, DELETE_TODO_ITEM, UPDATE_TODO_ITEM]}, x-items: [%(wash)s]}
"""  # noqa: E501
_LISTED = {
    "en": ("Shopping list", "To-do list", "milk", "eggs", "wash the car"),
    "de": ("Einkaufsliste", "Aufgaben", "Milch", "Eier", "Auto waschen"),
    "fr": ("Liste de courses", "Tâches", "lait", "œufs", "laver la voiture"),
    "es": ("Lista de la compra", "Tareas", "leche", "huevos", "lavar el coche"),
    "nl": ("Boodschappenlijst", "Taken", "melk", "eieren", "auto wassen"),
    "ko": ("장보기 목록", "할 일 목록", "우유", "계란", "자동차 닦기"),
}


def _with_lists(language: str) -> str:
    return _LISTS % dict(zip(("shopping", "tasks", "milk", "eggs", "wash"), _LISTED[language], strict=True))


def _struck(server: DemoServer) -> list[tuple[str, str, object]]:
    told = [c for c in server.calls if not c.service.startswith("get_")]
    return [(str(c.entity_id), c.service, c.data["item"]) for c in told]


@pytest.mark.parametrize(
    ("language", "bought", "washed"),
    [
        ("en", "I've bought the eggs already, so take those off the list", "the car's been washed, tick that one off"),
        ("de", "die Eier hab ich gekauft, streich die von der Liste", "Auto ist gewaschen, hak das ab"),
        ("fr", "on a déjà des œufs, enlève-les de la liste", "la voiture est lavée, coche ça"),
        ("es", "ya he comprado los huevos, quítalos de la lista", "he lavado el coche, puedes tacharlo"),
        ("nl", "eieren heb ik al, streep maar door", "de auto is gewassen, vink dat maar af"),
        ("ko", "계란은 샀어, 목록에서 지워", "자동차 닦았어, 그거 완료 처리해 줘"),
    ],
)
async def test_a_pronoun_strikes_what_was_told_of(other_home: Other, language: str, bought: str, washed: str) -> None:
    eggs, wash = _LISTED[language][3:]
    async with other_home(_with_lists(language)) as (ask, server):
        assert eggs in (await ask(bought, language=language)).response
        assert wash in (await ask(washed, language=language)).response
        assert _struck(server) == [
            ("todo.shopping_list", "remove_item", [eggs]),
            ("todo.tasks", "update_item", wash),
        ]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I've bought the eggs"),
        ("en", "we need milk, take it off"),
        ("en", "got the eggs, but don't take those off the list"),
        ("en", "is the milk bought, tick it off"),
        ("en", "I bought bananas, take those off the list"),
        ("de", "wenn ich die Eier gekauft habe, streich sie von der Liste"),
        ("de", "die Eier hab ich nicht gekauft, streich sie"),
        ("fr", "j'ai acheté le lait, ne l'enlève pas de la liste"),
        ("es", "he comprado la leche, no la quites de la lista"),
        ("nl", "melk heb ik al, streep die maar niet door"),
        ("ko", "우유 샀으면 목록에서 지워 줘"),
    ],
)
async def test_what_is_only_told_strikes_nothing(other_home: Other, language: str, text: str) -> None:
    async with other_home(_with_lists(language)) as (ask, server):
        await ask(text, language=language)
        assert not _struck(server)


async def test_without_an_item_the_last_one_is_struck(other_home: Other) -> None:
    async with other_home(_with_lists("en")) as (ask, server):
        await ask("add bread to the shopping list")
        await ask("that's been bought, take it off the list")
        assert _struck(server)[-1] == ("todo.shopping_list", "remove_item", ["bread"])


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("es", "¡Me han hecho fija en el trabajo, por fin!"),
        ("es", "pon en marcha la rumba que está el suelo hecho un asco"),
        ("ko", "위모 플러그 내려, 전동 킥보드 충전 다 됐대"),
    ],
)
async def test_lists_are_told_only_to_who_speaks_of_one(other_home: Other, language: str, text: str) -> None:
    async with other_home(_with_lists(language)) as (ask, server):
        assert _LISTED[language][2] not in (await ask(text, language=language)).response
        assert not _struck(server)


async def test_what_was_added_last_stays_where_something_else_is_told_of(other_home: Other) -> None:
    async with other_home(_with_lists("en")) as (ask, server):
        await ask("add crackers to the shopping list")
        before = len(_struck(server))
        await ask("actually we have got cheese, take it off")
        assert len(_struck(server)) == before


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I bought bananas, take those off the shopping list"),
        ("de", "Bananen hab ich gekauft, streich die von der Einkaufsliste"),
        ("fr", "j'ai acheté des bananes, enlève-les de la liste de courses"),
        ("ko", "바나나 샀어, 장보기 목록에서 지워"),
    ],
)
async def test_it_is_told_what_a_list_has_instead(other_home: Other, language: str, text: str) -> None:
    shopping, _, milk, eggs, _ = _LISTED[language]
    async with other_home(_with_lists(language)) as (ask, server):
        response = (await ask(text, language=language)).response
        assert all(said in response for said in (shopping, milk, eggs))
        assert not _struck(server)
