"""Switches, of devices and of helpers, and groups of any things."""

from __future__ import annotations

from homeagent.domains.profile import WIRED_TO_ANYTHING, Profile, Simulation
from homeagent.domains.service import on_off

PROFILES = (
    Profile(
        "switch",
        actions=on_off(),
        rank=2,
        meant={"start": "turn_on", "stop": "turn_off"},
        in_everything=True,
        exposed=True,
        switched=True,
        name_tells=WIRED_TO_ANYTHING,
        appliance=True,
        simulated=Simulation(start="off"),
    ),
    Profile(
        "input_boolean",
        actions=on_off(),
        rank=9,
        meant={"start": "turn_on", "stop": "turn_off"},
        in_everything=True,
        switched=True,
        name_tells=WIRED_TO_ANYTHING,
        appliance=True,
        simulated=Simulation(start="off"),
    ),
    Profile("group", switched=True, drives_others=True, simulated=Simulation(start="off")),
)
