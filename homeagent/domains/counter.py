"""Counters."""

from __future__ import annotations

from homeagent.domains.profile import Profile, Simulation
from homeagent.domains.service import Effect, Kind, Param, Service

PROFILES = (
    Profile(
        "counter",
        actions={
            "increment": Service("increment", effect=Effect.ACCEPTED),
            "decrement": Service("decrement", effect=Effect.ACCEPTED),
            "reset": Service("reset", effect=Effect.ACCEPTED),
        },
        setters=(
            Service(
                "set_value",
                (Param("value", Kind.INTEGER, low="minimum", high="maximum", required=True, reads="state"),),
            ),
        ),
        value="value",
        simulated=Simulation(start="0", attributes={"initial": 0, "step": 1}),
    ),
)
