"""The same home on the demo server and on a real Home Assistant, and connections to it."""

from __future__ import annotations

import pytest

from homeagent.demo.inventory import load_inventory
from homeagent.demo.server import DemoServer
from homeagent.ha.connection import HomeAssistant
from tests.contract.houses import DemoHouse, RealHouse, settled
from tests.e2e.real import HOME, real_home_assistant

__all__ = ["real_home_assistant"]


@pytest.fixture(params=["demo", pytest.param("real", marks=[pytest.mark.e2e, pytest.mark.timeout(900)])])
async def house(request):
    if request.param == "real":
        house = RealHouse(request.getfixturevalue("real_home_assistant"))
        await settled(house)
        yield house
    else:
        inventory = load_inventory(HOME)
        guest = DemoServer(inventory, token="guest-token", admin=False)
        async with DemoServer(inventory, settle=0.05) as server, guest:
            yield DemoHouse(server, guest)


@pytest.fixture
async def connect(house):
    """Connect to the house; a connection that is still open at the end is closed."""
    opened: list[HomeAssistant] = []

    async def connect(token: str = "", url: str = "", **options: object) -> HomeAssistant:
        ha = HomeAssistant(url or house.url, token or house.token, **options)
        opened.append(ha)
        await ha.start()
        return ha

    yield connect
    for ha in opened:
        await ha.stop()


@pytest.fixture
async def ha(connect):
    """A connection to the house, with everything read."""
    ha = await connect()
    assert await ha.wait_ready(30), ha.status
    return ha
