"""The many ways in which people say the same: courtesy, things side by side, what is taken out, what is only near."""

from __future__ import annotations

import pytest

from homeagent.demo.server import DemoServer
from tests.brains.talking import LIVING_ROOM_LIGHTS, Ask, reached

BLINDS, CURTAIN = "cover.living_room_blinds", "cover.bedroom_curtain"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("close the blinds and the bedroom curtain", {BLINDS, CURTAIN}),
        (
            "turn off the lights and the sonos in the living room",
            {*LIVING_ROOM_LIGHTS, "media_player.living_room_speaker"},
        ),
        (
            "turn on the lights in the kitchen and the hall",
            {"light.kitchen_ceiling", "light.kitchen_counter", "light.hall"},
        ),
        ("turn off the hall light as well as the night light", {"light.hall", "light.nachtlicht_musli"}),
        (
            "turn off all the living room lights but leave the ceiling on",
            LIVING_ROOM_LIGHTS - {"light.living_room_ceiling"},
        ),
        (
            "turn off the living room lights and the tv but keep the reading lamp on",
            {*LIVING_ROOM_LIGHTS, "media_player.tv"} - {"light.reading_lamp"},
        ),
        (
            "turn off the living room lights and the tv but keep the sonos playing",
            {*LIVING_ROOM_LIGHTS, "media_player.tv"},
        ),
        ("living room lights off but leave the ceiling on", LIVING_ROOM_LIGHTS - {"light.living_room_ceiling"}),
        ("all the living room lights except the ceiling off", LIVING_ROOM_LIGHTS - {"light.living_room_ceiling"}),
        ("make sure the hall light is off", {"light.hall"}),
        ("make sure the hall light isn't on", {"light.hall"}),
        ("turn off the living room lights, the reading lamp stays on", LIVING_ROOM_LIGHTS - {"light.reading_lamp"}),
        (
            "turn off the living room lights. Don't turn off the reading lamp",
            LIVING_ROOM_LIGHTS - {"light.reading_lamp"},
        ),
        ("turn on the hall light and don't close the blinds", {"light.hall"}),
        ("the hall light is still on, turn it off", {"light.hall"}),
        ("I was wondering if you could close the blinds", {BLINDS}),
        ("the sonos is too loud, turn it down", {"media_player.living_room_speaker"}),
        ("raise the bedroom temperature by one degree", {"climate.bedroom"}),
        ("put the living room climate in fan only mode", {"climate.living_room"}),
        ("set the tv backlight effect to rainbow", {"light.tv_backlight"}),
        ("set rosie's suction to max", {"vacuum.rosie"}),
        ("find the vacuum", {"vacuum.rosie"}),
        ("send the lawn mower back to its dock", {"lawn_mower.garden"}),
    ],
)
async def test_exactly_these_are_reached(ask: Ask, demo: DemoServer, text: str, meant: set[str]) -> None:
    reply = await ask(text)
    assert reached(demo) == meant, reply.response


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "if you don't mind, turn off the hall light"),
        ("en", "please, if it's not too much trouble, turn off the hall light"),
        ("en", "do me a favour and turn off the hall light"),
        ("en", "sorry to bother you, but turn off the hall light please"),
        ("de", "wenn es dir nichts ausmacht, schalte Hall light aus"),
        ("fr", "si ça ne te dérange pas, éteins Hall light"),
        ("es", "si no te importa, apaga Hall light"),
        ("nl", "als je het niet erg vindt, zet Hall light uit"),
        ("ko", "괜찮으시면 Hall light 꺼 주세요"),
        ("en", "I would like the hall light off"),
        ("en", "we would like the hall light off"),
        ("en", "we need the hall light off"),
        ("de", "Wir hätten gern das Hall light aus"),
        ("de", "Wir brauchen das Hall light aus"),
        ("fr", "Nous voudrions Hall light éteint"),
        ("fr", "On aimerait éteindre Hall light"),
        ("es", "Queremos Hall light apagada"),
        ("es", "Necesitamos apagar Hall light"),
        ("nl", "We willen graag Hall light uit"),
        ("nl", "We hebben Hall light uit nodig"),
        ("ko", "우리는 Hall light 꺼줬으면 해"),
    ],
)
async def test_courtesy_neither_denies_nor_sets_a_condition(
    ask: Ask, demo: DemoServer, language: str, text: str
) -> None:
    reply = await ask(text, language=language)
    assert reached(demo) == {"light.hall"}, reply.response


