"""The agent in Assist: a sentence goes to the service, and what it answers comes back as it is made."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator
from typing import Any, Literal

from homeassistant.components import conversation
from homeassistant.const import MATCH_ALL
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .client import AgentError, AgentUnauthorized
from .const import EVENT_ACTED, LOGGER
from .coordinator import AgentCoordinator, AgentEntry
from .entity import device_of
from .speakers import limits, speaker

PARALLEL_UPDATES = 0
_TRIGGERS_TAKE_LOG = "chat_log" in inspect.signature(conversation.async_handle_sentence_triggers).parameters
"""Newer releases hand the chat log on to what the owner has set up for a sentence; 2025.4 does not."""


async def async_setup_entry(
    hass: HomeAssistant, entry: AgentEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the one conversation entity."""
    async_add_entities([AgentConversation(entry.runtime_data)])


class AgentConversation(conversation.ConversationEntity):
    """Speaks to the service in the user's name, from the device's area, in the pipeline's language."""

    _attr_has_entity_name = True
    _attr_name = None
    _attr_supports_streaming = True
    _attr_supported_features = conversation.ConversationEntityFeature.CONTROL

    def __init__(self, coordinator: AgentCoordinator) -> None:
        self._coordinator = coordinator
        self._attr_unique_id = f"{coordinator.config_entry.entry_id}-conversation"
        self._attr_device_info = device_of(coordinator)

    @property
    def supported_languages(self) -> list[str] | Literal["*"]:
        """The service answers whatever comes, and says so where it does not know a language."""
        return MATCH_ALL

    async def _async_handle_message(
        self, user_input: conversation.ConversationInput, chat_log: conversation.ChatLog
    ) -> conversation.ConversationResult:
        log = (chat_log,) if _TRIGGERS_TAKE_LOG else ()
        owners = await conversation.async_handle_sentence_triggers(self.hass, user_input, *log)
        if owners is not None:  # what the owner has set up for this sentence goes first
            return _spoken(user_input, chat_log, owners)
        fields = await self._fields(user_input, chat_log.conversation_id)
        answer: dict[str, Any] = {}
        try:
            stream = self._stream(fields, answer)
            async for _content in chat_log.async_add_delta_content_stream(user_input.agent_id, stream):
                pass
        except AgentError as error:
            if isinstance(error, AgentUnauthorized):
                self._coordinator.config_entry.async_start_reauth(self.hass)
            LOGGER.warning("the agent did not answer: %s", error)
            return _failed(user_input, chat_log, str(error))
        await self._tell_logbook(user_input, answer)
        return _result(user_input, chat_log, answer)

    async def _fields(self, user_input: conversation.ConversationInput, conversation_id: str) -> dict[str, Any]:
        fields = {
            "text": user_input.text,
            "conversation_id": conversation_id,
            "language": user_input.language,
            "device_id": user_input.device_id,
            "user_id": await speaker(self.hass, user_input.context),
        }
        said = {name: value for name, value in fields.items() if value is not None and value != MATCH_ALL}
        return {**said, **await limits(self.hass, user_input.context)}

    async def _stream(
        self, fields: dict[str, Any], answer: dict[str, Any]
    ) -> AsyncGenerator[conversation.AssistantContentDeltaDict]:
        """The pieces as the chat log takes them; ``answer`` is filled with what the service says in the end."""
        yield {"role": "assistant"}
        said = ""
        async for part in self._coordinator.client.stream("process", fields):
            if part.event == "delta":
                said += part.data["text"]
                yield {"content": part.data["text"]}
            elif part.event == "result":
                answer.update(part.data)
        rest = str(answer.get("response", ""))
        if not said:
            yield {"content": rest}
        elif rest.startswith(said) and rest != said:
            yield {"content": rest[len(said) :]}

    async def _tell_logbook(self, user_input: conversation.ConversationInput, answer: dict[str, Any]) -> None:
        if answer.get("response_type") != "action_done" or not answer.get("targets"):
            return
        user = await self.hass.auth.async_get_user(user_input.context.user_id) if user_input.context.user_id else None
        acted = {
            "entity_id": answer["targets"][0],
            "targets": answer["targets"],
            "user": user.name if user else None,
            "text": user_input.text,
            "answer": answer["response"],
        }
        self.hass.bus.async_fire(EVENT_ACTED, acted, context=user_input.context)


def _spoken(
    user_input: conversation.ConversationInput, chat_log: conversation.ChatLog, text: str
) -> conversation.ConversationResult:
    chat_log.async_add_assistant_content_without_tools(conversation.AssistantContent(user_input.agent_id, text))
    response = intent.IntentResponse(language=user_input.language)
    response.async_set_speech(text)
    return conversation.ConversationResult(response, chat_log.conversation_id)


def _failed(
    user_input: conversation.ConversationInput, chat_log: conversation.ChatLog, text: str
) -> conversation.ConversationResult:
    response = intent.IntentResponse(language=user_input.language)
    response.async_set_error(intent.IntentResponseErrorCode.FAILED_TO_HANDLE, text)
    return conversation.ConversationResult(response, chat_log.conversation_id)


def _result(
    user_input: conversation.ConversationInput, chat_log: conversation.ChatLog, answer: dict[str, Any]
) -> conversation.ConversationResult:
    """As Assist takes it: what kind of answer it is, what was reached, and whether it should listen on."""
    response = intent.IntentResponse(language=user_input.language)
    if answer.get("response_type") == "error":
        codes = intent.IntentResponseErrorCode
        response.async_set_error(
            codes.FAILED_TO_HANDLE if answer.get("error") else codes.NO_INTENT_MATCH, answer["response"]
        )
    elif answer.get("response_type") == "query_answer":
        response.response_type = intent.IntentResponseType.QUERY_ANSWER
    reached = [
        intent.IntentResponseTarget(type=intent.IntentResponseTargetType.ENTITY, name=one, id=one)
        for one in answer.get("targets", [])
    ]
    response.async_set_results(success_results=reached)
    response.async_set_speech(answer["response"])
    return conversation.ConversationResult(
        response, chat_log.conversation_id, continue_conversation=bool(answer.get("question"))
    )
