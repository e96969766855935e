"""Yes and no to what waits."""

from __future__ import annotations

from typing import Any

from homeassistant.components.button import ButtonEntity, ButtonEntityDescription
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .client import AgentError
from .const import DOMAIN
from .coordinator import AgentEntry
from .entity import AgentEntity
from .exceptions import translated
from .speakers import limits

PARALLEL_UPDATES = 1
YES, NO = (ButtonEntityDescription(key=key, translation_key=key) for key in ("confirm", "reject"))


async def async_setup_entry(
    hass: HomeAssistant, entry: AgentEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add both."""
    async_add_entities(AnswerButton(entry.runtime_data, description) for description in (YES, NO))


class AnswerButton(AgentEntity, ButtonEntity):
    """Answers the question that `binary_sensor` shows, and none that came up since."""

    async def async_press(self) -> None:
        """Say yes, or no. Raises where nothing waits, and what the service answers."""
        if not self.coordinator.data.pending:
            raise ServiceValidationError(translation_domain=DOMAIN, translation_key="nothing_waits")
        asked = self.coordinator.data.pending[-1]
        fields: dict[str, Any] = {"confirmation_id": asked["id"], "approve": self.entity_description is YES}
        if self._context is not None:
            fields |= await limits(self.hass, self._context)
        for name in ("user_id", "device_id"):
            if asked.get(name):
                fields[name] = asked[name]
        try:
            await self.coordinator.client.call("confirm", fields)
        except AgentError as error:
            raise translated(error) from error
        finally:
            await self.coordinator.async_request_refresh()
