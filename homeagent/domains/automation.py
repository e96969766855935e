"""Automations."""

from __future__ import annotations

from homeagent.domains.profile import NameTells, Profile, Simulation
from homeagent.domains.service import Effect, Kind, Param, Service

PROFILES = (
    Profile(
        "automation",
        actions={
            "turn_on": Service("turn_on", reaches=("on",)),
            "turn_off": Service("turn_off", (Param("stop_actions", Kind.FLAG),), reaches=("off",)),
            "toggle": Service("toggle", effect=Effect.CHANGE),
            "trigger": Service("trigger", (Param("skip_condition", Kind.FLAG),), effect=Effect.CHANGE),
        },
        same={"enable": "turn_on", "disable": "turn_off", "run": "trigger"},
        rank=27,
        meant={"start": "trigger"},
        switched=True,
        drives_others=True,
        name_tells=frozenset({NameTells.PROTECTION, NameTells.LOCKS}),
        simulated=Simulation(start="on"),
    ),
)
