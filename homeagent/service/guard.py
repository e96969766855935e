"""What stands before every request: whose it is, where it comes from, how large it may be."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from homeagent.errors import TooLarge
from homeagent.service.errors import Failure, failure_of

MAX_BODY = 64 * 1024
"""Bytes of a request body where nothing else is said. The longest sentence and the largest tool call fit many times."""

_OPEN_PATHS = frozenset({"/health"})
_LOCAL_NAMES = frozenset({"localhost"})


class Guard:
    """Refuses requests under a foreign name (DNS rebinding), without the token, or with too large a body.

    ``allowed_hosts`` are further names under which the service may be reached; addresses always may, since a
    rebinding attack needs a name. ``most_bytes`` of a body, by path, where it is not `MAX_BODY`.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        token: str,
        allowed_hosts: Iterable[str] = (),
        most_bytes: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self._app = app
        self._token = token.encode()
        self._names = _LOCAL_NAMES | {name.lower() for name in allowed_hosts}
        self._most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._most_bytes.get(scope["path"], MAX_BODY)
        refusal = self._refusal(scope["path"], Headers(scope=scope), most)
        if refusal is not None:
            await refusal.response()(scope, receive, send)
            return
        await self._within_limit(most, scope, receive, send)

    def _refusal(self, path: str, headers: Headers, most: int) -> Failure | None:
        if not self._known(_host_name(headers.get("host", ""))):
            hint = "Reach the service by its address, or add the name to `service.allowed_hosts`."
            return Failure(403, "forbidden_host", "The service does not answer under this name.", hint)
        origin = headers.get("origin")
        if origin is not None and not self._known(_host_in(origin)):
            return Failure(403, "forbidden_origin", "Pages of other sites may not use the service.")
        if path not in _OPEN_PATHS and not self._authorized(headers.get("authorization", "")):
            hint = "Send `Authorization: Bearer <token>`; the token is in the file `token` of the data folder."
            return Failure(401, "unauthorized", "The service's token is missing or wrong.", hint)
        if _declared_length(headers) > most:
            return failure_of(_too_large(most))
        return None

    def _known(self, name: str) -> bool:
        return name.lower() in self._names or _is_address(name)

    def _authorized(self, header: str) -> bool:
        scheme, _, token = header.partition(" ")
        given = token.strip().encode("utf-8", "surrogateescape")
        return scheme.lower() == "bearer" and hmac.compare_digest(given, self._token)

    async def _within_limit(self, most: int, scope: Scope, receive: Receive, send: Send) -> None:
        """A body that does not say its length is counted as it comes."""
        seen, started = 0, False

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > most:
                raise _too_large(most)
            return message

        async def watched(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, counted, watched)
        except TooLarge as error:
            if started:
                raise
            await failure_of(error).response()(scope, receive, send)


def _too_large(most: int) -> TooLarge:
    return TooLarge(f"The request is larger than {most // 1024} KB.", hint="Send less at once.")


def _declared_length(headers: Headers) -> int:
    try:
        return int(headers.get("content-length", "0"))
    except ValueError:
        return 0


def _host_name(host: str) -> str:
    """The name in a Host header, without port and without the brackets of an IPv6 address."""
    return _host_in(f"//{host}")


def _host_in(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:  # no address at all
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
