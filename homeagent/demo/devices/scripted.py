"""Scenes, scripts and automations: what does other things.

A scene's ``x-scene`` maps entity ids to a state, or to a mapping of ``state`` and attributes. A script's ``x-script``
and an automation's ``x-automation`` are Home Assistant's configuration of them; of a sequence's steps ``action`` (or
``service``), ``delay`` and ``wait_template``-free ``stop`` are carried out; ``{{ name }}`` in a value is a field.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from homeagent.demo.devices.base import Data, Device, action, becomes, device, toggles
from homeagent.demo.failures import NotFound
from homeagent.demo.service_schema import boolean, duration, mapping, number, optional
from homeagent.demo.state_machine import Context, acting
from homeagent.domains import profile_of

_VARIABLES = {"variables": optional(mapping)}
_FIELD = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_SHOWN_ONLY = frozenset({"friendly_name", "supported_features", "supported_color_modes", "color_mode", "device_class"})


@device("scene")
class Scene(Device):
    """Its state is when it was last turned on."""

    @property
    def applies(self) -> dict[str, dict[str, object]]:
        """Entity id to the state and attributes that it is brought to."""
        told = self.spec.extra.get("x-scene") or {}
        return {
            entity_id: {key: _text(value) if key == "state" else value for key, value in want.items()}
            if isinstance(want, Mapping)
            else {"state": _text(want)}
            for entity_id, want in told.items()
        }

    def shown(self) -> dict[str, Any]:
        """``entity_id`` lists what the scene sets."""
        attributes = dict(self.attributes)
        if self.spec.extra.get("x-scene"):
            attributes["entity_id"] = list(self.applies)
        return attributes


@action("scene", "turn_on", {"transition": optional(number(0, 6553, clamp=True))})
async def _activate(scene: Scene, data: Data) -> None:
    scene.become(datetime.now(UTC).isoformat())
    for entity_id, want in scene.applies.items():
        for domain, service, values in _reproduce(entity_id, want):
            await scene.world.services.call(domain, service, values, {"entity_id": [entity_id]})


def _reproduce(entity_id: str, want: Mapping[str, object]) -> list[tuple[str, str, dict[str, object]]]:
    """The service calls that bring an entity to a state, as HA's `reproduce_state` makes them."""
    domain, state = entity_id.partition(".")[0], want.get("state")
    rest = {key: value for key, value in want.items() if key != "state" and key not in _SHOWN_ONLY}
    if domain == "climate":
        temperature = [("climate", "set_temperature", rest)] if rest else []
        return [*([("climate", "set_hvac_mode", {"hvac_mode": state})] if state else []), *temperature]
    if domain == "cover" and "current_position" in rest:
        return [("cover", "set_cover_position", {"position": rest["current_position"]})]
    if domain in ("select", "input_select"):
        return [(domain, "select_option", {"option": state})]
    if domain in ("number", "input_number"):
        return [(domain, "set_value", {"value": state})]
    if domain == "media_player":
        return _reproduce_player(state, rest)
    leading = (s.name for s in profile_of(domain).actions.values() if state in s.reaches)
    service = next(leading, "turn_off" if state == "off" else "turn_on")
    return [(domain, service, rest if service == "turn_on" else {})]


def _reproduce_player(state: object, rest: Mapping[str, object]) -> list[tuple[str, str, dict[str, object]]]:
    word = {"playing": "media_play", "paused": "media_pause", "off": "turn_off"}.get(str(state), "turn_on")
    calls: list[tuple[str, str, dict[str, Any]]] = [("media_player", word, {})]
    if "volume_level" in rest:
        calls.append(("media_player", "volume_set", {"volume_level": rest["volume_level"]}))
    if "source" in rest:
        calls.append(("media_player", "select_source", {"source": rest["source"]}))
    return calls


