"""Choices from a list, of devices and of helpers."""

from __future__ import annotations

from homeagent.domains.profile import Choices, Profile, Simulation
from homeagent.domains.service import Effect, Kind, Param, Service

_CYCLE = (Param("cycle", Kind.FLAG),)


PROFILES = (
    Profile(
        "select",
        actions={
            "select_next": Service("select_next", _CYCLE, effect=Effect.CHANGE),
            "select_previous": Service("select_previous", _CYCLE, effect=Effect.CHANGE),
            "select_first": Service("select_first"),
            "select_last": Service("select_last"),
        },
        setters=(
            Service("select_option", (Param("option", Kind.OPTION, options="options", required=True, reads="state"),)),
        ),
        same={"next": "select_next", "previous": "select_previous"},
        value="option",
        rank=19,
        choices=(Choices("options", "option"),),
        simulated=Simulation(unrecorded=frozenset({"options"})),
    ),
    Profile(
        "input_select",
        actions={
            "select_next": Service("select_next", _CYCLE, effect=Effect.CHANGE),
            "select_previous": Service("select_previous", _CYCLE, effect=Effect.CHANGE),
            "select_first": Service("select_first"),
            "select_last": Service("select_last"),
        },
        setters=(
            Service("select_option", (Param("option", Kind.OPTION, options="options", required=True, reads="state"),)),
        ),
        same={"next": "select_next", "previous": "select_previous"},
        value="option",
        rank=20,
        choices=(Choices("options", "option"),),
    ),
)
