"""How Home Assistant refuses: a code and words, the same over the WebSocket and (as a status) over REST."""

from __future__ import annotations


class CallFailed(Exception):
    """A command or a service call that Home Assistant refuses."""

    code = "home_assistant_error"
    http_status = 500

    @property
    def words(self) -> str:
        """The message that is sent."""
        return str(self)


class InvalidFormat(CallFailed):
    """What was sent does not fit the schema."""

    code = "invalid_format"
    http_status = 400


class NotFound(CallFailed):
    """There is no such entity, service or registry entry."""

    code = "not_found"
    http_status = 400


class Unauthorized(CallFailed):
    """The command is for administrators."""

    code = "unauthorized"
    http_status = 401


class NotValid(CallFailed):
    """It fits the schema, and the entity cannot take it."""

    code = "service_validation_error"

    @property
    def words(self) -> str:
        """The message that is sent, with HA's words before it."""
        return f"Validation error: {str(self).rstrip('.')}"


class NotSupported(NotValid):
    """A named entity lacks the feature that a service needs."""

    def __init__(self, entity_id: str, domain: str, service: str) -> None:
        super().__init__(f"Entity {entity_id} does not support action {domain}.{service}.")


class UnknownError(CallFailed):
    """What Home Assistant raises as a plain ValueError."""

    code = "unknown_error"


class InvalidInfo(CallFailed):
    """A registry cannot take the change."""

    code = "invalid_info"
    http_status = 400


class UnknownCommand(CallFailed):
    """No command is of this type."""

    code = "unknown_command"
