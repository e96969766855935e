"""`hass_control` and `hass_query` do what the document of their fields says, through the same checks as ever."""

from __future__ import annotations

import json
from typing import Any

import pytest

from homeagent.config.settings import Form
from homeagent.demo.server import DemoServer
from homeagent.prompting.token_counting import load_counter
from tests.toolsets.conftest import Talk

CEILING = "light.kitchen_ceiling"
HASS = Form.HASS


def control(**given: Any) -> list[tuple[str, dict[str, Any]]]:
    return [("hass_control", {"entity_id": CEILING, "action": "turn_on", **given})]


async def test_the_ids_that_were_found_are_all_that_may_be_named_in_every_round(talk: Talk) -> None:
    await talk.say("turn on the kitchen ceiling", HASS, control(), "The kitchen ceiling is on.")
    assert len(talk.model.requests) == 2
    for request in range(2):
        ids = talk.model.tool("hass_control", request)["entity_id"]["enum"]
        assert ids[0] == CEILING
        assert len(ids) <= 10
        assert talk.model.tool("hass_query", request)["entity_id"]["enum"] == ids
        names = [tool["function"]["name"] for tool in talk.model.requests[request]["tools"]]
        assert names == ["hass_control", "hass_query", "timer"]


async def test_a_light_goes_on_and_the_model_sees_its_own_call(talk: Talk, demo: DemoServer) -> None:
    reply = await talk.say("turn on the kitchen ceiling", HASS, control(brightness=50), "The kitchen ceiling is on.")
    assert demo.state(CEILING)["attributes"]["brightness"] == 128
    assert reply.response == "The kitchen ceiling is on."
    made = next(m for m in talk.model.requests[1]["messages"] if m.get("tool_calls"))["tool_calls"][0]["function"]
    assert made["name"] == "hass_control"
    assert '"brightness":50' in made["arguments"]


async def test_what_was_called_is_shown_the_same_in_the_next_turn(talk: Talk) -> None:
    first = await talk.say("turn on the kitchen ceiling", HASS, control(), "The kitchen ceiling is on.")
    await talk.say("thanks", HASS, "You are welcome.", conversation_id=first.conversation_id)
    before = next(m for m in talk.model.requests[0]["messages"] if m.get("tool_calls"))
    assert before["tool_calls"][0]["function"]["name"] == "hass_control"


async def test_the_system_text_names_the_tools_that_there_are(talk: Talk) -> None:
    await talk.say("hello", HASS, "Hello.")
    system = talk.model.requests[0]["messages"][0]["content"]
    assert "hass_control" in system
    assert "ha_control" not in system.replace("hass_control", "")
    assert "ha_query" not in system


@pytest.mark.parametrize(
    ("color", "shown"),
    [
        ("red", [255, 0, 0]),
        ("빨간색", [255, 0, 0]),
        ("#00FF00", [0, 255, 0]),
        ("00FF00", [0, 255, 0]),
        ("hsl(240, 100, 50)", [0, 0, 255]),
        ("240, 100, 50", [0, 0, 255]),
        ("rgb(255, 0, 255)", [255, 0, 255]),
    ],
)
async def test_a_color_in_each_of_its_forms(talk: Talk, demo: DemoServer, color: str, shown: list[int]) -> None:
    lamp = next(
        e for e in talk.stage.ha.home.exposed() if "rgb" in modes(talk, e.entity_id) or "hs" in modes(talk, e.entity_id)
    )
    call = [("hass_control", {"entity_id": lamp.entity_id, "action": "turn_on", "color": color})]
    await talk.say(f"{lamp.name} {color}", HASS, call, "Done.")
    assert talk.model.result()["success"], talk.model.result()
    assert list(demo.calls[-1].data["rgb_color"]) == shown


async def test_the_white_tone_wins_over_the_color(talk: Talk, demo: DemoServer) -> None:
    await talk.say("a warm kitchen ceiling", HASS, control(color="red", color_temp_kelvin=2700), "Done.")
    assert demo.calls[-1].data["color_temp_kelvin"] == 2700


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"brightness": 101}, "brightness"),
        ({"color_temp_kelvin": 1000}, "color_temp_kelvin"),
        ({"color": "no such color"}, "no such color"),
        ({"action": "explode"}, "action"),
        ({"entity_id": "switch.coffee_machine", "brightness": 5}, "for lights"),
        ({"entity_id": "light.made_up"}, "light.made_up"),
        ({"entity_id": "light.*"}, "one"),
        ({"entity_id": "light.kitchen_?*"}, "one"),
        ({"entity_id": "all"}, "all"),
        ({"entity_id": "light"}, "light"),
        ({"entity_id": "kitchen"}, "kitchen"),
    ],
)
async def test_what_does_not_fit_is_told_and_nothing_is_done(
    talk: Talk, demo: DemoServer, given: dict[str, Any], named: str
) -> None:
    reply = await talk.say("turn on the kitchen ceiling", HASS, control(**given), "That did not work.")
    assert named in talk.model.result()["error"]
    assert demo.calls == []
    assert not reply.handled


async def test_what_opens_the_house_waits_for_a_yes_here_too(talk: Talk, demo: DemoServer) -> None:
    call = [("hass_control", {"entity_id": "cover.garage_door", "action": "turn_on"})]
    reply = await talk.say("open the garage door", HASS, call, "Shall I?")
    assert reply.pending
    assert demo.calls == []


async def test_after_a_text_of_others_was_read_a_change_asks(talk: Talk, demo: DemoServer) -> None:
    look = [("hass_query", {"query_type": "get_state", "entity_id": "media_player.living_room_speaker"})]
    reply = await talk.say("what is playing", HASS, look, control(), "Shall I?")
    assert reply.pending
    assert demo.calls == []


async def test_a_state_and_the_list(talk: Talk) -> None:
    asked = [("hass_query", {"query_type": "get_state", "entity_id": CEILING})]
    await talk.say("is the kitchen ceiling on", HASS, asked, "It is off.")
    assert talk.model.result()["result"]["entities"][0]["state"] == "off"
    await talk.say("what is there", HASS, [("hass_query", {"query_type": "list_entities"})], "Much.")
    assert talk.model.result()["success"], talk.model.result()
    assert talk.model.result()["result"]["total"] > 40
    await talk.say("is it on", HASS, [("hass_query", {"query_type": "get_state"})], "Which one?")
    assert "entity_id" in talk.model.result()["error"]


async def test_they_cost_less_than_our_own(talk: Talk) -> None:
    count = load_counter()
    assert count is not None
    weights = []
    for form in (HASS, Form.SERVICES, Form.OWN):
        await talk.say("hello", form, "Hello.")
        names = {"timer"}
        tools = [t for t in talk.model.requests[0]["tools"] if t["function"]["name"] not in names]
        for tool in tools:
            tool["function"]["parameters"]["properties"].get("entity_id", {}).pop("enum", None)
        weights.append(sum(count(json.dumps(tool)) for tool in tools))
    assert max(weights[:2]) < weights[2] / 2, weights


def modes(talk: Talk, entity_id: str) -> Any:
    state = talk.stage.ha.home.state(entity_id)
    return (state.attributes.get("supported_color_modes") or ()) if state else ()
