"""The home as its services: the four tools, what asks, and what is never done."""

from __future__ import annotations

from typing import Any

import pytest

from homeagent.assembly.answering import make_toolbox
from homeagent.config.settings import Form, Settings
from homeagent.demo.server import DemoServer
from homeagent.own_tests.store import OwnTests
from homeagent.policy.audit import AuditLog
from homeagent.policy.verdicts import Effect
from homeagent.tools.keep_own_test import KeepOwnTest
from homeagent.tools.retrieve_knowledge import RetrieveKnowledge
from homeagent.tools.toolbox import Toolbox
from tests.toolsets.conftest import Talk
from tests.turning import Stage

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
        (service("light", "turn_on", "light.kitchen_ceiling", "{"), "JSON object"),
        (service("light", "turn_on", "light.kitchen_ceiling", '{"a":' * 100_000), "JSON object"),
        (service("light", "turn_on", "light.kitchen_ceiling", '{"a":' * 400 + "1" + "}" * 400), "JSON object"),
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


@pytest.mark.parametrize(
    ("done", "effect"), [("lock", Effect.OWN_RULE), ("unlock", Effect.OPENS)], ids=["harmless", "opens"]
)
async def test_the_restricted_class_asks_whatever_is_done(
    talk: Talk, demo: DemoServer, done: str, effect: Effect
) -> None:
    talk.stage.toolbox = as_assembled(talk.stage)
    reply = await talk.say(done, SERVICES, service("lock", done, "lock.front_door"), "Shall I?")
    [pending] = reply.pending
    assert [one.effect for one in pending.consequences] == [effect]
    assert demo.calls == []


async def test_what_is_of_no_restricted_class_is_done_at_once(talk: Talk, demo: DemoServer) -> None:
    talk.stage.toolbox = as_assembled(talk.stage)
    await talk.say(
        "light", SERVICES, service("light", "turn_on", "light.kitchen_ceiling"), "The kitchen ceiling is on."
    )
    assert demo.state("light.kitchen_ceiling")["state"] == "on"


def as_assembled(stage: Stage) -> Toolbox:
    """The tools as a service has them with this form."""
    settings = Settings.model_validate({"agent": {"toolset": "services"}, "memory": {"enabled": False}})
    own_tests = KeepOwnTest(OwnTests(stage.engine), stage.ha.home, stage.index)
    return make_toolbox(
        settings,
        stage.ha,
        stage.confirmations,
        stage.memories,
        None,
        stage.emitter,
        RetrieveKnowledge(stage.ha, stage.index, None, None, None),
        AuditLog(stage.engine),
        stage.timers,
        own_tests,
    )


async def test_they_are_offered_in_the_place_of_ours(talk: Talk) -> None:
    await talk.say("hello", SERVICES, "Hello.")
    names = [tool["function"]["name"] for tool in talk.model.requests[0]["tools"]]
    assert names == ["get_ha_entities", "get_entity_state", "call_ha_service", "get_entity_history", "timer"]
