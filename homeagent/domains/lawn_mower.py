"""Lawn mowers."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import Profile, Simulation
from homeagent.domains.service import Service
from homeagent.languages.concepts import Verb


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    START_MOWING = 1
    PAUSE = 2
    DOCK = 4


PROFILES = (
    Profile(
        "lawn_mower",
        actions={
            "start": Service("start_mowing", feature=Feature.START_MOWING, reaches=("mowing",)),
            "pause": Service("pause", feature=Feature.PAUSE, reaches=("paused", "docked")),
            "return_to_base": Service("dock", feature=Feature.DOCK, reaches=("docked",), under_way=("returning",)),
        },
        same={"turn_on": "start", "turn_off": "return_to_base"},
        features=Feature,
        rank=14,
        meant={"turn_on": "start", "turn_off": "return_to_base", "return_to_base": "dock"},
        chore=Verb.MOW,
        at_work=("mowing", "returning"),
        states=("mowing", "docked", "returning", "paused", "error", "on"),
        running=("mowing",),
        simulated=Simulation(start="docked", usual=Feature.START_MOWING | Feature.PAUSE | Feature.DOCK),
    ),
)
