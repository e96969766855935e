"""What a person gets from the brain that needs no model: the home after the sentence, and the words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from homeagent.demo.server import DemoServer
from homeagent.ha.connection import HomeAssistant
from tests.brains.talking import Ask, phrase, reached

SATELLITE, BEDROOM_SATELLITE = "satellite", "bedroom_satellite"


@pytest.mark.parametrize(
    ("text", "entity_id", "state"),
    [
        ("turn on the reading lamp", "light.reading_lamp", "on"),
        ("Could you please switch on the reading lamp?", "light.reading_lamp", "on"),
        ("turn on teh readnig lamp", "light.reading_lamp", "on"),
        ("trun on the reading lamp", "light.reading_lamp", "on"),
        ("reading lamp on", "light.reading_lamp", "on"),
        ("turn off the hall light", "light.hall", "off"),
        ("switch on the night light", "light.nachtlicht_musli", "on"),
        ("close the living room blinds", "cover.living_room_blinds", "closed"),
        ("open the bedroom curtain", "cover.bedroom_curtain", "open"),
        ("lock the front door", "lock.front_door", "locked"),
        ("turn on the coffee machine", "switch.coffee_machine", "on"),
        ("turn off the telly", "media_player.tv", "off"),
        ("start the vacuum cleaner", "vacuum.rosie", "cleaning"),
        ("set house mode to away", "input_select.house_mode", "away"),
        ("turn on guest mode", "input_boolean.guest_mode", "on"),
    ],
)
async def test_a_command_changes_exactly_what_was_meant(
    ask: Ask, demo: DemoServer, text: str, entity_id: str, state: str
) -> None:
    reply = await ask(text)
    assert demo.state(entity_id)["state"] == state, reply.response
    assert reached(demo) <= {entity_id}
    assert not reply.question


@pytest.mark.parametrize(
    ("text", "entity_id", "attribute", "value"),
    [
        ("set the reading lamp to 40 percent", "light.reading_lamp", "brightness", 102),
        ("dim the reading lamp to forty percent", "light.reading_lamp", "brightness", 102),
        ("set the bedroom thermostat to 21 degrees", "climate.bedroom", "temperature", 21),
        ("make the bedroom two degrees warmer", "climate.bedroom", "temperature", 21),
        ("set the living room blinds to 30%", "cover.living_room_blinds", "current_position", 30),
        (
            "set the volume of the living room speaker to 25 percent",
            "media_player.living_room_speaker",
            "volume_level",
            0.25,
        ),
        ("make the reading lamp warm white", "light.reading_lamp", "color_temp_kelvin", 2700),
    ],
)
async def test_a_setting_is_set(
    ask: Ask, demo: DemoServer, text: str, entity_id: str, attribute: str, value: float
) -> None:
    reply = await ask(text)
    assert demo.state(entity_id)["attributes"][attribute] == pytest.approx(value, abs=1), reply.response
    assert reached(demo) == {entity_id}


async def test_two_settings_in_one_sentence(ask: Ask, demo: DemoServer) -> None:
    await ask("set the reading lamp to a warm 30 percent")
    lamp = demo.state("light.reading_lamp")["attributes"]
    assert lamp["color_temp_kelvin"] == 2700
    assert lamp["brightness"] == pytest.approx(76, abs=1)


async def test_all_lights_of_a_room_hold_the_switch_that_is_called_a_lamp_and_a_group_once(
    ask: Ask, demo: DemoServer
) -> None:
    await ask("turn on all the lights in the living room")
    assert {"light.reading_lamp", "light.tv_backlight", "switch.standing_lamp"} <= reached(demo)
    demo.calls.clear()
    await ask("turn on the lights in the kitchen")
    assert reached(demo) == {"light.kitchen_ceiling", "light.kitchen_counter"}


async def test_brightness_for_all_lights_leaves_the_switch_alone(ask: Ask, demo: DemoServer) -> None:
    reply = await ask("dim the living room lights to 20 percent")
    assert "switch.standing_lamp" not in reached(demo)
    assert demo.state("light.reading_lamp")["attributes"]["brightness"] == 51
    assert "parameter" not in reply.response


async def test_except_spares_what_it_names(ask: Ask, demo: DemoServer) -> None:
    await ask("turn off all the lights except the hall light")
    assert demo.state("light.hall")["state"] == "on"
    assert demo.state("light.living_room_ceiling")["state"] == "off"


async def test_everything_off_in_a_room_never_unlocks_or_opens(ask: Ask, demo: DemoServer) -> None:
    await ask("turn on the coffee machine")
    demo.calls.clear()
    await ask("everything off in the kitchen")
    assert demo.state("switch.coffee_machine")["state"] == "off"
    assert not {i for i in reached(demo) if i.startswith(("lock.", "cover.", "valve."))}


@pytest.mark.parametrize("text", ["close everything", "close everything in the living room"])
async def test_closing_everything_is_about_what_closes_and_no_light(ask: Ask, demo: DemoServer, text: str) -> None:
    await ask(text)
    assert "cover.living_room_blinds" in reached(demo)
    assert {entity_id.partition(".")[0] for entity_id in reached(demo)} == {"cover"}


async def test_several_commands_in_one_sentence(ask: Ask, demo: DemoServer) -> None:
    await ask("turn on the reading lamp, close the blinds and lock the front door")
    assert demo.state("light.reading_lamp")["state"] == "on"
    assert demo.state("cover.living_room_blinds")["state"] == "closed"
    assert "lock.front_door" in reached(demo)


async def test_the_room_of_the_speaker_is_meant_where_none_is_named(ask: Ask, demo: DemoServer) -> None:
    await ask("turn on the lights", device_id=BEDROOM_SATELLITE)
    assert demo.state("light.bedroom")["state"] == "on"
    assert all("bed" in i for i in reached(demo))


@pytest.mark.parametrize(
    "text",
    [
        "is the hall light on?",
        "are all the doors locked",
        "is the reading lamp off",
        "which lights are on?",
        "how many lights are on",
        "should I turn on the reading lamp?",
        "why is the hall light on?",
        "did I leave the hall light on?",
        "the hall light is on",
        "don't turn on the reading lamp",
        "please do not open the blinds",
        "if the hall light flickers, turn on the reading lamp",
        "turn off the hall light in 10 minutes",
        "set a timer for five minutes",
        "turn on the lights in the observatory",
        "turn on the flux capacitor",
        "open the swimming pool",
        "it's getting dark",
        "I'm cold",
        "turn on the",
        "turn on",
        "kitchen",
        "never mind",
        "asdf qwerty zxcv",
        "what is the capital of France",
        "tell me a joke about lamps",
    ],
)
async def test_what_is_no_command_reaches_no_device(ask: Ask, demo: DemoServer, text: str) -> None:
    reply = await ask(text)
    assert reply.response
    assert not demo.calls


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("is the hall light on?", "Yes, Hall light is on."),
        ("is the reading lamp on?", "No, Reading lamp is off."),
        ("Is the kitchen window open?", "Yes, Kitchen window is open."),
        ("what's the temperature in the bedroom", "18.4"),
        ("how humid is the bathroom?", "58%"),
        ("what is the co2 in the study?", "870 ppm"),
        ("what is the bedroom thermostat set to?", "19 °C"),
        ("is Ben at home?", "No, Ben is away."),
        ("who is home?", "Anna"),
        ("is the bathroom light on?", "not available"),
        ("is the study occupied?", "Yes"),
        ("what is on the shopping list?", "coffee beans"),
        ("what's the weather like?", "cloudy"),
    ],
)
async def test_a_question_is_answered_with_what_is_so(ask: Ask, text: str, said: str) -> None:
    assert said in (await ask(text)).response


async def test_an_unavailable_device_is_said_to_be_so_and_not_called(ask: Ask, demo: DemoServer) -> None:
    reply = await ask("turn on the bathroom light")
    assert "not available" in reply.response
    assert not demo.calls


@pytest.mark.parametrize(
    ("text", "strange", "nearest"),
    [
        ("turn on the coffee roaster", "roaster", "Coffee machine"),
        ("turn on the lights in the bedchamber", "bedchamber", "Bedroom"),
    ],
)
async def test_what_is_not_there_is_named_with_the_nearest_that_is(
    ask: Ask, demo: DemoServer, text: str, strange: str, nearest: str
) -> None:
    reply = await ask(text)
    assert strange in reply.response
    assert nearest in reply.response
    assert not demo.calls


async def test_a_name_that_two_bear_is_asked_about_and_the_answer_resolves_it(ask: Ask, demo: DemoServer) -> None:
    asked = await ask("turn on the bedside lamp")
    assert asked.question
    assert "left bedside lamp" in asked.response
    assert not demo.calls
    await ask("the left one")
    assert reached(demo) == {"light.bedside_left"}
    await ask("and the other one")
    assert reached(demo) == {"light.bedside_left", "light.bedside_right"}


async def test_a_no_to_a_question_leaves_everything_as_it_is(ask: Ask, demo: DemoServer) -> None:
    await ask("turn on the bedside lamp")
    await ask("no, never mind")
    await ask("no")
    assert not demo.calls


async def test_it_means_what_was_spoken_of(ask: Ask, demo: DemoServer) -> None:
    await ask("turn on the reading lamp")
    await ask("make it blue")
    assert demo.state("light.reading_lamp")["attributes"]["hs_color"] == [240.0, 100.0]
    await ask("turn it off again")
    assert demo.state("light.reading_lamp")["state"] == "off"
    await ask("and the hall light?")
    assert demo.state("light.hall")["state"] == "off"


async def test_a_bit_more_goes_on_with_what_was_adjusted(ask: Ask, demo: DemoServer) -> None:
    await ask("make the bedroom warmer")
    await ask("a bit more")
    assert demo.state("climate.bedroom")["attributes"]["temperature"] == 21
    await ask("a bit less")
    assert demo.state("climate.bedroom")["attributes"]["temperature"] == 20


async def test_a_question_is_carried_on_to_another_room(ask: Ask) -> None:
    assert "18.4" in (await ask("what is the temperature in the bedroom?")).response
    assert "21.5" in (await ask("and in the living room?")).response


async def test_a_complaint_is_answered_with_an_offer_and_a_yes_takes_it(ask: Ask, demo: DemoServer) -> None:
    offer = await ask("I'm cold", device_id=BEDROOM_SATELLITE)
    assert offer.question
    assert "Bedroom thermostat" in offer.response
    assert not demo.calls
    await ask("yes please", device_id=BEDROOM_SATELLITE)
    assert demo.state("climate.bedroom")["attributes"]["temperature"] == 20


async def test_without_a_room_an_offer_asks_which_and_never_takes_a_yes_for_everything(
    ask: Ask, demo: DemoServer
) -> None:
    assert (await ask("it's getting dark")).question
    await ask("yes")
    assert not demo.calls
    await ask("it's getting dark")
    await ask("in the study")
    assert all(i == "light.study" for i in reached(demo))


async def test_what_needs_a_yes_is_asked_for_by_action_and_name(ask: Ask, demo: DemoServer) -> None:
    asked = await ask("unlock the front door")
    assert asked.response == "That unlocks Front door. Shall I?"
    assert asked.question
    assert not demo.calls
    done = await ask("yes")
    assert done.response == "Front door is unlocked."
    assert demo.state("lock.front_door")["state"] == "unlocked"


async def test_history_is_asked_for_the_time_that_was_said(ask: Ask, demo: DemoServer) -> None:
    reply = await ask("how long was the kitchen window open today")
    assert "Kitchen window was open for" in reply.response
    assert reply.trace is not None
    assert "hour" in reply.response or "minute" in reply.response
    average = await ask("what was the average temperature in the living room today")
    assert "on average" in average.response
    assert not demo.calls


async def test_lists_are_kept(ask: Ask) -> None:
    assert "oat milk" in (await ask("put oat milk on the shopping list")).response
    assert "oat milk" in (await ask("what's on my shopping list")).response
    await ask("tick off oat milk on the shopping list")
    assert "oat milk" not in (await ask("what's on my shopping list")).response


async def test_the_time_is_the_homes(ask: Ask, home_assistant: HomeAssistant) -> None:
    said = (await ask("what time is it")).response
    minute = datetime.now(UTC).astimezone(home_assistant.home.config.time_zone).minute
    assert f":{minute:02d}" in said or f":{(minute - 1) % 60:02d}" in said


@pytest.mark.parametrize(
    ("text", "language", "entity_id", "state"),
    [
        ("Schalte Reading lamp ein", "de", "light.reading_lamp", "on"),
        ("Könntest du bitte Reading lamp anmachen?", "de-AT", "light.reading_lamp", "on"),
        ("Allume Reading lamp", "fr", "light.reading_lamp", "on"),
        ("Enciende Reading lamp por favor", "es", "light.reading_lamp", "on"),
        ("Doe Reading lamp aan", "nl", "light.reading_lamp", "on"),
        ("Reading lamp 켜줘", "ko", "light.reading_lamp", "on"),
        ("accendi Reading lamp", "it", "light.reading_lamp", "on"),
        ("tænd Reading lamp", "da", "light.reading_lamp", "on"),
    ],
)
async def test_other_languages(
    ask: Ask, demo: DemoServer, text: str, language: str, entity_id: str, state: str
) -> None:
    reply = await ask(text, language=language)
    assert demo.state(entity_id)["state"] == state, reply.response
    assert "Reading lamp" in reply.response or language in ("it", "da")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Schalte Reading lamp nicht ein", "de"),
        ("Ist Reading lamp an?", "de"),
        ("Schalte Hall light in 5 Minuten aus", "de"),
        ("N'allume pas Reading lamp", "fr"),
        ("No enciendas Reading lamp", "es"),
        ("Zet Reading lamp niet aan", "nl"),
        ("Reading lamp 켜지 마", "ko"),
        ("Reading lamp 켜져 있어?", "ko"),
    ],
)
async def test_denials_questions_and_delays_reach_no_device_in_any_language(
    ask: Ask, demo: DemoServer, text: str, language: str
) -> None:
    assert (await ask(text, language=language)).response
    assert not demo.calls


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "is Ben a good cook?"),
        ("de", "Ist Ben ein guter Koch?"),
        ("fr", "Est-ce que Ben est fatigué ?"),
        ("es", "¿Es Ben simpático?"),
        ("nl", "Is Ben een goede kok?"),
    ],
)
async def test_whether_somebody_is_something_is_not_answered_by_where_he_is(ask, language, text):
    reply = await ask(text, language=language)
    assert not [call for step in reply.trace["steps"] for call in step["calls"]], reply.response


@pytest.mark.parametrize(
    ("language", "down", "up"),
    [
        ("en", "are the blinds in the living room down?", "are the living room blinds up?"),
        ("fr", "Les volets du Living room sont-ils baissés ?", "Les volets du Living room sont-ils levés ?"),
        ("es", "¿Están bajadas las persianas del Living room?", "¿Están subidas las persianas del Living room?"),
        ("nl", "Zijn de jaloezieën in de Living room omlaag?", "Zijn de jaloezieën in de Living room omhoog?"),
        ("ko", "Living room 블라인드 내려져 있어?", "Living room 블라인드 올라가 있어?"),
    ],
)
async def test_a_blind_that_is_down_is_closed(ask, language, down, up):
    no, yes = (phrase(language, key).removesuffix(".") for key in ("no", "yes"))
    assert (await ask(down, language=language)).response.startswith(no)
    assert (await ask(up, language=language)).response.startswith(yes)


async def test_a_range_that_is_set_is_told_with_both_ends(ask):
    assert "20 °C – 24 °C" in (await ask("what is the living room climate set to?")).response


@pytest.mark.parametrize(
    ("language", "text", "called"),
    [
        ("sv", "tänd Reading lamp", {"light.reading_lamp"}),
        ("sv", "är Hall light på?", set()),
        ("sv", "tänd Reading lamp?", set()),
        ("pl", "zgaś Hall light", {"light.hall"}),
        ("pt", "liga Reading lamp", {"light.reading_lamp"}),
    ],
)
async def test_home_assistants_grammar_serves_languages_without_words_of_their_own(
    ask: Ask, demo: DemoServer, language: str, text: str, called: set[str]
) -> None:
    reply = await ask(text, language=language)
    assert reached(demo) == called, reply.response
