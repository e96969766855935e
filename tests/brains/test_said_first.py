"""Kinds of sentences that were missed at first sight, each in a few shapes: what the home is like afterwards."""

from __future__ import annotations

import re
from typing import Any

import pytest

from homeagent.demo.server import DemoServer
from tests.brains.talking import LIVING_ROOM_LIGHTS, Ask, phrase, reached


@pytest.mark.parametrize(
    ("text", "entity_id", "attribute", "value"),
    [
        ("set the reading lamp to four thousand kelvin", "light.reading_lamp", "color_temp_kelvin", 4000),
        ("ceiling fan to three quarters", "fan.bedroom", "percentage", 75),
        ("tilt the living room blinds to 80 percent", "cover.living_room_blinds", "current_tilt_position", 80),
        ("let the ceiling fan swing", "fan.bedroom", "oscillating", True),
        ("reverse the ceiling fan", "fan.bedroom", "direction", "reverse"),
        ("set the living room between 19 and 23 degrees", "climate.living_room", "target_temp_low", 19),
        ("can the bedroom be a degree and a half cooler", "climate.bedroom", "temperature", 17.5),
        ("nudge the bedroom thermostat up half a degree", "climate.bedroom", "temperature", 19.5),
        ("turn on the reading lamp and set it to 10 percent", "light.reading_lamp", "brightness", 26),
        ("keep the bedroom at 21 degrees", "climate.bedroom", "temperature", 21),
        ("make the reading lamp a warm light", "light.reading_lamp", "color_temp_kelvin", 2700),
        ("humidifier to sleep mode", "humidifier.kids_room", "mode", "sleep"),
    ],
)
async def test_a_thing_is_set_as_it_was_said(
    ask: Ask, demo: DemoServer, text: str, entity_id: str, attribute: str, value: Any
) -> None:
    reply = await ask(text)
    known = demo.state(entity_id)["attributes"].get(attribute)
    assert known == pytest.approx(value, abs=0.5) if isinstance(value, float | int) else known == value, reply.response
    assert reached(demo) == {entity_id}


@pytest.mark.parametrize(
    ("language", "text", "temperature"),
    [
        ("de", "mach Bedroom einen halben Grad wärmer", 19.5),
        ("de", "Bedroom um anderthalb Grad wärmer", 20.5),
        ("fr", "augmente Bedroom thermostat d'un degré et demi", 20.5),
        ("es", "sube Bedroom thermostat medio grado", 19.5),
        ("nl", "zet Bedroom anderhalve graad warmer", 20.5),
        ("ko", "Bedroom thermostat 반 도 올려줘", 19.5),
    ],
)
async def test_halves_count(ask: Ask, demo: DemoServer, language: str, text: str, temperature: float) -> None:
    reply = await ask(text, language=language)
    assert demo.state("climate.bedroom")["attributes"]["temperature"] == temperature, reply.response


@pytest.mark.parametrize(
    ("language", "text", "kelvin"),
    [
        ("de", "stell Reading lamp auf zweitausendsiebenhundert Kelvin", 2700),
        ("fr", "mets Reading lamp à quatre mille kelvins", 4000),
        ("es", "pon Reading lamp a dos mil setecientos kelvin", 2700),
        ("nl", "zet Reading lamp op vierduizend kelvin", 4000),
        ("ko", "Reading lamp 사천 켈빈으로 해줘", 4000),
    ],
)
async def test_thousands_are_numbers(ask: Ask, demo: DemoServer, language: str, text: str, kelvin: int) -> None:
    reply = await ask(text, language=language)
    assert demo.state("light.reading_lamp")["attributes"].get("color_temp_kelvin") == kelvin, reply.response


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "mach alle Lichter aus, nur Reading lamp bleibt an"),
        ("de", "mach alle Lichter aus, aber lass Reading lamp an"),
        ("fr", "éteins toutes les lumières mais laisse Reading lamp allumée"),
        ("es", "apaga todas las luces pero deja Reading lamp encendida"),
        ("nl", "doe alle lampen uit maar laat Reading lamp aan"),
        ("ko", "Reading lamp만 빼고 불 다 꺼줘"),
    ],
)
async def test_what_is_left_alone_beside_an_order_is(ask: Ask, demo: DemoServer, language: str, text: str) -> None:
    reply = await ask(text, language=language)
    assert "light.hall" in reached(demo), reply.response
    assert "light.reading_lamp" not in reached(demo)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "leave the hall light on"),
        ("en", "never mind the hall light"),
        ("de", "lass Hall light bitte an"),
        ("fr", "laisse Hall light allumé"),
        ("es", "deja Hall light encendido"),
        ("nl", "laat Hall light maar aan"),
    ],
)
async def test_what_is_to_be_left_alone_is(ask: Ask, demo: DemoServer, language: str, text: str) -> None:
    reply = await ask(text, language=language)
    assert not reached(demo), reply.response


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "everything off"),
        ("de", "alles aus"),
        ("fr", "éteins tout"),
        ("es", "apaga todo"),
        ("nl", "alles uit"),
        ("ko", "다 꺼줘"),
    ],
)
async def test_everything_off_leaves_the_heating_on(ask: Ask, demo: DemoServer, language: str, text: str) -> None:
    reply = await ask(text, language=language)
    domains = {entity_id.partition(".")[0] for entity_id in reached(demo)}
    assert "light" in domains, reply.response
    assert domains.isdisjoint({"climate", "water_heater", "lock", "cover", "valve"})


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("is the bedroom colder than nineteen", "Yes"),
        ("is it above 20 degrees in the bedroom", "No"),
        ("what's the living room climate doing", "heating and cooling"),
        ("how many kilowatt hours have we burnt today", "6.3"),
    ],
)
async def test_a_measured_thing_is_compared_and_told(ask: Ask, demo: DemoServer, text: str, word: str) -> None:
    reply = await ask(text)
    assert word in reply.response
    assert not reached(demo)


