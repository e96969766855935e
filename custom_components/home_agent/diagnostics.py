"""What a report of a fault needs, without the token, without addresses and without what people said."""

from __future__ import annotations

from typing import Any

from homeassistant.components.diagnostics import async_redact_data
from homeassistant.const import CONF_TOKEN, CONF_URL
from homeassistant.core import HomeAssistant

from .coordinator import AgentEntry


async def async_get_config_entry_diagnostics(hass: HomeAssistant, entry: AgentEntry) -> dict[str, Any]:
    """How the service is and what has been used; of questions and timers only how many."""
    coordinator = entry.runtime_data
    return {
        "entry": async_redact_data(dict(entry.data), {CONF_TOKEN, CONF_URL}),
        "health": coordinator.data.health,
        "pending": len(coordinator.data.pending),
        "timers": len(coordinator.data.timers),
        "last_update_success": coordinator.last_update_success,
    }
