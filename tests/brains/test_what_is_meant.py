"""Whom a sentence means: kinds beside kinds, routines by any of their words, what is at it, numbers in names."""

from __future__ import annotations

import pytest

from homeagent.demo.server import DemoServer
from homeagent.ha.connection import HomeAssistant
from tests.brains.talking import LIVING_ROOM_LIGHTS, Ask, Other, phrase, reached


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn off the tv and the lights in the living room"),
        ("en", "turn off the lights and the tv in the living room"),
        ("de", "schalte den Fernseher und die Lichter im Living room aus"),
        ("fr", "éteins la télé et les lumières dans Living room"),
        ("es", "apaga la tele y las luces en Living room"),
        ("nl", "zet de tv en de lampen in de Living room uit"),
        ("ko", "Living room 티비와 조명 꺼줘"),
    ],
)
async def test_a_tv_is_no_speaker(ask: Ask, demo: DemoServer, language: str, text: str) -> None:
    reply = await ask(text, language=language)
    assert reached(demo) == {*LIVING_ROOM_LIGHTS, "media_player.tv"}, reply.response


UNCLASSED = """
x-name: Flat
areas: [{id: lounge, name: Lounge}]
entities:
  - {name: Lounge TV, id: media_player.lounge_tv, area: lounge, state: "on"}
  - {name: Radio, id: media_player.radio, area: lounge, state: playing, attributes: {device_class: speaker}}
  - {name: Record player, id: media_player.records, area: lounge, state: playing}
  - {name: Floor lamp, id: light.floor, area: lounge, state: "on"}
  - name: Leaving
    id: script.leaving
    x-script: {sequence: [{action: light.turn_off, target: {entity_id: light.floor}}]}
"""


async def test_a_name_that_has_the_kinds_word_is_of_that_kind(other_home: Other) -> None:
    async with other_home(UNCLASSED) as (ask, server):
        reply = await ask("turn off the tv and the lights in the lounge")
        assert reached(server) == {"media_player.lounge_tv", "light.floor"}, reply.response


TWO_ON = UNCLASSED.replace(
    "entities:\n", "entities:\n  - {name: Bedroom TV, id: media_player.bedroom_tv, state: playing}\n", 1
)


async def test_the_tv_is_one_of_them(other_home: Other) -> None:
    """Not both, where two are on."""
    async with other_home(TWO_ON) as (ask, server):
        reply = await ask("turn off the TV")
        assert reply.question
        assert not reached(server)


async def test_a_routine_may_be_called_by_a_word_that_takes_things_out(other_home: Other) -> None:
    async with other_home(UNCLASSED) as (ask, server):
        await ask("activate leaving")
        assert "script.leaving" in reached(server)


@pytest.mark.parametrize(
    ("language", "text", "started"),
    [
        ("en", "run the good night scene", "script.good_night"),
        ("en", "start the good night routine", "script.good_night"),
        ("en", "activate the movie night script", "scene.movie_night"),
        ("en", "good night", "script.good_night"),
        ("de", "aktiviere die Szene Good night", "script.good_night"),
        ("fr", "active la scène Good night", "script.good_night"),
        ("es", "activa la escena Good night", "script.good_night"),
        ("nl", "activeer de scène Good night", "script.good_night"),
        ("ko", "Good night 장면 실행해줘", "script.good_night"),
    ],
)
async def test_scene_script_and_routine_are_words_for_one_another(
    ask: Ask, demo: DemoServer, language: str, text: str, started: str
) -> None:
    reply = await ask(text, language=language)
    assert started in reached(demo), reply.response


async def test_scenes_are_listed_though_they_have_no_state(ask: Ask) -> None:
    reply = await ask("which scenes are there")
    assert "Movie night" in reply.response
    assert "not available" not in reply.response


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "stop"),
        ("en", "stop it"),
        ("de", "stopp"),
        ("fr", "arrête"),
        ("es", "para"),
        ("nl", "stop"),
        ("ko", "멈춰"),
    ],
)
async def test_a_bare_stop_stops_what_moves_before_what_plays(
    ask: Ask, demo: DemoServer, home_assistant: HomeAssistant, language: str, text: str
) -> None:
    demo.set_state("cover.living_room_blinds", "closing")
    ids = ["cover.living_room_blinds"]
    await home_assistant.home.wait_until(lambda: home_assistant.home.state_text(ids[0]) == "closing", ids, 2)
    await ask(text, language=language)
    assert reached(demo) == set(ids)


