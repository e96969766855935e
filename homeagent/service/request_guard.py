"""What stands before every request: where it comes from, whose it is and what they may do, how large it may be."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Send

from homeagent.access import Identity, Scope
from homeagent.errors import HomeAgentError, TooLarge
from homeagent.service.errors import Failure, Tells, as_problem, failure_of
from homeagent.service.ingress import Ingress
from homeagent.service.wrong_tokens import UNAUTHORIZED, WrongTokens

MAX_BODY = 64 * 1024
"""Bytes of a request body where nothing else is said. The longest sentence and the largest tool call fit many times."""

_LOCAL_NAMES = frozenset({"localhost"})
_CALLER = "caller"
_INGRESS = "ingress_session"
_METHODS = ("GET", "POST", "DELETE")
_NO_PAGE = Failure(404, "not_found", "There is no such page.")

Connection = MutableMapping[str, Any]
"""What ASGI calls a scope; here a scope is what a token may do."""
Identifies = Callable[[bytes], Awaitable[Identity | None]]


def caller_of(connection: Connection) -> Identity | None:
    """Whom a request comes from, once its token was found right."""
    caller = connection.get("state", {}).get(_CALLER)
    return caller if isinstance(caller, Identity) else None


def ingress_session(connection: Connection) -> str:
    """What stands for the session of somebody who has signed in at Home Assistant; empty where it is nobody's."""
    return str(connection.get("state", {}).get(_INGRESS, ""))


@dataclass(frozen=True, slots=True)
class Pages:
    """The paths that people open in a browser: there a cookie stands for a token, and a refusal is shown as a page.

    ``token``: the one that the request's cookie stands for, empty where it stands for none.
    """

    paths: frozenset[str]
    token: Callable[[Headers], bytes]
    refused: Callable[[Connection, Failure], Response]


