"""Timers of Home Assistant's own."""

from __future__ import annotations

from homeagent.domains.profile import Profile, Simulation
from homeagent.domains.service import Effect, Kind, Param, Service

PROFILES = (
    Profile(
        "timer",
        actions={
            "start": Service("start", (Param("duration", Kind.DURATION),), reaches=("active",)),
            "pause": Service("pause", reaches=("paused", "idle")),
            "cancel": Service("cancel", reaches=("idle",)),
            "finish": Service("finish", reaches=("idle",)),
            "change": Service("change", (Param("duration", Kind.DURATION, required=True),), effect=Effect.ACCEPTED),
        },
        same={"turn_on": "start", "turn_off": "cancel", "stop": "cancel", "resume": "start"},
        rank=28,
        told_alone=True,
        told_as=("scheduled",),
        simulated=Simulation(start="idle"),
    ),
)
