"""The home as it runs: devices, their states, the log of what reached them, and the passing of time."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from homeagent.demo.devices import Device, device_class_for
from homeagent.demo.inventory import Behavior, Inventory
from homeagent.demo.logbook import Logbook
from homeagent.demo.recorded_past import Recorder, Row
from homeagent.demo.registry import Registries
from homeagent.demo.service_calls import Services
from homeagent.demo.state_machine import Context, State, States, acting
from homeagent.domains import profile_of
from homeagent.domains.profile import Together

DEFAULT_TRAVEL = 1.0
"""Seconds that a cover, a valve … takes from one end to the other, where nothing else is said."""

EventListener = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class DeviceCall:
    """A command that reached a device. ``data`` is what came with it, checked, without the target.

    ``at``: when, in seconds of ``time.monotonic``.
    """

    entity_id: str
    service: str
    data: Mapping[str, Any] = field(default_factory=dict)
    at: float = field(default_factory=time.monotonic, compare=False, repr=False)


class World:
    """The running home of an inventory. ``travel``: seconds that everything that moves takes, in
    place of its own time. ``logbook``: None where it keeps none.
    """

    def __init__(self, inventory: Inventory, *, travel: float | None = None) -> None:
        self.inventory = inventory
        self.time_zone = ZoneInfo(inventory.time_zone)
        self.registries = Registries(inventory)
        self.states = States()
        self.recorder = Recorder(self.time_zone)
        self.logbook: Logbook | None = None
        self.services = Services(self)
        self.calls: list[DeviceCall] = []
        self.devices: dict[str, Device] = {}
        self.domains = frozenset(spec.domain for spec in inventory.entities)
        self._travel = travel
        self._groups: defaultdict[str, list[str]] = defaultdict(list)
        self._timers: set[asyncio.TimerHandle] = set()
        self._event_listeners: list[EventListener] = []
        self.states.listen(self._changed)
        self._build(inventory)

    def now(self) -> datetime:
        """The time of the home's own zone."""
        return datetime.now(self.time_zone)

    def monotonic(self) -> float:
        """Seconds of the clock that the timers go by."""
        return asyncio.get_running_loop().time()

    def log(self, entity_id: str, service: str, data: Mapping[str, object]) -> None:
        """Note that a command reached a device."""
        self.calls.append(DeviceCall(entity_id, service, dict(data)))

    def publish(self, device: Device) -> None:
        """Show a device's state to everybody."""
        attributes = device.shown()
        attributes["friendly_name"] = self.registries.entity_name(device.spec)
        self.states.set(device.entity_id, device.state, attributes)
        for group_id in self._groups.get(device.entity_id, ()):
            self._show_group(self.devices[group_id])

    def later(self, seconds: float, act: Callable[[], None]) -> asyncio.TimerHandle:
        """Do something after so many seconds, in the context of the call that asked for it."""

        def run() -> None:
            self._timers.discard(handle)
            act()

        handle = asyncio.get_running_loop().call_later(seconds, run)
        self._timers.add(handle)
        return handle

    def travel_time(self, behavior: Behavior) -> float:
        """Seconds that a device takes from one end to the other."""
        if self._travel is not None:
            return self._travel
        return DEFAULT_TRAVEL if behavior.travel is None else behavior.travel

    def stop(self) -> None:
        """Nothing moves any more."""
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()

    def reset(self) -> None:
        """Put every device back to what the inventory says and forget what reached them; the history stays."""
        self.stop()
        self.calls.clear()
        self.devices = {i: device_class_for(old.domain)(old.spec, self) for i, old in self.devices.items()}
        for device in self.devices.values():
            self.publish(device)
        self._show_groups()

    def set_state(self, entity_id: str, state: str | None, attributes: Mapping[str, object] | None = None) -> None:
        """A change on the device's side. ``attributes`` are added to those it has."""
        device = self.devices.get(entity_id)
        if device is not None:
            device.put(state, attributes or {})
            return
        self.states.set(entity_id, state or "unknown", attributes or {})

    def fire(self, event_type: str, data: Mapping[str, object], context: Context | None = None) -> None:
        """Tell all listeners of an event. ``context`` None: that of the call under way, else a new one."""
        context, now = context or acting.get() or Context(), datetime.now(UTC)
        if self.logbook is not None:
            self.logbook.take_event(event_type, data, context, now)
        event = {
            "event_type": event_type,
            "data": dict(data),
            "origin": "LOCAL",
            "time_fired": now.isoformat(),
            "context": context.as_dict(),
        }
        for listener in tuple(self._event_listeners):
            listener(event)

    def on_event(self, listener: EventListener) -> Callable[[], None]:
        """Have ``listener`` called with every event, until the function that is returned is called."""
        self._event_listeners.append(listener)
        return lambda: self._event_listeners.remove(listener)

    def name_of(self, entity_id: str) -> str:
        """What an entity is called; its id's own part where there is none."""
        device = self.devices.get(entity_id)
        return self.registries.entity_name(device.spec) if device else entity_id.partition(".")[2].replace("_", " ")

    def age(self, entity_id: str, rows: Sequence[Row], context: Context | None) -> None:
        """Give an entity its recorded past, whose last row is how it is now. ``context``: what that came about in."""
        self.recorder.replace_rows(entity_id, rows)
        self.states.backdate(entity_id, rows[-1].changed, rows[-1].updated, context)

    def rename(self, entity_id: str) -> None:
        """Show a new name of the registry."""
        if device := self.devices.get(entity_id):
            self.publish(device)

    def change_id(self, entity_id: str, new_id: str) -> None:
        """Give an entity another id. Its records stay under the old one, as Home Assistant leaves them where the state
        is written under the new id before it comes to move them. Raises InvalidInfo where the id is taken."""
        self.registries.change_id(entity_id, new_id)
        device = self.devices.pop(entity_id)
        device.spec = replace(device.spec, id=new_id)
        device.entity_id = new_id
        self.devices[new_id] = device
        self.states.remove(entity_id)

    def _build(self, inventory: Inventory) -> None:
        for spec in inventory.entities:
            self.devices[spec.id] = device_class_for(spec.domain)(spec, self)
            if history := spec.extra.get("x-history"):
                self.recorder.seed(spec.id, history, spec.state)
        start = datetime.now(UTC)
        for device in self.devices.values():
            attributes = device.shown()
            attributes["friendly_name"] = self.registries.entity_name(device.spec)
            at = self.recorder.last_seeded(device.entity_id) or start - timedelta(seconds=1)
            self.states.set(device.entity_id, device.state, attributes, at=at)
            for member in device.members:
                self._groups[member].append(device.entity_id)
        self._show_groups()

    def _show_groups(self) -> None:
        for group_id in {group for groups in self._groups.values() for group in groups}:
            self._show_group(self.devices[group_id])

    def _show_group(self, group: Device) -> None:
        state, attributes = group_state(group.domain, [self.devices[m] for m in group.members if m in self.devices])
        group.put(state, attributes)

    def _changed(self, old: State | None, new: State | None) -> None:
        self.recorder.take(new)
        if self.logbook is not None:
            self.logbook.take(new, old)
        if self._event_listeners:
            known = new or old
            assert known is not None
            self.fire(
                "state_changed",
                {
                    "entity_id": known.entity_id,
                    "old_state": old.as_dict() if old else None,
                    "new_state": new.as_dict() if new else None,
                },
                known.context,
            )


def group_state(domain: str, members: Sequence[Device]) -> tuple[str, dict[str, object]]:
    """The state of a group of ``domain``, and what its members make of its attributes.

    On if any member is on; unavailable if all are.
    """
    reachable = [member for member in members if member.state != "unavailable"]
    if not reachable:
        return "unavailable", {}
    profile = profile_of(domain)
    on = [member for member in reachable if member.state == profile.active]
    attributes: dict[str, Any] = {}
    for name, together in profile.simulated.together.items():
        counted = reachable if together is Together.MEAN else on
        values = [m.attributes[name] for m in counted if m.attributes.get(name) is not None]
        if values:
            most = together is Together.MOST_ACTIVE
            attributes[name] = max(values, key=values.count) if most else round(sum(values) / len(values))
    return (profile.active if on else profile.resting), attributes
