"""What somebody may see and control only in part: nobody does more through the agent than by themselves."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from homeagent.demo.server import DemoServer
from homeagent.rights import LOOKING, Rights, rights, within
from tests.service.conftest import Services

LIGHTS = ["light.kitchen_ceiling", "light.kitchen_counter", "light.kitchen_lights"]


def lit(demo: DemoServer) -> list[str]:
    return [one for one in ("light.kitchen_lights", "light.hall") if demo.state(one)["state"] == "on"]


async def test_who_may_only_look_is_answered_and_changes_nothing(call: Services, demo: DemoServer) -> None:
    before = lit(demo)
    asked = await call("process", text="is the front door locked?", may_control=[])
    assert asked["response_type"] == "query_answer"
    ordered = await call("process", text="turn on the kitchen lights", may_control=[])
    assert ordered["handled"] is False
    assert "not allowed" in ordered["response"]
    assert lit(demo) == before


async def test_a_part_may_be_controlled_and_the_rest_not(call: Services, demo: DemoServer) -> None:
    await call("process", text="turn on the kitchen lights", may_control=["light.kitchen_lights"])
    assert demo.state("light.kitchen_lights")["state"] == "on"
    refused = await call("process", text="unlock the front door", may_control=["light.kitchen_lights"])
    assert refused["pending"] == []
    assert demo.state("lock.front_door")["state"] == "locked"


async def test_what_may_not_be_seen_is_not_told(call: Services) -> None:
    told = await call("process", text="is the front door locked?", may_see=["light.kitchen_lights"])
    assert "locked" not in told["response"]
    await call("process", text="turn on the kitchen lights")
    many = await call("process", text="which lights are on?", may_see=["light.hall"])
    assert "not exposed" in many["response"]
    asked = await call(
        "execute_tool", tool_name="ha_query", parameters={"entity_id": "lock.front_door"}, may_see=["a.b"]
    )
    assert asked["success"] is False


async def test_a_tool_outright_a_yes_and_a_deed_for_later_are_held_to_it(call: Services, demo: DemoServer) -> None:
    control = {"action": "turn_on", "entity_id": "light.hall"}
    before = lit(demo)
    used = await call("execute_tool", tool_name="ha_control", parameters=control, may_control=[])
    assert used["success"] is False
    waiting = (await call("process", text="unlock the front door"))["pending"][0]
    await call("confirm", confirmation_id=waiting["id"], approve=True, may_control=LIGHTS)
    assert demo.state("lock.front_door")["state"] == "locked"
    later = await call("process", text="turn on the kitchen lights in ten minutes", may_control=[])
    assert later["handled"] is False
    assert (await call("list_timers"))["timers"] == []
    assert lit(demo) == before


async def test_data_for_an_automation_is_answered_and_nothing_is_done_for_it(call: Services, demo: DemoServer) -> None:
    told = await call("generate_data", instructions="is the front door locked?")
    assert told["handled"] is True
    assert "locked" in told["data"]
    before = lit(demo)
    done = await call("generate_data", instructions="turn on the kitchen lights")
    assert done["handled"] is False
    assert lit(demo) == before
    status, problem = await call.error("generate_data", instructions="count", structure={"type": "object"})
    assert (status, "language model" in problem["detail"]) == (400, True)


async def test_too_long_a_list_is_refused_and_a_long_one_taken(http: httpx.AsyncClient, call: Services) -> None:
    many = [f"sensor.number_{number}" for number in range(20_001)]
    body: dict[str, Any] = {"text": "is the front door locked?", "may_control": many}
    assert (await http.post("/api/services/process", json=body)).status_code == 422
    body["may_control"] = many[:20_000]
    assert (await http.post("/api/services/process", json=body)).status_code == 200


@pytest.mark.parametrize(
    ("sees", "controls", "may_see", "may_control"),
    [
        (None, None, True, True),
        (["light.a"], None, True, True),
        (["light.b"], None, False, False),
        (["light.b"], ["light.a"], False, False),
        (None, [], True, False),
    ],
)
def test_nobody_controls_what_they_may_not_see(sees, controls, may_see: bool, may_control: bool) -> None:
    given = Rights.of(sees, controls)
    assert (given.may_see("light.a"), given.may_control("light.a")) == (may_see, may_control)


def test_nothing_inside_gets_back_what_was_taken_outside() -> None:
    with within(LOOKING):
        with within(Rights.of(None, ["light.a"])):
            assert not rights().may_control("light.a")
        assert not rights().may_control("light.b")
    assert rights().may_control("light.a")
