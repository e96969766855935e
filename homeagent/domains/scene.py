"""Scenes."""

from __future__ import annotations

from homeagent.domains.profile import Profile
from homeagent.domains.service import Effect, Kind, Param, Service

PROFILES = (
    Profile(
        "scene",
        momentary=True,
        drives_others=True,
        actions={
            "turn_on": Service("turn_on", (Param("transition", Kind.NUMBER, low=0, high=6553),), effect=Effect.CHANGE)
        },
        same={"activate": "turn_on", "apply": "turn_on", "start": "turn_on"},
        rank=11,
        told_alone=True,
        meant={"press": "turn_on"},
    ),
)