@pytest.mark.parametrize(
    ("language", "text", "service"),
    [
        ("en", "make sure the standing lamp on the ground floor is off", "turn_off"),
        ("en", "see to it that the front door is locked", "lock"),
        ("de", "Sorge dafür, dass das Hall light an ist", "turn_on"),
        ("de", "Stell sicher, dass Front door abgeschlossen ist", "lock"),
        ("fr", "Assure-toi que Hall light est éteinte", "turn_off"),
        ("fr", "Fais en sorte que Front door soit verrouillée", "lock"),
        ("es", "Asegúrate de que Hall light esté encendida", "turn_on"),
        ("es", "Asegúrate de que Hall light está apagada", "turn_off"),
        ("nl", "Zorg ervoor dat Hall light uit staat", "turn_off"),
        ("nl", "Zorg dat Front door op slot is", "lock"),
        ("ko", "Hall light 꺼져 있게 해줘", "turn_off"),
    ],
)
async def test_how_a_thing_is_to_be_says_what_is_to_be_done(
    ask: Ask, demo: DemoServer, language: str, text: str, service: str
) -> None:
    reply = await ask(text, language=language)
    assert [call.service for call in demo.calls] == [service], reply.response


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "if the door is open, turn off the hall light"),
        ("en", "don't turn off the hall light"),
        ("en", "stop, don't close the blinds"),
        ("en", "make sure you don't turn off the hall light"),
        ("en", "I locked the front door"),
        ("es", "he cerrado Front door y apagado Hall light"),
        ("nl", "doe alle lampen uit op Reading lamp na"),
        ("en", "open the skylight"),
        ("en", "turn off the lights in the attic"),
        ("en", "I turned off the hall light already"),
        ("en", "we turned off the hall light"),
        ("en", "turn off the lights and the disco ball"),
        ("en", "on monday"),
        ("en", "minus 10"),
        ("en", "4321"),
        ("de", "Ich habe das Hall light ausgeschaltet"),
        ("de", "Wenn es regnet, schließe die Jalousien"),
        ("fr", "J'ai éteint Hall light"),
        ("es", "Para mañana"),
        ("nl", "Als het regent, sluit de gordijnen"),
        ("ko", "비 오면 블라인드 닫아줘"),
    ],
)
async def test_nothing_is_done(ask: Ask, demo: DemoServer, language: str, text: str) -> None:
    reply = await ask(text, language=language)
    assert not reached(demo), reply.response


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "trigger lights on at sunset"),
        ("en", "execute the automation lights on at sunset"),
        ("de", "löse die Automation Lights on at sunset aus"),
        ("de", "führe Lights on at sunset aus"),
        ("fr", "déclenche l'automatisation Lights on at sunset"),
        ("es", "dispara la automatización Lights on at sunset"),
        ("nl", "voer de automatisering Lights on at sunset uit"),
        ("ko", "Lights on at sunset 트리거해 줘"),
    ],
)
async def test_an_automation_is_run(ask: Ask, demo: DemoServer, language: str, text: str) -> None:
    reply = await ask(text, language=language)
    assert not reply.pending, reply.response
    assert ("automation.lights_on_at_sunset", "trigger") in [(c.entity_id, c.service) for c in demo.calls], reply


async def test_what_is_nearly_a_name_is_offered_and_a_yes_does_it(ask: Ask, demo: DemoServer) -> None:
    reply = await ask("turn off the haul light")
    assert reply.question
    assert not reached(demo)
    await ask("yes")
    assert reached(demo) == {"light.hall"}


async def test_a_no_to_what_was_offered_does_nothing(ask: Ask, demo: DemoServer) -> None:
    await ask("turn off the haul light")
    await ask("no")
    assert not reached(demo)


@pytest.mark.parametrize(
    ("language", "text", "told", "never"),
    [
        ("en", "how many lights are on", "4:", "Dishwasher"),
        ("en", "how many lights are there in the kitchen", "2:", "Kitchen lights"),
        ("en", "how many things are on my shopping list", "milk", "Hall light"),
        ("en", "is there coffee on the shopping list", "Yes", "milk"),
        ("en", "is there beer on the shopping list", "No", "Hall light"),
        ("en", "is the alarm armed", "disarmed", "language model"),
        ("de", "Ist Alarm scharf?", "unscharf", "Sprachmodell"),
        ("en", "which battery is the lowest", "71", "no batteries"),
        ("en", "which light is the brightest", "Study light", "Hall light"),
        ("en", "is there a party scene", "know no", "language model"),
    ],
)
async def test_what_is_asked_is_told(
    ask: Ask, demo: DemoServer, language: str, text: str, told: str, never: str
) -> None:
    reply = await ask(text, language=language)
    assert told in reply.response
    assert never not in reply.response
    assert not reached(demo)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "what lights are on"),
        ("es", "dime qué luces están encendidas"),
        ("es", "qué luces hay encendidas"),
        ("de", "welche Lampen sind an"),
    ],
)
async def test_of_the_kind_that_is_asked_nothing_else_is_told(
    ask: Ask, demo: DemoServer, language: str, text: str
) -> None:
    assert demo.state("media_player.living_room_speaker")["state"] == "playing"
    reply = await ask(text, language=language)
    assert "Study light" in reply.response
    assert "speaker" not in reply.response
    assert "Reading lamp" not in reply.response