async def test_a_complaint_tells_what_the_order_after_it_is_about(ask: Ask, demo: DemoServer) -> None:
    reply = await ask("the living room is too bright, bring it down a bit")
    assert demo.state("light.living_room_ceiling")["attributes"]["brightness"] < 128, reply.response
    assert "climate.living_room" not in reached(demo)


async def test_a_room_is_known_by_another_word_for_it(ask: Ask, demo: DemoServer) -> None:
    reply = await ask("turn off the light in the corridor")
    assert reached(demo) == {"light.hall"}, reply.response


@pytest.mark.parametrize(
    ("language", "order", "text", "kept"),
    [
        ("en", "turn on the Bedroom lights", "leave the left one on and turn the others off", "light.bedside_left"),
        ("en", "turn on the Bedroom lights", "keep Bedroom light on and turn off the rest", "light.bedroom"),
        ("de", "mach die Lichter im Bedroom an", "lass Bedroom light an und mach die anderen aus", "light.bedroom"),
        ("fr", "allume les lumières de Bedroom", "laisse Bedroom light allumé et éteins le reste", "light.bedroom"),
        ("es", "enciende las luces de Bedroom", "deja Bedroom light encendido y apaga el resto", "light.bedroom"),
        ("nl", "doe de lampen in Bedroom aan", "laat Bedroom light aan en doe de rest uit", "light.bedroom"),
        ("ko", "Bedroom 조명 다 켜줘", "Bedroom light는 켜 두고 나머지는 꺼 줘", "light.bedroom"),
    ],
)
async def test_the_others_are_those_of_the_order_before(
    ask: Ask, demo: DemoServer, language: str, order: str, text: str, kept: str
) -> None:
    await ask(order, language=language)
    changed = reached(demo)
    assert kept in changed
    assert len(changed) == 3
    reply = await ask(text, language=language)
    assert {i: demo.state(i)["state"] for i in changed} == {i: "on" if i == kept else "off" for i in changed}
    assert reached(demo) == changed
    assert phrase(language, "left_alone") not in reply.response


async def test_what_is_left_on_first_stays_on_when_all_the_rest_goes_off(ask: Ask, demo: DemoServer) -> None:
    reply = await ask("laisse Reading lamp allumée et éteins tout le reste", language="fr")
    assert "light.hall" in reached(demo), reply.response
    assert "light.reading_lamp" not in reached(demo)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "close the blinds in the Living room and turn on the lights there"),
        ("de", "mach die Rollos im Living room zu und die Lichter dort an"),
        ("fr", "ferme les stores de Living room et allume les lumières là-bas"),
        ("es", "cierra las persianas de Living room y enciende las luces de allí"),
        ("nl", "doe de jaloezieën in Living room dicht en de lampen daar aan"),
        ("ko", "Living room 블라인드 닫고 거기 조명 켜 줘"),
    ],
)
async def test_there_is_where_the_clause_before_was(ask: Ask, demo: DemoServer, language: str, text: str) -> None:
    reply = await ask(text, language=language)
    assert reached(demo) - {"switch.standing_lamp"} == {
        "cover.living_room_blinds", *LIVING_ROOM_LIGHTS - {"switch.standing_lamp"},
    }, reply.response  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "it is too dark in the Study and the Bedroom is freezing"),
        ("de", "im Study ist es zu dunkel und im Bedroom ist es kalt"),
        ("fr", "il fait noir dans Study, et il fait un peu frais dans Bedroom"),
        ("es", "en Study no se ve nada y en Bedroom hace frío"),
        ("nl", "het is te donker in Study en in Bedroom is het wat fris"),
        ("ko", "Study는 너무 어둡고 Bedroom은 좀 추워"),
    ],
)
async def test_each_complaint_has_the_remedy_of_its_own_room(
    ask: Ask, demo: DemoServer, language: str, text: str
) -> None:
    reply = await ask(text, language=language)
    assert "Study light" in reply.response
    assert "Bedroom light" not in reply.response
    assert str(demo.state("climate.bedroom")["attributes"]["friendly_name"]) in reply.response
    assert not reached(demo)


