"""Valves."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import Measure, MeasureUnit, NameTells, Profile, Simulation
from homeagent.domains.service import MOVING, opened, positioned
from homeagent.languages.concepts import SafetyKind


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    OPEN = 1
    CLOSE = 2
    SET_POSITION = 4
    STOP = 8


PROFILES = (
    Profile(
        "valve",
        actions=opened("valve", open=Feature.OPEN, close=Feature.CLOSE, stop=Feature.STOP),
        setters=(positioned("valve", Feature.SET_POSITION),),
        same={"turn_on": "open", "turn_off": "close", "set_position": "set_value"},
        value="position",
        features=Feature,
        rank=13,
        meant={"turn_on": "open", "turn_off": "close"},
        at_work=MOVING,
        states=("open", "closed", *MOVING),
        active="open",
        resting="closed",
        measures=(Measure("position", "current_position", unit=MeasureUnit.PERCENT),),
        guards={"gas": frozenset({SafetyKind.GAS_VALVE}), "": frozenset({SafetyKind.TAP})},
        name_tells=frozenset({NameTells.FIRE}),
        simulated=Simulation(
            start="closed",
            usual=Feature.OPEN | Feature.CLOSE,
            told_by={"current_position": Feature.SET_POSITION},
            yes_no=("open", "closed"),
            active_by=("current_position",),
        ),
    ),
)
