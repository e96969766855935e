"""Whom a request is for, in the spelling under which they are known."""

from __future__ import annotations

from typing import TypeVar

from homeagent.app import App
from homeagent.service.request_fields import Fields

F = TypeVar("F", bound=Fields)


async def as_known(app: App, fields: F) -> F:
    """The fields with the ``user_id`` under which this person has memories: "anna" is who was "Anna" before."""
    claimed: str | None = getattr(fields, "user_id", None)
    known = await app.memories.known_as(claimed)
    return fields if known == claimed else fields.model_copy(update={"user_id": known})
