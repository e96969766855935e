"""What is said where something is not there, cannot be done, or does not answer."""

from __future__ import annotations

import re

import pytest

from homeagent.demo.server import DemoServer
from tests.brains.talking import Ask, phrase, reached

_ENTITY_ID = re.compile(r"\b[a-z_]+\.[a-z0-9_]{3,}")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "is the bathroom light on"),
        ("en", "are the lights in the bathroom on"),
        ("de", "Ist das Bathroom light an?"),
        ("fr", "Est-ce que Bathroom light est allumé ?"),
        ("es", "¿Está encendida Bathroom light?"),
        ("nl", "Is Bathroom light aan?"),
        ("ko", "Bathroom light 켜져 있어?"),
    ],
)
async def test_what_does_not_answer_is_neither_on_nor_off(ask: Ask, language: str, text: str) -> None:
    reply = await ask(text, language=language)
    words = {"en": "not available", "de": "nicht verfügbar", "fr": "indisponible", "es": "no disponible"}
    words |= {"nl": "niet beschikbaar", "ko": "사용할 수 없"}
    assert words[language] in reply.response
    assert reply.response.startswith("Bathroom light")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("set the kitchen counter to 500 percent", "Kitchen counter: only 0% to 100%"),
        ("play some jazz on the kitchen radio", "Kitchen radio cannot do that"),
        ("play miles davis on the sonos", "Living room speaker cannot look up"),
        ("lock the sonos", "Living room speaker cannot do that"),
        ("set the bathroom light to 20 percent", "Bathroom light: not available"),
    ],
)
async def test_what_cannot_be_done_is_told_by_names(ask: Ask, demo: DemoServer, text: str, told: str) -> None:
    reply = await ask(text)
    assert reply.response.startswith(told)
    assert not _ENTITY_ID.search(reply.response), reply.response
    assert not reached(demo)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "how often was the hall light on in the last 10 seconds"),
        ("de", "wie oft war das Hall light in den letzten 10 Sekunden an"),
    ],
)
async def test_a_few_seconds_are_a_time_that_can_be_asked_about(ask: Ask, language: str, text: str) -> None:
    assert re.search(r"Hall light (was on|war) 0 (times|Mal)", (await ask(text, language=language)).response)


async def test_a_value_out_of_range_is_told_with_the_range(ask: Ask) -> None:
    assert "5 °C to 25 °C" in (await ask("set the bedroom thermostat to 50 degrees")).response


async def test_music_by_its_name_is_not_said_to_play_where_it_cannot_be_found(ask: Ask, demo: DemoServer) -> None:
    reply = await ask("play miles davis on the sonos")
    assert "playing" not in reply.response
    assert not reached(demo)


async def test_a_source_is_chosen_and_not_looked_for(ask: Ask, demo: DemoServer) -> None:
    await ask("play radio 1 on the living room speaker")
    assert demo.state("media_player.living_room_speaker")["attributes"]["source"] == "Radio 1"


async def test_a_very_long_name_is_not_read_out_whole(ask: Ask) -> None:
    reply = await ask(f"turn on {'bartholomew' * 20}")
    assert len(reply.response) < 130


@pytest.mark.parametrize(
    ("text", "offered", "never"),
    [
        ("turn on the chandelier", (), ("Did you mean",)),
        ("turn on the readin lmap", ("Reading lamp",), ()),
        ("turn on the kitchen chandelier", (), ("Kitchen radio",)),
        ("turn on the rain lamp", (), ("Rosie",)),
        ("turn on the salt lamp in the study", ("Study light",), ("Study plug", "Desk plug")),
    ],
)
async def test_only_what_is_like_it_or_of_its_kind_there_is_offered(
    ask: Ask, demo: DemoServer, text: str, offered: tuple[str, ...], never: tuple[str, ...]
) -> None:
    reply = await ask(text)
    assert all(name in reply.response for name in offered), reply.response
    assert not any(name in reply.response for name in never), reply.response


async def test_a_scene_that_was_never_set_is_not_said_to_be_out_of_reach(ask: Ask) -> None:
    assert "not available" not in (await ask("what is movie night")).response


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "who is the queen of England?"),
        ("en", "where is the present for Ben?"),
        ("en", "which light did Ben leave on?"),
        ("de", "wer ist die Königin von England?"),
        ("fr", "qui est la reine d'Angleterre ?"),
    ],
)
async def test_where_people_are_answers_no_other_question(ask: Ask, language: str, text: str) -> None:
    reply = await ask(text, language=language)
    assert "Ben is" not in reply.response
    assert not re.match("Nobody|Niemand|Personne", reply.response), reply.response


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "who is at work?", "Nobody."),
        ("en", "is Ben at the gym?", "No, Ben is away."),
        ("de", "ist Ben auf der Arbeit?", "Nein, Ben ist abwesend."),
        ("fr", "qui est au bureau ?", "Personne."),
    ],
)
async def test_a_place_outside_is_a_zone_that_people_may_be_in(ask: Ask, language: str, text: str, said: str) -> None:
    assert (await ask(text, language=language)).response == said


async def test_home_is_where_a_vacuum_is_sent_and_no_preset_of_the_heating(ask: Ask, demo: DemoServer) -> None:
    assert "vacuum" in (await ask("send the upstairs vacuum home")).response
    assert not reached(demo)
    await ask("send the vacuum home")
    assert reached(demo) == {"vacuum.rosie"}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "did anybody forget to close a window before we left"),
        ("de", "hat jemand vergessen, ein Fenster zuzumachen, bevor wir gefahren sind?"),
    ],
)
async def test_a_question_with_a_when_is_no_order_that_waits(ask: Ask, language: str, text: str) -> None:
    assert (await ask(text, language=language)).response != phrase(language, "no_timer")


@pytest.mark.parametrize(("language", "text"), [("en", "how much time is left?"), ("es", "¿Cuánto tiempo queda?")])
async def test_how_long_something_still_takes_is_not_made_up(ask: Ask, language: str, text: str) -> None:
    reply = await ask(text, language=language)
    assert re.search(r"\w", reply.response)
    assert "°C" not in reply.response
