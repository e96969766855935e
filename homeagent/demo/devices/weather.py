"""Weather, with forecasts.

``x-forecast``: a list of days from today on, each a mapping of condition, temperature (the day's high), templow,
precipitation_probability. Without it nothing is forecast.
"""

from __future__ import annotations

import math
from datetime import UTC, timedelta
from typing import Any

from homeagent.demo.devices.base import Data, Device, action, device
from homeagent.demo.failures import CallFailed
from homeagent.demo.service_schema import one_of, required
from homeagent.demo.supported_features import feature

_KINDS = ("daily", "hourly", "twice_daily")


@device("weather")
class Weather(Device):
    """Its forecasts are those of ``x-forecast``."""

    def days(self) -> list[dict[str, Any]]:
        """The daily forecast, from today's local midnight on; times in ISO 8601, UTC."""
        told = self.spec.extra.get("x-forecast") or []
        now = self.attributes.get("temperature") or 15.0
        midnight = self.world.now().replace(hour=0, minute=0, second=0, microsecond=0)
        return [
            {
                "datetime": (midnight + timedelta(days=i)).astimezone(UTC).isoformat(),
                "temperature": now + 2,
                "templow": now - 5,
                "precipitation_probability": 0,
                **day,
            }
            for i, day in enumerate(told)
        ]

    def hours(self) -> list[dict[str, Any]]:
        """The next 24 hours, worked out of the days: a cosine from low to high, warmest at 15:00 local."""
        days = self.days()
        if not days:
            return []
        start = self.world.now().replace(minute=0, second=0, microsecond=0)
        found = []
        for i in range(24):
            at = start + timedelta(hours=i)
            day = days[min(len(days) - 1, (at.date() - start.date()).days)]
            warmth = (math.cos((at.hour - 15) / 24 * 2 * math.pi) + 1) / 2
            temperature = day["templow"] + (day["temperature"] - day["templow"]) * warmth
            found.append(
                {
                    "datetime": at.astimezone(UTC).isoformat(),
                    "condition": day["condition"],
                    "temperature": round(temperature, 1),
                    "precipitation_probability": day["precipitation_probability"],
                }
            )
        return found


@action(
    "weather",
    "get_forecasts",
    {"type": required(one_of(_KINDS))},
    needs=tuple(feature("weather", f"FORECAST_{kind.upper()}") for kind in _KINDS),
    response="only",
)
def _get_forecasts(weather: Weather, data: Data) -> dict[str, object]:
    kind = data["type"]
    if not weather.features & feature("weather", f"FORECAST_{kind.upper()}"):
        raise CallFailed(f"Weather entity '{weather.entity_id}' does not support '{kind}' forecast")
    return {"forecast": weather.hours() if kind == "hourly" else weather.days()}
