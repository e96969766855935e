"""Buttons, of devices and of helpers."""

from __future__ import annotations

from homeagent.domains.profile import Profile
from homeagent.domains.service import Effect, Service


def _button(domain: str, rank: int) -> Profile:
    return Profile(
        domain,
        momentary=True,
        drives_others=True,
        actions={"press": Service("press", effect=Effect.CHANGE)},
        same={"turn_on": "press", "push": "press"},
        rank=rank,
        meant={"turn_on": "press"},
    )


PROFILES = (_button("button", 23), _button("input_button", 24))
