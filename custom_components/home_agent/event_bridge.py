"""The service's events on Home Assistant's bus: each once, in order, also after the connection was lost."""

from __future__ import annotations

import asyncio
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
from homeassistant.util.hass_dict import HassKey

from .client import AgentError, AgentUnauthorized
from .const import DOMAIN, EVENT_FINISHED, EVENT_PREFIX, LOGGER
from .coordinator import AgentCoordinator

_FIRST, _LONGEST = 1.0, 60.0
"""Seconds until it is tried again, twice as long each time."""
_LAST_IDS: HassKey[dict[str, str]] = HassKey(f"{DOMAIN}_last_event_ids")
"""By entry: the last event that was told, so that a new setup of the entry goes on behind it."""
_NEWS = tuple(EVENT_PREFIX + part for part in ("conversation.finished", "timer.", "memory.extracted", "error"))
"""After these the entities may show something else."""


class EventBridge:
    """Fires what the service tells. An event `home_agent.dropped` says how many were lost on a slow connection."""

    def __init__(self, hass: HomeAssistant, coordinator: AgentCoordinator) -> None:
        self._hass = hass
        self._coordinator = coordinator
        self._last_ids: dict[str, str] = hass.data.setdefault(_LAST_IDS, {})

    async def run(self) -> None:
        """Listen until cancelled, however often the service goes away and comes back."""
        pause, entry_id = _FIRST, self._coordinator.config_entry.entry_id
        while True:
            try:
                async for part in self._coordinator.client.events(self._last_ids.get(entry_id)):
                    pause = _FIRST
                    if part.id:
                        self._last_ids[entry_id] = part.id
                    if part.data is not None:
                        self._fire(part.data)
            except AgentUnauthorized:
                self._coordinator.config_entry.async_start_reauth(self._hass)
                return
            except AgentError as error:
                LOGGER.debug("no events for now: %s", error)
            await self._coordinator.async_request_refresh()
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST)

    def _fire(self, event: dict[str, Any]) -> None:
        kind = str(event.pop("event_type", ""))
        if not kind.startswith(EVENT_PREFIX):
            return
        event["entry_id"] = self._coordinator.config_entry.entry_id
        if not self._coordinator.data.health.get("home_assistant_bus"):  # else the service does it itself
            self._hass.bus.async_fire(kind, event)
        if kind == EVENT_FINISHED:
            self._count(event)
        if kind.startswith(_NEWS):
            self._hass.async_create_task(self._coordinator.async_request_refresh())

    def _count(self, event: dict[str, Any]) -> None:
        tokens = int(event.get("tokens", {}).get("total", 0))
        self._coordinator.usage.add(dt_util.now().date(), event.get("duration_ms"), tokens, event.get("cost"))
        self._coordinator.async_update_listeners()
