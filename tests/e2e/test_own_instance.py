"""What needs a Home Assistant of its own: a large home, and a restart."""

import asyncio

import pytest

from homeagent.demo.inventory import load_inventory, parse_inventory
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.home import ChangeKind
from tests.contract.houses import eventually
from tests.e2e import real


@pytest.fixture
async def run(tmp_path):
    """Start one with an inventory; it is stopped at the end."""
    started = []

    async def run(inventory):
        started.append(await asyncio.to_thread(real.start, inventory, tmp_path))
        return started[-1]

    yield run
    for instance in started:
        await asyncio.to_thread(real.stop, instance, for_good=True)


@pytest.fixture
async def connect():
    opened = []

    async def connect(instance):
        ha = HomeAssistant(instance.url, instance.token, timeout=60)
        opened.append(ha)
        await ha.start()
        assert await ha.wait_ready(120), ha.status
        return ha

    yield connect
    for ha in opened:
        await ha.stop()


async def test_a_home_of_five_thousand_entities(run, connect):
    areas = [{"id": f"room_{n}", "name": f"Room {n}"} for n in range(100)]
    devices = [{"id": f"device_{n}", "name": f"Thing {n}", "area": f"room_{n % 100}"} for n in range(5000)]
    light = {"state": "off", "attributes": {"supported_color_modes": ["brightness"]}}
    lights = [{"id": f"light.thing_{n}", "name": f"Thing {n}", "device": f"device_{n}", **light} for n in range(5000)]
    ha = await connect(await run(parse_inventory({"areas": areas, "devices": devices, "entities": lights})))
    found = [e for e in ha.home.exposed() if e.domain == "light"]
    assert len(found) == 5000
    assert {e.area.name for e in found} == {area["name"] for area in areas}
    last = "light.thing_4999"
    await ha.call_service("light", "turn_on", entity_ids=[last])
    assert await ha.home.wait_until(lambda: ha.home.state(last).state == "on", [last], 10)


async def test_a_restart_brings_everything_back_and_forgets_nothing_meanwhile(run, connect):
    instance = await run(load_inventory(real.HOME))
    ha = await connect(instance)
    before, forgotten = set(ha.home.entities), set()
    ha.home.listen(
        lambda c: forgotten.update(before - set(ha.home.entities)) if c.kind is ChangeKind.ENTITIES else None
    )
    await asyncio.to_thread(real.stop, instance)
    await eventually(lambda: not ha.status.connected, 20)
    await asyncio.to_thread(real.start_again, instance)
    assert await ha.wait_ready(60), ha.status
    assert before <= set(ha.home.entities)
    assert not forgotten
    await ha.call_service("light", "turn_on", entity_ids=["light.kitchen_ceiling"])
    state = ha.home.state
    assert await ha.home.wait_until(lambda: state("light.kitchen_ceiling").state == "on", ["light.kitchen_ceiling"], 10)
