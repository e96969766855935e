"""When the sun rises and sets, as Home Assistant tells it of `sun.sun`."""

from __future__ import annotations

from datetime import UTC, datetime

from homeagent.ha.home import Home
from homeagent.timers.due import Sun

ENTITY_ID = "sun.sun"
_ATTRIBUTES = {Sun.SUNRISE: "next_rising", Sun.SUNSET: "next_setting"}


def next_sun(home: Home, sun: Sun) -> datetime | None:
    """The next one, in UTC; None where the home does not tell."""
    state = home.state(ENTITY_ID)
    told = state.attributes.get(_ATTRIBUTES[sun]) if state else None
    try:
        moment = datetime.fromisoformat(str(told))
    except ValueError:
        return None
    return moment.astimezone(UTC) if moment.tzinfo else None
