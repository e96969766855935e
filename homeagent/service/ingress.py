"""Users who have signed in at Home Assistant, and look at the page there: the Supervisor says who they are.

Only from the Supervisor's own address is that believed. It counts on the pages alone, and opens no API. What somebody
may do follows from what Home Assistant lets them do, which is asked there and not taken from the request.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.datastructures import Headers

from homeagent.access import Identity, Scope
from homeagent.errors import Refused
from homeagent.ha.users import HomeUser, speaker_of

_READ_EVERY = 30.0
"""Seconds after which a change of a user's rights is seen."""
_PATH, _USER = "x-ingress-path", "x-remote-user-id"
_PLAIN = frozenset({Scope.ASK, Scope.CONFIRM, Scope.READ})
"""What a user may do who does not administer Home Assistant."""

ReadsUsers = Callable[[], Awaitable[tuple[HomeUser, ...]]]


class Ingress:
    """``address``: the Supervisor's. ``read_users``: asks Home Assistant for its users."""

    def __init__(self, address: str, read_users: ReadsUsers) -> None:
        self._address = address
        self._read_users = read_users
        self._users: tuple[HomeUser, ...] = ()
        self._read_at: float | None = None
        self._key = secrets.token_bytes(32)

    def brings(self, connection: Any, headers: Headers) -> bool:
        """Whether the Supervisor hands on a request for the page."""
        client = connection.get("client")
        return client is not None and client[0] == self._address and _PATH in headers

    async def caller(self, headers: Headers) -> Identity:
        """Who has signed in. Raises Refused, and what asking Home Assistant raises."""
        if self._read_at is None or time.monotonic() - self._read_at >= _READ_EVERY:
            self._users, self._read_at = await self._read_users(), time.monotonic()
        given = headers.get(_USER, "")
        user = next((one for one in self._users if one.id == given and one.active), None)
        if user is None:
            raise Refused("Home Assistant does not say who you are.", hint="Open the page from its sidebar again.")
        if not user.controls:
            raise Refused("Your user of Home Assistant may only look, so the agent does nothing for it.")
        speaker = speaker_of(user, self._users)
        return Identity(speaker, frozenset(Scope) if user.administers else _PLAIN, speaker)

    def session(self, headers: Headers) -> str:
        """What the forms of this user rest on, in place of a cookie of ours; nobody else can know it."""
        return hmac.new(self._key, headers.get(_USER, "").encode(), "sha256").hexdigest()
