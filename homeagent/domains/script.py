"""Scripts."""

from __future__ import annotations

from homeagent.domains.profile import Profile, Simulation
from homeagent.domains.service import Effect, Kind, Param, Service

PROFILES = (
    Profile(
        "script",
        actions={
            "turn_on": Service("turn_on", (Param("variables", Kind.MAPPING),), effect=Effect.CHANGE),
            "turn_off": Service("turn_off", reaches=("off",)),
            "toggle": Service("toggle", effect=Effect.CHANGE),
        },
        same={"run": "turn_on", "start": "turn_on", "activate": "turn_on", "stop": "turn_off"},
        rank=12,
        told_alone=True,
        meant={"press": "turn_on"},
        switched=True,
        drives_others=True,
        simulated=Simulation(start="off"),
    ),
)
