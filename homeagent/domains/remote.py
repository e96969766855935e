"""Remote controls."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import WIRED_TO_ANYTHING, Profile, Simulation
from homeagent.domains.service import Effect, Kind, Param, Service, on_off


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    LEARN_COMMAND = 1
    DELETE_COMMAND = 2
    ACTIVITY = 4


PROFILES = (
    Profile(
        "remote",
        actions={
            **on_off(
                Param(
                    "activity", Kind.OPTION, options="activity_list", feature=Feature.ACTIVITY, reads="current_activity"
                )
            ),
            "send_command": Service(
                "send_command",
                (
                    Param("command", Kind.TEXTS, required=True),
                    Param("device"),
                    Param("num_repeats", Kind.INTEGER, low=1, high=255),
                    Param("delay_secs", Kind.NUMBER, low=0, high=60),
                ),
                effect=Effect.UNSEEN,
            ),
        },
        features=Feature,
        rank=26,
        switched=True,
        name_tells=WIRED_TO_ANYTHING,
        simulated=Simulation(start="off"),
    ),
)
