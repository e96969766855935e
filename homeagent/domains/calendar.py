"""Calendars."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import Profile, Simulation
from homeagent.domains.service import Effect, Kind, Param, Service


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    CREATE_EVENT = 1
    DELETE_EVENT = 2
    UPDATE_EVENT = 4


PROFILES = (
    Profile(
        "calendar",
        actions={
            "create_event": Service(
                "create_event",
                (
                    Param("summary", required=True),
                    Param("description"),
                    Param("location"),
                    Param("start_date_time", Kind.DATETIME),
                    Param("end_date_time", Kind.DATETIME),
                    Param("start_date", Kind.DATE),
                    Param("end_date", Kind.DATE),
                ),
                feature=Feature.CREATE_EVENT,
                effect=Effect.ACCEPTED,
            ),
        },
        same={"add_event": "create_event"},
        features=Feature,
        rank=31,
        told_alone=True,
        told_as=("scheduled", "added"),
        own_questions=True,
        simulated=Simulation(start="off", usual=Feature.CREATE_EVENT),
    ),
)