async def test_a_bare_stop_stops_what_plays_and_else_says_that_nothing_runs(ask: Ask, demo: DemoServer) -> None:
    await ask("stop", device_id="satellite")
    assert reached(demo) == {"media_player.living_room_speaker"}
    for player in ("media_player.living_room_speaker", "media_player.tv", "media_player.kitchen_radio"):
        demo.set_state(player, "off")
    await ask("turn on the hall light")  # what was spoken of last is nothing that could stop
    demo.calls.clear()
    assert "nothing running" in (await ask("stop")).response
    assert not reached(demo)


async def test_stop_means_what_was_just_started(ask: Ask, demo: DemoServer) -> None:
    await ask("start the vacuum")
    demo.calls.clear()
    await ask("stop")
    assert reached(demo) == {"vacuum.rosie"}


@pytest.mark.parametrize(
    ("language", "less", "more"),
    [
        ("en", "minus 10", "10 more"),
        ("en", "10 less", "a bit more"),
        ("en", "-10", "plus 10"),
        ("de", "10 weniger", "etwas mehr"),
        ("fr", "10 de moins", "un peu plus"),
        ("es", "10 menos", "un poco más"),
        ("nl", "10 minder", "een beetje meer"),
        ("ko", "10 덜", "조금 더"),
    ],
)
async def test_more_and_less_lean_on_what_was_set(
    ask: Ask, demo: DemoServer, language: str, less: str, more: str
) -> None:
    def brightness() -> float:
        return float(demo.state("light.reading_lamp")["attributes"]["brightness"]) / 2.55

    await ask("set the reading lamp to 50 percent")
    reply = await ask(less, language=language)
    assert brightness() == pytest.approx(40, abs=1), reply.response
    reply = await ask(more, language=language)
    assert brightness() == pytest.approx(50, abs=1), reply.response
    assert reached(demo) == {"light.reading_lamp"}


async def test_more_of_a_temperature_is_degrees(ask: Ask, demo: DemoServer) -> None:
    await ask("set the bedroom thermostat to 20 degrees")
    await ask("2 more")
    assert demo.state("climate.bedroom")["attributes"]["temperature"] == 22
    await ask("30 percent less")
    assert demo.state("climate.bedroom")["attributes"]["temperature"] == 22


NUMBERED = """
x-name: Flat
areas: [{id: hall, name: Hall}]
entities:
  - {name: Lamp, id: light.lamp, area: hall, state: "off", attributes: {supported_color_modes: [brightness]}}
  - {name: Lamp 1, id: light.lamp_1, area: hall, state: "off", attributes: {supported_color_modes: [brightness]}}
  - {name: Lamp 2, id: light.lamp_2, area: hall, state: "off", attributes: {supported_color_modes: [brightness]}}
"""


async def test_a_number_that_no_name_has_means_none_of_them(other_home: Other) -> None:
    async with other_home(NUMBERED) as (ask, server):
        reply = await ask("turn on lamp 3")
        assert not reached(server), reply.response
        found = {f["entity_id"]: f["score"] for f in reply.trace["retrieval"]["found"]} if reply.trace else {}
        exact = await ask("turn on the lamp")
        whole = {f["entity_id"]: f["score"] for f in exact.trace["retrieval"]["found"]} if exact.trace else {}
        assert found.get("light.lamp", 0) < whole["light.lamp"]


WASHER = """
x-name: Flat
areas: [{id: bath, name: Bathroom}]
devices: [{id: washer, name: Washer, area: bath}]
entities:
  - {name: Washer, id: switch.washer, device: washer, state: "on"}
  - name: Washer phase
    id: sensor.washer_phase
    device: washer
    state: rinsing
    attributes: {device_class: enum, options: [rinsing, spinning]}
  - name: Washer power
    id: sensor.washer_power
    device: washer
    state: "412"
    attributes: {device_class: power, unit_of_measurement: W}
"""


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "what is the washer doing"),
        ("de", "Was macht Washer?"),
        ("fr", "Que fait Washer ?"),
        ("es", "¿Qué está haciendo Washer?"),
        ("nl", "Wat doet de Washer?"),
        ("ko", "Washer 뭐 하고 있어?"),
    ],
)
async def test_what_a_device_is_doing_is_told_by_its_state_and_not_by_its_switch(
    other_home: Other, language: str, text: str
) -> None:
    async with other_home(WASHER) as (ask, _):
        assert "rinsing" in (await ask(text, language=language)).response


DOOR_AND_LOCK = """
areas: [{name: %(hall)s, id: hall}]
entities:
  - {name: %(door)s, id: binary_sensor.front, area: hall, state: "off", attributes: {device_class: door}}
  - {name: %(bolt)s, id: lock.front, area: hall, state: unlocked}
"""


