"""The history index filled from a home's recorder: what is missing, once; the running day as it goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from homeagent.demo.inventory import parse_inventory
from homeagent.demo.server import DemoServer
from homeagent.ha.connection import HomeAssistant
from homeagent.history.recording import filling
from homeagent.history.recording.recording import Recording
from homeagent.history.summaries.days import day_of, day_span
from indexer.history_index import HistoryIndex
from indexer.index import Index
from tests.databases import database
from tests.indexer.index_helpers import until, until_ready

pytestmark = pytest.mark.slow  # it starts processes

HOME: dict[str, Any] = {
    "x-time-zone": "Europe/Amsterdam",
    "areas": [{"id": "yard", "name": "Yard"}],
    "devices": [{"id": "gate", "name": "Gate", "area": "yard"}],
    "entities": [
        {"id": "binary_sensor.gate", "name": "Gate", "state": "off", "area": "yard",
         "attributes": {"device_class": "door"}},
        {"id": "light.path", "name": "Path light", "state": "off", "area": "yard"},
        {"id": "sensor.air", "name": "Air", "state": "20",
         "attributes": {"device_class": "temperature", "unit_of_measurement": "°C", "state_class": "measurement"}},
        {"id": "person.ada", "name": "Ada", "state": "home"},
        {"id": "update.router", "name": "Router", "state": "off"},
    ],
}  # fmt: skip


class World:
    """A home whose past is put in, and what records it."""

    def __init__(self, server: DemoServer, ha: HomeAssistant, engine: Engine, index: Index) -> None:
        self.server, self.ha, self.engine, self.index = server, ha, engine, index
        self.zone = ha.home.config.time_zone
        self.today = day_of(datetime.now(UTC), self.zone)
        self.offset = timedelta()
        self.recording = self.make()

    def make(self, **options: Any) -> Recording:
        """A fresh one on the same database, as after a restart."""
        index = self.index
        history = HistoryIndex(self.engine, index.embed, index.wait_ready, lambda: index.status.embedder, index.store)
        settings = {"keep_days": 30, "fill_days": 5} | options
        return Recording(self.ha, history, now=lambda: datetime.now(UTC) + self.offset, **settings)

    def put(self, entity_id: str, *points: tuple[int, float, str]) -> None:
        """``points``: days back, local hour, state."""
        moments = [
            (day_span(self.today - timedelta(days=back), self.zone).start + timedelta(hours=hour), state)
            for back, hour, state in points
        ]
        self.server.put_history(entity_id, moments)

    async def told(self, about: str, back: int = 0) -> str | None:
        on = self.today - timedelta(days=back)
        found = await self.recording.index.read(on, on, [about])
        return found[0].text if found else None


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Yesterday is over in the first minutes of a day, too."""
    monkeypatch.setattr(filling, "_SETTLED", timedelta())


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    engine = database(tmp_path)
    index = Index(tmp_path, engine, model="quick", embedder="tests.indexer.hash_embedder:HashEmbedder")
    async with DemoServer(parse_inventory(HOME)) as server:
        ha = HomeAssistant(server.url, server.token)
        await asyncio.gather(ha.start(), index.start())
        assert await ha.wait_ready(10)
        await until_ready(index)
        world = World(server, ha, engine, index)
        yield world
        await world.recording.stop()
        await ha.stop()
        await index.stop()


def a_week(world: World) -> None:
    world.put("binary_sensor.gate", (6, 0, "off"), (2, 7, "on"), (2, 8, "off"), (1, 9, "on"), (1, 9.5, "off"))
    world.put("light.path", (6, 0, "off"), (1, 20, "on"), (1, 22, "off"))
    world.put("sensor.air", *((d, h, f"{18 + h % 12}") for d in range(6, 0, -1) for h in range(24)))


async def test_days_that_are_over_are_filled_in_once(world: World) -> None:
    a_week(world)
    report = await world.recording.fill(4)
    assert report.days == 3
    assert report.embedded > 0
    assert await world.told("binary_sensor.gate", 1) == "opened once for 30 min: 09:00–09:30"
    assert await world.told("binary_sensor.gate", 2) == "opened once for 1 h: 07:00–08:00"
    assert await world.told("binary_sensor.gate", 3) == "closed all day"
    assert await world.told("sensor.air", 1) == "18–29 °C, mean 23.5; lowest 00:00, highest 11:00"
    assert await world.told("area:yard", 1) == (
        "Gate: opened once for 30 min: 09:00–09:30; Path light: on once for 2 h: 20:00–22:00"
    )
    again = await world.recording.fill(4)
    assert (again.days, again.embedded, again.written) == (0, 0, 0)
    assert await world.told("update.router", 1) is None


