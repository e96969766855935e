"""The data folder is its owner's alone: 0700, and every file in it 0600, whoever makes it.
Paths as people write them."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from homeagent.errors import DatabaseError

_log = logging.getLogger(__name__)
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def make_private(folder: Path) -> None:
    """Make the folder if it is not there, and let from now on nobody else read what this process and its children make.

    The mechanism is the process's umask: libraries (SQLite, Chroma) give their files no mode of their own.
    Raises DatabaseError where the folder cannot be made.
    """
    os.umask(_OTHERS)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise DatabaseError(f"The data folder {folder} cannot be made: {error.strerror or error}.") from error


def tighten(folder: Path) -> list[Path]:
    """Take others' rights away from what lies in the folder already; blocks. Returns what could not be tightened.

    One line in the log tells of that: a mount that knows no modes, another owner. Links are not followed, and a folder
    that plainly holds more than homeagent's data (a home folder, ``/tmp``) is left as it is.
    """
    folder = folder.resolve()
    if _holds_more(folder):
        _log.warning("%s is not homeagent's alone, so it is not made private: give `data_dir` its own folder", folder)
        return [folder]
    failed = [path for path in _everything(folder) if not _tightened(path)]
    if failed:
        _log.warning(
            "%d in the data folder may be read by others, since their modes cannot be changed; the first is %s. "
            "A folder on a file system with Unix modes, owned by the user of this service, is private.",
            len(failed),
            failed[0],
        )
    return failed


def _everything(folder: Path) -> Iterator[Path]:
    """The folder first: once it is closed, nobody can reach the others any more."""
    for place, _, names in os.walk(folder):
        yield Path(place)
        yield from (Path(place, name) for name in names)


def _tightened(path: Path) -> bool:
    try:
        found = path.lstat()
        if stat.S_ISDIR(found.st_mode):
            wanted = 0o700
        elif stat.S_ISREG(found.st_mode):
            wanted = stat.S_IMODE(found.st_mode) & 0o600
        else:  # a link has no rights of its own; sockets and pipes are nobody's data
            return True
        if stat.S_IMODE(found.st_mode) == wanted:
            return True
        path.chmod(wanted)
        return stat.S_IMODE(path.lstat().st_mode) & _OTHERS == 0  # some mounts say yes and do nothing
    except FileNotFoundError:  # it went meanwhile
        return True
    except OSError:
        return False


def _holds_more(folder: Path) -> bool:
    if folder.stat().st_mode & stat.S_ISVTX:
        return True
    try:
        home = Path.home().resolve()
    except RuntimeError:  # this user has none
        return False
    return folder == home or folder in home.parents


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
