"""The month behind the demo home: plausible days, the same whenever they are looked at, and who did what in them."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from homeagent.demo.lived_past import live_through
from homeagent.demo.routines import Days, happenings
from homeagent.demo.server import DemoServer
from homeagent.demo.shown_home import shown_home
from homeagent.demo.world import World
from homeagent.ha.connection import HomeAssistant
from homeagent.knowledge.causes import LinkKind, why
from tests.contract.houses import eventually

pytestmark = pytest.mark.dear

ZONE = ZoneInfo("Europe/Amsterdam")
SATURDAY_NOON = datetime(2026, 11, 28, 12, 0, tzinfo=ZONE)


@pytest.fixture
def world() -> World:
    shown = shown_home()
    world = World(shown.inventory)
    live_through(world, shown.past)
    return world


@pytest.fixture
async def lived() -> AsyncIterator[tuple[DemoServer, HomeAssistant]]:
    shown = shown_home()
    async with DemoServer(shown.inventory, settle=0.02) as server:
        live_through(server.world, shown.past)
        ha = HomeAssistant(server.url, server.token)
        await ha.start()
        assert await ha.wait_ready(10)
        yield server, ha
        await ha.stop()


def span_of(world: World, entity_id: str, days: float) -> list[str]:
    now = datetime.now(UTC)
    return [row.state for row in world.recorder.rows(entity_id, now - timedelta(days=days), now)]


def test_a_day_is_the_same_whichever_day_it_is_looked_at_from() -> None:
    told = shown_home().past
    earlier = Days("x", SATURDAY_NOON, 30)
    later = dataclasses.replace(earlier, now=SATURDAY_NOON + timedelta(days=9))
    thursday = [datetime(2026, 11, 26, tzinfo=ZONE), datetime(2026, 11, 27, tzinfo=ZONE)]
    seen = [[h for h in happenings(told, days) if thursday[0] <= h.at < thursday[1]] for days in (earlier, later)]
    assert len(seen[0]) > 50
    assert seen[0] == seen[1]


def test_on_working_days_they_leave_and_come_back_and_not_at_weekends() -> None:
    told = shown_home().past
    left = [
        h.at.astimezone(ZONE)
        for h in happenings(told, Days("x", SATURDAY_NOON, 30))
        if h.entity_id == "person.ben" and h.state == "not_home"
    ]
    assert {at.weekday() for at in left} == {0, 1, 2, 3, 4}
    assert all(8 <= at.hour < 10 for at in left)


def test_the_past_ends_in_the_states_of_now(world: World) -> None:
    for state in world.states:
        rows = world.recorder.rows(state.entity_id, state.last_changed, datetime.now(UTC))
        assert rows[-1].state == state.state, state.entity_id
        assert state.last_changed <= datetime.now(UTC)


def test_at_each_time_of_day_the_hall_light_came_on_when_its_automation_ran() -> None:
    told = shown_home().past
    for quarter in range(4 * 24 * 7):
        days = Days("x", SATURDAY_NOON + timedelta(minutes=15 * quarter), 2)
        changes = [h for h in happenings(told, days) if h.entity_id == "light.hall"]
        assert [h.state for h in changes[-2:]] == ["off", "on"], days.now
        assert changes[-1].by == "automation.hall_light_on_motion"


def test_what_is_measured_stays_within_what_can_be(world: World) -> None:
    living = [float(value) for value in span_of(world, "sensor.living_room_temperature", 29)]
    assert len(living) > 4000
    assert all(17 < value < 25 for value in living)
    outside = [float(value) for value in span_of(world, "sensor.outdoor_temperature", 29)]
    assert max(outside) - min(outside) > 6


def test_the_meter_begins_anew_each_day_and_counts_a_household(world: World) -> None:
    midnight = world.now().replace(hour=0, minute=0, second=0, microsecond=0)
    (day,) = world.recorder.statistics(
        "sensor.energy_today", midnight - timedelta(days=2), midnight - timedelta(days=1), timedelta(days=1)
    )
    assert 6 < day["rise"] < 20


async def test_why_the_hall_light_is_on(lived: tuple[DemoServer, HomeAssistant]) -> None:
    _, ha = lived
    found = await why(ha, "light.hall", datetime.now(UTC))
    assert found.state == "on"
    assert [(link.kind, link.entity_id) for link in found.links] == [
        (LinkKind.AUTOMATION, "automation.hall_light_on_motion"),
        (LinkKind.CHANGE, "binary_sensor.hall_motion"),
    ]


async def test_who_unlocked_the_front_door(lived: tuple[DemoServer, HomeAssistant]) -> None:
    _, ha = lived
    found = await why(ha, "lock.front_door", datetime.now(UTC), ["unlocked"])
    assert found.links[0].detail == "lock.unlock"
    assert found.links[0].user_id in ("demo-anna", "demo-ben")


async def test_what_is_done_now_is_in_the_logbook_too(lived: tuple[DemoServer, HomeAssistant]) -> None:
    server, ha = lived
    await ha.call_service("light", "turn_on", entity_ids=["light.reading_lamp"])
    await eventually(lambda: ha.home.state_text("light.reading_lamp") == "on")
    by_us = await why(ha, "light.reading_lamp", datetime.now(UTC))
    assert by_us.links[0].user_id == await ha.own_user()
    server.set_state("light.reading_lamp", "off")
    await eventually(lambda: ha.home.state_text("light.reading_lamp") == "off")
    assert (await why(ha, "light.reading_lamp", datetime.now(UTC))).links == ()


async def test_what_an_automation_does_when_it_is_triggered(lived: tuple[DemoServer, HomeAssistant]) -> None:
    server, ha = lived
    server.set_state("light.living_room_ceiling", "off")
    await ha.call_service("automation", "trigger", entity_ids=["automation.lights_on_at_sunset"])
    await eventually(lambda: ha.home.state_text("light.living_room_ceiling") == "on")
    found = await why(ha, "light.living_room_ceiling", datetime.now(UTC))
    assert found.links[0].entity_id == "automation.lights_on_at_sunset"
    assert found.links[-1].detail == "automation.trigger"
