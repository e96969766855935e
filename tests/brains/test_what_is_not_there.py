"""What the home has not is never replaced by something else: another kind, another room, another word."""

from __future__ import annotations

import pytest

from homeagent.demo.server import DemoServer
from tests.brains.talking import Ask, Other, phrase, reached

COTTAGE = """
x-name: Cottage
areas: [{id: parlour, name: Parlour}, {id: loft_east, name: East loft}, {id: loft_west, name: West loft}]
entities:
  - {name: Nook, id: media_player.nook, area: parlour, state: playing, attributes: {device_class: speaker}}
  - {name: Jukebox, id: media_player.jukebox, area: parlour, state: playing}
  - {name: South, id: cover.south, area: parlour, state: closed, attributes: {device_class: shutter}}
  - {name: Cylinder, id: water_heater.cylinder, area: parlour, state: eco}
  - {name: Cable reel lamp, id: light.reel, area: parlour, state: "off"}
  - {name: Beam, id: light.beam, area: loft_east, state: "off"}
  - {name: Rafter, id: light.rafter, area: loft_west, state: "off"}
  - {name: Cosy, id: switch.cosy, area: parlour, state: "off"}
"""


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn off the TV"),
        ("de", "mach den Fernseher aus"),
        ("fr", "éteins la télé"),
        ("es", "apaga la tele"),
        ("nl", "zet de tv uit"),
        ("ko", "티비 꺼줘"),
        ("en", "turn off the TV and the cosy"),
        ("en", "open the gate"),
        ("de", "öffne das Tor"),
        ("fr", "ouvre le portail"),
        ("es", "abre el portón"),
        ("nl", "open de poort"),
        ("ko", "대문 열어줘"),
        ("en", "open the awning"),
        ("en", "turn on the air conditioning"),
        ("de", "mach die Klimaanlage an"),
        ("en", "turn on the table lamp"),
        ("en", "turn on the lights in the sauna"),
        ("en", "turn on the cosy in the east loft"),
        ("de", "schalte Cosy im East loft ein"),
        ("fr", "allume Cosy dans East loft"),
        ("es", "enciende Cosy en East loft"),
        ("nl", "zet Cosy in de East loft aan"),
        ("ko", "East loft Cosy 켜줘"),
        ("en", "turn on the loft light"),
    ],
)
async def test_nothing_else_is_reached(other_home: Other, language: str, text: str) -> None:
    async with other_home(COTTAGE) as (ask, server):
        reply = await ask(text, language=language)
        assert not reached(server), reply.response


async def test_what_may_be_meant_is_offered(other_home: Other) -> None:
    async with other_home(COTTAGE) as (ask, server):
        reply = await ask("turn off the TV")
        assert reply.response == "I know no device called “TV”. Did you mean Jukebox?"
        await ask("yes")
        assert reached(server) == {"media_player.jukebox"}


async def test_a_question_about_it_is_answered_by_nothing_else(other_home: Other) -> None:
    async with other_home(COTTAGE.replace("  - {name: Jukebox", "  - {name: Jukebox radio")) as (ask, _):
        assert "Nook" not in (await ask("is the TV on?")).response


async def test_shades_go_by_each_others_names(other_home: Other) -> None:
    async with other_home(COTTAGE) as (ask, server):
        await ask("open the blinds")
        assert reached(server) == {"cover.south"}


@pytest.mark.parametrize(
    ("language", "text"), [("de", "öffne das Tor"), ("fr", "ouvre le portail"), ("es", "abre el portón")]
)
async def test_it_is_called_as_it_was_said(other_home: Other, language: str, text: str) -> None:
    async with other_home(COTTAGE) as (ask, _):
        said = text.split()[-1]
        assert (await ask(text, language=language)).response == phrase(language, "unknown_device").format(text=said)


async def test_a_room_of_children_is_no_time(other_home: Other) -> None:
    async with other_home(COTTAGE) as (ask, _):
        reply = await ask("allume la lumière dans la chambre des enfants", language="fr")
        assert reply.response.startswith(phrase("fr", "unknown_place").partition("{")[0]), reply.response


ROOM = """
x-name: Room
areas: [{id: room, name: Zimmer}]
entities:
  - {name: Deckenlicht, id: light.ceiling, area: room, state: "on"}
  - {name: Tafellicht, id: light.board, area: room, state: "on"}
  - {name: Leselampe alt, id: light.reading, area: room, state: "on"}
"""


