"""What all entities of the agent have in common."""

from __future__ import annotations

from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo
from homeassistant.helpers.entity import EntityDescription
from homeassistant.helpers.update_coordinator import CoordinatorEntity

from .const import DOMAIN
from .coordinator import AgentCoordinator


def device_of(coordinator: AgentCoordinator) -> DeviceInfo:
    """The service as a device."""
    return DeviceInfo(
        identifiers={(DOMAIN, coordinator.config_entry.entry_id)},
        name="Home Agent",
        manufacturer="homeagent",
        sw_version=coordinator.data.health.get("version"),
        entry_type=DeviceEntryType.SERVICE,
    )


class AgentEntity(CoordinatorEntity[AgentCoordinator]):
    """An entity with a name of its own, on the agent's device."""

    _attr_has_entity_name = True

    def __init__(self, coordinator: AgentCoordinator, description: EntityDescription) -> None:
        super().__init__(coordinator)
        self.entity_description = description
        self._attr_unique_id = f"{coordinator.config_entry.entry_id}-{description.key}"
        self._attr_device_info = device_of(coordinator)
