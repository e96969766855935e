"""Orders that hold both what may be done and what may not: each part gets what is its due, and the answer says so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from homeagent.confirmations import Confirmations
from homeagent.demo.server import DemoServer
from homeagent.events import Emitter
from homeagent.ha.connection import HomeAssistant
from homeagent.policy.policy import Policy
from homeagent.policy.verdicts import Decision, Rule
from homeagent.tools.ha_control import HaControl
from homeagent.tools.toolbox import Toolbox
from homeagent.turn import ToolCall, ToolResult, Turn
from tests.databases import database

OPENING = Rule(Decision.DENY, action="open", target="cover")
Do = Callable[..., Awaitable[ToolResult]]


def sent(guarded: DemoServer) -> list[tuple[str, str]]:
    return [(call.entity_id, call.service) for call in guarded.calls if not call.service.startswith("get_")]


def outcomes(result: ToolResult) -> dict[str, str]:
    return {target["entity_id"]: target["outcome"] for target in result.result["targets"]}


async def test_of_things_that_were_named_the_guarded_ones_are_asked_about_and_none_is_left_out(control, guarded):
    result = await control(action="turn_off", entity_id=["light.hall", "switch.maglock", "camera.hall"])
    assert result.error_type == "confirmation_required"
    assert sent(guarded) == [("light.hall", "turn_off")]
    assert outcomes(result) == {
        "light.hall": "done",
        "switch.maglock": "needs_confirmation",
        "camera.hall": "needs_confirmation",
    }
    assert len(result.result["targets"]) == 3
    assert result.result["confirmation"]["description"] == "turn off Maglock, Hall camera"
    assert result.result["confirmation"]["reasons"] == [
        "it opens or unlocks Maglock",
        "it takes protection away: Hall camera",
    ]


async def test_a_sweeping_order_that_comes_to_nothing_but_guarded_things_asks_about_them(control, guarded):
    harmless = ["light.hall", "media_player.speaker", "switch.iron"]
    result = await control(action="turn_off", area="hall", exclude=harmless)
    assert result.error_type == "confirmation_required", result.as_dict()
    assert set(outcomes(result).values()) == {"needs_confirmation"}
    assert {"switch.maglock", "switch.smoke", "switch.nvr"} <= set(outcomes(result))
    assert sent(guarded) == []


async def test_a_sweeping_order_without_anything_guarded_leaves_nothing_out(control, guarded):
    guards = ["switch.maglock", "switch.smoke", "switch.nvr", "camera.hall", "lock.front"]
    result = await control(action="turn_off", area="hall", exclude=guards)
    assert set(outcomes(result).values()) == {"done"}


async def test_a_set_of_one_kind_means_the_guarded_ones_too(control, guarded):
    result = await control(action="turn_off", domain="switch")
    assert result.error_type == "confirmation_required"
    waiting = {entity_id for entity_id, outcome in outcomes(result).items() if outcome == "needs_confirmation"}
    assert waiting == {"switch.maglock", "switch.smoke", "switch.nvr"}


async def test_a_list_of_ids_and_names_holds_no_target_in_its_parameters(control, guarded):
    for hidden in (
        {"entity_id": "lock.front"},
        {" Entity_ID ": "x"},
        {"data": [{"target": {}}]},
        {"a": {"area_id": 1}},
    ):
        result = await control(action="turn_on", entity_id="light.hall", parameters=hidden)
        assert result.error_type == "invalid_parameters", hidden
    assert sent(guarded) == []


@pytest.fixture
async def denying(ha: HomeAssistant, tmp_path: Path) -> Any:
    """Tools over a home whose owner denies whatever the speaker and the smoke alarm can do."""
    engine = database(tmp_path)
    policy = Policy([Rule(Decision.DENY, target="media_player.*"), Rule(Decision.DENY, target="switch.smoke"), OPENING])
    toolbox = Toolbox([HaControl(ha, policy, Confirmations(engine, 90.0), settle=0.0)], Emitter())

    async def call(*, confirmed: bool = False, approved: frozenset[str] = frozenset(), **parameters: Any) -> ToolResult:
        turn = Turn(text="", conversation_id="attack", confirmed=confirmed, approved=approved)
        return await toolbox.call(ToolCall("1", "ha_control", parameters), turn)

    yield call
    engine.dispose()


async def test_what_is_denied_is_said_to_be_with_the_state_it_is_in(denying, guarded):
    result = await denying(action="turn_off", entity_id=["light.hall", "switch.smoke"])
    assert result.error_type == "partly_done"
    assert "That is not allowed for Smoke alarm: your own rule says so." in result.error
    assert sent(guarded) == [("light.hall", "turn_off")]
    (smoke,) = [target for target in result.result["targets"] if target["entity_id"] == "switch.smoke"]
    assert (smoke["before"], smoke["after"], smoke["confirmed"]) == ("on", "on", False)
    assert smoke["outcome"] == "not_called"


async def test_what_is_denied_stays_so_whatever_was_said_yes_to(denying, guarded):
    asked = await denying(action="turn_off", entity_id=["switch.maglock", "switch.smoke"])
    assert asked.error_type == "confirmation_required"
    assert outcomes(asked) == {"switch.maglock": "needs_confirmation", "switch.smoke": "not_called"}
    assert "Smoke alarm" not in asked.result["confirmation"]["description"]
    result = await denying(action="turn_off", entity_id="switch.smoke", confirmed=True, approved=frozenset({"x", ""}))
    assert result.error_type == "denied"
    assert sent(guarded) == []


async def test_what_a_sweeping_order_leaves_out_is_told_with_the_state_it_is_in(control, guarded):
    result = await control(action="turn_off", area="hall")
    (lock,) = [target for target in result.result["targets"] if target["entity_id"] == "switch.maglock"]
    assert (lock["outcome"], lock["before"], lock["after"]) == ("left_out", "on", "on")


async def test_a_turn_that_has_a_yes_to_something_else_is_asked_anew(denying, guarded):
    result = await denying(
        action="turn_off", entity_id="switch.maglock", confirmed=True, approved=frozenset({"0" * 64, ""})
    )
    assert result.error_type == "confirmation_required"
    assert sent(guarded) == []


async def test_a_rule_of_the_home_goes_by_our_word_for_the_deed(denying, guarded):
    result = await denying(action="open", entity_id="cover.blind")
    assert result.error_type == "denied"
    assert sent(guarded) == []
    assert (await denying(action="close", entity_id="cover.blind")).error_type in (None, "not_confirmed")
