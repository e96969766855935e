"""Texts that are set, of devices and of helpers."""

from __future__ import annotations

from homeagent.domains.profile import Profile, Simulation
from homeagent.domains.service import Param, Service

PROFILES = (
    Profile(
        "text",
        setters=(Service("set_value", (Param("value", low="min", high="max", required=True, reads="state"),)),),
        value="value",
        simulated=Simulation(attributes={"min": 0, "max": 255, "pattern": None, "mode": "text"}),
    ),
    Profile(
        "input_text",
        setters=(Service("set_value", (Param("value", low="min", high="max", required=True, reads="state"),)),),
        value="value",
        simulated=Simulation(attributes={"min": 0, "max": 100, "pattern": None, "mode": "text"}),
    ),
)
