"""What a sentence means after the ones before it: the state of the home, and what is said."""

from __future__ import annotations

import pytest

from homeagent.demo.server import DemoServer
from homeagent.ha.connection import HomeAssistant
from tests.brains.talking import Ask, Other, phrase, pressed, reached


@pytest.mark.parametrize(
    ("language", "first", "second", "both"),
    [
        ("en", "turn on the left bedside lamp", "and the right bedside lamp", "both off please"),
        ("de", "mach left bedside lamp an", "und right bedside lamp auch", "mach beide aus"),
        ("fr", "allume left bedside lamp", "et right bedside lamp aussi", "éteins les deux"),
        ("es", "enciende left bedside lamp", "y right bedside lamp también", "apaga las dos"),
        ("nl", "doe left bedside lamp aan", "en right bedside lamp ook", "doe ze allebei uit"),
        ("ko", "left bedside lamp 켜줘", "right bedside lamp도", "둘 다 꺼줘"),
    ],
)
async def test_both_are_the_two_that_were_spoken_of_last(
    ask: Ask, demo: DemoServer, language: str, first: str, second: str, both: str
) -> None:
    await ask(first, language=language)
    await ask(second, language=language)
    assert demo.state("light.bedside_left")["state"] == demo.state("light.bedside_right")["state"] == "on"
    reply = await ask(both, language=language)
    assert demo.state("light.bedside_left")["state"] == demo.state("light.bedside_right")["state"] == "off", (
        reply.response
    )
    assert reached(demo) == {"light.bedside_left", "light.bedside_right"}


@pytest.mark.parametrize(
    ("language", "order", "that_one", "them"),
    [
        (
            "en",
            "turn off all the lights upstairs except the left bedside lamp",
            "and that one to 20 percent",
            "set them to 40",
        ),
        (
            "de",
            "mach alle Lichter im Bedroom aus außer left bedside lamp",
            "und die auf 20 Prozent",
            "stell sie auf 40 Prozent",
        ),
        (
            "fr",
            "éteins toutes les lumières Bedroom sauf left bedside lamp",
            "et mets celle-là à 20 pour cent",
            "mets-les à 40 pour cent",
        ),
        (
            "es",
            "apaga todas las luces Bedroom menos left bedside lamp",
            "y ésa ponla al 20 por ciento",
            "ponlas al 40 por ciento",
        ),
        (
            "nl",
            "doe alle lampen in Bedroom uit behalve left bedside lamp",
            "en zet die dan op 20 procent",
            "zet ze op 40 procent",
        ),
        (
            "ko",
            "left bedside lamp만 빼고 Bedroom 불 다 꺼줘",
            "그건 20퍼센트로 해줘",
            "그것들 40퍼센트로 해줘",
        ),
    ],
)
async def test_one_thing_is_the_only_one_that_was_excepted(
    ask: Ask, demo: DemoServer, language: str, order: str, that_one: str, them: str
) -> None:
    for pronoun, spared in ((that_one, True), (them, False)):
        await ask(order, language=language)
        told = len(demo.calls)
        reply = await ask(pronoun, language=language)
        ids = {call.entity_id for call in demo.calls[told:]}
        assert ids, reply.response
        assert (ids == {"light.bedside_left"}) is spared, reply.response
        assert spared or "light.bedside_left" not in ids


@pytest.mark.parametrize(
    ("language", "order", "that_one"),
    [
        ("en", "turn on the left bedside lamp and the right bedside lamp", "turn that one off again"),
        ("de", "mach left bedside lamp und right bedside lamp an", "mach das da wieder aus"),
        ("fr", "allume left bedside lamp et right bedside lamp", "éteins celle-là"),
        ("es", "enciende left bedside lamp y right bedside lamp", "apaga esa"),
        ("nl", "doe left bedside lamp en right bedside lamp aan", "doe die daar uit"),
        ("ko", "left bedside lamp랑 right bedside lamp 켜줘", "그거 하나 꺼줘"),
    ],
)
async def test_which_one_of_several_is_asked(
    ask: Ask, demo: DemoServer, language: str, order: str, that_one: str
) -> None:
    await ask(order, language=language)
    reply = await ask(that_one, language=language)
    told = [call.service for call in demo.calls if not call.service.startswith("get_")]
    assert told == ["turn_on", "turn_on"], reply.response
    assert reply.response.endswith("?"), reply.response


GARAGE = """
x-language: es
entities:
- {id: cover.garage, name: Puerta del garaje, state: closed, attributes: {device_class: garage, supported_features: 15}}
"""


