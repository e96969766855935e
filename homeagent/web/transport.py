"""Connections of httpx to addresses that were checked: a name is looked up once, and what was checked is used.

A name that means something else a moment later (DNS rebinding) gains nothing, since it is not looked up again. The
certificate is checked against the name.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import httpcore
import httpx

from homeagent.errors import AddressRefused, WebError

Allows = Callable[[str], bool]
"""Whether an address, written in numbers, may be connected to."""
_NETS = tuple(
    map(
        ipaddress.ip_network,
        (
            *("0.0.0.0/8", "100.64.0.0/10", "168.63.129.16/32", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15"),
            *("240.0.0.0/4", "64:ff9b:1::/48", "100::/64", "2001::/23", "3fff::/20", "5f00::/16", "fec0::/10"),
        ),
    )
)
"""What is nobody's on the web though Python takes some of it for public: shared and test networks, the host of virtual
machines (168.63.129.16), tunnels."""
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def is_public(text: str) -> bool:
    """Whether an address in numbers is on the public web. One that carries another is what it carries."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address) and (inner := _carried(address)) is not None:
        return is_public(str(inner))
    odd = address.is_private or address.is_loopback or address.is_link_local or address.is_unspecified
    if odd or address.is_multicast or address.is_reserved or not address.is_global:
        return False
    return not any(address in net for net in _NETS if net.version == address.version)


def check(host: str, addresses: list[str], allows: Allows) -> None:
    """Raises AddressRefused where a name leads nowhere, or to any address that is not allowed."""
    if not addresses or not all(map(allows, addresses)):
        raise AddressRefused(f"{host[:100]} is not on the public web.")


def _carried(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address in _NAT64 or int(address) >> 32 == 0:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return None


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
