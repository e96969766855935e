"""Choices from a list, of devices and of helpers."""

from __future__ import annotations

from homeagent.domains.profile import Choices, Profile, Simulation
from homeagent.domains.service import Effect, Kind, Param, Service

_CYCLE = (Param("cycle", Kind.FLAG),)


def _select(domain: str, rank: int, simulated: Simulation) -> Profile:
    option = Param("option", Kind.OPTION, options="options", required=True, reads="state")
    return Profile(
        domain,
        actions={
            "select_next": Service("select_next", _CYCLE, effect=Effect.CHANGE),
            "select_previous": Service("select_previous", _CYCLE, effect=Effect.CHANGE),
            "select_first": Service("select_first"),
            "select_last": Service("select_last"),
        },
        setters=(Service("select_option", (option,)),),
        same={"next": "select_next", "previous": "select_previous"},
        value="option",
        rank=rank,
        choices=(Choices("options", "option"),),
        simulated=simulated,
    )


PROFILES = (
    _select("select", 19, Simulation(first_of="options", unrecorded=frozenset({"options"}))),
    _select("input_select", 20, Simulation(first_of="options")),
)