async def test_the_kitchen_ones_are_of_the_kind_before(ask: Ask, demo: DemoServer) -> None:
    await ask("turn on the kitchen lights")
    await ask("and the hall too")
    await ask("actually make the kitchen ones 40 percent")
    assert demo.state("light.kitchen_ceiling")["attributes"]["brightness"] == 102
    assert reached(demo) <= {"light.kitchen_lights", "light.kitchen_ceiling", "light.kitchen_counter", "light.hall"}
    assert sum(call.entity_id == "light.hall" for call in demo.calls) == 1


async def test_a_question_for_some_makes_those_of_them_that_are_so(ask: Ask, demo: DemoServer) -> None:
    """And no others, though all of them were looked at."""
    await ask("which lights are on upstairs?")
    await ask("turn those off")
    assert reached(demo) == {"light.nachtlicht_musli", "light.study"}


@pytest.mark.parametrize(
    ("language", "which", "off"),
    [
        ("en", "which lights are on?", "turn them all off"),
        ("de", "welche Lichter sind an?", "mach alle aus"),
        ("es", "¿qué luces están encendidas?", "apágalas todas"),
        ("ko", "어떤 불이 켜져 있어?", "다 꺼줘"),
    ],
)
async def test_all_of_what_was_listed_is_not_everything(
    ask: Ask, demo: DemoServer, home_assistant: HomeAssistant, language: str, which: str, off: str
) -> None:
    await pressed(demo, home_assistant, "media_player.tv", "on")
    await ask(which, language=language)
    await ask(off, language=language)
    assert demo.state("light.hall")["state"] == "off"
    assert {i.partition(".")[0] for i in reached(demo)} <= {"light", "switch"}


async def test_it_is_nothing_where_what_was_asked_about_was_not_there(
    ask: Ask, demo: DemoServer, home_assistant: HomeAssistant
) -> None:
    for player in ("media_player.living_room_speaker", "media_player.tv", "media_player.kitchen_radio"):
        await pressed(demo, home_assistant, player, "off")
    reply = await ask("what's playing?")
    assert reply.response == phrase("en", "nothing_playing")
    await ask("turn it up")
    assert not reached(demo)


async def test_turn_it_back_on_means_what_was_turned_off(ask: Ask, demo: DemoServer) -> None:
    """What was off already stays off."""
    await ask("turn off the lights in the living room")
    await ask("turn them back on")
    assert demo.state("light.living_room_ceiling")["state"] == "on"
    assert demo.state("light.reading_lamp")["state"] == demo.state("switch.standing_lamp")["state"] == "off"


async def test_which_are_left_is_the_question_before(ask: Ask) -> None:
    await ask("which lights are on upstairs?")
    await ask("turn off the night light")
    reply = await ask("which ones are left?")
    assert "Study light" in reply.response
    assert "edside" not in reply.response


async def test_what_a_thing_is_set_to_is_asked_of_the_thing_before(ask: Ask) -> None:
    await ask("set the bedroom to 21 degrees")
    await ask("a bit less")
    reply = await ask("what is it set to now?")
    assert "20" in reply.response
    assert "Bathroom" not in reply.response
    reply = await ask("and what's the actual temperature in there?")
    assert "18.4" in reply.response
    assert "21.5" not in reply.response


WARM = """
x-name: Haus
areas: [{{id: living, name: {living}}}, {{id: garden, name: {garden}}}]
entities:
  - name: A
    id: sensor.a
    area: living
    state: "21.5"
    attributes: {{device_class: temperature, unit_of_measurement: "°C"}}
  - name: B
    id: sensor.b
    area: garden
    state: "11.2"
    attributes: {{device_class: temperature, unit_of_measurement: "°C"}}
"""


@pytest.mark.parametrize(
    ("language", "living", "garden", "outside", "inside"),
    [
        ("en", "Lounge", "Garden", "how warm is it outside?", "and inside?"),
        ("de", "Wohnzimmer", "Garten", "wie warm ist es draußen?", "und drinnen?"),
        ("fr", "Salon", "Jardin", "quelle température fait-il dehors ?", "et à l'intérieur ?"),
        ("es", "Salón", "Jardín", "¿qué temperatura hace fuera?", "¿y dentro?"),
        ("nl", "Woonkamer", "Tuin", "hoe warm is het buiten?", "en binnen?"),
        ("ko", "거실", "정원", "밖은 몇 도야?", "실내는?"),
    ],
)
async def test_inside_is_every_room_that_is_not_outside(
    other_home: Other, language: str, living: str, garden: str, outside: str, inside: str
) -> None:
    async with other_home(WARM.format(living=living, garden=garden)) as (ask, _):
        reply = await ask(outside, language=language)
        assert "11" in reply.response
        reply = await ask(inside, language=language)
        assert "21" in reply.response
        assert "11" not in reply.response


