"""People, and the devices that tell where they are."""

from __future__ import annotations

from homeagent.domains.profile import Profile, Simulation

PEOPLE = ("person", "device_tracker")
"""Domains of who is at home or not, themselves before what they carry."""

PROFILES = (
    Profile(
        "person",
        states=("home", "not_home"),
        active="home",
        resting="not_home",
        simulated=Simulation(start="not_home", yes_no=("home", "not_home")),
    ),
    Profile(
        "device_tracker",
        states=("home", "not_home"),
        active="home",
        resting="not_home",
        simulated=Simulation(start="not_home", yes_no=("home", "not_home")),
    ),
)
