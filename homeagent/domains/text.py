"""Texts that are set, of devices and of helpers."""

from __future__ import annotations

from homeagent.domains.profile import Profile, Simulation
from homeagent.domains.service import Param, Service


def _text(domain: str, longest: int) -> Profile:
    return Profile(
        domain,
        setters=(Service("set_value", (Param("value", low="min", high="max", required=True, reads="state"),)),),
        value="value",
        simulated=Simulation(attributes={"min": 0, "max": longest, "pattern": None, "mode": "text"}),
    )


PROFILES = (_text("text", 255), _text("input_text", 100))
