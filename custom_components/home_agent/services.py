"""The services `home_agent.*`: each is the agent's service of that name, with the fields that services.yaml lists."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import voluptuous as vol
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse
from homeassistant.exceptions import ServiceValidationError, Unauthorized
from homeassistant.helpers.selector import selector
from homeassistant.util.yaml import load_yaml_dict

from .client import AgentError
from .const import DOMAIN
from .coordinator import AgentCoordinator, AgentEntry
from .exceptions import translated
from .speakers import limits, may_control, speaker

_ENTRY_ID = "entry_id"
_FOR_ANYBODY = frozenset({"process", "confirm", "list_memories", "search_memories", "add_memory", "delete_memory"})
"""What Home Assistant's users may call; the rest is for its administrators."""
_LIMITED = frozenset({"process", "confirm", "list_memories", "search_memories"})
"""What may be called by users who may see or control a part of the home only; it is held to that part."""
_OF_SOMEBODY = (_FOR_ANYBODY - {"add_memory"}) | {"execute_tool"}
"""What is done in the name of the user who calls. A memory that is added this way is the household's."""


_HELD = frozenset({"process", "confirm", "execute_tool"})
"""Services of the agent that take what somebody may see and control."""


async def add_services(hass: HomeAssistant) -> None:
    """Register them all."""
    listed = await hass.async_add_executor_job(load_yaml_dict, str(Path(__file__).parent / "services.yaml"))
    for name, described in listed.items():
        fields: dict[str, Any] = described.get("fields") or {}
        hass.services.async_register(
            DOMAIN, name, _handler(hass, name), schema=_schema(fields), supports_response=SupportsResponse.OPTIONAL
        )


def _schema(fields: dict[str, Any]) -> vol.Schema:
    return vol.Schema(
        {
            (vol.Required if field.get("required") else vol.Optional)(name): selector(field["selector"])
            for name, field in fields.items()
        }
    )


def _handler(hass: HomeAssistant, name: str) -> Any:
    async def handle(call: ServiceCall) -> ServiceResponse:
        if name not in _LIMITED and not await may_control(hass, call.context):
            raise Unauthorized(context=call.context)
        if name not in _FOR_ANYBODY:
            await _need_administrator(hass, call)
        agent = _agent(hass, call.data.get(_ENTRY_ID))
        fields = {key: value for key, value in call.data.items() if key != _ENTRY_ID}
        if name in _OF_SOMEBODY and (whose := await speaker(hass, call.context)) is not None:
            fields["user_id"] = whose
        if name in _HELD:
            fields |= await limits(hass, call.context)
        try:
            answer = await agent.client.call(name, fields)
        except AgentError as error:
            raise translated(error) from error
        await agent.async_request_refresh()
        return answer if call.return_response else None

    return handle


async def _need_administrator(hass: HomeAssistant, call: ServiceCall) -> None:
    user = await hass.auth.async_get_user(call.context.user_id) if call.context.user_id else None
    if user is not None and not user.is_admin:
        raise Unauthorized(context=call.context)


def _agent(hass: HomeAssistant, entry_id: str | None) -> AgentCoordinator:
    """The one that is named, else the only one. Raises ServiceValidationError where there is none."""
    entries: list[AgentEntry] = hass.config_entries.async_entries(DOMAIN)
    found = [one for one in entries if entry_id in (None, one.entry_id)]
    if not found:
        raise ServiceValidationError(translation_domain=DOMAIN, translation_key="no_entry")
    if found[0].state is not ConfigEntryState.LOADED:
        raise ServiceValidationError(translation_domain=DOMAIN, translation_key="not_loaded")
    return found[0].runtime_data
