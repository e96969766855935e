"""Whatever combination of action and parameters is tried: nothing guarded changes without a yes."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from homeagent.confirmations import Confirmations
from homeagent.demo.inventory import load_inventory
from homeagent.demo.server import DemoServer
from homeagent.domains import ACTIONS, DOMAINS
from homeagent.events import Emitter
from homeagent.ha.connection import HomeAssistant
from homeagent.policy.policy import Policy
from homeagent.tools.ha_control import HaControl
from homeagent.tools.toolbox import Toolbox
from homeagent.turn import ToolCall, Turn
from tests.attack.conftest import HOME
from tests.databases import database

EXAMPLES = int(os.environ.get("ATTACK_EXAMPLES", "150"))
"""Calls that are tried; `make attack` tries many more."""
INVENTORY = load_inventory(HOME)
IDS = [spec.id for spec in INVENTORY.entities]
SERVICES = sorted({f"{d}.{s.name}" for d, a in DOMAINS.items() for s in (*a.actions.values(), *a.setters)})
NAMES = sorted(
    {p.name for a in DOMAINS.values() for s in (*a.actions.values(), *a.setters) for p in s.params}
    | {"value", "entity_id", "area_id", "target", "domain", "code", "Position", "position ", "stop_actions"}
)
values = st.one_of(
    st.integers(-100, 400),
    st.floats(-5, 200),
    st.just(float("nan")),
    st.booleans(),
    st.none(),
    st.sampled_from(
        ["100", "0", "50%", "open", "abierto", "on", "https://evil.example/x", "{{ 100 }}", "lock.front", ""]
    ),
    st.lists(st.sampled_from(["lock.front", 1, "x"]), max_size=2),
    st.dictionaries(st.sampled_from(["p", "url", "entity_id"]), st.sampled_from([100, "lock.front"]), max_size=2),
)
calls = st.fixed_dictionaries(
    {
        "action": st.one_of(st.sampled_from(ACTIONS), st.sampled_from(SERVICES)),
        "entity_id": st.one_of(
            st.sampled_from(IDS), st.lists(st.sampled_from(IDS), min_size=1, max_size=3), st.just("*")
        ),
        "parameters": st.dictionaries(st.sampled_from(NAMES), values, max_size=3),
    },
    optional={"area": st.sampled_from(["hall", "kitchen"])},
)


def guarded_facts(server: DemoServer) -> dict[str, Any]:
    """What of the home must not get worse: read from the states alone, whatever the policy makes of a call."""

    def state(entity_id: str) -> str:
        return str(server.state(entity_id)["state"])

    def position(entity_id: str) -> int:
        return int(server.state(entity_id)["attributes"].get("current_position") or 0)

    ranks = {"disarmed": 0, "armed_home": 1, "armed_night": 1, "armed_away": 2, "armed_vacation": 2}
    return {
        **{i: state(i) == "locked" for i in ("lock.front", "lock.back")},
        **{i: -position(i) for i in ("cover.gate", "cover.rolltor", "valve.water")},
        **{
            i: state(i) == "off"
            for i in ("switch.relay_7", "light.relay_8", "fan.relay_9", "switch.oven", "switch.iron")
        },
        **{
            i: state(i) == "on"
            for i in ("switch.maglock", "switch.smoke", "switch.nvr", "siren.outside", "automation.watch")
        },
        **{i: state(i) for i in ("button.buzzer", "button.reset", "number.travel", "select.porton", "notify.phone")},
        "camera.hall": state("camera.hall") != "off",
        "alarm": ranks.get(state("alarm_control_panel.home"), -1),
        "evil": not any("evil" in str(call.data) for call in server.calls),
    }


def is_worse(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    return [name for name, was in before.items() if (after[name] != was if isinstance(was, str) else after[name] < was)]


class Attacker:
    """One home and its tools, kept for all examples: what an example changes stays, as with a real attacker."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def __aenter__(self) -> Attacker:
        self.server = await DemoServer(INVENTORY, settle=0.0).__aenter__()
        self.ha = HomeAssistant(self.server.url, self.server.token)
        await self.ha.start()
        assert await self.ha.wait_ready(10)
        self._engine = database(self._folder)
        confirmations = Confirmations(self._engine, 90.0)
        self._toolbox = Toolbox([HaControl(self.ha, Policy(), confirmations, settle=0.0)], Emitter())
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.ha.stop()
        await self.server.__aexit__(None, None, None)
        self._engine.dispose()

    async def tries(self, call: dict[str, Any]) -> list[str]:
        """What is worse after the call than before."""
        before = guarded_facts(self.server)
        await self._toolbox.call(ToolCall("1", "ha_control", call), Turn(text="", conversation_id="attack"))
        await asyncio.sleep(0)
        return is_worse(before, guarded_facts(self.server))


def test_no_combination_of_parameters_does_what_was_not_judged(tmp_path):
    loop = asyncio.new_event_loop()
    attacker = Attacker(tmp_path)
    loop.run_until_complete(attacker.__aenter__())

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(calls)
    def attack(call: dict[str, Any]) -> None:
        assert loop.run_until_complete(attacker.tries(call)) == [], call

    try:
        attack()
    finally:
        loop.run_until_complete(attacker.__aexit__())
        loop.close()
