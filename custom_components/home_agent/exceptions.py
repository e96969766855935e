"""What the service answers in place of a result, as Home Assistant's own errors, in the reader's language."""

from __future__ import annotations

from homeassistant.exceptions import HomeAssistantError, ServiceValidationError

from .client import AgentError, AgentUnauthorized, AgentUnavailable
from .const import DOMAIN


def translated(error: AgentError) -> HomeAssistantError:
    """The error to raise. What the service itself refuses is told in its own words, behind what it means."""
    kind = ServiceValidationError if error.refused else HomeAssistantError
    match error:
        case AgentUnavailable():
            key = "not_loaded"
        case AgentUnauthorized():
            key = "unauthorized"
        case _:
            key = "refused" if error.refused else "failed"
    return kind(translation_domain=DOMAIN, translation_key=key, translation_placeholders={"message": str(error)})
