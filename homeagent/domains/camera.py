"""Cameras."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import Profile, Simulation
from homeagent.domains.service import Service
from homeagent.languages.concepts import SafetyKind


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    ON_OFF = 1
    STREAM = 2


PROFILES = (
    Profile(
        "camera",
        actions={
            "turn_on": Service("turn_on", feature=Feature.ON_OFF, leaves=("off",)),
            "turn_off": Service("turn_off", feature=Feature.ON_OFF, reaches=("off",)),
            "enable_motion_detection": Service("enable_motion_detection", shows={"motion_detection": True}),
            "disable_motion_detection": Service("disable_motion_detection", shows={"motion_detection": False}),
        },
        features=Feature,
        guards={"": frozenset({SafetyKind.GUARD})},
        simulated=Simulation(start="idle", usual=Feature.ON_OFF),
    ),
)
