"""What is to happen later, through the whole app on a real Home Assistant: tool in, the home's states out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
import pytest_asyncio

from homeagent.app import App
from homeagent.demo.inventory import parse_inventory
from homeagent.turn import ToolCall, ToolResult, Turn, new_id
from tests.contract.houses import eventually
from tests.e2e import real

pytestmark = pytest.mark.asyncio(loop_scope="module")
LAMP, LOCK = "light.hall", "lock.front_door"
HOME: dict[str, Any] = {
    "areas": [{"id": "hall", "name": "Hall"}],
    "entities": [
        {
            "id": LAMP,
            "name": "Hall lamp",
            "state": "off",
            "area": "hall",
            "attributes": {"supported_color_modes": ["onoff"]},
        },
        {"id": LOCK, "name": "Front door", "state": "locked", "area": "hall"},
        {"id": "switch.washer", "name": "Washing machine", "state": "off", "area": "hall"},
    ],
}


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[real.RealHomeAssistant]:
    instance = real.start(parse_inventory(HOME), tmp_path_factory.mktemp("later"))
    yield instance
    real.stop(instance, for_good=True)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app(instance: real.RealHomeAssistant, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[App]:
    async with real.agent_over(instance, tmp_path_factory.mktemp("data")) as app:
        yield app


async def use(app: App, tool: str, **parameters: Any) -> ToolResult:
    turn = Turn(text="", conversation_id="later")
    return await app.toolbox.call(ToolCall(new_id(), tool, parameters), turn)


async def state(instance: real.RealHomeAssistant, entity_id: str) -> str:
    """What Home Assistant says it is now."""
    headers = {"Authorization": f"Bearer {instance.token}"}
    async with httpx.AsyncClient(base_url=instance.url, headers=headers, timeout=30) as http:
        return str((await http.get(f"/api/states/{entity_id}")).json()["state"])


async def test_an_action_happens_at_its_time(app: App, instance: real.RealHomeAssistant) -> None:
    made = await use(app, "timer", action="set", in_seconds=1, calls=[{"action": "turn_on", "entity_id": LAMP}])
    assert made.success, made.error
    assert await state(instance, LAMP) == "off"
    await eventually(lambda: app.home.state_text(LAMP) == "on")
    assert await state(instance, LAMP) == "on"


async def test_what_opens_the_house_wants_its_yes_first(app: App, instance: real.RealHomeAssistant) -> None:
    asked = await use(app, "timer", action="set", in_seconds=1, calls=[{"action": "unlock", "entity_id": LOCK}])
    assert asked.error_type == "confirmation_required"
    assert await state(instance, LOCK) == "locked"
    await app.agent.confirm(asked.result["confirmation"]["id"], True)
    await eventually(lambda: app.home.state_text(LOCK) == "unlocked")
    assert await state(instance, LOCK) == "unlocked"


async def test_upon_a_state_it_tells_as_a_notification(app: App, instance: real.RealHomeAssistant) -> None:
    await use(app, "ha_control", action="turn_on", entity_id="switch.washer")
    made = await use(
        app,
        "timer",
        action="set",
        kind="reminder",
        name="laundry",
        upon_entity_id="switch.washer",
        upon_state="off",
    )
    assert made.success, made.error
    await use(app, "ha_control", action="turn_off", entity_id="switch.washer")
    socket = app.ha._link.socket

    async def told() -> bool:
        return "Reminder: laundry." in str(await socket.command("persistent_notification/get"))

    for _ in range(100):
        if await told():
            return
        await app.home.wait_until(lambda: False, [], 0.1)
    raise AssertionError("nobody was told")


async def test_sunset_is_known(app: App) -> None:
    made = await use(
        app,
        "timer",
        action="set",
        sun="sunset",
        sun_offset_minutes=-30,
        calls=[{"action": "turn_on", "entity_id": LAMP}],
    )
    assert made.success, made.error
    (one,) = made.result["timers"]
    assert 0 < one["seconds_left"] <= 25 * 3600
