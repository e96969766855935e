"""What measures or notices something."""

from __future__ import annotations

from homeagent.domains.profile import Measure, Profile, Simulation

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
    ),
    Profile(
        "binary_sensor",
        exposed=True,
        switched=True,
        measures=(Measure("battery", "", device_class="battery"),),
        simulated=Simulation(start="off"),
    ),
    Profile("event", momentary=True),
)
