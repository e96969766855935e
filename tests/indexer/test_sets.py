"""A set of the home is the same whichever way its things are looked for."""

import asyncio

import pytest

from homeagent.demo.generate import generate
from homeagent.demo.server import DemoServer
from homeagent.ha.connection import HomeAssistant
from indexer.selector import Selector
from indexer.sets import Sets


async def _read():
    async with DemoServer(generate(200)) as server:
        ha = HomeAssistant(server.url, server.token)
        await ha.start()
        assert await ha.wait_ready(30)
        await ha.stop()
        return ha.home.exposed()


@pytest.fixture(scope="module")
def entities():
    return asyncio.run(_read())


@pytest.mark.parametrize(
    "selector",
    [
        Selector(),
        Selector(domains=("light",)),
        Selector(domains=("cover", "light")),
        Selector(area_ids=("kitchen",)),
        Selector(area_ids=("hall", "kitchen"), domains=("light",)),
        Selector(floor_ids=("first_floor",), device_classes=("window",)),
        Selector(area_ids=("no_such_area",)),
        Selector(domains=("light",), exclude=("light.kitchen_lamp",)),
    ],
)
def test_a_set_has_all_its_members_in_their_order(entities, selector):
    assert Sets(entities).select(selector) == selector.select(entities)
