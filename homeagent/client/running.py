"""How other processes find the running service: a small file in the data folder, the token to speak with it, and the
proof that it is the one that wrote the file, before it is told a token.

A killed service leaves its file behind, and another program may get its port. So the client first sends a random nonce
with ``GET /health``, and the service answers with the HMAC-SHA256 of it under a secret that is in that file alone, made
anew at each start.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import secrets
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Self

from homeagent.errors import DatabaseError
from homeagent.private_folder import replace_private

_SERVICE = "service.json"
_TOKEN = "token"


@dataclass(frozen=True, slots=True)
class RunningService:
    """A service that says it runs. ``token`` is the bearer token that it takes.

    ``started`` tells its process from a later one with the same ``pid``; ``secret`` is what it can prove to know.
    """

    url: str
    token: str = field(repr=False)
    pid: int
    started: str
    secret: str = field(repr=False)
    demo: bool = False

    @classmethod
    def of_this_process(cls, url: str, token: str, *, demo: bool = False) -> Self:
        """As a service announces itself, with a new secret."""
        pid = os.getpid()
        return cls(url, token, pid, _start_of(pid) or "", secrets.token_urlsafe(32), demo)


def announce(folder: Path, service: RunningService) -> None:
    """Write who serves this folder, readable by its owner only. Raises DatabaseError."""
    try:
        replace_private(folder / _SERVICE, json.dumps(asdict(service)))
    except OSError as error:
        raise DatabaseError(f"{folder / _SERVICE} cannot be written: {error.strerror or error}.") from error


def withdraw(folder: Path) -> None:
    """Remove the announcement, if there is one. Never raises."""
    with contextlib.suppress(OSError):
        (folder / _SERVICE).unlink()


def find(folder: Path) -> RunningService | None:
    """Who serves this folder, or None. A file that a killed service left behind does not count."""
    try:
        data = json.loads((folder / _SERVICE).read_text())
        url, token, started, secret = (str(data[name]) for name in ("url", "token", "started", "secret"))
        service = RunningService(url, token, int(data["pid"]), started, secret, bool(data.get("demo")))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return service if started and _start_of(service.pid) == started else None


def bearer_token(folder: Path) -> str:
    """The service's token, made and kept (mode 0600) the first time. Raises DatabaseError."""
    path = folder / _TOKEN
    try:
        if path.exists() and (token := path.read_text().strip()):
            return token
        token = secrets.token_urlsafe(32)
        replace_private(path, token + "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise DatabaseError(f"The service's token {path} cannot be read or written: {error}.") from error
    return token


def _start_of(pid: int) -> str | None:
    """When a process began, as a text to compare; None where there is no such process.

    On Linux in ticks since the machine started: a clock that is set later must not make a running service look dead.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
        return stat.rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        pass
    import psutil  # only where there is a file to doubt

    try:
        return f"{psutil.Process(pid).create_time():.0f}"
    except (psutil.Error, ValueError, OverflowError):
        return None


PROOF = "X-Homeagent-Proof"
"""The header of the answer that carries it, in hex."""
_PURPOSE = b"homeagent service "


def new_nonce() -> str:
    """16 random bytes in hexadecimal, made by the client for one proof."""
    return secrets.token_hex(16)


def usable(nonce: str) -> bool:
    """Whether this is a nonce of ours: what is signed is never of somebody else's choosing."""
    return len(nonce) == 32 and set(nonce) <= set("0123456789abcdef")


def prove(secret: str, nonce: str) -> str:
    """The service's answer to a nonce: HMAC-SHA256 (RFC 2104) of purpose and nonce under its secret, in hexadecimal."""
    return hmac.new(secret.encode(), _PURPOSE + nonce.encode(), hashlib.sha256).hexdigest()


def proven(secret: str, nonce: str, proof: str) -> bool:
    """Whether ``proof`` is what the holder of ``secret`` answers to this nonce. Takes as long for any wrong proof."""
    return hmac.compare_digest(prove(secret, nonce).encode(), proof.encode())
