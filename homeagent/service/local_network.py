"""Telling the local network where the service is (mDNS), once its owner has opened it to the network."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import homeagent
from homeagent.private_folder import replace_private

if TYPE_CHECKING:
    from homeagent.config.settings import Settings

_log = logging.getLogger(__name__)
TYPE = "_homeagent._tcp.local."
"""What the integration looks for; its manifest names it."""
ID_FILE = "instance-id"
_EVERY_ADDRESS = ("0.0.0.0", "::")


@asynccontextmanager
async def announced(settings: Settings, port: int, interfaces: Sequence[str] | None = None) -> AsyncIterator[None]:
    """The service is told of while this lasts; where only this machine reaches it, or other apps do, it is not.

    Where that fails the log says so, and the service goes on. ``interfaces``: addresses of those that are told; absent:
    all.
    """
    open_to_network = not settings.service.loopback and settings.supervisor.url is None
    if not (open_to_network and settings.service.announce):
        yield
        return
    from zeroconf import Error, InterfaceChoice  # loads a while, and only where it is needed
    from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

    host = re.sub(r"[^A-Za-z0-9-]", "-", socket.gethostname().partition(".")[0]) or "homeagent"
    own_id = await asyncio.to_thread(instance_id, settings.data_dir)
    info = AsyncServiceInfo(
        TYPE,
        f"homeagent {own_id[:6]}.{TYPE}",
        port=port,
        properties={"id": own_id, "version": homeagent.__version__},
        server=f"{host}-{own_id[:6]}.local.",
        parsed_addresses=list(interfaces or _addresses(settings.service.host)),
    )
    network: AsyncZeroconf | None = None
    try:
        network = AsyncZeroconf(interfaces=list(interfaces) if interfaces else InterfaceChoice.All)
        await network.async_register_service(info, allow_name_change=True)
    except (OSError, Error) as error:
        _log.warning("the local network could not be told where the service is: %s", error)
    try:
        yield
    finally:
        if network is not None:
            await network.async_close()


def instance_id(folder: Path) -> str:
    """What tells this service from others, whatever its address: 32 hexadecimal digits, kept in the data folder."""
    file = folder / ID_FILE
    try:
        if re.fullmatch(r"[0-9a-f]{32}", kept := file.read_text("utf-8").strip()):
            return kept
    except (OSError, UnicodeDecodeError):
        pass
    made = secrets.token_hex(16)
    replace_private(file, made + "\n")
    return made


def _addresses(host: str) -> list[str]:
    """Where the network reaches the service: the address that is set, or all of this machine's."""
    if host not in _EVERY_ADDRESS:
        return [host.strip("[]")]
    import psutil

    every = [one.address for found in psutil.net_if_addrs().values() for one in found if one.family == socket.AF_INET]
    return [address for address in every if not address.startswith("127.")]
