"""A line of the logbook for each act: what was done, for whom, and what they said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from homeassistant.components.logbook import LOGBOOK_ENTRY_ENTITY_ID, LOGBOOK_ENTRY_MESSAGE, LOGBOOK_ENTRY_NAME
from homeassistant.core import Event, HomeAssistant, callback

from .const import DOMAIN, EVENT_ACTED


@callback
def async_describe_events(
    hass: HomeAssistant, async_describe_event: Callable[[str, str, Callable[[Event], dict[str, Any]]], None]
) -> None:
    """Say how acts read."""

    @callback
    def acted(event: Event) -> dict[str, Any]:
        whom = f" for {event.data['user']}" if event.data.get("user") else ""
        return {
            LOGBOOK_ENTRY_NAME: "Home Agent",
            LOGBOOK_ENTRY_MESSAGE: f"acted{whom}: “{event.data['text']}” – {event.data['answer']}",
            LOGBOOK_ENTRY_ENTITY_ID: event.data["entity_id"],
        }

    async_describe_event(DOMAIN, EVENT_ACTED, acted)
