"""Thermostats, heating, air conditioning."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import Choices, Doing, Measure, MeasureUnit, NameTells, Profile, Remedy, Simulation
from homeagent.domains.service import Effect, Kind, Param, Service, chosen, temperature
from homeagent.languages.concepts import Complaint


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    TARGET_TEMPERATURE = 1
    TARGET_TEMPERATURE_RANGE = 2
    TARGET_HUMIDITY = 4
    FAN_MODE = 8
    PRESET_MODE = 16
    SWING_MODE = 32
    AUX_HEAT = 64
    TURN_OFF = 128
    TURN_ON = 256
    SWING_HORIZONTAL_MODE = 512


PROFILES = (
    Profile(
        "climate",
        actions={
            "turn_on": Service("turn_on", feature=Feature.TURN_ON, leaves=("off",)),
            "turn_off": Service("turn_off", feature=Feature.TURN_OFF, reaches=("off",)),
            "toggle": Service("toggle", feature=Feature.TURN_OFF, effect=Effect.CHANGE),
        },
        setters=(
            Service("set_hvac_mode", (Param("hvac_mode", Kind.OPTION, options="hvac_modes", reads="state"),)),
            chosen("set_preset_mode", "preset_mode", "preset_modes", Feature.PRESET_MODE),
            Service(
                "set_temperature",
                (
                    temperature("temperature", Feature.TARGET_TEMPERATURE),
                    temperature(
                        "temperature_step", Feature.TARGET_TEMPERATURE, "temperature", step=True, field="temperature"
                    ),
                    temperature("target_temp_low", Feature.TARGET_TEMPERATURE_RANGE),
                    temperature("target_temp_high", Feature.TARGET_TEMPERATURE_RANGE),
                ),
            ),
            chosen("set_fan_mode", "fan_mode", "fan_modes", Feature.FAN_MODE),
            chosen("set_swing_mode", "swing_mode", "swing_modes", Feature.SWING_MODE),
            chosen(
                "set_swing_horizontal_mode",
                "swing_horizontal_mode",
                "swing_horizontal_modes",
                Feature.SWING_HORIZONTAL_MODE,
            ),
            Service(
                "set_humidity",
                (
                    Param(
                        "humidity",
                        Kind.INTEGER,
                        low="min_humidity",
                        high="max_humidity",
                        feature=Feature.TARGET_HUMIDITY,
                        reads="humidity",
                    ),
                ),
            ),
        ),
        value="temperature",
        features=Feature,
        rank=5,
        meant={"start": "turn_on", "stop": "turn_off"},
        exposed=True,
        bare_numbers=True,
        remedies=(
            Remedy(Complaint.COLD, "set_value", {"temperature_step": 1}),
            Remedy(Complaint.HOT, "set_value", {"temperature_step": -1}),
        ),
        states=("off", "on", "heat", "cool", "heat_cool", "auto", "dry", "fan_only"),
        running=("heat", "cool", "heat_cool", "auto", "dry", "fan_only"),
        doing=Doing("hvac_action", {"heating": "heat", "cooling": "cool", "drying": "dry", "fan": "fan_only"}),
        measures=(
            Measure("temperature", "current_temperature", unit=MeasureUnit.DEGREE),
            Measure("target_temperature", "temperature", unit=MeasureUnit.DEGREE, wished=True),
            Measure("target_temperature", "target_temp_low", unit=MeasureUnit.DEGREE, wished=True, asked=False),
            Measure("target_temperature", "target_temp_high", unit=MeasureUnit.DEGREE, wished=True, asked=False),
            Measure("humidity", "current_humidity", unit=MeasureUnit.PERCENT),
            Measure("humidity", "humidity", unit=MeasureUnit.PERCENT, wished=True, asked=False),
            Measure("mode", ""),
            Measure("fan_mode", "fan_mode"),
            Measure("preset", "preset_mode"),
        ),
        choices=(
            Choices("preset_modes", "preset_mode"),
            Choices("fan_modes", "fan_mode"),
            Choices("swing_modes", "swing_mode"),
            Choices("swing_horizontal_modes", "swing_horizontal_mode"),
        ),
        name_tells=frozenset({NameTells.FIRE}),
        appliance=True,
        harmless=("cool", "dry", "fan_only"),
        simulated=Simulation(
            start="off",
            attributes={"hvac_modes": ["off", "heat"], "min_temp": 7, "max_temp": 35},
            usual=Feature.TARGET_TEMPERATURE | Feature.TURN_ON | Feature.TURN_OFF,
            told_by={
                "preset_modes": Feature.PRESET_MODE,
                "fan_modes": Feature.FAN_MODE,
                "swing_modes": Feature.SWING_MODE,
                "swing_horizontal_modes": Feature.SWING_HORIZONTAL_MODE,
            },
            unrecorded=frozenset(
                {
                    *("hvac_modes", "fan_modes", "preset_modes", "swing_modes", "swing_horizontal_modes"),
                    *("min_temp", "max_temp", "target_temp_step"),
                }
            ),
        ),
    ),
)
