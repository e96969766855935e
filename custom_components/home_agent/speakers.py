"""Whom the agent takes a user of Home Assistant for."""

from __future__ import annotations

from homeassistant.auth.models import User
from homeassistant.auth.permissions.const import POLICY_CONTROL, POLICY_READ
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


async def limits(hass: HomeAssistant, context: Context) -> dict[str, list[str]]:
    """What the user behind a request may see and control, where that is less than the whole home: as the service takes
    it. Where no user is known (an automation, a satellite) Home Assistant itself asks for none.
    """
    user = await hass.auth.async_get_user(context.user_id) if context.user_id else None
    if user is None:
        return {}
    return {
        name: [one for one in hass.states.async_entity_ids() if user.permissions.check_entity(one, policy)]
        for name, policy in (("may_see", POLICY_READ), ("may_control", POLICY_CONTROL))
        if not user.permissions.access_all_entities(policy)
    }


async def may_control(hass: HomeAssistant, context: Context) -> bool:
    """Whether the user behind a request may control the whole home, as the agent can.

    Somebody whom Home Assistant lets look only, or control a part only, must not do more through the agent. Where no
    user is known (an automation, a satellite) Home Assistant itself asks for none.
    """
    user = await hass.auth.async_get_user(context.user_id) if context.user_id else None
    return user is None or bool(user.permissions.access_all_entities(POLICY_CONTROL))


def _name(user: User) -> str:
    return " ".join((user.name or "").split()).casefold()
