"""What measures or notices something."""

from __future__ import annotations

from collections.abc import Mapping

from homeagent.domains.profile import Measure, Profile, Simulation
from homeagent.languages.concepts import SafetyKind

_NOTICED: Mapping[str, frozenset[SafetyKind]] = {
    "smoke": frozenset({SafetyKind.SMOKE, SafetyKind.FIRE}),
    "heat": frozenset({SafetyKind.FIRE}),
    "gas": frozenset({SafetyKind.GAS}),
    "carbon_monoxide": frozenset({SafetyKind.CARBON_MONOXIDE}),
    "moisture": frozenset({SafetyKind.LEAK}),
    "lock": frozenset({SafetyKind.LOCK}),
    "door": frozenset({SafetyKind.DOOR}),
    "garage_door": frozenset({SafetyKind.DOOR, SafetyKind.GARAGE}),
    "window": frozenset({SafetyKind.WINDOW}),
    "opening": frozenset({SafetyKind.OPENING}),
    "motion": frozenset({SafetyKind.MOTION}),
    "occupancy": frozenset({SafetyKind.PRESENCE}),
    "presence": frozenset({SafetyKind.PRESENCE}),
    "safety": frozenset({SafetyKind.UNSAFE}),
    "tamper": frozenset({SafetyKind.UNSAFE}),
}

PROFILES = (
    Profile(
        "sensor",
        exposed=True,
        told_alone=True,
        bare_numbers=True,
        measures=(
            Measure("brightness", "", device_class="illuminance"),
            Measure("temperature", "", device_class="temperature"),
            Measure("humidity", "", device_class="humidity"),
            Measure("humidity", "", device_class="moisture"),
            Measure("battery", "", device_class="battery"),
            Measure("power", "", device_class="power"),
            Measure("energy", "", device_class="energy"),
        ),
        guards={"carbon_monoxide": _NOTICED["carbon_monoxide"]},
        appliance=True,
    ),
    Profile(
        "binary_sensor",
        exposed=True,
        switched=True,
        measures=(Measure("battery", "", device_class="battery"),),
        guards=_NOTICED,
        guards_if_called=frozenset(kind for kinds in _NOTICED.values() for kind in kinds),
        appliance=True,
        simulated=Simulation(start="off"),
    ),
    Profile("event", momentary=True),
)
