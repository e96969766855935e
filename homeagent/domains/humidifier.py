"""Humidifiers and dehumidifiers."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import Choices, Doing, Measure, MeasureUnit, NameTells, Profile, Simulation
from homeagent.domains.service import Kind, Param, Service, chosen, on_off


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    MODES = 1


PROFILES = (
    Profile(
        "humidifier",
        actions=on_off(),
        setters=(
            Service(
                "set_humidity",
                (
                    Param("humidity", Kind.INTEGER, low="min_humidity", high="max_humidity", reads="humidity"),
                    Param(
                        "humidity_step",
                        Kind.INTEGER,
                        field="humidity",
                        low="min_humidity",
                        high="max_humidity",
                        reads="humidity",
                        step=True,
                    ),
                ),
            ),
            chosen("set_mode", "mode", "available_modes", Feature.MODES),
        ),
        value="humidity",
        features=Feature,
        rank=10,
        meant={"start": "turn_on", "stop": "turn_off"},
        in_everything=True,
        exposed=True,
        switched=True,
        bare_numbers=True,
        doing=Doing("action"),
        measures=(
            Measure("humidity", "current_humidity", unit=MeasureUnit.PERCENT),
            Measure("humidity", "humidity", unit=MeasureUnit.PERCENT, wished=True, asked=False),
        ),
        choices=(Choices("available_modes", "mode"),),
        name_tells=frozenset({NameTells.FIRE, NameTells.HEATERS}),
        simulated=Simulation(
            start="off",
            attributes={"min_humidity": 0, "max_humidity": 100},
            told_by={"available_modes": Feature.MODES},
            unrecorded=frozenset({"min_humidity", "max_humidity", "available_modes"}),
        ),
    ),
)
