"""What the entities show: how the service is, what waits for a yes, and what is to come."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, TypeAlias

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ConfigEntryAuthFailed
from homeassistant.helpers.update_coordinator import DataUpdateCoordinator, UpdateFailed
from homeassistant.util import dt as dt_util

from .client import AgentClient, AgentError, AgentUnauthorized
from .const import DOMAIN, LOGGER
from .issues import Issues

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
    """Of the last turn, and of all turns of ``day``, as events told them. ``cost`` in US dollars."""

    day: date
    latency_ms: float | None = None
    tokens: int = 0
    cost: float = 0.0

    def add(self, today: date, latency_ms: float | None, tokens: int, cost: float | None) -> None:
        """Count a turn."""
        self.begin(today)
        self.latency_ms = latency_ms
        self.tokens += tokens
        self.cost += cost or 0.0

    def begin(self, today: date) -> None:
        """Count from nothing where it is another day."""
        if self.day != today:
            self.day, self.tokens, self.cost = today, 0, 0.0


class AgentCoordinator(DataUpdateCoordinator[AgentData]):
    """Asks the service each minute, and when an event says that something is otherwise."""

    config_entry: AgentEntry

    def __init__(self, hass: HomeAssistant, entry: AgentEntry, client: AgentClient) -> None:
        super().__init__(hass, LOGGER, config_entry=entry, name=DOMAIN, update_interval=_EVERY)
        self.client = client
        self.usage = Usage(dt_util.now().date())
        self._issues = Issues(hass, entry)

    async def _async_update_data(self) -> AgentData:
        self.usage.begin(dt_util.now().date())
        try:
            health = await self.client.health()
            pending = await self.client.call("list_pending", {"everybody": True})
            timers = await self.client.call("list_timers")
        except AgentUnauthorized as error:
            raise ConfigEntryAuthFailed(translation_domain=DOMAIN, translation_key="unauthorized") from error
        except AgentError as error:
            self._issues.failed()
            raise UpdateFailed(
                translation_domain=DOMAIN, translation_key="failed", translation_placeholders={"message": str(error)}
            ) from error
        await self._issues.answered(str(health.get("version", "")))
        due = sorted((one for one in timers["timers"] if one.get("due")), key=lambda one: str(one["due"]))
        return AgentData(health, list(pending["pending"]), due)
