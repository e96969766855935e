"""What each domain does with each service, where its profile does not say it all. Importing registers them."""

from __future__ import annotations

from homeagent.demo.devices import (  # noqa: F401
    climate,
    fans,
    lights,
    lists,
    locks,
    media,
    openings,
    scripted,
    timers,
    toggles,
    values,
    weather,
)
from homeagent.demo.devices.base import ACTIONS, Action, Device, device_class_for
from homeagent.demo.devices.usual import register_usual

__all__ = ["ACTIONS", "Action", "Device", "device_class_for"]

register_usual()
