"""Blinds, shutters, awnings, doors and gates that move."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import Measure, MeasureUnit, Profile, Simulation, Together
from homeagent.domains.service import MOVING, Effect, Service, opened, position, positioned
from homeagent.languages.concepts import SafetyKind


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    OPEN = 1
    CLOSE = 2
    SET_POSITION = 4
    STOP = 8
    OPEN_TILT = 16
    CLOSE_TILT = 32
    STOP_TILT = 64
    SET_TILT_POSITION = 128


SHADES = frozenset({"blind", "curtain", "shade", "shutter"})
"""Device classes of what keeps the sun out of a room."""

PROFILES = (
    Profile(
        "cover",
        actions={
            **opened("cover", open=Feature.OPEN, close=Feature.CLOSE, stop=Feature.STOP),
            "open_tilt": Service("open_cover_tilt", feature=Feature.OPEN_TILT, shows={"current_tilt_position": 100}),
            "close_tilt": Service("close_cover_tilt", feature=Feature.CLOSE_TILT, shows={"current_tilt_position": 0}),
            "stop_tilt": Service("stop_cover_tilt", feature=Feature.STOP_TILT, effect=Effect.UNSEEN),
            "toggle_tilt": Service(
                "toggle_cover_tilt", feature=Feature.OPEN_TILT | Feature.CLOSE_TILT, effect=Effect.CHANGE
            ),
        },
        setters=(
            positioned("cover", Feature.SET_POSITION),
            Service(
                "set_cover_tilt_position",
                (
                    position("tilt_position", Feature.SET_TILT_POSITION, "current_tilt_position"),
                    position(
                        "tilt_step",
                        Feature.SET_TILT_POSITION,
                        "current_tilt_position",
                        step=True,
                        field="tilt_position",
                    ),
                ),
            ),
        ),
        same={"turn_on": "open", "turn_off": "close", "set_position": "set_value", "set_tilt": "set_value"},
        value="position",
        features=Feature,
        rank=6,
        meant={"turn_on": "open", "turn_off": "close"},
        exposed=True,
        at_work=MOVING,
        states=("open", "closed", *MOVING),
        active="open",
        resting="closed",
        bare_numbers=True,
        measures=(Measure("position", "current_position", unit=MeasureUnit.PERCENT),),
        guards={
            "door": frozenset({SafetyKind.DOOR}),
            "garage": frozenset({SafetyKind.DOOR, SafetyKind.GARAGE}),
            "gate": frozenset({SafetyKind.GATE}),
            "window": frozenset({SafetyKind.WINDOW}),
        },
        guards_if_called=frozenset({SafetyKind.GARAGE, SafetyKind.GATE}),
        simulated=Simulation(
            start="closed",
            usual=Feature.OPEN | Feature.CLOSE | Feature.STOP,
            told_by={"current_position": Feature.SET_POSITION},
            yes_no=("open", "closed"),
            active_by=("current_position",),
            together={"current_position": Together.MEAN},
        ),
    ),
)
