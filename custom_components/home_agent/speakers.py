"""Whom the agent takes a user of Home Assistant for."""

from __future__ import annotations

from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant


async def speaker(hass: HomeAssistant, context: Context) -> str | None:
    """The agent's name for the user behind a request, in lower case; None: nobody known, so the household.

    Users whom nobody can tell apart by name get their id behind it, so that what one tells in private stays theirs.
    """
    if context.user_id is None:
        return None
    user = await hass.auth.async_get_user(context.user_id)
    if user is None or user.system_generated:
        return None
    name = _name(user)
    alike = [one for one in await hass.auth.async_get_users() if not one.system_generated and _name(one) == name]
    return name if name and len(alike) == 1 else f"{name}-{user.id[:8]}".lstrip("-")


def _name(user: User) -> str:
    return " ".join((user.name or "").split()).casefold()
