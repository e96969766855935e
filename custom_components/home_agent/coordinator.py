"""What the entities show: how the service is, what waits for a yes, and what is to come."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, TypeAlias

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ConfigEntryAuthFailed
from homeassistant.helpers.update_coordinator import DataUpdateCoordinator, UpdateFailed

from .client import AgentClient, AgentError, AgentUnauthorized
from .const import DOMAIN, LOGGER

_EVERY = timedelta(seconds=60)
"""Events bring news at once; this only meets what they miss."""

AgentEntry: TypeAlias = "ConfigEntry[AgentCoordinator]"


@dataclass(frozen=True, slots=True)
class AgentData:
    """What the service tells. ``pending`` and ``timers``: the soonest first."""

    health: dict[str, Any]
    pending: list[dict[str, Any]]
    timers: list[dict[str, Any]]


@dataclass(slots=True)
class Usage:
    """Of the last turn, and of the turns of ``day``, as events told them."""

    day: date | None = None
    latency_ms: float | None = None
    tokens: int = 0


class AgentCoordinator(DataUpdateCoordinator[AgentData]):
    """Asks the service each minute, and when an event says that something is otherwise."""

    config_entry: AgentEntry

    def __init__(self, hass: HomeAssistant, entry: AgentEntry, client: AgentClient) -> None:
        super().__init__(hass, LOGGER, config_entry=entry, name=DOMAIN, update_interval=_EVERY)
        self.client = client
        self.usage = Usage()

    async def _async_update_data(self) -> AgentData:
        try:
            health = await self.client.health()
            pending = await self.client.call("list_pending", {"everybody": True})
            timers = await self.client.call("list_timers")
        except AgentUnauthorized as error:
            raise ConfigEntryAuthFailed(str(error)) from error
        except AgentError as error:
            raise UpdateFailed(str(error)) from error
        due = sorted((one for one in timers["timers"] if one.get("due")), key=lambda one: str(one["due"]))
        return AgentData(health, list(pending["pending"]), due)
