"""The devices: what each domain does with each service. Importing this package registers all of them."""

from __future__ import annotations

from homeagent.demo.devices import (  # noqa: F401
    climate,
    fans,
    lights,
    lists,
    locks,
    media,
    openings,
    robots,
    scripted,
    timers,
    toggles,
    values,
    weather,
)
from homeagent.demo.devices.base import ACTIONS, Action, Device, device_class_for

__all__ = ["ACTIONS", "Action", "Device", "device_class_for"]