@pytest.mark.parametrize(
    ("language", "put", "more", "off", "asked"),
    [
        ("en", "put cheese on the shopping list", "and eggs and bread", "remove the eggs", "what's on it?"),
        ("de", "setz Käse auf die Einkaufsliste", "und Eier und Brot", "streich die Eier", "was steht drauf?"),
        ("nl", "zet kaas op de boodschappenlijst", "en eieren en brood", "haal de eieren eraf", "wat staat erop?"),
    ],
)
async def test_a_list_is_gone_on_with(
    ask: Ask, demo: DemoServer, language: str, put: str, more: str, off: str, asked: str
) -> None:
    for text in (put, more, off):
        await ask(text, language=language)
    reply = await ask(asked, language=language)
    said = reply.response.casefold()
    assert any(word in said for word in ("bread", "brot", "brood")), reply.response
    assert not any(word in said for word in ("eggs", "eier", "eieren")), reply.response


async def test_whether_something_is_on_it(ask: Ask) -> None:
    await ask("remove the milk from the shopping list")
    reply = await ask("is milk still on it?")
    assert reply.response.startswith(phrase("en", "no"))


async def test_an_answer_comes_late_where_something_was_only_asked_in_between(ask: Ask, demo: DemoServer) -> None:
    await ask("turn on the bedside lamp")
    await ask("how warm is it outside?")
    await ask("the left one")
    assert reached(demo) == {"light.bedside_left"}


TWO_ROOMS = """
x-name: Flat
areas: [{id: lounge, name: Lounge}, {id: kitchen, name: Kitchen}, {id: den, name: Den}]
entities:
  - {name: Ceiling light, id: light.lounge, area: lounge, state: "off"}
  - {name: Ceiling light, id: light.kitchen, area: kitchen, state: "off"}
  - {name: Hob light, id: light.hob, area: kitchen, state: "off"}
  - {name: Lounge thermostat, id: climate.lounge, area: lounge, state: heat, attributes: {temperature: 19}}
  - {name: Den thermostat, id: climate.den, area: den, state: heat, attributes: {temperature: 18}}
  - {name: Radio, id: media_player.radio, area: kitchen, state: playing}
  - {name: Fan, id: fan.den, area: den, state: "off", attributes: {percentage: 0, percentage_step: 10}}
"""


async def test_a_correction_means_what_is_called_alike_in_the_other_room(other_home: Other) -> None:
    async with other_home(TWO_ROOMS) as (ask, server):
        await ask("turn on the ceiling light in the lounge")
        await ask("no, I meant the kitchen")
        assert reached(server) == {"light.lounge", "light.kitchen"}


async def test_the_same_there_is_the_same_setting(other_home: Other) -> None:
    async with other_home(TWO_ROOMS) as (ask, server):
        await ask("set the lounge thermostat to 21")
        await ask("do the same in the den")
        assert server.state("climate.den")["attributes"]["temperature"] == 21


async def test_a_word_for_louder_is_faster_of_a_fan(other_home: Other) -> None:
    """The Dutch "harder" after a fan leaves the radio alone."""
    async with other_home(TWO_ROOMS) as (ask, server):
        server.set_state("fan.den", "on", {"percentage": 50, "percentage_step": 10})
        await ask("zet de ventilator in de Den aan", language="nl")
        await ask("harder", language="nl")
        assert reached(server) == {"fan.den"}


async def test_after_something_else_that_was_not_understood_it_is_not_what_was_before(other_home: Other) -> None:
    async with other_home(TWO_ROOMS) as (ask, server):
        await ask("turn on the hob light")
        await ask("could the lounge perhaps waltz a little")
        await ask("turn it off")
        assert server.state("light.hob")["state"] == "on"


async def test_not_that_one_puts_it_back(ask: Ask, demo: DemoServer) -> None:
    await ask("turn on the bedside lamp")
    await ask("both of them")
    await ask("not the right one")
    assert demo.state("light.bedside_left")["state"] == "on"
    assert demo.state("light.bedside_right")["state"] == "off"
    await ask("dim the other one to 30")
    assert demo.state("light.bedside_left")["attributes"]["brightness"] == pytest.approx(76, abs=1)
    assert demo.state("light.bedside_right")["state"] == "off"


