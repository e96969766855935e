"""Triggers of the agent's device: what it tells on the bus, for automations that are made by choosing."""

from __future__ import annotations

from typing import Any

import voluptuous as vol
from homeassistant.components.device_automation import DEVICE_TRIGGER_BASE_SCHEMA
from homeassistant.components.homeassistant.triggers import event as event_trigger
from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import CONF_DEVICE_ID, CONF_DOMAIN, CONF_PLATFORM, CONF_TYPE
from homeassistant.core import CALLBACK_TYPE, HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.trigger import TriggerActionType, TriggerInfo
from homeassistant.helpers.typing import ConfigType

from .const import DOMAIN, EVENT_PREFIX

TYPES = {
    "turn_started": "conversation.started",
    "turn_finished": "conversation.finished",
    "tool_executed": "tool.executed",
    "memory_extracted": "memory.extracted",
    "timer_set": "timer.set",
    "timer_changed": "timer.changed",
    "timer_cancelled": "timer.cancelled",
    "timer_fired": "timer.fired",
    "failed": "error",
}
"""Each trigger, and the event that it waits for."""
TRIGGER_SCHEMA = DEVICE_TRIGGER_BASE_SCHEMA.extend({vol.Required(CONF_TYPE): vol.In(TYPES)})


async def async_get_triggers(hass: HomeAssistant, device_id: str) -> list[dict[str, Any]]:
    """All that there are."""
    common = {CONF_PLATFORM: "device", CONF_DOMAIN: DOMAIN, CONF_DEVICE_ID: device_id}
    return [{**common, CONF_TYPE: name} for name in TYPES]


async def async_attach_trigger(
    hass: HomeAssistant, config: ConfigType, action: TriggerActionType, trigger_info: TriggerInfo
) -> CALLBACK_TYPE:
    """Run ``action`` at each such event of this agent."""
    settings = {
        event_trigger.CONF_PLATFORM: "event",
        event_trigger.CONF_EVENT_TYPE: EVENT_PREFIX + TYPES[config[CONF_TYPE]],
        event_trigger.CONF_EVENT_DATA: _of_this_agent(hass, config[CONF_DEVICE_ID]),
    }
    return await event_trigger.async_attach_trigger(
        hass, event_trigger.TRIGGER_SCHEMA(settings), action, trigger_info, platform_type="device"
    )


def _of_this_agent(hass: HomeAssistant, device_id: str) -> dict[str, str]:
    """What its events carry. Where the service fires them itself it knows no entry, and there is one agent only."""
    device = dr.async_get(hass).async_get(device_id)
    entries = [hass.config_entries.async_get_entry(one) for one in (device.config_entries if device else ())]
    entry = next((one for one in entries if one is not None and one.domain == DOMAIN), None)
    if entry is None:
        return {}
    if entry.state is ConfigEntryState.LOADED and entry.runtime_data.data.health.get("home_assistant_bus"):
        return {}
    return {"entry_id": entry.entry_id}
