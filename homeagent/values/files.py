"""Paths as people write them, and files that nobody else can read."""

from __future__ import annotations

import os
from pathlib import Path


def expanded(path: str | Path) -> Path:
    """The path with ``~`` and ``~name`` made whole. Raises ValueError where there is no such user."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise ValueError(f"{path} begins with the name of a user that is not there") from None


def replace_private(file: Path, text: str) -> None:
    """Put ``text`` in the place of ``file``: whole or not at all, mode 0600 before the first byte is in it.

    A link is followed, so that a file kept elsewhere stays there. Raises OSError.
    """
    target = file.resolve()
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    beside.unlink(missing_ok=True)
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as new:
            new.write(text)
            new.flush()
            os.fsync(new.fileno())
        os.replace(beside, target)
    finally:
        beside.unlink(missing_ok=True)
