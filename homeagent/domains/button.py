"""Buttons, of devices and of helpers."""

from __future__ import annotations

from homeagent.domains.profile import Profile
from homeagent.domains.service import Effect, Service

PROFILES = (
    Profile(
        "button",
        momentary=True,
        actions={"press": Service("press", effect=Effect.CHANGE)},
        same={"turn_on": "press", "push": "press"},
        rank=23,
        meant={"turn_on": "press"},
    ),
    Profile(
        "input_button",
        momentary=True,
        actions={"press": Service("press", effect=Effect.CHANGE)},
        same={"turn_on": "press", "push": "press"},
        rank=24,
        meant={"turn_on": "press"},
    ),
)
