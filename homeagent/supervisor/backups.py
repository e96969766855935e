"""Backups of the app while it runs: a copy of the database that is whole goes into them in place of the live file.

Before a backup the copy is made; the backup leaves the live database out, and all that is made anew from it
(`backup_exclude` in `app/config.yaml`). In a folder that was restored from one the copy becomes the database.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from homeagent.database import FILE_NAME
from homeagent.errors import DatabaseError
from homeagent.private_folder import make_private

COPY = "backup/homeagent.sqlite"
"""Under a name of its own: patterns of what is left out are held against the last part of a path."""


def prepare(folder: Path) -> bool:
    """Copy the database as it is at this moment; whether there is one. The service goes on meanwhile.

    Everything that was committed is in it, and nothing half. Blocks. Raises DatabaseError.
    """
    live, copy = folder / FILE_NAME, folder / COPY
    if not live.is_file():
        return False
    make_private(copy.parent)
    made = copy.with_suffix(".part")
    made.unlink(missing_ok=True)
    try:
        with (
            contextlib.closing(sqlite3.connect(live, timeout=30)) as source,
            contextlib.closing(sqlite3.connect(made)) as target,
        ):
            source.backup(target)  # one reading transaction: writers go on, and are not in it
            target.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
        made.replace(copy)
    except (sqlite3.Error, OSError) as error:
        made.unlink(missing_ok=True)
        raise DatabaseError(f"The database could not be copied for the backup: {error}.") from error
    return True


def finish(folder: Path) -> None:
    """Remove the copy, once it is in the backup."""
    (folder / COPY).unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        (folder / COPY).parent.rmdir()


def restore(folder: Path) -> bool:
    """Make the copy the database, in a folder that has none: it was restored. Whether it was done.

    A copy beside a database is left over from a backup that did not end, and is removed.
    """
    copy, live = folder / COPY, folder / FILE_NAME
    if not copy.is_file():
        return False
    if live.exists():
        finish(folder)
        return False
    for suffix in ("-wal", "-shm"):  # a log without its database belongs to another one
        Path(f"{live}{suffix}").unlink(missing_ok=True)
    os.replace(copy, live)
    finish(folder)
    return True