async def test_too_much_of_what_was_just_set_is_mended_for_that_alone(ask: Ask, demo: DemoServer) -> None:
    await ask("turn on the reading lamp")
    before = demo.state("light.reading_lamp")["attributes"]["brightness"]
    reply = await ask("that's too bright now")
    assert not reply.question
    assert demo.state("light.reading_lamp")["attributes"]["brightness"] < before
    assert reached(demo) == {"light.reading_lamp"}


async def test_what_was_so_already_is_not_undone(ask: Ask, demo: DemoServer) -> None:
    """The front door was locked before: neither "not that one" nor "undo" may unlock it."""
    await ask("lock the front door")
    await ask("undo that")
    await ask("no, not the front door")
    assert demo.state("lock.front_door")["state"] == "locked"
    assert not [call for call in demo.calls if call.service == "unlock"]


async def test_it_is_none_of_several_while_it_is_asked_which(ask: Ask, demo: DemoServer) -> None:
    reply = await ask("turn on the bedside lamp and set it to 10 percent")
    assert reply.question
    assert not reached(demo)


async def test_a_present_question_after_one_about_the_past_is_about_now(ask: Ask) -> None:
    await ask("how warm was it in the living room yesterday?")
    now = (await ask("what is the temperature in the bedroom?")).response
    assert "18.4" in now


async def test_an_order_after_what_happened_is_carried_out(ask: Ask, demo: DemoServer) -> None:
    await ask("what happened yesterday?")
    await ask("reading lamp 40 percent")
    assert demo.state("light.reading_lamp")["attributes"]["brightness"] == 102


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("en", "set the reading lamp to 80%", "hm, too much. sixty."),
        ("de", "stell reading lamp auf 80 Prozent", "zu viel, auf sechzig Prozent"),
        ("fr", "mets reading lamp à 80 %", "c'est trop, soixante"),
        ("es", "pon reading lamp al 80 por ciento", "demasiado, sesenta"),
        ("nl", "zet reading lamp op 80 procent", "te veel, zestig"),
    ],
)
async def test_too_much_with_a_value_is_set_to_that(
    ask: Ask, demo: DemoServer, language: str, first: str, second: str
) -> None:
    await ask(first, language=language)
    demo.calls.clear()
    await ask(second, language=language)
    assert [call.data for call in demo.calls] == [{"brightness_pct": 60}]


async def test_a_step_is_taken_back_by_one_the_other_way(ask: Ask, demo: DemoServer) -> None:
    await ask("turn on the left bedside lamp to 50 percent")
    before = demo.state("light.bedside_left")["attributes"]["brightness"]
    await ask("a bit brighter")
    assert demo.state("light.bedside_left")["attributes"]["brightness"] > before
    reply = await ask("undo that")
    assert abs(demo.state("light.bedside_left")["attributes"]["brightness"] - before) <= 1, reply.response


async def test_a_value_is_put_back_to_what_was_said_before(ask: Ask, demo: DemoServer) -> None:
    await ask("left bedside lamp to 50 percent")
    before = demo.state("light.bedside_left")["attributes"]["brightness"]
    await ask("no, 30 percent")
    assert demo.state("light.bedside_left")["attributes"]["brightness"] < before
    reply = await ask("nah undo that")
    assert demo.state("light.bedside_left")["attributes"]["brightness"] == before, reply.response


async def test_a_no_with_its_reason_leaves_everything(ask: Ask, demo: DemoServer) -> None:
    assert (await ask("unlock the front door")).question
    reply = await ask("nah, leave it, he has taken the bike after all")
    assert reply.response == phrase("en", "left_alone")
    assert (await ask("lovely, cheers")).response == phrase("en", "noted")
    assert reached(demo) == set()


async def test_what_is_ordered_otherwise_lets_the_question_go(other_home: Other) -> None:
    async with other_home(GARAGE) as (ask, demo):
        assert (await ask("abre el garaje", language="es")).question
        await ask("ya estoy fuera, ciérralo", language="es")
        assert demo.state("cover.garage")["state"] == "closed"
        assert {call.service for call in demo.calls} == {"close_cover"}


async def test_what_was_liked_better_is_put_back(ask: Ask, demo: DemoServer) -> None:
    await ask("turn on the reading lamp")
    before = demo.state("light.reading_lamp")["attributes"]["brightness"]
    await ask("dim the reading lamp to 20")
    await ask("no, the brightness before was nicer")
    assert demo.state("light.reading_lamp")["attributes"]["brightness"] == before


