"""Valves."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import Measure, Profile, Simulation
from homeagent.domains.service import Effect, Service, position


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    OPEN = 1
    CLOSE = 2
    SET_POSITION = 4
    STOP = 8


_MOVING = ("opening", "closing")


PROFILES = (
    Profile(
        "valve",
        actions={
            "open": Service(
                "open_valve",
                feature=Feature.OPEN,
                reaches=("open",),
                under_way=("opening",),
                shows={"current_position": 100},
            ),
            "close": Service("close_valve", feature=Feature.CLOSE, reaches=("closed",), under_way=("closing",)),
            "stop": Service("stop_valve", feature=Feature.STOP, leaves=_MOVING),
            "toggle": Service("toggle", feature=Feature.OPEN | Feature.CLOSE, effect=Effect.CHANGE),
        },
        setters=(
            Service(
                "set_valve_position",
                (
                    position("position", Feature.SET_POSITION, "current_position"),
                    position("position_step", Feature.SET_POSITION, "current_position", step=True, field="position"),
                ),
                under_way=_MOVING,
            ),
        ),
        same={"turn_on": "open", "turn_off": "close", "set_position": "set_value"},
        value="position",
        features=Feature,
        rank=13,
        meant={"turn_on": "open", "turn_off": "close"},
        at_work=("opening", "closing"),
        states=("open", "closed", "opening", "closing"),
        active="open",
        resting="closed",
        measures=(Measure("position", "current_position"),),
        simulated=Simulation(
            start="closed", usual=Feature.OPEN | Feature.CLOSE, told_by={"current_position": Feature.SET_POSITION}
        ),
    ),
)