@pytest.mark.parametrize(("language", "text"), [("en", "how warm is it in there?"), ("nl", "hoe warm is het daar?")])
async def test_a_question_there_is_of_the_place_named_before(ask: Ask, language: str, text: str) -> None:
    await ask("turn on the Bedroom lights", language="en")
    assert "Bedroom" in (await ask(text, language=language)).response


@pytest.mark.parametrize(("language", "text"), [("en", "turn off the lights there"), ("es", "apaga las luces de allí")])
async def test_there_after_nothing_is_not_everywhere(ask: Ask, demo: DemoServer, language: str, text: str) -> None:
    assert (await ask(text, language=language)).question is not None
    assert not reached(demo)


@pytest.mark.parametrize(
    ("language", "order", "text"),
    [
        ("en", "turn on Reading lamp in five minutes", "no, turn it on now"),
        ("de", "mach Reading lamp in fünf Minuten an", "nein, mach sie doch gleich an"),
        ("fr", "allume Reading lamp dans cinq minutes", "non, allume-la tout de suite"),
        ("es", "enciende Reading lamp en cinco minutos", "no, enciéndela ya"),
        ("nl", "zet Reading lamp over vijf minuten aan", "nee, zet hem nu maar meteen aan"),
        ("ko", "5분 있다가 Reading lamp 켜 줘", "아니, 지금 바로 켜 줘"),
    ],
)
async def test_what_was_set_for_later_is_done_now_where_that_is_ordered(
    ask: Ask, demo: DemoServer, language: str, order: str, text: str
) -> None:
    await ask(order, language=language)
    assert not reached(demo)
    await ask(text, language=language)
    assert reached(demo) == {"light.reading_lamp"}


@pytest.mark.parametrize(("language", "text"), [("en", "another notch"), ("es", "otro poquito")])
async def test_another_bit_is_of_the_same_thing(ask: Ask, demo: DemoServer, language: str, text: str) -> None:
    await ask("set Reading lamp to 80 percent")
    await ask("turn Reading lamp down a bit")
    before = demo.state("light.reading_lamp")["attributes"]["brightness"]
    await ask(text, language=language)
    assert demo.state("light.reading_lamp")["attributes"]["brightness"] < before
    assert reached(demo) == {"light.reading_lamp"}


@pytest.mark.parametrize(
    ("language", "text"), [("de", "was bleibt übrig?"), ("es", "¿qué queda?"), ("ko", "이제 뭐 남았어?")]
)
async def test_what_is_left_is_of_the_list_just_spoken_of(ask: Ask, language: str, text: str) -> None:
    await ask("add limes to the shopping list")
    assert "limes" in (await ask(text, language=language)).response


@pytest.mark.parametrize(
    ("language", "order", "text"),
    [
        ("en", "set a timer for ten minutes", "no, cancel it"),
        ("de", "stell einen Timer auf zehn Minuten", "lass, brich ihn ab"),
        ("fr", "mets un minuteur de dix minutes", "non, annule"),
        ("es", "pon un temporizador de diez minutos", "no, cancélalo"),
        ("nl", "zet een timer op tien minuten", "nee, annuleer maar"),
        ("ko", "10분 타이머 맞춰 줘", "아니, 취소해"),
    ],
)
async def test_a_no_before_it_calls_a_timer_off_as_well(ask: Ask, language: str, order: str, text: str) -> None:
    await ask(order, language=language)
    await ask(text, language=language)
    assert (await ask("which timers are set?")).response == phrase("en", "none_timer")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "the Hall light is new"),
        ("en", "the Study light is so pretty"),
        ("fr", "les lumières de Study sont belles"),
        ("de", "um elf, wenn Hall light nicht an ist, mach es an"),
        ("es", "si Hall light no está encendida a las once, enciéndela"),
        ("nl", "als Hall light om elf uur niet aan is, doe hem aan"),
        ("ko", "밤 11시에 Hall light가 켜져 있지 않으면 켜 줘"),
        ("en", "at ten, if the garage door is open, close it, otherwise turn on the Hall light"),
    ],
)
async def test_what_is_only_told_or_supposed_otherwise_sets_nothing(
    ask: Ask, demo: DemoServer, language: str, text: str
) -> None:
    reply = await ask(text, language=language)
    assert not reached(demo), reply.response
    assert not re.search(r"\d[:.]00|(10|11) ?[ap]m", reply.response, re.IGNORECASE), "a timer was set for it"


async def test_what_is_left_as_it_is_is_not_offered_to_be_changed(ask: Ask, demo: DemoServer) -> None:
    reply = await ask("keep the Study light on and turn all the other lights off")
    assert not reached(demo)
    assert "Should I turn" not in reply.response


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fr", "allume Study light à 21 h et éteins-la dix minutes plus tard"),
        ("es", "enciende Study light a las 21:00 y apágala diez minutos más tarde"),
        ("nl", "zet Study light om 21:00 aan en tien minuten later weer uit"),
    ],
)
async def test_so_much_later_is_counted_from_the_order_before(ask: Ask, language: str, text: str) -> None:
    assert re.search(r"21[:.]00.+21[:.]10", (await ask(text, language=language)).response)
