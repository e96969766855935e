"""The home as its services: the four tools, what asks, and what is never done."""

from __future__ import annotations

from typing import Any

import pytest

from homeagent.demo.server import DemoServer
from homeagent.policy.policy import Policy
from homeagent.tools.ha_control import HaControl
from homeagent.toolsets.service_tools import RESTRICTED
from homeagent.toolsets.toolset import Form
from homeagent.turn import Turn
from tests.toolsets.conftest import Talk

SERVICES = Form.SERVICES


def service(domain: str, name: str, entity_id: str | None = None, data: Any = None) -> list[tuple[str, dict[str, Any]]]:
    given = {"domain": domain, "service": name, "entity_id": entity_id, "service_data": data}
    return [("call_ha_service", {key: value for key, value in given.items() if value is not None})]


async def test_names_lead_to_ids(talk: Talk) -> None:
    asked = [("get_ha_entities", {"domain": "light", "area": "kitchen"})]
    await talk.say("which lights are in the kitchen", SERVICES, asked, "Three.")
    found = talk.model.result()["result"]
    assert found["Kitchen ceiling"] == "light.kitchen_ceiling"
    assert set(found.values()) >= {"light.kitchen_ceiling", "light.kitchen_counter"}
    await talk.say("what is there", SERVICES, [("get_ha_entities", {})], "Much.")
    assert len(talk.model.result()["result"]) > 30


async def test_a_state_and_its_past(talk: Talk) -> None:
    await talk.say("the ceiling", SERVICES, [("get_entity_state", {"entity_id": "light.kitchen_ceiling"})], "Off.")
    assert talk.model.result()["result"]["entities"][0]["state"] == "off"
    await talk.say("before", SERVICES, [("get_entity_history", {"entity_id": "light.kitchen_ceiling"})], "Off.")
    assert talk.model.result()["success"], talk.model.result()


@pytest.mark.parametrize("data", ['{"brightness_pct": 40}', {"brightness_pct": 40}], ids=["text", "object"])
async def test_a_service_with_data(talk: Talk, demo: DemoServer, data: Any) -> None:
    call = service("light", "turn_on", "light.kitchen_ceiling", data)
    await talk.say("dim the kitchen ceiling", SERVICES, call, "The kitchen ceiling is on.")
    assert demo.state("light.kitchen_ceiling")["attributes"]["brightness"] == 102


async def test_the_target_may_stand_in_the_data_and_is_checked_as_any(talk: Talk, demo: DemoServer) -> None:
    call = service("light", "turn_on", data='{"entity_id": "light.kitchen_ceiling"}')
    await talk.say("light", SERVICES, call, "The kitchen ceiling is on.")
    assert demo.state("light.kitchen_ceiling")["state"] == "on"
    both = service("light", "turn_on", "light.kitchen_ceiling", '{"entity_id": "light.hall"}')
    await talk.say("light", SERVICES, both, "No.")
    assert "entity_id" in talk.model.result()["error"]


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (service("homeassistant", "restart"), "homeassistant"),
        (service("homeassistant", "turn_off", "light.kitchen_ceiling"), "homeassistant"),
        (service("light", "turn_on", "light.kitchen_ceiling", "[1]"), "JSON object"),
        (service("light", "turn_on"), "entity_id"),
    ],
)
async def test_what_is_blocked_or_wrong_is_told(talk: Talk, demo: DemoServer, call: Any, named: str) -> None:
    await talk.say("do it", SERVICES, call, "That did not work.")
    assert named in talk.model.result()["error"]
    assert demo.calls == []


async def test_what_opens_the_house_waits_for_a_yes(talk: Talk, demo: DemoServer) -> None:
    reply = await talk.say("open up", SERVICES, service("lock", "unlock", "lock.front_door"), "Shall I?")
    assert reply.pending
    assert demo.calls == []


@pytest.mark.parametrize(("action", "target"), [("lock", "lock.front_door"), ("unlock", "lock.front_door")])
async def test_the_restricted_class_asks_whatever_is_done(talk: Talk, action: str, target: str) -> None:
    tool = HaControl(talk.stage.ha, Policy(RESTRICTED), talk.stage.confirmations)
    turn = Turn(text=action)
    made = await tool.run(tool.Params(action=action, entity_id=target), turn)
    assert made.result["confirmation"], made


async def test_they_are_offered_in_the_place_of_ours(talk: Talk) -> None:
    await talk.say("hello", SERVICES, "Hello.")
    names = [tool["function"]["name"] for tool in talk.model.requests[0]["tools"]]
    assert names == ["get_ha_entities", "get_entity_state", "call_ha_service", "get_entity_history", "timer"]
