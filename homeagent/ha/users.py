"""The users of Home Assistant: what each may do there, and as whom the agent knows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from homeagent.ha.shapes import mapping, text

_ADMINISTRATORS = "system-admin"
_ONLY_LOOKING = "system-read-only"


@dataclass(frozen=True, slots=True)
class HomeUser:
    """``administers``: an owner's or an administrator's; ``controls``: may switch what there is, not only look."""

    id: str
    name: str
    active: bool
    administers: bool
    controls: bool


def users_in(answer: object) -> tuple[HomeUser, ...]:
    """The people in what `config/auth/list` answers; the users that Home Assistant made for itself are none."""
    listed = answer if isinstance(answer, list) else []
    return tuple(_user(one) for one in map(mapping, listed) if not one.get("system_generated"))


def speaker_of(user: HomeUser, everybody: Iterable[HomeUser]) -> str:
    """The agent's name for a user, as the integration tells it: in lower case, with a part of the id behind it where
    others are called the same."""
    name = _folded(user.name)
    alike = [one for one in everybody if _folded(one.name) == name]
    return name if name and len(alike) == 1 else f"{name}-{user.id[:8]}".lstrip("-")


def _user(told: Mapping[str, Any]) -> HomeUser:
    groups = told.get("group_ids")
    groups = set(groups) if isinstance(groups, list) else set()
    administers = told.get("is_owner") is True or _ADMINISTRATORS in groups
    return HomeUser(
        id=text(told.get("id")) or "",
        name=text(told.get("name")) or "",
        active=told.get("is_active") is True,
        administers=administers,
        controls=administers or bool(groups - {_ONLY_LOOKING}),
    )


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()
