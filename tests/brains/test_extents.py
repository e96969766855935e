"""How far something goes: "completely" ends where the verb goes, and what is excepted is taken as widely as can be."""

from __future__ import annotations

import pytest

from homeagent.demo.server import DemoServer
from homeagent.ha.connection import HomeAssistant
from tests.brains.talking import Ask, pressed, reached

CLOSED, HALF_OPEN, OPEN = 0, 50, 100


@pytest.mark.parametrize(
    ("language", "text", "position"),
    [
        ("en", "close the living room blinds completely", CLOSED),
        ("en", "lower the blinds in the living room all the way", CLOSED),
        ("en", "close the living room blinds halfway", HALF_OPEN),
        ("en", "open the living room blinds fully", OPEN),
        ("de", "mach die Living room blinds ganz zu", CLOSED),
        ("fr", "ferme complètement Living room blinds", CLOSED),
        ("es", "cierra Living room blinds del todo", CLOSED),
        ("nl", "doe Living room blinds helemaal dicht", CLOSED),
        ("ko", "Living room blinds 완전히 닫아줘", CLOSED),
    ],
)
async def test_completely_goes_where_the_verb_goes(
    ask: Ask, demo: DemoServer, home_assistant: HomeAssistant, language: str, text: str, position: int
) -> None:
    await pressed(demo, home_assistant, "cover.living_room_blinds", "open", {"current_position": 70})
    reply = await ask(text, language=language)
    assert demo.state("cover.living_room_blinds")["attributes"]["current_position"] == position, reply.response


async def test_a_step_and_then_completely_shut(ask: Ask, demo: DemoServer) -> None:
    await ask("open the living room blinds halfway")
    await ask("a little more")
    await ask("now close them completely")
    assert demo.state("cover.living_room_blinds")["attributes"]["current_position"] == CLOSED


async def test_all_the_way_down_is_never_the_loudest(ask: Ask, demo: DemoServer) -> None:
    await ask("turn the volume of the living room speaker all the way down")
    assert demo.state("media_player.living_room_speaker")["attributes"]["volume_level"] == 0


async def test_off_completely_is_off(ask: Ask, demo: DemoServer) -> None:
    await ask("turn the living room ceiling off completely")
    assert demo.state("light.living_room_ceiling")["state"] == "off"


async def test_what_is_excepted_is_spared_with_all_that_it_may_name(
    ask: Ask, demo: DemoServer, home_assistant: HomeAssistant
) -> None:
    for entity_id in ("media_player.tv", "light.tv_backlight", "light.reading_lamp"):
        await pressed(demo, home_assistant, entity_id, "on")
    await ask("turn off everything in the living room except the TV")
    assert reached(demo).isdisjoint({"media_player.tv", "light.tv_backlight", "remote.tv"})
    assert demo.state("light.reading_lamp")["state"] == "off"


async def test_what_is_excepted_and_not_there_leaves_everything_as_it_is(ask: Ask, demo: DemoServer) -> None:
    await ask("turn off everything in the living room except the projector")
    assert not reached(demo)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn the volume of the living room speaker down by half"),
        ("de", "mach den Living room speaker um die Hälfte leiser"),
        ("nl", "zet het volume van de Living room speaker met de helft zachter"),
    ],
)
async def test_by_half_is_half_of_what_it_is(
    ask: Ask, demo: DemoServer, home_assistant: HomeAssistant, language: str, text: str
) -> None:
    await pressed(demo, home_assistant, "media_player.living_room_speaker", "playing", {"volume_level": 0.3})
    reply = await ask(text, language=language)
    assert demo.state("media_player.living_room_speaker")["attributes"]["volume_level"] == 0.15, reply.response


async def test_what_is_off_cannot_be_darker(ask: Ask, demo: DemoServer) -> None:
    assert demo.state("light.reading_lamp")["state"] == "off"
    assert "off right now" in (await ask("dim the reading lamp by half")).response
    assert demo.state("light.reading_lamp")["state"] == "off"


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("make the kitchen counter and the reading lamp half as bright", 40, 15),
        ("turn the kitchen counter and the reading lamp down to half", 50, 15),
    ],
)
async def test_a_share_of_several_is_of_each_ones_own(
    ask: Ask, demo: DemoServer, home_assistant: HomeAssistant, text: str, first: int, second: int
) -> None:
    for entity_id, percent in (("light.kitchen_counter", 80), ("light.reading_lamp", 30)):
        await pressed(demo, home_assistant, entity_id, "on", {"brightness": round(percent * 2.55)})
    reply = await ask(text)
    now = [
        demo.state(one)["attributes"]["brightness"] / 2.55 for one in ("light.kitchen_counter", "light.reading_lamp")
    ]
    assert [round(share) for share in now] == [pytest.approx(first, abs=1), pytest.approx(second, abs=1)], (
        reply.response
    )
