"""Weather services, and the sun."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import Profile, Simulation


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    FORECAST_DAILY = 1
    FORECAST_HOURLY = 2
    FORECAST_TWICE_DAILY = 4


PROFILES = (
    Profile("weather", features=Feature, simulated=Simulation(usual=Feature.FORECAST_DAILY | Feature.FORECAST_HOURLY)),
    Profile("sun", states=("above_horizon", "below_horizon")),
)
