"""The services as the pages use them: with the caller's scopes and the checks of their fields, as over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from homeagent.errors import InvalidInput
from homeagent.service import request_fields
from homeagent.service.errors import validation_failure
from homeagent.service.services import SERVICES
from homeagent.service.speakers import as_known

if TYPE_CHECKING:
    from homeagent.access import Identity
    from homeagent.app import App

F = TypeVar("F", bound=request_fields.Fields)


async def call(app: App, caller: Identity, service: str, /, **fields: object) -> Any:
    """What a service answers this caller. Raises MissingScope, InvalidInput, and what the service raises."""
    chosen = SERVICES[service]
    caller.need(*chosen.needs)
    return await chosen.run(app, await as_known(app, checked(caller, chosen.fields, **fields)))


def checked(caller: Identity, kind: type[F], /, **fields: object) -> F:
    """The fields of a service, sent by this caller. Raises InvalidInput."""
    try:
        return kind.model_validate(fields).sent_by(caller)
    except ValidationError as error:
        raise InvalidInput(validation_failure(list(error.errors())).message) from None
