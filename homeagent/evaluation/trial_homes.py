"""The home that sentences are tried on: a demo of its own, or a real one. Its log tells what reached a device."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from homeagent.app import App
from homeagent.config.settings import Settings
from homeagent.demo.inventory import Inventory
from homeagent.demo.server import DemoServer
from homeagent.errors import HomeAssistantUnavailable, InvalidInput, ServiceCallFailed
from homeagent.evaluation.cases import Case, Change
from homeagent.evaluation.judge import Snapshot
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.home import ChangeKind, Home, HomeChange
from indexer.status import Phase

READS = "get_"
"""Services that only answer, such as `todo.get_items`, begin so; to a device they do nothing."""
TEST_HOME = "synth_home"
"""The integration by which a Home Assistant says that it is a test home: it resets devices and keeps their log."""

_QUIET = 0.1
_QUIET_WITHIN = 3.0


@dataclass(frozen=True, slots=True)
class Reached:
    """A command that reached a device (or, in a home without such a log, that Home Assistant was given).

    ``at``: seconds of ``time.monotonic``; None where the log has no time.
    """

    entity_id: str
    service: str
    at: float | None = None

    def __str__(self) -> str:
        return f"{self.service} {self.entity_id}"


class House(Protocol):
    """A home between sentences."""

    url: str
    token: str

    async def prepare(self, case: Case) -> str | None:
        """Make the home what the case begins with; why that cannot be, else None."""

    async def snapshot(self) -> Snapshot:
        """All states, once nothing moves any more."""

    async def reached(self) -> Sequence[Reached]:
        """What reached devices since the last time this was asked."""


class DemoHouse:
    """A demo server's."""

    def __init__(self, server: DemoServer) -> None:
        self._server = server
        self.url, self.token = server.url, server.token

    async def prepare(self, case: Case) -> str | None:
        """Always possible: every device is as the inventory says, and the case's changes are made."""
        self._server.world.reset()
        for entity_id, change in case.setup.items():
            self._server.set_state(entity_id, change.state, change.attributes)
        return None

    async def snapshot(self) -> Snapshot:
        """At once: a trial's devices take no time."""
        await asyncio.sleep(0)  # what takes no time at all has happened by now
        return {entity_id: plain(self._server.state(entity_id)) for entity_id in self._server.world.devices}

    async def reached(self) -> Sequence[Reached]:
        """From the server's log, which is emptied."""
        calls = [Reached(c.entity_id, c.service, c.at) for c in self._server.calls]
        self._server.calls.clear()
        return _acting(calls)


class RealHouse:
    """A real Home Assistant's. Only a test home is ever reset or prepared; any other is taken as it is."""

    def __init__(self, ha: HomeAssistant, token: str, ids: Iterable[str], *, is_test: bool) -> None:
        self.url, self.token, self.is_test = ha.url, token, is_test
        self._ha, self._ids = ha, frozenset(ids)
        self._moved = time.monotonic()
        self._initial: Snapshot = {}
        ha.home.listen(self._note)

    @property
    def home(self) -> Home:
        """The live home."""
        return self._ha.home

    async def remember(self) -> None:
        """Take the home as it is now for what every case begins with."""
        self._initial = await self.snapshot()

    async def prepare(self, case: Case) -> str | None:
        """A test home is reset and set up; of another one only the states are compared with the case's."""
        if not self.is_test:
            wrong = [i for i, change in case.setup.items() if self._ha.home.state_text(i) != change.state]
            return f"needs {', '.join(wrong)} to be otherwise, and a real home is left as it is" if wrong else None
        try:
            await self._ha.call_service(TEST_HOME, "reset")
            await self._quiet()
            await self._apply(self._initial, [i for i in self._initial if self._differs(i)])
            await self._apply({i: self._set_up(i, change) for i, change in case.setup.items()}, case.setup)
        except ServiceCallFailed as error:
            return f"its setup could not be made: {error}"
        await self._quiet()
        await self.reached()
        return None

    async def snapshot(self) -> Snapshot:
        """Once no state has changed for a moment."""
        await self._quiet()
        found = {i: self._ha.home.state(i) for i in self._ids}
        return {i: {"state": s.state, "attributes": dict(s.attributes)} for i, s in found.items() if s is not None}

    async def reached(self) -> Sequence[Reached]:
        """From the test home's log, which is emptied; always nothing of another home."""
        if not self.is_test:
            return ()
        answer = await self._ha.call_service(TEST_HOME, "calls", data={"clear": True}, return_response=True)
        return _acting([Reached(c["entity_id"], c["action"]) for c in (answer or {}).get("calls", ())])

    def _set_up(self, entity_id: str, change: Change) -> dict[str, object]:
        initial = self._initial[entity_id]
        return {
            "state": change.state or initial["state"],
            "attributes": {**initial["attributes"], **change.attributes},
        }

    def _differs(self, entity_id: str) -> bool:
        return bool(self._ha.home.state_text(entity_id) != self._initial[entity_id]["state"])

    async def _apply(self, states: Mapping[str, Any], entity_ids: Iterable[str]) -> None:
        """Home Assistant's own way to bring entities into a state, as scenes do."""
        entities = {
            i: {**{k: v for k, v in states[i]["attributes"].items() if v is not None}, "state": states[i]["state"]}
            for i in entity_ids
        }
        if entities:
            await self._ha.call_service("scene", "apply", data={"entities": entities})

    def _note(self, change: HomeChange) -> None:
        if change.kind is ChangeKind.STATES and change.entity_ids & self._ids:
            self._moved = time.monotonic()

    async def _quiet(self) -> None:
        """Until no state has changed for a while."""
        end = time.monotonic() + _QUIET_WITHIN
        self._moved = time.monotonic()
        while time.monotonic() < min(end, self._moved + _QUIET):  # noqa: ASYNC110 -- there is no event for silence
            await asyncio.sleep(0.02)


def plain(state: Mapping[str, Any]) -> dict[str, Any]:
    """A state as Home Assistant gives it, without its times."""
    return {"state": state["state"], "attributes": dict(state["attributes"])}


def _acting(calls: Sequence[Reached]) -> list[Reached]:
    return [call for call in calls if not call.service.startswith(READS)]


_WARM_WITHIN = 600.0


async def until_warm(app: App) -> None:
    """Wait for the vectors, or until it is clear that there will be none. Raises TimeoutError after ten minutes."""
    async with asyncio.timeout(_WARM_WITHIN):
        while True:
            status = app.index.status
            if status.phase is Phase.DEGRADED or (status.phase is Phase.READY and status.vectors >= status.entities):
                return
            await asyncio.sleep(0.1)


@asynccontextmanager
async def started(app: App) -> AsyncIterator[App]:
    """The app, up and warm; stopped in the end."""
    await app.start()
    try:
        await app.need_home()
        await until_warm(app)
        yield app
    finally:
        await app.stop()


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
