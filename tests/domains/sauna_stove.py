"""Domains that Home Assistant has not: stoves of a sauna, and ovens; known by this file alone."""

from __future__ import annotations

from homeagent.domains.profile import Measure, MeasureUnit, Profile, Simulation
from homeagent.domains.service import Service, temperature

PROFILES = (
    Profile(
        "sauna_stove",
        actions={
            "turn_on": Service("heat_up", reaches=("heating", "idle")),
            "turn_off": Service("cool_down", reaches=("off",)),
        },
        setters=(
            Service(
                "set_temperature",
                (
                    temperature("temperature", 0),
                    temperature("temperature_step", 0, "temperature", step=True, field="temperature"),
                ),
            ),
        ),
        value="temperature",
        rank=28,
        left_on=True,
        bare_numbers=True,
        states=("heating", "idle", "off"),
        running=("heating", "idle"),
        measures=(
            Measure("temperature", "current_temperature", unit=MeasureUnit.DEGREE),
            Measure("target_temperature", "temperature", unit=MeasureUnit.DEGREE, wished=True),
        ),
        simulated=Simulation(start="off", attributes={"min_temp": 40, "max_temp": 110}),
    ),
    Profile("baking_oven", states=("baking", "off"), running=("baking",), appliance=True),
)
