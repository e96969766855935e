"""Home Agent in Home Assistant: a conversation agent, services, events and entities over the agent's service."""

from __future__ import annotations

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_TOKEN, CONF_URL, Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.typing import ConfigType

from .client import AgentClient
from .const import DOMAIN
from .coordinator import AgentCoordinator, AgentEntry
from .event_bridge import EventBridge
from .issues import Issues
from .services import add_services

CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)
PLATFORMS = [Platform.BINARY_SENSOR, Platform.BUTTON, Platform.CONVERSATION, Platform.SENSOR]
if hasattr(Platform, "AI_TASK"):  # since 2025.7
    PLATFORMS.append(Platform.AI_TASK)


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Add the services, which are there as long as Home Assistant runs."""
    await add_services(hass)
    return True


async def async_setup_entry(hass: HomeAssistant, entry: AgentEntry) -> bool:
    """Reach the service, and follow what happens there. Raises ConfigEntryNotReady, ConfigEntryAuthFailed."""
    client = AgentClient(async_get_clientsession(hass), entry.data[CONF_URL], entry.data[CONF_TOKEN])
    coordinator = AgentCoordinator(hass, entry, client)
    await coordinator.async_config_entry_first_refresh()
    entry.runtime_data = coordinator
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    entry.async_create_background_task(hass, EventBridge(hass, coordinator).run(), "home agent events")
    return True


async def async_unload_entry(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Let go of the service; its background task ends with the entry."""
    return await hass.config_entries.async_unload_platforms(entry, PLATFORMS)


async def async_remove_entry(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Leave nothing to repair behind."""
    Issues(hass, entry).forget()
