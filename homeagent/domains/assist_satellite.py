"""Voice satellites, which can say something."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import Profile, Simulation
from homeagent.domains.service import Effect, Kind, Param, Service


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    ANNOUNCE = 1
    START_CONVERSATION = 2


PROFILES = (
    Profile(
        "assist_satellite",
        actions={
            "announce": Service(
                "announce",
                (Param("message", required=True), Param("preannounce", Kind.FLAG)),
                feature=Feature.ANNOUNCE,
                effect=Effect.UNSEEN,
            )
        },
        same={"say": "announce", "broadcast": "announce"},
        features=Feature,
        rank=25,
        told_as=("sent",),
        simulated=Simulation(start="idle", usual=Feature.ANNOUNCE | Feature.START_CONVERSATION),
    ),
)