async def test_what_is_renamed_keeps_its_days_and_its_records(world: World) -> None:
    """Records of before stay where they were; what is recorded there later is another thing's."""
    a_week(world)
    await world.recording.fill(4)
    world.recording.start()
    await until(lambda: world.recording._ids)
    world.server.world.change_id("binary_sensor.gate", "binary_sensor.entrance")
    world.server.world.rename("binary_sensor.entrance")
    registry = {"action": "update", "entity_id": "binary_sensor.entrance", "old_entity_id": "binary_sensor.gate"}
    world.server.world.fire("entity_registry_updated", registry)
    await until(lambda: world.ha.former_ids)
    assert await world.told("binary_sensor.entrance", 1) == "opened once for 30 min: 09:00–09:30"
    day = day_span(world.today - timedelta(days=1), world.zone)
    world.server.world.states.set("binary_sensor.gate", "on", {})  # another thing gets the id
    found = await world.ha.history(["binary_sensor.entrance"], day.start, datetime.now(UTC))
    assert [row.state for row in found["binary_sensor.entrance"]] == ["off", "on", "off", "off"]
    others = await world.ha.history(["binary_sensor.gate"], day.start, datetime.now(UTC))
    assert [row.state for row in others["binary_sensor.gate"]] == ["on"]


async def test_more_days_are_added_to_those_there_are(world: World) -> None:
    a_week(world)
    first = await world.recording.fill(2)
    assert (first.days, await world.told("binary_sensor.gate", 2)) == (1, None)
    later = await world.make().fill(4)
    assert later.days == 2
    assert await world.told("binary_sensor.gate", 2) is not None


async def test_an_area_that_was_empty_then_is_asked_for_once(world: World) -> None:
    a_week(world)
    await world.recording.fill(4)
    shed = await world.ha._link.socket.command("config/area_registry/create", name="Shed")
    await world.ha._link.socket.command(
        "config/entity_registry/update", entity_id="light.path", area_id=shed["area_id"]
    )
    await until(lambda: world.ha.home.entity("light.path").area.name == "Shed")
    await world.recording.fill(4)
    over = await world.recording.index.over(world.today - timedelta(days=3), world.today - timedelta(days=1))
    assert ["area:shed" in about for about in over.values()] == [True] * 3


async def test_what_was_missed_is_caught_up_with(world: World) -> None:
    a_week(world)
    await world.recording.fill(3)
    world.offset = timedelta(days=2)  # nothing ran for two days
    restarted = world.make()
    report = await restarted.tick()
    assert report.days == 2
    assert (await restarted.tick()).days == 0


async def test_the_running_day_is_followed(world: World) -> None:
    a_week(world)
    world.recording.start()
    await world.recording.tick()
    assert await world.told("light.path") in ("off so far", "off as far as recorded", None)
    world.server.set_state("light.path", "on")
    await until(lambda: world.ha.home.state_text("light.path") == "on")
    await world.recording.tick()
    assert "on once" in (await world.told("light.path") or "")
    world.server.set_state("light.path", "off")
    await until(lambda: world.ha.home.state_text("light.path") == "off")
    live = await world.recording.live(["light.path"])
    assert "on once" in live["light.path"].text


async def test_a_filling_that_is_broken_off_goes_on_where_it_was(world: World) -> None:
    a_week(world)
    seen: list[tuple[str, int, int]] = []

    def broken(what: str, done: int, total: int) -> None:
        seen.append((what, done, total))
        if len(seen) == 2:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await world.recording.fill(5, broken)
    assert seen[0][0] == "days"
    assert 0 < seen[0][1] < seen[0][2]
    rest = await world.make().fill(5)
    assert rest.days == 2  # of four, two were there


async def test_a_recorder_that_knows_nothing_older_is_not_asked_on_and_on(world: World) -> None:
    world.put("light.path", (1, 8, "on"), (1, 9, "off"))
    report = await world.make(keep_days=400).fill(400)
    assert report.days == 1
    assert await world.told("light.path", 1) is not None


async def test_an_exposure_taken_back_is_a_history_not_told(world: World) -> None:
    a_week(world)
    await world.recording.tick()
    world.server.set_exposed("binary_sensor.gate", False)
    await world.ha.reload()
    await world.recording.tick()
    assert await world.told("binary_sensor.gate", 1) is None
    assert "binary_sensor.gate" not in await world.recording.live(["binary_sensor.gate"])


async def test_what_is_too_old_goes(world: World) -> None:
    a_week(world)
    await world.recording.fill(5)
    world.recording = world.make(keep_days=2)
    await world.recording.tick()
    assert await world.told("binary_sensor.gate", 2) is not None
    assert await world.told("binary_sensor.gate", 3) is None


async def test_statistics_tell_what_the_recorder_dropped(world: World) -> None:
    """Raw history that begins late in the day: what its statistics cover more of is told from them."""
    world.put("sensor.air", *((1, h, f"{18 + h}") for h in range(5, 24)))
    await world.recording.fill(2)
    assert (await world.told("sensor.air", 1) or "").startswith("23–41 °C")


async def test_nothing_is_done_without_a_connection(world: World) -> None:
    await world.ha.stop()
    assert (await world.recording.tick()).days == 0