class Guard:
    """Refuses requests under a foreign name (DNS rebinding), without a token that may do this, or with too much.

    ``identify`` tells whose a token is. ``needs``: the scopes that a path asks for (see `ScopeRules`); an empty one is
    open to all, and a path that is not named needs a right token of any kind. ``allowed_hosts`` are further names under
    which the service may be reached; addresses always may, since a rebinding attack needs a name. ``most_bytes`` of a
    body, by path, where it is not `MAX_BODY`. A token in the header goes before one that a cookie stands for
    (``pages``). ``ingress``: whom Home Assistant's Supervisor brings to the pages. ``tell``: how a refusal is told
    elsewhere than on a page. ``cors_origins``: sites whose pages may use all but our own pages, from a browser.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        identify: Identifies,
        needs: Mapping[str, tuple[Scope, ...]],
        allowed_hosts: Iterable[str] = (),
        most_bytes: Mapping[str, int] = MappingProxyType({}),
        pages: Pages | None = None,
        wrong_tokens: WrongTokens | None = None,
        tell: Tells = as_problem,
        cors_origins: Iterable[str] = (),
        ingress: Ingress | None = None,
    ) -> None:
        self._app = app
        self._ingress = ingress
        self._identify = identify
        self._needs = ScopeRules(needs)
        self._names = _LOCAL_NAMES | {name.lower() for name in allowed_hosts}
        self._most_bytes = most_bytes
        self._pages = pages
        self._wrong_tokens = wrong_tokens or WrongTokens()
        self._tell = tell
        self._origins = frozenset(cors_origins)
        self._cors = CORSMiddleware(
            self._guarded,
            allow_origins=tuple(self._origins),
            allow_methods=_METHODS,
            allow_headers=("Authorization", "Content-Type", "Last-Event-ID"),
            expose_headers=("Retry-After",),
        )

    async def __call__(self, connection: Connection, receive: Receive, send: Send) -> None:
        if connection["type"] != "http":
            await self._app(connection, receive, send)
        elif self._is_let_in(connection, Headers(scope=connection)):
            await self._cors(connection, receive, send)
        else:
            await self._guarded(connection, receive, send)

    async def _guarded(self, connection: Connection, receive: Receive, send: Send) -> None:
        most = self._most_bytes.get(connection["path"], MAX_BODY)
        headers = Headers(scope=connection)
        refusal = (
            self._foreign(connection, headers)
            or _unreadable(connection["path"])
            or await self._unauthorized(connection, headers)
            or self._too_much(headers, most)
        )
        if refusal is not None:
            await self._refused(connection, refusal)(connection, receive, send)
            return
        await self._within_limit(most, connection, receive, send)

    def _foreign(self, connection: Connection, headers: Headers) -> Failure | None:
        if self._comes_by_ingress(connection, headers):  # under the name of Home Assistant, which has checked it
            return None
        if not self._known(_host_name(headers.get("host", ""))):
            hint = "Reach the service by its address, or add the name to `service.allowed_hosts`."
            return Failure(403, "forbidden_host", "The service does not answer under this name.", hint)
        origin = headers.get("origin")
        known = origin is None or self._known(_host_in(origin)) or self._is_let_in(connection, headers)
        if not known:
            return Failure(403, "forbidden_origin", "Pages of other sites may not use the service.")
        return None

    def _is_let_in(self, connection: Connection, headers: Headers) -> bool:
        """Whether the request comes from a page of another site that may use the API. Pages it may not: what they do
        rests on a cookie, and a browser sends that along unasked."""
        origin = headers.get("origin")
        return (
            origin is not None
            and origin.lower() in self._origins
            and self._pages_at(connection) is None
            and self._known(_host_name(headers.get("host", "")))
        )

    async def _unauthorized(self, connection: Connection, headers: Headers) -> Failure | None:
        needed = self._needs.of(connection["method"], connection["path"])
        if needed == ():
            return None
        try:
            if self._ingress is not None and self._ingress.brings(connection, headers):
                return await self._from_home_assistant(self._ingress, connection, headers, needed)
            token = _bearer(headers.get("authorization", ""))
            if not token and await self._has_lost_the_way(connection, headers):
                return _NO_PAGE
            if not token and (pages := self._pages_at(connection)):
                token = pages.token(headers)
                if not token:  # nobody has tried a token: they are shown where to sign in
                    return UNAUTHORIZED
            caller = await self._identify(token) if token else None
            if caller is None:
                return await self._wrong_tokens.answered(_address(connection))
            connection.setdefault("state", {})[_CALLER] = caller
            caller.need(*(needed or ()))
        except HomeAgentError as error:
            return failure_of(error)
        return None

    def _comes_by_ingress(self, connection: Connection, headers: Headers) -> bool:
        return self._ingress is not None and self._ingress.brings(connection, headers)

    async def _from_home_assistant(
        self, ingress: Ingress, connection: Connection, headers: Headers, needed: tuple[Scope, ...] | None
    ) -> Failure | None:
        """Somebody who has signed in there is at the pages, and nowhere else."""
        caller = await ingress.caller(headers)
        connection.setdefault("state", {}).update({_CALLER: caller, _INGRESS: ingress.session(headers)})
        if self._pages_at(connection) is None:
            return _NO_PAGE
        caller.need(*(needed or ()))
        return None

    async def _has_lost_the_way(self, connection: Connection, headers: Headers) -> bool:
        """Whether somebody who has signed in asks for a page that there is not."""
        if self._pages is None or self._needs.knows(connection["path"]):
            return False
        token = self._pages.token(headers)
        caller = await self._identify(token) if token else None
        connection.setdefault("state", {})[_CALLER] = caller  # to be shown where else they may go
        return caller is not None

    def _pages_at(self, connection: Connection) -> Pages | None:
        return self._pages if self._pages and connection["path"] in self._pages.paths else None

    @staticmethod
    def _too_much(headers: Headers, most: int) -> Failure | None:
        return failure_of(_too_large(most)) if _declared_length(headers) > most else None

    def _known(self, name: str) -> bool:
        return name.lower() in self._names or _is_address(name)

    async def _within_limit(self, most: int, connection: Connection, receive: Receive, send: Send) -> None:
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
            await self._app(connection, counted, watched)
        except TooLarge as error:
            if started:
                raise
            await self._refused(connection, failure_of(error))(connection, receive, send)

    def _refused(self, connection: Connection, failure: Failure) -> Response:
        pages = self._pages_at(connection)
        if failure is _NO_PAGE and connection["path"].count("/") == 1:  # deeper down, a page's links lead nowhere
            pages = self._pages
        return pages.refused(connection, failure) if pages else self._tell(connection, failure)


def _unreadable(path: str) -> Failure | None:
    """The router overlooks a line end behind a path, and what it would run then is not what was asked about here."""
    return None if path.isprintable() else Failure(404, "not_found", "There is no such path.")


def _bearer(header: str) -> bytes:
    scheme, _, token = header.partition(" ")
    return token.strip().encode("utf-8", "surrogateescape") if scheme.lower() == "bearer" else b""


def _address(connection: Connection) -> str:
    client = connection.get("client")
    return str(client[0]) if client else "an unnamed socket"


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


Scopes = tuple[Scope, ...]
_PLACE = re.compile(r"\\{\w+\\}")


class ScopeRules:
    """``needs``: by path for any method ("/health"), or by method and path, with places for ids
    ("GET /api/memories/{memory_id}").
    """

    def __init__(self, needs: Mapping[str, Scopes]) -> None:
        self._by_path = {path: scopes for path, scopes in needs.items() if " " not in path}
        self._by_method = [
            (method, re.compile(_PLACE.sub("[^/]+", re.escape(path))), scopes)
            for named, scopes in needs.items()
            for method, _, path in (named.partition(" "),)
            if path
        ]

    def of(self, method: str, path: str) -> Scopes | None:
        """The scopes; empty: open to everybody. None where nothing is named so."""
        if (scopes := self._by_path.get(path)) is not None:
            return scopes
        return next((s for m, pattern, s in self._by_method if m == method and pattern.fullmatch(path)), None)

    def knows(self, path: str) -> bool:
        """Whether there is anything at this path, for some method."""
        return path in self._by_path or any(pattern.fullmatch(path) for _, pattern, _ in self._by_method)
