"""Every action of the demo home does what it does on a real Home Assistant: one table, run on both."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from homeagent.demo.devices import ACTIONS
from homeagent.demo.inventory import Inventory
from tests.contract.actions import CASES, NOT_COMPARED, Case
from tests.contract.raw import Client, client, real_whole_home, until, whole_home

__all__ = ["client", "real_whole_home"]

CLOSE = 0.002
"""How far numbers may be apart: colours go through other roundings."""


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("case", CASES, ids=[f"{n}-{case.id}" for n, case in enumerate(CASES)])
async def test_an_action(client: Client, case: Case) -> None:
    if case.until and client.version >= case.until:
        pytest.skip(f"gone from Home Assistant {case.until} on")
    for service, entity_id, data in case.before:
        assert (await client.call(service, entity_id, data))["success"], (service, entity_id)
    await until(client, lambda states: not any(is_moving(state) for state in states.values()))
    result = await client.call(case.service, case.entity_id, case.data, response=case.response)
    if case.error:
        code, words = case.error
        assert not result["success"]
        assert result["error"]["code"] == code
        assert words in result["error"]["message"]
        return
    assert result["success"], result["error"]
    assert ("response" in result["result"]) == case.response
    states = await until(client, lambda states: fits(states.get(case.entity_id), case))
    state = states.get(case.entity_id)
    shown = {key: state["attributes"].get(key, "absent") for key in case.attributes} if state else {}
    assert fits(state, case), (state and state["state"], shown)


def test_every_action_of_the_demo_home_is_in_the_table() -> None:
    told = {case.service for case in CASES if not case.error}
    assert {f"{domain}.{service}" for domain, service in ACTIONS} - NOT_COMPARED == {
        service for service in told if not service.startswith("homeassistant.") and "no_such" not in service
    }


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    "target",
    [
        {"area_id": "kitchen"},
        {"floor_id": "ground_floor"},
        {"area_id": ["study", "hall"]},
        {"label_id": "evening"},
    ],
    ids=str,
)
async def test_a_target_reaches_the_same_lights(client: Client, target: dict[str, Any]) -> None:
    """Ids of the registries differ: they are found by name."""
    inventory = whole_home()
    given = await named(client, target)
    await client.command("call_service", domain="light", service="turn_off", target={"entity_id": "all"})
    await asyncio.sleep(0.6)  # the slow one
    assert (await client.command("call_service", domain="light", service="turn_on", target=given))["success"]
    expected = reached(inventory, target)
    states = await until(client, lambda states: lit(states) == expected)
    assert lit(states) == expected


def reached(inventory: Inventory, target: dict[str, Any]) -> set[str]:
    """The lights of the inventory that should be on, from the target in words."""
    areas = {device.id: device.area for device in inventory.devices}
    wanted = target.get("area_id", ())
    if "floor_id" in target:
        wanted = [area.id for area in inventory.areas if area.floor == "ground"]
    found = {
        spec.id
        for spec in inventory.entities
        if spec.domain == "light"
        and (
            (spec.area or areas.get(spec.device or "")) in ([wanted] if isinstance(wanted, str) else wanted)
            or target.get("label_id") in spec.labels
        )
        and not spec.behavior.ignores
    }
    if found & {"light.kitchen_ceiling", "light.kitchen_counter"}:
        found.add("light.kitchen_lights")
    return found


async def named(client: Client, target: dict[str, Any]) -> dict[str, Any]:
    """The target with the registry's own ids."""
    if "floor_id" in target:
        rows = (await client.command("config/floor_registry/list"))["result"]
        return {"floor_id": next(row["floor_id"] for row in rows if row["name"] == "Ground floor")}
    return target


def lit(states: Mapping[str, dict[str, Any]]) -> set[str]:
    return {
        entity_id for entity_id, state in states.items() if entity_id.startswith("light.") and state["state"] == "on"
    }


def is_moving(state: Mapping[str, Any]) -> bool:
    return state["state"] in ("opening", "closing", "returning")


def fits(state: Mapping[str, Any] | None, case: Case) -> bool:
    if state is None:
        return case.state is None and not case.attributes
    if case.state is not None and state["state"] != case.state:
        return False
    return all(same(state["attributes"].get(key), want) for key, want in case.attributes.items())


def same(shown: Any, want: Any) -> bool:
    if isinstance(want, (list, tuple)) and isinstance(shown, (list, tuple)):
        return len(shown) == len(want) and all(same(a, b) for a, b in zip(shown, want, strict=True))
    if isinstance(want, float) and isinstance(shown, (int, float)):
        return abs(shown - want) <= CLOSE
    return bool(shown == want)
