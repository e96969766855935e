"""Water heaters."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import Choices, Measure, MeasureUnit, NameTells, Profile, Simulation
from homeagent.domains.service import Effect, Kind, Param, Service, temperature


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    TARGET_TEMPERATURE = 1
    OPERATION_MODE = 2
    AWAY_MODE = 4
    ON_OFF = 8


PROFILES = (
    Profile(
        "water_heater",
        actions={
            "turn_on": Service("turn_on", feature=Feature.ON_OFF, leaves=("off",)),
            "turn_off": Service("turn_off", feature=Feature.ON_OFF, reaches=("off",)),
        },
        setters=(
            Service(
                "set_operation_mode",
                (
                    Param(
                        "operation_mode",
                        Kind.OPTION,
                        options="operation_list",
                        feature=Feature.OPERATION_MODE,
                        reads="operation_mode",
                    ),
                ),
            ),
            Service(
                "set_temperature",
                (
                    temperature("temperature", Feature.TARGET_TEMPERATURE),
                    temperature(
                        "temperature_step", Feature.TARGET_TEMPERATURE, "temperature", step=True, field="temperature"
                    ),
                ),
            ),
            Service("set_away_mode", (Param("away_mode", Kind.FLAG, feature=Feature.AWAY_MODE),), effect=Effect.CHANGE),
        ),
        value="temperature",
        features=Feature,
        rank=15,
        switched=True,
        bare_numbers=True,
        running=("eco", "electric", "gas", "heat_pump", "high_demand", "performance"),
        measures=(
            Measure("temperature", "current_temperature", unit=MeasureUnit.DEGREE),
            Measure("target_temperature", "temperature", unit=MeasureUnit.DEGREE, wished=True),
        ),
        choices=(Choices("operation_list", "operation_mode"),),
        name_tells=frozenset({NameTells.FIRE}),
        appliance=True,
        simulated=Simulation(
            start="off",
            attributes={"min_temp": 43, "max_temp": 60, "operation_list": ["off", "eco", "performance"]},
            usual=Feature.TARGET_TEMPERATURE | Feature.OPERATION_MODE,
            told_by={"away_mode": Feature.AWAY_MODE},
        ),
    ),
)
