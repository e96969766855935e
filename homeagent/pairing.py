"""Pairing: a short code, shown to the owner, that another program gives once to get a token of its own.

The code has 8 signs of an alphabet of 31 (nearly 40 bits), is good for ten minutes and for one token, and is gone after
five wrong tries, so that guessing it is hopeless.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from homeagent.access import Scope
from homeagent.access_tokens import Tokens
from homeagent.errors import PairingFailed

_ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without the signs that people take for others: 0 and O, 1, I and L."""
_LENGTH = 8
_SECONDS = 600.0
_TRIES = 5
SCOPES = (Scope.ASK, Scope.CONFIRM, Scope.READ, Scope.ADMIN, Scope.SPEAK_FOR_OTHERS)
"""What the token may do: Home Assistant knows who speaks, shows each service, and lets its own users confirm. Whoever
opens pairing must have all of them: nobody gives what they have not."""


@dataclass(frozen=True, slots=True)
class PairingCode:
    """``code`` as it is shown, in two groups; ``seconds``: how long it is good for."""

    code: str
    seconds: float


class Pairing:
    """The one code that is open, if any. A new one takes the place of the one before."""

    def __init__(self, tokens: Tokens, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._tokens = tokens
        self._clock = clock
        self._code = ""
        self._until = 0.0
        self._tries = 0

    def begin(self) -> PairingCode:
        """Open pairing for ten minutes, with a fresh code."""
        self._code = "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
        self._until = self._clock() + _SECONDS
        self._tries = _TRIES
        return PairingCode(f"{self._code[:4]}-{self._code[4:]}", _SECONDS)

    async def redeem(self, code: str, name: str) -> str:
        """A new token for whoever has the code; the code is used up by it. Raises PairingFailed, DatabaseError.

        The token is called ``name``, with a number behind it where there is one of that name.
        """
        if not self._code or self._clock() > self._until or self._tries <= 0:
            raise PairingFailed("No pairing is open.", hint="`homeagent pair` shows a new code.")
        given = code.upper().replace("-", "").replace(" ", "")
        if not hmac.compare_digest(given.encode(), self._code.encode()):
            self._tries -= 1
            raise PairingFailed("That is not the code.", hint="`homeagent pair` shows it; a new one after five tries.")
        self._code = ""
        taken = {token.name for token in await self._tokens.named()}
        return await self._tokens.add(free_name(name, taken), SCOPES, None)


def free_name(name: str, taken: set[str]) -> str:
    """``name``, with a number behind it where one of ``taken`` is called so."""
    number, free = 2, name
    while free in taken:
        number, free = number + 1, f"{name} {number}"
    return free
