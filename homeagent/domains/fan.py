"""Fans."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import WIRED_TO_ANYTHING, Choices, Measure, MeasureUnit, Profile, Simulation
from homeagent.domains.service import Effect, Kind, Param, Service, on_off


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    SET_SPEED = 1
    OSCILLATE = 2
    DIRECTION = 4
    PRESET_MODE = 8
    TURN_OFF = 16
    TURN_ON = 32


_PERCENTAGE = Param(
    "percentage",
    Kind.NUMBER,
    low=0,
    high=100,
    feature=Feature.SET_SPEED,
    reads="percentage",
    tolerance="percentage_step",
)


_FAN_PRESET = Param(
    "preset_mode", Kind.OPTION, options="preset_modes", feature=Feature.PRESET_MODE, reads="preset_mode"
)


PROFILES = (
    Profile(
        "fan",
        actions={
            **on_off(_PERCENTAGE, _FAN_PRESET, on=Feature.TURN_ON, off=Feature.TURN_OFF),
            "increase_speed": Service(
                "increase_speed",
                (Param("percentage_step", Kind.INTEGER, low=0, high=100),),
                feature=Feature.SET_SPEED,
                reaches=("on",),
            ),
            "decrease_speed": Service(
                "decrease_speed",
                (Param("percentage_step", Kind.INTEGER, low=0, high=100),),
                feature=Feature.SET_SPEED,
                effect=Effect.CHANGE,
            ),
        },
        setters=(
            Service(
                "set_percentage",
                (
                    _PERCENTAGE,
                    Param(
                        "percentage_step",
                        Kind.NUMBER,
                        field="percentage",
                        low=0,
                        high=100,
                        feature=Feature.SET_SPEED,
                        reads="percentage",
                        tolerance="percentage_step",
                        step=True,
                        base=0,
                    ),
                ),
            ),
            Service("set_preset_mode", (_FAN_PRESET,)),
            Service("oscillate", (Param("oscillating", Kind.FLAG, feature=Feature.OSCILLATE, reads="oscillating"),)),
            Service(
                "set_direction",
                (
                    Param(
                        "direction",
                        Kind.OPTION,
                        options=("forward", "reverse"),
                        feature=Feature.DIRECTION,
                        reads="direction",
                    ),
                ),
            ),
        ),
        value="percentage",
        features=Feature,
        rank=3,
        meant={"start": "turn_on", "stop": "turn_off"},
        in_everything=True,
        exposed=True,
        left_on=True,
        switched=True,
        measures=(
            Measure("fan_speed", "percentage", unit=MeasureUnit.PERCENT),
            Measure("preset", "preset_mode"),
        ),
        choices=(Choices("preset_modes", "preset_mode"),),
        name_tells=WIRED_TO_ANYTHING,
        simulated=Simulation(
            start="off",
            attributes={"percentage": 0, "percentage_step": 1.0},
            usual=Feature.SET_SPEED | Feature.TURN_ON | Feature.TURN_OFF,
            told_by={
                "preset_modes": Feature.PRESET_MODE,
                "oscillating": Feature.OSCILLATE,
                "direction": Feature.DIRECTION,
            },
            unrecorded=frozenset({"preset_modes"}),
        ),
    ),
)
