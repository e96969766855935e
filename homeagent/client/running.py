"""How other processes find the running service: a small file in the data folder, and the token to speak with it."""

from __future__ import annotations

import contextlib
import json
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path

from homeagent.errors import DatabaseError
from homeagent.values.files import replace_private

_SERVICE = "service.json"
_TOKEN = "token"


@dataclass(frozen=True, slots=True)
class RunningService:
    """A service that says it runs. ``token`` is the bearer token that it takes."""

    url: str
    token: str
    pid: int
    demo: bool = False


def announce(folder: Path, service: RunningService) -> None:
    """Write who serves this folder, readable by its owner only. Raises DatabaseError."""
    try:
        replace_private(folder / _SERVICE, json.dumps(asdict(service)))
    except OSError as error:
        raise DatabaseError(f"{folder / _SERVICE} cannot be written: {error.strerror or error}.") from error


def withdraw(folder: Path) -> None:
    with contextlib.suppress(OSError):
        (folder / _SERVICE).unlink()


def find(folder: Path) -> RunningService | None:
    """Who serves this folder, or None. A file that a killed service left behind does not count."""
    try:
        data = json.loads((folder / _SERVICE).read_text())
        service = RunningService(str(data["url"]), str(data["token"]), int(data["pid"]), bool(data.get("demo")))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return service if _alive(service.pid) else None


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


def _alive(pid: int) -> bool:
    import psutil  # only where there is a file to doubt

    return psutil.pid_exists(pid)