@pytest.mark.parametrize(
    ("language", "door", "bolt", "asked", "ordered"),
    [
        ("en", "Front door", "Nuki", "is the front door locked?", "lock the front door"),
        ("de", "Haustür", "Nuki", "Ist die Haustür abgeschlossen?", "Schließ die Haustür ab"),
        ("fr", "Porte d'entrée", "Serrure", "La porte d'entrée est-elle verrouillée ?", "Verrouille la porte d'entrée"),
        ("es", "Puerta principal", "Cerradura", "¿Está cerrada con llave la puerta principal?",
         "cierra con llave la puerta principal"),
        ("nl", "Voordeur", "Nuki", "Is de voordeur op slot?", "doe de voordeur op slot"),
        ("ko", "현관문", "도어락", "현관문 잠겼어?", "현관문 잠가 줘"),
    ],
)  # fmt: skip
async def test_a_door_is_locked_by_the_lock_where_it_is(
    other_home: Other, language: str, door: str, bolt: str, asked: str, ordered: str
) -> None:
    """A door that is closed is not locked for that."""
    async with other_home(DOOR_AND_LOCK % {"hall": "Hall", "door": door, "bolt": bolt}) as (ask, server):
        answer = (await ask(asked, language=language)).response
        assert bolt in answer
        assert not answer.startswith(phrase(language, "yes").removesuffix("."))
        await ask(ordered, language=language)
        assert reached(server) == {"lock.front"}


async def test_of_a_door_without_a_lock_it_is_not_said_that_it_is_locked(other_home: Other) -> None:
    home = DOOR_AND_LOCK.replace("  - {name: %(bolt)s, id: lock.front, area: hall, state: unlocked}\n", "")
    async with other_home(home % {"hall": "Hall", "door": "Front door"}) as (ask, server):
        assert not (await ask("is the front door locked?")).response.startswith("Yes")
        await ask("lock the front door")
        assert reached(server) == set()


SHADES = """
areas: [{name: Living room, id: living}, {name: Garage, id: garage}]
entities:
  - {name: Left, id: cover.left, area: living, state: open,
     attributes: {device_class: shutter, supported_features: [OPEN, CLOSE]}}
  - {name: Right, id: cover.right, area: living, state: open, attributes: {supported_features: [OPEN, CLOSE]}}
  - {name: Roller, id: cover.garage, area: garage, state: open,
     attributes: {device_class: garage, supported_features: [OPEN, CLOSE]}}
  - {name: Fan, id: fan.fan, area: living, state: "off",
     attributes: {supported_features: [SET_SPEED, TURN_ON, TURN_OFF], percentage: 0, percentage_step: 25}}
"""


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "close all the curtains"),
        ("de", "schließ alle Vorhänge"),
        ("fr", "ferme tous les rideaux"),
        ("es", "cierra todas las cortinas"),
        ("nl", "sluit alle gordijnen"),
        ("ko", "커튼 다 닫아 줘"),
    ],
)
async def test_curtains_are_any_blinds_and_no_garage_door(other_home: Other, language: str, text: str) -> None:
    async with other_home(SHADES) as (ask, server):
        await ask(text, language=language)
        assert reached(server) == {"cover.left", "cover.right"}


@pytest.mark.parametrize(
    ("language", "text", "percentage"),
    [
        ("en", "set the fan to speed 2", 50),
        ("en", "set the fan to 2 percent", 2),
        ("en", "set the fan to 60", 60),
        ("de", "Fan auf Stufe 3", 75),
        ("fr", "mets Fan à la vitesse 1", 25),
        ("es", "pon Fan a velocidad 2", 50),
        ("nl", "zet Fan op stand 4", 100),
        ("ko", "Fan 2단으로 해 줘", 50),
    ],
)
async def test_the_stages_of_a_fan(other_home: Other, language: str, text: str, percentage: int) -> None:
    async with other_home(SHADES) as (ask, server):
        await ask(text, language=language)
        assert server.state("fan.fan")["attributes"]["percentage"] == percentage
        await ask("fan faster")
        assert server.state("fan.fan")["attributes"]["percentage"] == min(100, percentage + 25)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "welche Lampen sind noch an geblieben?"),
        ("fr", "quelles lumières sont restées allumées ?"),
        ("es", "¿qué luces se han quedado encendidas?"),
        ("ko", "켜져 있는 조명이 뭐야?"),
    ],
)
async def test_which_are_still_on_are_those_that_are(ask: Ask, language: str, text: str) -> None:
    response = (await ask(text, language=language)).response
    assert "Hall light" in response
    assert "Kitchen ceiling" not in response
