"""Everyday sentences on a real Home Assistant: what was said, and the state that the home is in."""

from __future__ import annotations

import asyncio

import httpx
import pytest
import pytest_asyncio

from homeagent.demo.inventory import demo_home, load_inventory
from tests.e2e import real

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """The demo home's twin: the same inventory on a real Home Assistant."""
    instance = real.start(load_inventory(demo_home()), tmp_path_factory.mktemp("home"))
    yield instance
    real.stop(instance, for_good=True)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app(home, tmp_path_factory):
    """The whole agent over it, without a language model. Its embedder is switched off: words must do here."""
    async with real.agent_over(home, tmp_path_factory.mktemp("data")) as app:
        yield app


class House:
    """What a person standing in it would see."""

    def __init__(self, home):
        self._client = httpx.AsyncClient(
            base_url=home.url, headers={"Authorization": f"Bearer {home.token}"}, timeout=30
        )

    async def state(self, entity_id):
        return (await self._client.get(f"/api/states/{entity_id}")).json()

    async def put(self, entity_id, **values):
        """A change on the device's side."""
        body = {"entity_id": entity_id, "values": values}
        (await self._client.post("/api/services/synth_home/push", json=body)).raise_for_status()

    async def calls(self):
        """What reached the devices since the last look."""
        answer = await self._client.post("/api/services/synth_home/calls?return_response", json={"clear": True})
        return [(call["entity_id"], call["action"]) for call in answer.json()["service_response"]["calls"]]

    async def becomes(self, entity_id, state=None, **attributes):
        """Wait, for at most 3 s, until the entity is so."""
        for _ in range(60):
            now = await self.state(entity_id)
            if (state is None or now["state"] == state) and all(
                _near(now["attributes"].get(k), v) for k, v in attributes.items()
            ):
                return True
            await asyncio.sleep(0.05)
        return False


def _near(actual, wanted):
    return actual == wanted or (isinstance(wanted, float | int) and actual is not None and abs(actual - wanted) <= 1)


@pytest_asyncio.fixture(loop_scope="module")
async def house(home):
    house = House(home)
    await house.calls()
    return house


async def say(app, *sentences, device_id=None):
    """Say them one after another in one conversation; the last reply."""
    reply = None
    for sentence in sentences:
        reply = await app.agent.process(
            sentence, conversation_id=reply.conversation_id if reply else None, device_id=device_id
        )
    return reply


@pytest.mark.parametrize(
    ("sentences", "entity_id", "state", "attributes"),
    [
        (["turn on the kitchen lights"], "light.kitchen_counter", "on", {}),
        (["turn off the kitchen lights"], "light.kitchen_ceiling", "off", {}),
        (["set the reading lamp to a warm 30 percent"], "light.reading_lamp", "on", {"brightness": 77}),
        (["turn on the readnig lamp"], "light.reading_lamp", "on", {}),
        (["reading lamp red please"], "light.reading_lamp", "on", {"hs_color": [0.0, 100.0]}),
        (["lock the front door"], "lock.front_door", "locked", {}),
        (["close the living room blinds"], "cover.living_room_blinds", "closed", {}),
        (["set the living room blinds to 40 percent"], "cover.living_room_blinds", None, {"current_position": 40}),
        (["turn on the coffee machine", "turn it off again"], "switch.coffee_machine", "off", {}),
        (["set the bedroom thermostat to 21 degrees"], "climate.bedroom", None, {"temperature": 21.0}),
        (["add oat milk to the shopping list"], "todo.shopping_list", None, {}),
    ],
)
async def test_the_home_is_as_was_said(app, house, sentences, entity_id, state, attributes):
    reply = await say(app, *sentences)
    assert await house.becomes(entity_id, state, **attributes), (reply.response, await house.state(entity_id))
    assert not reply.question


async def test_all_lights_downstairs_are_those_of_the_ground_floor_and_no_others(app, house):
    await say(app, "turn on all lights downstairs")
    reached = {entity_id for entity_id, _ in await house.calls()}
    assert {"light.kitchen_ceiling", "light.kitchen_counter", "light.reading_lamp", "light.tv_backlight"} <= reached
    assert not reached & {"light.bedroom", "light.study", "light.utility_room", "light.terrace"}


async def test_warmer_is_relative_to_what_is_set(app, house):
    before = (await house.state("climate.bedroom"))["attributes"]["temperature"]
    await say(app, "make the bedroom warmer")
    assert await house.becomes("climate.bedroom", temperature=before + 1)


async def test_opening_the_house_waits_for_a_yes(app, house):
    reply = await say(app, "unlock the front door")
    assert reply.question
    assert reply.pending
    assert await house.calls() == []
    assert (await house.state("lock.front_door"))["state"] == "locked"

    await app.agent.process("yes please", conversation_id=reply.conversation_id)
    assert await house.becomes("lock.front_door", "unlocked")
    await say(app, "lock the front door")


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("is the front door locked?", "locked"),
        ("is the kitchen ceiling on?", "kitchen ceiling"),
        ("what's the temperature in the bedroom?", "°C"),
        ("how long was the garage door open today?", ""),
        ("what is on the shopping list?", "milk"),
        ("turn on the lights in the observatory", "observatory"),
        ("turn on the chandelier", "chandelier"),
        ("turn on the bathroom light", "Bathroom light"),
        ("don't turn on the hall light", ""),
    ],
)
async def test_questions_and_what_cannot_be_done_reach_no_device(app, house, sentence, words):
    reply = await say(app, sentence)
    assert [c for c in await house.calls() if not c[1].startswith("get_")] == [], reply.response
    assert words.casefold() in reply.response.casefold()


async def test_a_device_that_ignores_what_it_is_told_is_not_called_done(app, house):
    reply = await say(app, "turn on the utility room light")
    assert (await house.state("light.utility_room"))["state"] == "off"
    assert "no change" in reply.response


async def test_the_room_of_the_speaking_device_counts(app, house):
    satellite = next(i for i, area in app.home.device_areas.items() if area and "bedroom" in area)
    await say(app, "turn on the light", device_id=satellite)
    reached = {entity_id for entity_id, _ in await house.calls()}
    assert "light.bedroom" in reached
    assert all(app.home.entity(i).area.area_id == "bedroom" for i in reached)
