"""Which addresses are on the public web: none of the home's, of this machine's, or of the place that it runs in."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

from homeagent.errors import AddressRefused

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
