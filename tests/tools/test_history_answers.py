"""What ``ha_query`` tells of the past: first, last, how often, how long, compared, and never more than fits."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import pytest_asyncio

from homeagent.events import Emitter
from homeagent.prompting.token_counting import load_counter
from homeagent.tools.ha_query import HaQuery
from homeagent.tools.toolbox import Toolbox
from homeagent.turn import ToolCall, Turn
from tests.conftest import connected_home

DOOR, GARAGE, CO2, ENERGY = "binary_sensor.front_door", "cover.garage_door", "sensor.study_co2", "sensor.energy_today"


def past(hours: float) -> datetime:
    return datetime.now(UTC) - timedelta(hours=hours)


def span(start: float, end: float) -> dict[str, str]:
    return {"from": past(start).isoformat(), "to": past(end).isoformat()}


def line(result):
    assert result.success, result.error
    (found,) = result.result["history"]
    return found


def near(text: str, hours: float) -> bool:
    return abs((datetime.fromisoformat(text) - past(hours)).total_seconds()) < 10


@pytest.fixture
def opened(demo):
    demo.put_history(
        GARAGE,
        [(past(40), "closed"), (past(30), "open"), (past(29), "closed"), (past(9), "opening"), (past(8.9), "open"),
         (past(8), "unavailable"), (past(7.5), "open"), (past(7), "closed"), (past(5), "open"), (past(4.5), "closed")],
    )  # fmt: skip


async def test_one_state_has_its_first_and_last_time_count_and_length(query, opened):
    found = line(await query(entity_id=GARAGE, history={**span(20, 1), "state": "open"}))
    assert found["count"] == 2  # a gap within is no new opening
    assert found["seconds"] == pytest.approx((0.9 + 0.5 + 0.5) * 3600, abs=5)
    assert near(found["first"]["at"], 8.9)
    assert near(found["last"]["at"], 5)
    assert found["last"]["for"] == "30 min"
    assert found["at_start"] == "closed"
    assert "30 min" in found["gaps"]


async def test_several_states_count_as_one(query, opened):
    found = line(await query(entity_id=GARAGE, history={**span(20, 1), "state": ["opening", "open"]}))
    assert found["count"] == 2
    assert near(found["first"]["at"], 9)


async def test_the_last_time_needs_no_period(query, opened):
    found = line(await query(entity_id=GARAGE, history={"aggregate": "last", "state": "open"}))
    assert near(found["last"]["at"], 5)


async def test_a_state_that_never_was_is_counted_as_none(query, opened):
    found = line(await query(entity_id=GARAGE, history={**span(4, 1), "state": "open"}))
    assert (found["count"], found["seconds"]) == (0, 0)
    assert "first" not in found
    assert found["in_states"] == ["closed"]


async def test_a_word_that_is_no_state_of_a_sensor_is_refused_with_the_right_one(query):
    result = await query(entity_id=DOOR, history={"duration": "1h", "state": "open"})
    assert result.error_type == "invalid_parameters"
    assert "on" in result.error


async def test_a_period_may_be_said_in_words(query):
    result = await query(entity_id=GARAGE, history={"duration": "last night", "aggregate": "count"})
    begin, end = (datetime.fromisoformat(result.result[k]) for k in ("from", "to"))
    assert begin.hour == 21
    assert end.hour == 6 or (datetime.now(UTC) - end).total_seconds() < 60


async def test_two_periods_are_compared(query, opened):
    history = {**span(12, 1), "state": "open", "compare": span(35, 12)}
    result = await query(entity_id=GARAGE, history=history)
    found, (before,) = line(result), result.result["compared_with"]["history"]
    assert (found["count"], before["count"]) == (2, 1)
    assert found["difference"]["count"] == 1
    assert found["difference"]["seconds"] == pytest.approx(0.9 * 3600, abs=5)


async def test_figures_are_compared(query, demo):
    demo.put_history(CO2, [(past(30), "400"), (past(20), "600"), (past(10), "900")])
    history = {**span(8, 2), "aggregate": "avg", "compare": span(18, 12)}
    assert line(await query(entity_id=CO2, history=history))["difference"] == 300


async def test_an_extreme_has_its_moment(query, demo):
    demo.put_history(CO2, [(past(30), "400"), (past(6), "1000"), (past(3), "unavailable"), (past(2), "500")])
    found = line(await query(entity_id=CO2, history={**span(20, 1), "aggregate": "max"}))
    assert found["value"] == 1000
    assert near(found["at"], 6)


async def test_a_small_fall_of_a_meter_is_a_correction_and_a_large_one_a_new_start(query, demo):
    demo.put_history(ENERGY, [(past(20), "50"), (past(10), "60"), (past(9), "59"), (past(5), "0"), (past(2), "3")])
    found = line(await query(entity_id=ENERGY, history={**span(19, 1), "aggregate": "sum"}))
    assert found["value"] == pytest.approx(10 - 1 + 0 + 3)


async def test_what_the_recorder_no_longer_has_is_said_to_be_gone(query, demo):
    demo.put_history(CO2, [(past(30), "400"), (past(6), "1000")])
    result = await query(entity_id=CO2, history={**span(60, 50), "aggregate": "avg"})
    assert (result.success, result.error_type) == (False, "not_found")
    (found,) = result.result["history"]
    assert "value" not in found
    assert near(found["recorded_since"], 30)
    assert "no longer" in result.error


async def test_a_door_that_has_been_closed_for_weeks_needs_no_record(query, home_assistant):
    state = home_assistant.home.state(GARAGE)
    home_assistant.home.put_states([replace(state, state="closed", last_changed=past(500), last_updated=past(500))])
    found = line(await query(entity_id=GARAGE, history={**span(200, 100), "state": "open"}))
    assert (found["count"], found["at_start"]) == (0, "closed")


async def test_fewer_points_keep_the_first_the_last_and_the_extremes(query, demo):
    values = [(past(20 - i / 100), str(500 + i % 7)) for i in range(1800)]
    values[700], values[1200] = (values[700][0], "412"), (values[1200][0], "1999")
    demo.put_history(CO2, values)
    found = line(await query(entity_id=CO2, history=span(20, 1)))
    shown = [change["state"] for change in found["changes"]]
    assert found["total_changes"] == 1799
    assert {"412", "1999"} <= set(shown)
    assert near(found["changes"][0]["at"], 20 - 0.01)
    assert near(found["changes"][-1]["at"], 20 - 17.99)
    assert "narrow" in found


@pytest.fixture(scope="module")
def count():
    return load_counter()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def query_long_pasts(demo_inventory):
    """The tool over one home for all: it only reads. What they are about are spans of hours to days."""
    async with connected_home(demo_inventory) as (demo, home_assistant):
        demo.put_history(CO2, [(past(24 * 9 - i / 20), f"track {i} of an album") for i in range(4000)])
        demo.put_history(GARAGE, [(past(200 - i / 10), ("open", "closed")[i % 2]) for i in range(1900)])
        toolbox = Toolbox([HaQuery(home_assistant)], Emitter())

        async def call(**parameters):
            return await toolbox.call(ToolCall("1", "ha_query", parameters), Turn(text="", conversation_id="talk"))

        yield call
        assert demo.calls == []


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("extra", [{}, {"aggregate": "count"}, {"aggregate": "avg"}, {"state": "on"}])
@pytest.mark.parametrize("duration", ["1h", "10d", "365d"])
@pytest.mark.parametrize(
    "target",
    [CO2, [CO2, ENERGY, GARAGE, DOOR], {"area": "Kitchen"}, {"domain": "climate"}, "sensor.living_room_temperature"],
)
async def test_whatever_the_range_it_fits(query_long_pasts, count, extra, duration, target):
    where = target if isinstance(target, dict) else {"entity_id": target}
    result = await query_long_pasts(
        **where, history={"duration": duration, "compare": {"duration": "yesterday"}, **extra}
    )
    text = json.dumps(result.as_dict(), ensure_ascii=False, separators=(",", ":"))
    assert count(text) < 600
    if result.success:
        assert result.result["history"]


async def test_a_day_of_the_changed_clock_is_told_by_the_home(query, home_assistant):
    zone: ZoneInfo = home_assistant.home.config.time_zone
    result = await query(entity_id=GARAGE, history={"duration": "yesterday", "state": "closed"})
    begin = datetime.fromisoformat(result.result["from"]).astimezone(zone)
    assert (begin.hour, begin.date()) == (0, datetime.now(zone).date() - timedelta(days=1))
