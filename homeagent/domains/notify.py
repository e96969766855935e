"""Where messages can be sent."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import Profile
from homeagent.domains.service import Effect, Param, Service


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    TITLE = 1


PROFILES = (
    Profile(
        "notify",
        momentary=True,
        told_as=("sent",),
        actions={
            "send_message": Service(
                "send_message",
                (Param("message", required=True), Param("title", feature=Feature.TITLE)),
                effect=Effect.ACCEPTED,
            )
        },
        same={"notify": "send_message", "send": "send_message"},
        features=Feature,
    ),
)
