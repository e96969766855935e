"""Whether something waits for a yes."""

from __future__ import annotations

from homeassistant.components.binary_sensor import BinarySensorEntity, BinarySensorEntityDescription
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .coordinator import AgentEntry
from .entity import AgentEntity

PARALLEL_UPDATES = 0
PENDING = BinarySensorEntityDescription(key="pending", translation_key="pending")


async def async_setup_entry(
    hass: HomeAssistant, entry: AgentEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add it."""
    async_add_entities([PendingQuestion(entry.runtime_data, PENDING)])


class PendingQuestion(AgentEntity, BinarySensorEntity):
    """On while a question waits; its attributes say which."""

    @property
    def is_on(self) -> bool:
        """Whether one waits."""
        return bool(self.coordinator.data.pending)

    @property
    def extra_state_attributes(self) -> dict[str, object]:
        """The question that the buttons answer, and until when."""
        if not self.coordinator.data.pending:
            return {}
        newest = self.coordinator.data.pending[-1]
        return {name: newest[name] for name in ("id", "question", "targets", "expires_at")}