@pytest.mark.parametrize(
    ("language", "orders", "back"),
    [
        ("en", ("set the reading lamp to 40 percent", "make it 70"), "no, back to how it was at the start"),
        ("de", ("stell reading lamp auf 40 Prozent", "mach 70 draus"), "zurück auf den Wert vom Anfang"),
        ("fr", ("mets reading lamp à 40 %", "plutôt à 70"), "remets-le comme au tout début"),
        ("es", ("pon reading lamp al 40 %", "mejor al 70"), "déjala como estaba al principio"),
        ("nl", ("zet reading lamp op 40 procent", "maak er 70 van"), "terug naar hoe het in het begin was"),
        ("ko", ("reading lamp 40퍼센트로 해줘", "70으로"), "처음 상태로 돌려놔"),
    ],
)
async def test_what_was_set_twice_is_put_back_to_how_it_was_at_first(
    ask: Ask, demo: DemoServer, language: str, orders: tuple[str, str], back: str
) -> None:
    before = demo.state("light.reading_lamp")
    for order in orders:
        await ask(order, language=language)
    assert demo.state("light.reading_lamp")["attributes"]["brightness"] != before["attributes"].get("brightness")
    reply = await ask(back, language=language)
    after = demo.state("light.reading_lamp")
    assert (after["state"], after["attributes"].get("brightness")) == (
        before["state"],
        before["attributes"].get("brightness"),
    ), reply.response


async def test_an_order_without_a_place_is_for_the_room_that_was_spoken_of(ask: Ask, demo: DemoServer) -> None:
    assert (await ask("turn the heating down a degree")).question
    await ask("is the ceiling light in the living room on?")
    await ask("turn the heating down a degree")
    assert reached(demo) == {"climate.living_room"}


async def test_what_was_spoken_of_can_be_meant_itself_so_that_its_room_is_not(ask: Ask, demo: DemoServer) -> None:
    await ask("what is playing in the living room?")
    await ask("turn the lights off")
    assert not any(i.startswith("light.") for i in reached(demo))


@pytest.mark.parametrize(
    ("language", "order", "asked"),
    [
        ("en", "set the reading lamp to 30 percent", "did that work?"),
        ("de", "stell reading lamp auf 30 Prozent", "hat das geklappt?"),
        ("fr", "mets reading lamp à 30 %", "ça a marché ?"),
        ("es", "pon reading lamp al 30 %", "¿ha funcionado?"),
        ("nl", "zet reading lamp op 30 procent", "is dat gelukt?"),
        ("ko", "reading lamp 30퍼센트로 해줘", "잘 된 거 맞죠?"),
    ],
)
async def test_whether_an_order_worked_is_told_by_what_it_set(ask: Ask, language: str, order: str, asked: str) -> None:
    await ask(order, language=language)
    assert "30" in (await ask(asked, language=language)).response


@pytest.mark.parametrize(
    ("language", "first", "second", "listed", "cancelled"),
    [
        (
            "en",
            "set a pasta timer for 4 minutes",
            "and a tea timer for 6 minutes",
            "which timers are set?",
            "cancel the second one",
        ),
        (
            "en",
            "set a pasta timer for 4 minutes",
            "and a tea timer for 6 minutes",
            "what time is it?",
            "cancel the one for the tea",
        ),
        (
            "de",
            "Stell einen pasta-Timer auf 4 Minuten",
            "und einen tea-Timer auf 6 Minuten",
            "Welche Timer laufen?",
            "lösch den zweiten",
        ),
        (
            "fr",
            "mets un minuteur pasta de 4 minutes",
            "et un minuteur tea de 6 minutes",
            "quels minuteurs tournent ?",
            "annule le deuxième",
        ),
        (
            "es",
            "pon un temporizador de pasta de 4 minutos",
            "y un temporizador de tea de 6 minutos",
            "¿qué temporizadores hay?",
            "cancela el segundo",
        ),
        (
            "nl",
            "zet een pasta-timer van 4 minuten",
            "en een tea-timer van 6 minuten",
            "welke timers lopen er?",
            "verwijder de tweede",
        ),
        ("ko", "pasta 타이머 4분", "tea 타이머 6분", "타이머 뭐 있어?", "두 번째 거 취소해"),
    ],
)
async def test_one_of_the_timers_that_were_told_of_is_called_off(
    ask: Ask, language: str, first: str, second: str, listed: str, cancelled: str
) -> None:
    for sentence in (first, second, listed):
        await ask(sentence, language=language)
    await ask(cancelled, language=language)
    left = (await ask("which timers are set?")).response
    assert ("pasta" in left, "tea" in left) == (True, False), left
