"""Sentences as a recogniser of speech writes them: what is done, answered and offered for what only sounds like it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from homeagent.brains.local.frame_plans import FramePlanner
from homeagent.brains.local.second_hearing import HeardAgain, hear_again
from homeagent.brains.local.surroundings import Catalog, Surroundings
from homeagent.demo.server import DemoServer
from homeagent.ha.connection import HomeAssistant
from tests.brains.talking import Ask, reached


def heard(ha: HomeAssistant, text: str) -> HeardAgain | None:
    home = ha.home
    things = tuple(home.entities.values())
    around, framing = Surroundings(home, Catalog(things), home.exposed(), None, (), ()), FramePlanner(home)
    return hear_again(framing, text, "en", around, None, framing.read(text, "en", around, None))


def parameters(made: HeardAgain | None) -> list[Mapping[str, object]]:
    return [call.parameters for p in made.plans for call in p.calls] if made is not None else []


@pytest.mark.parametrize(
    ("text", "action", "entity_id"),
    [
        ("paws the music", "pause", "media_player.living_room_speaker"),
        ("turn on the reeding lamp", "turn_on", "light.reading_lamp"),
    ],
)
async def test_what_sounds_exactly_like_an_order_is_carried_out(
    looked_at: HomeAssistant, text: str, action: str, entity_id: str
) -> None:
    assert [(c["action"], c["entity_id"]) for c in parameters(heard(looked_at, text))] == [(action, [entity_id])]


@pytest.mark.parametrize("text", ["turn on the haul light", "start rosy"])
async def test_what_nearly_sounds_like_an_order_is_offered(looked_at: HomeAssistant, text: str) -> None:
    made = heard(looked_at, text)
    assert made is not None
    assert [(p.calls, p.saying.key if p.saying else "") for p in made.plans] == [((), "suggest")]


async def test_what_is_put_on_a_list_stays_as_it_was_written(looked_at: HomeAssistant) -> None:
    added = [c["parameters"] for c in parameters(heard(looked_at, "ad flower to the shopping list"))]
    assert added == [{"item": "flower"}]


@pytest.mark.parametrize(
    "text",
    [
        "turn on the hall light",  # is read as it is written
        "the cat paws at the door",
        "we had a lovely time in rome",
        "rays the garage door",
        "unluck the front door",
    ],
)
async def test_what_is_no_order_or_opens_a_way_in_stays(looked_at: HomeAssistant, text: str) -> None:
    assert heard(looked_at, text) is None


async def test_an_offer_is_carried_out_after_a_yes(ask: Ask, demo: DemoServer) -> None:
    offer = await ask("turn on the haul light")
    assert offer.question
    assert "Hall light" in offer.response
    assert reached(demo) == set()
    await ask("yes")
    assert reached(demo) == {"light.hall"}
