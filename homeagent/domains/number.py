"""Numbers that are set, of devices and of helpers."""

from __future__ import annotations

from homeagent.domains.profile import Profile, Simulation
from homeagent.domains.service import Effect, Kind, Param, Service

_SETTERS = (
    Service(
        "set_value",
        (
            Param("value", Kind.NUMBER, low="min", high="max", reads="state", tolerance="step"),
            Param(
                "value_step",
                Kind.NUMBER,
                field="value",
                low="min",
                high="max",
                reads="state",
                tolerance="step",
                step=True,
            ),
        ),
    ),
)


PROFILES = (
    Profile(
        "number",
        setters=_SETTERS,
        value="value",
        rank=21,
        simulated=Simulation(
            start="0.0",
            attributes={"min": 0.0, "max": 100.0, "step": 1.0, "mode": "auto"},
            unrecorded=frozenset({"min", "max", "step", "mode"}),
        ),
    ),
    Profile(
        "input_number",
        actions={
            "increment": Service("increment", effect=Effect.CHANGE),
            "decrement": Service("decrement", effect=Effect.CHANGE),
        },
        setters=_SETTERS,
        value="value",
        rank=22,
        simulated=Simulation(start="0.0", attributes={"min": 0.0, "max": 100.0, "step": 1.0, "mode": "slider"}),
    ),
)
