"""Connections of httpx to addresses that were checked: a name is looked up once, and what was checked is used.

A name that means something else a moment later (DNS rebinding) gains nothing, since it is not looked up again. The
certificate is checked against the name.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import httpcore
import httpx

from homeagent.errors import AddressRefused, WebError
from homeagent.web.addresses import Allows, check, is_public

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""The addresses of a name, in numbers. Raises OSError."""
_PORTS = frozenset({80, 443})
_LOWEST = 1024
"""From here on are ports of people's own; below, those of mail and other services that a request must not reach."""
_MOST_TRIED = 3


async def look_up(host: str, port: int) -> list[str]:
    """The addresses of a name by the system's resolver, which does not hold up the loop. Raises OSError."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


class CheckedTransport(httpx.AsyncHTTPTransport):
    """Connects to public addresses only, each request anew. ``allows`` and ``resolve`` are for tests."""

    def __init__(self, verify: ssl.SSLContext, *, allows: Allows = is_public, resolve: Resolve = look_up) -> None:
        super().__init__(verify=verify, trust_env=False)
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=verify,
            max_connections=4,
            max_keepalive_connections=0,
            network_backend=_CheckedBackend(allows, resolve),
        )


class _CheckedBackend(httpcore.AsyncNetworkBackend):
    def __init__(self, allows: Allows, resolve: Resolve) -> None:
        self._allows = allows
        self._resolve = resolve
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to one of the name's addresses, all of which must be allowed."""
        if port not in _PORTS and port < _LOWEST:
            raise AddressRefused(f"Port {port} is none of the web's.")
        try:
            addresses = await self._resolve(host, port)
        except (OSError, UnicodeError):
            raise WebError(f"There is no {host[:100]}.") from None
        check(host, addresses, self._allows)
        failed: Exception | None = None
        for address in addresses[:_MOST_TRIED]:
            try:
                return await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        assert failed is not None
        raise failed

    async def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore.AsyncNetworkStream:
        """Never."""
        raise AddressRefused("Sockets of this machine are not on the web.")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await self._inner.sleep(seconds)