@device("script automation")
class Scripted(Device):
    """Runs its steps one after the other; several runs at once are possible, whatever ``mode`` says."""

    def __init__(self, spec: Any, world: Any) -> None:
        super().__init__(spec, world)
        self.runs: set[asyncio.Task[None]] = set()
        if self.domain == "automation":
            self.attributes.setdefault("id", spec.id.partition(".")[2])
        self.attributes = {"last_triggered": None, "mode": "single", "current": 0, **self.attributes}

    @property
    def config(self) -> dict[str, Any] | None:
        """Home Assistant's configuration of it; None where the inventory has none."""
        told = self.spec.extra.get(f"x-{self.domain}")
        return None if told is None else {"alias": self.world.registries.entity_name(self.spec), **told}

    @property
    def steps(self) -> list[Mapping[str, Any]]:
        """The steps of the configuration, under any of the names that HA reads; empty where there is none."""
        config = self.config or {}
        return list(config.get("sequence") or config.get("actions") or config.get("action") or [])

    async def run(self, variables: Mapping[str, Any]) -> None:
        """Carry out the steps, one after the other."""
        self.attributes["last_triggered"] = datetime.now(UTC).isoformat()
        self._begin()
        self._show_running(1)
        try:
            for step in self.steps:
                await self._step(step, variables)
        finally:
            self._show_running(0)

    def start(self, variables: Mapping[str, Any]) -> None:
        """Carry them out without waiting for the end."""
        task = asyncio.get_running_loop().create_task(self.run(variables))
        self.runs.add(task)
        task.add_done_callback(self.runs.discard)

    def cancel(self) -> None:
        """End all runs at once; what they have done stays done."""
        for task in tuple(self.runs):
            task.cancel()

    def _begin(self) -> None:
        """Tell of the run. What an automation does has a context of its own, whose parent is what triggered it."""
        called = {"name": self.world.registries.entity_name(self.spec), "entity_id": self.entity_id}
        if self.domain == "automation":
            trigger = acting.get()
            acting.set(Context(parent_id=trigger.id if trigger else None))
            self.world.fire("automation_triggered", called)
        else:
            self.world.fire("script_started", called)

    def _show_running(self, runs: int) -> None:
        running = ("on" if runs else "off") if self.domain == "script" else None
        self.become(running, current=runs)

    async def _step(self, step: Mapping[str, Any], variables: Mapping[str, Any]) -> None:
        if "delay" in step:
            await asyncio.sleep(duration(step["delay"]).total_seconds())
        name = step.get("action") or step.get("service")
        if not name:
            return
        domain, _, service = _fill(name, variables).partition(".")
        data = {key: _fill(value, variables) for key, value in (step.get("data") or {}).items()}
        target = {key: _fill(value, variables) for key, value in (step.get("target") or {}).items()}
        if not target and "entity_id" in step:
            target = {"entity_id": step["entity_id"]}
        await self.world.services.call(domain, service, data, target)


@action("script", "turn_on", _VARIABLES)
def _start(script: Scripted, data: Data) -> None:
    script.start(data.get("variables") or {})


@action("script", "turn_off")
def _stop(script: Scripted, data: Data) -> None:
    script.cancel()


@action("script", "toggle", _VARIABLES)
def _toggle_script(script: Scripted, data: Data) -> None:
    (_stop if script.runs else _start)(script, data)


@action("automation", "trigger", {"variables": optional(mapping), "skip_condition": optional(boolean)})
async def _trigger(automation: Scripted, data: Data) -> None:
    await automation.run(data.get("variables") or {})


becomes("automation", "turn_on", "on")


@action("automation", "turn_off", {"stop_actions": optional(boolean)})
def _disable(automation: Scripted, data: Data) -> None:
    automation.cancel()
    automation.become("off")


toggles("automation")


async def run_script_service(world: Any, object_id: str, data: Mapping[str, Any]) -> None:
    """``script.<object id>``: runs to the end. Raises NotFound."""
    script = world.devices.get(f"script.{object_id}")
    if not isinstance(script, Scripted):
        raise NotFound(f"Service script.{object_id} not found.")
    world.log(script.entity_id, object_id, data)
    await script.run(data)


def _fill(value: object, variables: Mapping[str, object]) -> Any:
    if not isinstance(value, str):
        return value
    whole = _FIELD.fullmatch(value.strip())
    if whole:
        return variables.get(whole[1], value)
    return _FIELD.sub(lambda found: str(variables.get(found[1], "")), value)


def _text(state: object) -> str:
    if isinstance(state, bool):
        return "on" if state else "off"
    return str(state)
