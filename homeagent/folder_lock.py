"""One process owns a data folder. Held by the kernel, so a killed process leaves nothing to clean up."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from filelock import FileLock, Timeout

from homeagent.errors import DatabaseError, DataFolderLocked

_LOCK = "homeagent.lock"
_OWNER = "homeagent.pid"


class FolderLock:
    """Ownership of a data folder, from ``acquire`` to ``release`` or the end of the process, however it ends.

    The owner's process id is kept in a file of its own, for the message only: it is never what decides.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = FileLock(folder / _LOCK, timeout=0)

    def acquire(self) -> None:
        """Take the folder, which is made if it is not there.

        Raises DataFolderLocked where another process has it, DatabaseError where the folder cannot be written.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock.acquire()
            (self.folder / _OWNER).write_text(f"{os.getpid()}\n")
        except Timeout:
            raise DataFolderLocked(f"The data folder {self.folder} is in use by {_owner(self.folder)}.") from None
        except OSError as error:
            self._lock.release()
            reason = error.strerror or str(error)
            raise DatabaseError(f"The data folder {self.folder} cannot be used: {reason}.") from error

    def release(self) -> None:
        """Give the folder back. Harmless where it is not held."""
        if self._lock.is_locked:
            with contextlib.suppress(OSError):
                (self.folder / _OWNER).unlink()
            self._lock.release()


def _owner(folder: Path) -> str:
    try:
        return f"the process with id {int((folder / _OWNER).read_text())}"
    except (OSError, ValueError):
        return "another process"
