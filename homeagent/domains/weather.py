"""Weather services, and the sun."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntFlag

from homeagent.domains.profile import Measure, MeasureUnit, Profile, Simulation


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    FORECAST_DAILY = 1
    FORECAST_HOURLY = 2
    FORECAST_TWICE_DAILY = 4


SKIES: Mapping[str, tuple[str, ...]] = {
    "rain": ("rainy", "pouring", "lightning-rainy", "snowy-rainy", "hail"),
    "snow": ("snowy", "snowy-rainy"),
    "sun": ("sunny", "partlycloudy"),
    "wind": ("windy", "windy-variant"),
    "storm": ("lightning", "lightning-rainy", "exceptional"),
    "fog": ("fog",),
    "clouds": ("cloudy", "partlycloudy", "windy-variant"),
}
"""What is asked for in the words of Home Assistant's weather entities."""
PROFILES = (
    Profile(
        "weather",
        features=Feature,
        told_alone=True,
        own_questions=True,
        measures=(
            Measure("temperature", "temperature", unit=MeasureUnit.DEGREE, asked=False),
            Measure("humidity", "humidity", unit=MeasureUnit.PERCENT, asked=False),
        ),
        simulated=Simulation(usual=Feature.FORECAST_DAILY | Feature.FORECAST_HOURLY),
    ),
    Profile("sun", states=("above_horizon", "below_horizon")),
)
