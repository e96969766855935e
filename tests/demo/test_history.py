"""The past: what the inventory tells, what happened since, and what is made of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from homeagent.demo.inventory import parse_inventory
from homeagent.demo.recorded_past import LIMIT, Recorder
from homeagent.demo.server import DemoServer
from homeagent.demo.state_machine import States
from homeagent.demo.world import World
from homeagent.ha.connection import HomeAssistant

DOOR = {
    "id": "binary_sensor.door",
    "name": "Door",
    "state": "off",
    "x-history": {"daily": {"00:00": True, "00:01": False}, "days": 3},
}


def day_start(world: World) -> datetime:
    return world.now().replace(hour=0, minute=0, second=0, microsecond=0)


def test_each_day_has_what_the_inventory_tells() -> None:
    world = World(parse_inventory({"entities": [DOOR], "x-time-zone": "Europe/Amsterdam"}))
    yesterday = day_start(world) - timedelta(days=1)
    rows = world.recorder.rows("binary_sensor.door", yesterday - timedelta(seconds=1), yesterday + timedelta(hours=2))
    assert [(row.state, row.updated) for row in rows[1:]] == [
        ("on", yesterday.astimezone(UTC)),
        ("off", (yesterday + timedelta(minutes=1)).astimezone(UTC)),
    ]
    assert rows[0].state == "off"


def test_the_state_is_as_old_as_the_past_says() -> None:
    world = World(parse_inventory({"entities": [DOOR]}))
    state = world.states.get("binary_sensor.door")
    assert state is not None
    if world.now() - day_start(world) > timedelta(minutes=2):
        assert state.last_changed == day_start(world) + timedelta(minutes=1)


def test_a_curve_ends_in_the_state_of_now() -> None:
    sensor = {"id": "sensor.heat", "state": "21.5", "x-history": {"curve": {"mean": 20, "swing": 1}, "days": 2}}
    world = World(parse_inventory({"entities": [sensor]}))
    rows = world.recorder.rows("sensor.heat", world.now() - timedelta(days=1), world.now())
    assert len(rows) > 100
    assert rows[-1].state == "21.5"
    assert all(18 < float(row.state) < 22 for row in rows)


def test_a_group_of_rows_starts_with_what_was_current() -> None:
    world = World(parse_inventory({"entities": [{"id": "switch.a", "state": "off"}]}))
    now = datetime.now(UTC)
    world.recorder.put("switch.a", [(now - timedelta(hours=3), "on"), (now - timedelta(hours=1), "off")], {})
    start = now - timedelta(hours=2)
    rows = world.recorder.rows("switch.a", start, now - timedelta(minutes=1))
    assert [(row.state, row.updated) for row in rows[:2]] == [("on", start), ("off", now - timedelta(hours=1))]


def test_brightness_is_not_recorded() -> None:
    light = {"id": "light.a", "state": "on", "attributes": {"supported_color_modes": ["brightness"], "brightness": 9}}
    world = World(parse_inventory({"entities": [light]}))
    rows = world.recorder.rows("light.a", datetime.now(UTC) - timedelta(hours=1), datetime.now(UTC))
    assert "brightness" not in rows[-1].attributes


def test_statistics_are_weighted_by_time() -> None:
    recorder = Recorder(World(parse_inventory({})).time_zone)
    start = datetime(2025, 1, 1, 10, tzinfo=UTC)
    recorder.put("sensor.a", [(start, "10"), (start + timedelta(minutes=45), "30")], {})
    (hour,) = recorder.statistics("sensor.a", start, start + timedelta(hours=1), timedelta(hours=1))
    assert (hour["mean"], hour["min"], hour["max"]) == (15, 10, 30)


async def test_a_meter_that_begins_anew_has_counted_all_the_same(
    demo: DemoServer, home_assistant: HomeAssistant
) -> None:
    noon = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0) - timedelta(days=2)
    shown = [(-60, "98"), (5, "100"), (30, "1"), (50, "3"), (70, "4")]
    entity = next(
        e.entity_id
        for e in home_assistant.home.entities.values()
        if (state := home_assistant.home.state(e.entity_id))
        and state.attributes.get("state_class") == "total_increasing"
    )
    demo.put_history(entity, [(noon + timedelta(minutes=m), value) for m, value in shown])
    told = await home_assistant.statistics([entity], noon - timedelta(hours=1), noon + timedelta(hours=2), "hour")
    assert [row.change for row in told[entity]] == [0, 5, 1]
    assert [row.sum for row in told[entity]] == [0, 5, 6]


def test_memory_is_bounded() -> None:
    states, recorder = States(), Recorder(World(parse_inventory({})).time_zone)
    states.listen(lambda old, new: recorder.take(new))
    for i in range(LIMIT + 50):
        states.set("sensor.a", str(i), {})
    rows = recorder.rows("sensor.a", datetime.now(UTC) - timedelta(hours=1), datetime.now(UTC))
    assert len(rows) == LIMIT
    assert rows[-1].state == str(LIMIT + 49)
