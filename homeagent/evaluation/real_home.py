"""Opening a real home to try sentences on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from homeagent.config.settings import Settings
from homeagent.demo.inventory import Inventory
from homeagent.errors import HomeAssistantUnavailable, InvalidInput, ServiceCallFailed
from homeagent.evaluation.trial_homes import TEST_HOME, RealHouse
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.home import Home

_READY_WITHIN = 60.0
_MOST_NAMED = 10


@asynccontextmanager
async def open_real(url: str, token: str, inventory: Inventory, settings: Settings) -> AsyncIterator[RealHouse]:
    """Connect to the home and see that it is the data set's.

    Raises InvalidInput where entities of the data set are not there, HomeAssistantError where it cannot be read.
    """
    ha = HomeAssistant(url, token, verify=settings.home_assistant.trust, timeout=settings.home_assistant.timeout)
    await ha.start()
    try:
        if not await _ready(ha):
            raise ha.status.error or HomeAssistantUnavailable(f"Home Assistant at {url} did not answer in time.")
        _see_that_all_is_there(inventory, ha.home)
        house = RealHouse(ha, token, [e.id for e in inventory.entities], is_test=await _is_test_home(ha))
        await house.remember()
        yield house
    finally:
        await ha.stop()


async def _ready(ha: HomeAssistant) -> bool:
    """Wait for the home's first reading, unless it is known already that it will not come."""
    for _ in range(int(_READY_WITHIN / 0.5)):
        if await ha.wait_ready(0.5):
            return True
        if ha.status.error is not None and not isinstance(ha.status.error, HomeAssistantUnavailable):
            return False
    return False


def _see_that_all_is_there(inventory: Inventory, home: Home) -> None:
    missing = [e.id for e in inventory.entities if home.state(e.id) is None]
    if missing:
        more = f" and {len(missing) - _MOST_NAMED} more" if len(missing) > _MOST_NAMED else ""
        raise InvalidInput(
            f"This is not the data set's home: it has no {', '.join(missing[:_MOST_NAMED])}{more}.",
            hint="A data set can be tried on a real home that has all its entities; "
            "for sentences about your own home use --self.",
        )


async def _is_test_home(ha: HomeAssistant) -> bool:
    """Whether it says so: a test home can be reset, and keeps a log of what reached its devices."""
    try:
        await ha.call_service(TEST_HOME, "reset")
    except ServiceCallFailed:
        return False
    return True


def own_devices(inventory: Inventory, home: Home) -> Mapping[str, str]:
    """For each device of the data set one of the home that stands in the same room."""
    names = {area.id: area.name for area in inventory.areas}
    rooms = {area.name: area.area_id for area in home.areas.values()}
    found = {}
    for device in inventory.devices:
        room = rooms.get(names.get(device.area or "", ""))
        there = next((d for d, area_id in home.device_areas.items() if room is not None and area_id == room), None)
        if there is not None:
            found[device.id] = there
    return found
