"""Data for automations: text, or values in a structure. The agent looks at the home for it, and changes nothing."""

from __future__ import annotations

from typing import Any

from homeassistant.components import ai_task, conversation
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .client import AgentError
from .const import DOMAIN
from .coordinator import AgentCoordinator, AgentEntry
from .entity import device_of
from .exceptions import translated
from .speakers import limits, speaker

try:  # 2026.11 has schemas of its own kind
    from probatio import to_openapi as _convert
except ImportError:
    from voluptuous_openapi import convert as _convert

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant, entry: AgentEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the one entity."""
    async_add_entities([AgentTask(entry.runtime_data)])


class AgentTask(ai_task.AITaskEntity):
    """Asks the service, in the name of whoever asks."""

    _attr_has_entity_name = True
    _attr_translation_key = "task"
    _attr_supported_features = ai_task.AITaskEntityFeature.GENERATE_DATA

    def __init__(self, coordinator: AgentCoordinator) -> None:
        self._coordinator = coordinator
        self._attr_unique_id = f"{coordinator.config_entry.entry_id}-task"
        self._attr_device_info = device_of(coordinator)

    async def _async_generate_data(
        self, task: ai_task.GenDataTask, chat_log: conversation.ChatLog
    ) -> ai_task.GenDataTaskResult:
        fields: dict[str, Any] = {"instructions": task.instructions}
        if self._context is not None:
            fields |= await limits(self.hass, self._context)
            if (whose := await speaker(self.hass, self._context)) is not None:
                fields["user_id"] = whose
        if task.structure:
            fields["structure"] = _convert(task.structure, custom_serializer=llm.selector_serializer)
        try:
            answer = await self._coordinator.client.call("generate_data", fields)
        except AgentError as error:
            raise translated(error) from error
        if not answer["handled"]:
            raise HomeAssistantError(
                translation_domain=DOMAIN, translation_key="not_answered", translation_placeholders=answer
            )
        data = task.structure(answer["data"]) if task.structure else answer["data"]
        return ai_task.GenDataTaskResult(conversation_id=chat_log.conversation_id, data=data)