@pytest.mark.parametrize(
    ("language", "text", "meant"),
    [
        ("de", "mach die Stehlampe aus", set()),
        ("de", "mach die Wandlampen aus", set()),
        ("de", "mach die Deckenlampe aus", {"light.ceiling"}),
        ("de", "mach alle Deckenlampen aus", {"light.ceiling"}),
        ("de", "mach die Leselampe aus", {"light.reading"}),
        ("de", "mach die Zimmerlampen aus", {"light.ceiling", "light.board", "light.reading"}),
        ("nl", "doe de plafondlamp uit", set()),
        ("nl", "doe de tafellamp uit", {"light.board"}),
    ],
)
async def test_a_compound_is_more_than_its_kind(other_home: Other, language: str, text: str, meant: set[str]) -> None:
    async with other_home(ROOM) as (ask, server):
        reply = await ask(text, language=language)
        assert reached(server) == meant, reply.response


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn off the radio"),
        ("en", "turn off the stereo"),
        ("de", "mach das Radio aus"),
        ("fr", "éteins la radio"),
        ("es", "apaga la radio"),
        ("nl", "zet de radio uit"),
        ("ko", "라디오 꺼줘"),
    ],
)
async def test_a_tv_is_no_radio(other_home: Other, language: str, text: str) -> None:
    bravia = "{name: Bravia, id: media_player.bravia, state: playing, attributes: {device_class: tv}}"
    async with other_home(f"x-name: Den\nentities:\n  - {bravia}\n") as (ask, server):
        reply = await ask(text, language=language)
        assert not reached(server), reply.response
    nook = "{name: Nook, id: media_player.nook, state: playing, attributes: {device_class: speaker}}"
    async with other_home(f"x-name: Den\nentities:\n  - {bravia}\n  - {nook}\n") as (ask, server):
        await ask(text, language=language)
        assert reached(server) == {"media_player.nook"}


HEATED = """
areas: [{name: Living room, id: living}, {name: Bedroom, id: bed}]
entities:
  - {name: Stove, id: climate.stove, area: living, state: "off",
     attributes: {supported_features: [TURN_ON, TURN_OFF], hvac_modes: ["off", heat], temperature: 20}}
"""
COOLED = """
  - {name: Split unit, id: climate.split, area: bed, state: "off",
     attributes: {supported_features: [TURN_ON, TURN_OFF], hvac_modes: ["off", cool], temperature: 24}}
"""
COOL = [
    ("en", "turn on the air conditioning"),
    ("de", "schalte die Klimaanlage ein"),
    ("fr", "allume la clim"),
    ("es", "enciende el aire acondicionado"),
    ("nl", "zet de airco aan"),
    ("ko", "에어컨 켜 줘"),
]


@pytest.mark.parametrize(("language", "text"), COOL)
async def test_what_only_heats_is_no_air_conditioning(other_home: Other, language: str, text: str) -> None:
    async with other_home(HEATED) as (ask, server):
        await ask(text, language=language)
        assert reached(server) == set()
    async with other_home(HEATED + COOLED.lstrip("\n")) as (ask, server):
        await ask(text, language=language)
        assert reached(server) == {"climate.split"}


async def test_whether_the_air_conditioning_is_on_the_heating_does_not_tell(other_home: Other) -> None:
    home = HEATED.replace('state: "off"', "state: heat") + COOLED.lstrip("\n")
    async with other_home(home) as (ask, _):
        assert (await ask("is the air conditioning on?")).response.startswith("No")
        assert (await ask("is the heating on?")).response.startswith("Yes")


async def test_both_that_heat_and_cool_are_meant_where_both_are_named(other_home: Other) -> None:
    async with other_home(HEATED + COOLED.lstrip("\n")) as (ask, _):
        reply = (await ask("turn on the heating and the air conditioning")).response
        assert "Stove" in reply
        assert "Split unit" in reply


async def test_a_way_up_is_no_state_of_what_is_no_cover(other_home: Other) -> None:
    async with other_home(COTTAGE) as (ask, _):
        for text in ("what's up?", "is anybody up?", "is the temperature down?"):
            assert "South" not in (await ask(text)).response
        assert "South" in (await ask("are the shutters down?")).response


async def test_what_only_cools_is_no_heating(other_home: Other) -> None:
    async with other_home(HEATED + COOLED.lstrip("\n")) as (ask, server):
        asked = await ask("turn on the heating")
        assert [pending.targets for pending in asked.pending] == [("climate.stove",)]  # a stove burns
        assert reached(server) == set()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn on the reading lamp or the standing lamp"),
        ("de", "Mach Reading lamp oder Standing lamp an"),
        ("fr", "Allume Reading lamp ou Standing lamp"),
        ("es", "enciende Reading lamp o Standing lamp"),
        ("nl", "zet Reading lamp of Standing lamp aan"),
        ("en", "turn on the bedroom light or the hall light"),
    ],
)
async def test_of_one_thing_or_another_it_is_asked_which(ask: Ask, demo: DemoServer, language: str, text: str) -> None:
    reply = await ask(text, language=language)
    assert reached(demo) == set()
    assert reply.question
    named = ("Bedroom light", "Hall light") if "hall" in text else ("Reading lamp", "Standing lamp")
    assert all(name in reply.response for name in named), reply.response


async def test_a_question_about_one_kind_or_another_is_about_both(ask: Ask, demo: DemoServer) -> None:
    assert "Yes" in (await ask("are the lights or the fan on?")).response
    assert reached(demo) == set()


async def test_what_is_there_is_never_offered_in_its_own_place(other_home: Other):
    """Somebody tells what another one did: a person is no lock, and no unknown device either."""
    home = "x-name: Den\nentities:\n  - {name: Ben, id: person.ben, state: home}\n  - {name: Haustür, id: lock.front}\n"
    async with other_home(home) as (ask, server):
        reply = await ask("Die Haustür hat Ben vorhin schon aufgeschlossen", language="de")
        assert not reached(server)
        assert "Gerät" not in reply.response
