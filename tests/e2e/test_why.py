"""Why things changed, on a real Home Assistant with automations and scripts that cause each other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from homeagent.demo.inventory import parse_inventory
from homeagent.events import Emitter
from homeagent.ha.connection import HomeAssistant
from homeagent.tools.explain_change import ExplainChange
from homeagent.tools.toolbox import Toolbox
from homeagent.turn import ToolCall, ToolResult, Turn, new_id
from indexer.entity import FormerId
from tests.contract.houses import eventually
from tests.e2e import real

ONOFF = {"supported_color_modes": ["onoff"]}
HOME: dict[str, Any] = {
    "x-time-zone": "Europe/Amsterdam",
    "areas": [{"id": "hall", "name": "Hall"}],
    "entities": [
        {"id": "light.hall", "name": "Hall light", "state": "off", "area": "hall", "attributes": ONOFF},
        {"id": "light.porch", "name": "Porch light", "state": "off", "attributes": ONOFF},
        {"id": "light.desk", "name": "Desk light", "state": "off", "attributes": ONOFF},
        {"id": "light.attic", "name": "Attic light", "state": "off", "attributes": ONOFF},
        {"id": "switch.fan", "name": "Fan", "state": "off"},
        {"id": "binary_sensor.motion", "name": "Hall motion", "state": "off", "area": "hall",
         "attributes": {"device_class": "motion"}},
    ],
}  # fmt: skip


def _turn_on(entity_id: str) -> dict[str, Any]:
    return {"action": "homeassistant.turn_on", "target": {"entity_id": entity_id}}


AUTOMATIONS = [
    {
        "id": "guests",
        "alias": "Guests arrive",
        "triggers": [{"trigger": "state", "entity_id": "binary_sensor.motion", "to": "on"}],
        "actions": [_turn_on("input_boolean.guests")],
    },
    {
        "id": "lights",
        "alias": "Light for guests",
        "triggers": [{"trigger": "state", "entity_id": "input_boolean.guests", "to": "on"}],
        "actions": [{"action": "script.welcome"}],
    },
    {"id": "fan", "alias": "Run the fan", "triggers": [], "actions": [_turn_on("switch.fan")]},
    {
        "id": "steam",
        "alias": "Steam in the bath",
        "triggers": [{"trigger": "event", "event_type": "steam"}],
        "actions": [{"action": "automation.trigger", "target": {"entity_id": "automation.run_the_fan"}}],
    },
    {
        "id": "secret",
        "alias": "Secret routine",
        "triggers": [{"trigger": "event", "event_type": "attic"}],
        "actions": [_turn_on("light.attic")],
    },
]
SCRIPTS = {"welcome": {"alias": "Welcome", "sequence": [_turn_on("light.hall"), {"delay": 1}, _turn_on("light.porch")]}}
EXTRA = f"""
trace:
input_boolean: {{"guests": {{"name": "Guests"}}}}
automation working: {json.dumps(AUTOMATIONS)}
script working: {json.dumps(SCRIPTS)}
"""
EXPOSED = (
    "automation.guests_arrive", "automation.light_for_guests", "automation.run_the_fan", "automation.steam_in_the_bath",
    "script.welcome", "input_boolean.guests",
)  # fmt: skip


class House:
    def __init__(self, ha: HomeAssistant) -> None:
        self.ha = ha
        self._toolbox = Toolbox([ExplainChange(ha)], Emitter())

    async def happens(self, entity_id: str, state: str, kind: str, **fields: Any) -> None:
        """Send a command, and wait until it has the state that it leads to."""
        await self.ha._link.socket.command(kind, **fields)
        await eventually(lambda: self.ha.home.state_text(entity_id) == state)
        await asyncio.sleep(1.5)  # what the recorder commits, it commits each second

    async def renamed(self, entity_id: str, new_id: str) -> None:
        await self.ha._link.socket.command("config/entity_registry/update", entity_id=entity_id, new_entity_id=new_id)
        await eventually(lambda: self.ha.home.state_text(new_id))
        await asyncio.sleep(1.5)

    async def why(self, entity_id: str, **more: Any) -> ToolResult:
        call = ToolCall(new_id(), "explain_change", {"entity_id": entity_id, **more})
        return await self._toolbox.call(call, Turn(text="why?"))


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[real.RealHomeAssistant]:
    instance = real.start(parse_inventory(HOME), tmp_path_factory.mktemp("why"), EXTRA)
    yield instance
    real.stop(instance, for_good=True)


@pytest.fixture
async def house(instance: real.RealHomeAssistant) -> AsyncIterator[House]:
    ha = HomeAssistant(instance.url, instance.token, timeout=30)
    await ha.start()
    assert await ha.wait_ready(60), ha.status
    await ha._link.socket.command(
        "homeassistant/expose_entity", assistants=["conversation"], entity_ids=list(EXPOSED), should_expose=True
    )
    await ha.reload()
    yield House(ha)
    await ha.stop()


def kinds(result: ToolResult) -> list[tuple[str, str | None]]:
    assert result.success, result.error
    return [(cause["kind"], cause.get("name")) for cause in result.result["causes"]]


async def test_one_automation_triggered_by_another_through_a_script(house: House) -> None:
    push = {"entity_id": "binary_sensor.motion", "values": {"is_on": True}}
    await house.happens("light.porch", "on", "call_service", domain="synth_home", service="push", service_data=push)
    chain = [
        ("script", "Welcome"),
        ("automation", "Light for guests"),
        ("change", "Guests"),
        ("automation", "Guests arrive"),
        ("change", "Hall motion"),
    ]
    hall = await house.why("light.hall")
    assert kinds(hall) == chain
    assert kinds(await house.why("light.porch")) == chain  # a second later, in the same run
    text = hall.result["text"]
    assert text.startswith("Hall light: on since ")
    assert "because Hall motion became motion" in text
    assert text.endswith("what was before that is not on record")
    assert kinds(await house.why("input_boolean.guests")) == chain[3:]


async def test_one_automation_run_by_another(house: House) -> None:
    await house.happens("switch.fan", "on", "fire_event", event_type="steam")
    result = await house.why("switch.fan")
    assert kinds(result) == [("automation", "Run the fan"), ("automation", "Steam in the bath"), ("trigger", None)]
    assert "triggered by event 'steam'" in result.result["text"]


async def test_what_was_called_by_a_person_names_who(house: House) -> None:
    target = {"entity_id": "light.desk"}
    await house.happens("light.desk", "on", "call_service", domain="light", service="turn_on", target=target)
    result = await house.why("light.desk")
    [cause] = result.result["causes"]
    assert (cause["kind"], cause["user"]) == ("service", "somebody through this assistant, or with its account,")
    await house.happens("light.desk", "off", "call_service", domain="light", service="turn_off", target=target)
    assert "light.turn_off" in (await house.why("light.desk")).result["text"]
    a_second_later = datetime.fromisoformat(cause["at"]) + timedelta(seconds=1)
    assert (await house.why("light.desk", at=a_second_later.isoformat())).result["state"] == "on"


async def test_another_entity_id_does_not_hide_what_was_before(house: House) -> None:
    was, called = "light.porch", "light.veranda"
    target = {"entity_id": was}
    for state in ("off", "on"):
        service = f"turn_{state}"
        await house.happens(was, state, "call_service", domain="light", service=service, target=target)
    await house.renamed(was, called)
    house.ha.former_ids = {called: (FormerId(was, house.ha.home.now().timestamp()),)}
    try:
        [cause] = (await house.why(called)).result["causes"]
        assert (cause["kind"], cause["detail"]) == ("service", "light.turn_on")
    finally:
        await house.renamed(called, was)


async def test_what_home_assistant_does_not_know_is_said_so(house: House) -> None:
    result = await house.why("binary_sensor.motion")
    assert result.result["known"] is False
    assert "Home Assistant does not know why" in result.result["text"]


async def test_an_automation_that_is_not_exposed_stays_unnamed(house: House) -> None:
    await house.happens("light.attic", "on", "fire_event", event_type="attic")
    result = await house.why("light.attic")
    assert "an automation that is not exposed" in result.result["text"]
    assert "Secret" not in json.dumps(result.result)
    assert "secret" not in json.dumps(result.result)
    hidden = await house.why("automation.secret_routine")
    assert hidden.error_type == "not_exposed"


async def test_before_anything_was_recorded(house: House) -> None:
    result = await house.why("light.hall", at="2020-01-01T03:00")
    assert result.result["state"] is None
    assert result.result["text"].startswith("Nothing is recorded of Hall light")
