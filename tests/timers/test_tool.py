"""The tool `timer`: what can be set, how it is told, and what is refused."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from homeagent.brains.language.responses import Phrases
from homeagent.brains.local.wording import timer_answers
from homeagent.confirmations import Confirmations
from homeagent.ha.connection import HomeAssistant
from homeagent.languages.answers import load_answers
from homeagent.timers.timer_store import TimerStore
from homeagent.timers.timers import Timers
from homeagent.tools.toolbox import Toolbox
from homeagent.turn import ToolCall, Turn
from tests.timers.conftest import Clock, Do

LIGHT = {"action": "turn_off", "entity_id": "light.kitchen_ceiling"}
LOCK = {"action": "unlock", "entity_id": "lock.front_door"}
LOCK_WITH_CODE = {**LOCK, "parameters": {"code": "1234"}}


async def test_a_timer_is_set_listed_with_what_is_left_and_cancelled(timer: Do, clock: Clock) -> None:
    made = await timer("set", kind="timer", name="pasta", in_seconds=600)
    assert made.success, made.error
    clock.pass_(minutes=4)
    (listed,) = (await timer("list")).result["timers"]
    assert listed["name"] == "pasta"
    assert listed["kind"] == "timer"
    assert listed["state"] == "waiting"
    assert listed["seconds_left"] == 360
    ended = await timer("cancel", name="Pasta")
    assert ended.result["timers"][0]["state"] == "cancelled"
    assert (await timer("list")).result["timers"] == []


async def test_a_step_is_told_as_a_deed_however_its_number_is_written(timer: Do, home_assistant: HomeAssistant) -> None:
    brighter = {
        "action": "turn_on",
        "entity_id": "light.kitchen_ceiling",
        "parameters": {"brightness_step_pct": "20 %"},
    }
    made = await timer("set", kind="action", in_seconds=600, calls=[brighter])
    assert made.success, made.error
    listed = await timer("list")
    call = ToolCall("1", "timer", {"action": "list"})
    told, _ = timer_answers.words(call, listed, home_assistant.home, Phrases(load_answers("en"), None))
    assert told.startswith("Brighten Kitchen ceiling")


@pytest.mark.parametrize(
    ("when", "due"),
    [
        ({"in_seconds": 90}, "10:01:30"),
        ({"at": "10:30"}, "10:30:00"),
        ({"at": "2026-06-03T07:15"}, "07:15:00"),
        ({"at": "07:00", "weekdays": ["wed"]}, "07:00:00"),
    ],
)
async def test_the_time_is_told_by_the_homes_own_clock(timer: Do, when: dict[str, Any], due: str, clock: Clock) -> None:
    made = await timer("set", kind="alarm", **when)
    assert made.success, made.error
    told = made.result["timers"][0]["due"]
    if "in_seconds" in when:
        return
    assert told[11:19] == due


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"kind": "timer"}, "invalid_parameters"),
        ({"kind": "timer", "in_seconds": 5, "at": "10:00"}, "invalid_parameters"),
        ({"kind": "alarm", "at": "2026-05-01T08:00"}, "in_the_past"),
        ({"kind": "alarm", "at": "2028-05-01T08:00"}, "too_far_ahead"),
        ({"kind": "timer", "in_seconds": 1e12}, "too_far_ahead"),
        ({"kind": "alarm", "at": "25:00"}, "invalid_parameters"),
        ({"kind": "timer", "in_seconds": 5, "weekdays": ["mon"]}, "invalid_parameters"),
        ({"kind": "action", "in_seconds": 5}, "invalid_parameters"),
        ({"kind": "timer", "in_seconds": 5, "calls": [LIGHT]}, "invalid_parameters"),
        ({"kind": "reminder", "upon_entity_id": "light.kitchen_ceiling"}, "invalid_parameters"),
        ({"kind": "reminder", "upon_entity_id": "light.nowhere", "upon_state": "on"}, "unknown_target"),
        (
            {"kind": "reminder", "in_seconds": 9, "only_entity_id": "light.nowhere", "only_state": "on"},
            "unknown_target",
        ),
        ({"kind": "reminder", "in_seconds": 9, "only_entity_id": "light.kitchen_ceiling"}, "invalid_parameters"),
        (
            {"kind": "action", "in_seconds": 5, "calls": [{"action": "turn_on", "entity_id": "light.no"}]},
            "unknown_target",
        ),
        (
            {"kind": "action", "in_seconds": 5, "calls": [{**LOCK, "parameters": {"code": "1234"}}]},
            "invalid_parameters",
        ),
    ],
)
async def test_what_cannot_be_is_refused_by_name_and_nothing_is_set(
    timer: Do, asked: dict[str, Any], code: str
) -> None:
    refused = await timer("set", **asked)
    assert (refused.success, refused.error_type) == (False, code), refused.error
    assert (await timer("list")).result["timers"] == []


async def test_no_more_than_the_limit_are_taken(timer: Do) -> None:
    for _ in range(5):
        assert (await timer("set", kind="timer", in_seconds=60)).success
    assert (await timer("set", kind="timer", in_seconds=60)).error_type == "too_many_timers"
    await timer("cancel", id="all")
    assert (await timer("set", kind="timer", in_seconds=60)).success


async def test_which_one_is_meant_is_asked_where_several_are(timer: Do) -> None:
    await timer("set", kind="timer", name="tea", in_seconds=60)
    await timer("set", kind="timer", name="eggs", in_seconds=60)
    assert (await timer("cancel")).error_type == "ambiguous_timer"
    assert (await timer("cancel", name="bread")).error_type == "unknown_timer"
    assert (await timer("cancel", name="eggs")).success
    assert (await timer("cancel")).result["timers"][0]["name"] == "tea"


async def test_paused_time_does_not_pass(timer: Do, clock: Clock) -> None:
    await timer("set", kind="timer", in_seconds=600)
    clock.pass_(minutes=1)
    assert (await timer("pause")).result["timers"][0]["seconds_left"] == 540
    clock.pass_(hours=3)
    assert (await timer("resume")).result["timers"][0]["seconds_left"] == 540


async def test_time_is_added_taken_away_and_set_anew(timer: Do) -> None:
    await timer("set", kind="timer", in_seconds=600)
    assert (await timer("change", add_seconds=300)).result["timers"][0]["seconds_left"] == 900
    assert (await timer("change", add_seconds=-600)).result["timers"][0]["seconds_left"] == 300
    assert (await timer("change", add_seconds=-600)).error_type == "in_the_past"
    assert (await timer("change", in_seconds=60)).result["timers"][0]["seconds_left"] == 60


async def test_an_action_needs_no_yes_where_doing_it_needs_none(timer: Do, store: TimerStore) -> None:
    made = await timer("set", kind="action", in_seconds=600, calls=[{"action": "turn_off", "area": "kitchen"}])
    assert made.success, made.error
    (kept,) = await store.live()
    assert "light.kitchen_ceiling" in kept.calls[0]["entity_id"]
    assert not kept.approved


async def test_what_asks_for_a_yes_is_set_by_the_yes_alone(timer: Do, approve: Do, store: TimerStore) -> None:
    asked = await timer("set", kind="action", at="18:00", calls=[LOCK])
    assert asked.error_type == "confirmation_required"
    assert await store.live() == []
    done = await approve(asked.result["confirmation"]["id"])
    assert done.success, done.error
    (kept,) = await store.live()
    assert kept.approved
    assert kept.calls[0]["entity_id"] == ["lock.front_door"]


async def test_a_yes_that_comes_after_the_time_is_not_to_the_next_day(timer: Do, approve: Do, clock: Clock) -> None:
    asked = await timer("set", kind="action", at="18:00", calls=[LOCK])
    clock.pass_(hours=12)
    assert (await approve(asked.result["confirmation"]["id"])).error_type == "in_the_past"


async def test_another_time_for_what_was_agreed_needs_another_yes(timer: Do, approve: Do, store: TimerStore) -> None:
    asked = await timer("set", kind="action", at="18:00", calls=[LOCK])
    await approve(asked.result["confirmation"]["id"])
    (kept,) = await store.live()
    moved = await timer("change", id=kept.id, in_seconds=5)
    assert moved.error_type == "confirmation_required"
    assert (await timer("change", id=kept.id, add_seconds=-60)).error_type == "confirmation_required"
    assert await store.live() == [kept]
    assert (await approve(moved.result["confirmation"]["id"])).success
    (now,) = await store.live()
    assert now.next_due != kept.next_due
    assert now.approved == kept.approved


async def test_a_yes_is_to_its_time_alone(toolbox: Toolbox, timer: Do, confirmations: Confirmations) -> None:
    """Whoever runs the same deed at another time with that yes is asked."""
    asked = await timer("set", kind="action", at="18:00", calls=[LOCK])
    pending = await confirmations.take(asked.result["confirmation"]["id"], "anna", "kitchen-satellite")
    turn = Turn(text="yes", confirmed=True, approved=frozenset({pending.digest}))
    other = {**pending.parameters, "at": str(pending.parameters["at"]).replace("18:00", "03:00")}
    other["at"] = other["at"].replace("2026-06-01", "2026-06-02")
    assert (await toolbox.call(ToolCall("3", "timer", other), turn)).error_type == "confirmation_required"
    assert (await toolbox.call(ToolCall("4", "timer", dict(pending.parameters)), turn)).success


def test_its_schema_is_flat_and_small(toolbox: Toolbox) -> None:
    """Some servers take no unions, and each token of a schema is paid for in every turn."""
    (schema,) = (one for one in toolbox.schemas(["light.a"]) if one["function"]["name"] == "timer")
    text = json.dumps(schema)
    assert "anyOf" not in text
    assert len(text) < 3000
    call = schema["function"]["parameters"]["properties"]["calls"]["items"]["properties"]
    assert call["entity_id"]["items"]["enum"] == ["light.a"]


async def test_the_demo_home_tells_when_the_sun_sets(timers: Timers, timer: Do) -> None:
    timers.now = lambda: datetime.now(UTC)
    made = await timer("set", kind="reminder", name="lamps", sun="sunset", sun_offset_minutes=-30)
    assert made.success, made.error
    assert 0 < made.result["timers"][0]["seconds_left"] <= 24 * 3600
