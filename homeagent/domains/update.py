"""Updates of software."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import Profile, Simulation
from homeagent.domains.service import Effect, Kind, Param, Service


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    INSTALL = 1
    SPECIFIC_VERSION = 2
    PROGRESS = 4
    BACKUP = 8
    RELEASE_NOTES = 16


PROFILES = (
    Profile(
        "update",
        actions={
            "install": Service(
                "install",
                (
                    Param("version", feature=Feature.SPECIFIC_VERSION),
                    Param("backup", Kind.FLAG, feature=Feature.BACKUP),
                ),
                feature=Feature.INSTALL,
                effect=Effect.CHANGE,
            ),
            "skip": Service("skip", reaches=("off",)),
            "clear_skipped": Service("clear_skipped", effect=Effect.ACCEPTED),
        },
        features=Feature,
        switched=True,
        without_days=True,
        simulated=Simulation(start="off", usual=Feature.INSTALL),
    ),
)
