"""The sun, which tells when it rises and sets next: at the same times every day."""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import Any

from homeagent.demo.devices.base import Device, device

_RISES, _SETS = 6, 20
"""Hours of the home's own clock."""


@device("sun")
class Sun(Device):
    """What it tells beside its state is worked out whenever somebody looks."""

    def shown(self) -> dict[str, Any]:
        """With the next sunrise and sunset in ISO 8601, UTC, where the home's file does not say them."""
        return {"next_rising": self._next(_RISES), "next_setting": self._next(_SETS), **super().shown()}

    def _next(self, hour: int) -> str:
        now = self.world.now()
        today = now.replace(hour=hour, minute=0, second=0, microsecond=0)
        return (today if today > now else today + timedelta(days=1)).astimezone(UTC).isoformat()
