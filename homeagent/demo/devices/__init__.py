"""What each domain does with each service, where its profile does not say it all. Importing registers them."""

from __future__ import annotations

from homeagent.demo.devices import (  # noqa: F401
    climate,
    covers,
    fans,
    input_helpers,
    lights,
    lists,
    locks,
    media,
    scripted,
    sun,
    timers,
    toggles,
    weather,
)
from homeagent.demo.devices.base import ACTIONS, Action, Device, device_class_for
from homeagent.demo.devices.profile_services import register_usual

__all__ = ["ACTIONS", "Action", "Device", "device_class_for"]

register_usual()
