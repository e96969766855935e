"""Dates and times that are kept as settings."""

from __future__ import annotations

from homeagent.domains.profile import Profile
from homeagent.domains.service import Effect, Kind, Param, Service

KEEPS_A_TIME = frozenset({"input_datetime", "time"})
"""Domains of the times that Home Assistant keeps."""

PROFILES = (
    Profile(
        "date", setters=(Service("set_value", (Param("date", Kind.DATE, required=True, reads="state"),)),), value="date"
    ),
    Profile(
        "time",
        setters=(Service("set_value", (Param("time", Kind.TIME, required=True, reads="state"),)),),
        value="time",
        rank=29,
    ),
    Profile(
        "datetime",
        setters=(Service("set_value", (Param("datetime", Kind.DATETIME, required=True),), effect=Effect.ACCEPTED),),
        value="datetime",
    ),
    Profile(
        "input_datetime",
        setters=(
            Service(
                "set_datetime",
                (Param("date", Kind.DATE), Param("time", Kind.TIME, reads="state"), Param("datetime", Kind.DATETIME)),
                effect=Effect.ACCEPTED,
            ),
        ),
        value="datetime",
        told_alone=True,
        rank=30,
    ),
)
