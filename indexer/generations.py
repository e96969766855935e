"""The store's folder: one generation of Chroma's files in use, named by a pointer that is swapped in one step.

A poisoned file holds a wrong length; opening it then hangs and writes without end (chroma-core/chroma#7510). So sizes
are looked at before opening, and while Chroma works no file may grow by more than the work explains.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import resource
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from indexer.errors import StoreCorrupt, StoreUnavailable

_POINTER = "current"
_LOCK = "lock"
_PREFIX = "generation-"
_WAIT = 10.0
"""Seconds."""


class Generations:
    """Owns a folder, alone: a second process that asks for it waits, then fails.

    Everything in it but the generation in use may be removed at any time.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(folder / _LOCK)
        except OSError as error:
            raise StoreUnavailable(f"The index folder {folder} cannot be used: {error}") from error
        self.tidy()

    @property
    def current(self) -> Path | None:
        """The generation in use; None where there is none yet, or where the pointer names none."""
        try:
            name = (self._folder / _POINTER).read_bytes().strip()
        except FileNotFoundError:
            return None
        return next((folder for folder in self._all() if folder.name.encode() == name), None)

    def new(self) -> Path:
        """A fresh, empty folder beside the one in use."""
        numbers = [int(f.name.removeprefix(_PREFIX)) for f in self._all() if f.name.removeprefix(_PREFIX).isdigit()]
        folder = self._folder / f"{_PREFIX}{max(numbers, default=0) + 1}"
        folder.mkdir()
        return folder

    def use(self, folder: Path) -> None:
        """Make a generation the one in use and remove the others."""
        draft = self._folder / f"{_POINTER}.new"
        with draft.open("w", encoding="utf-8") as file:
            file.write(folder.name)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._folder / _POINTER)
        self.tidy()

    def tidy(self) -> None:
        """Remove what is not in use: old generations, and new ones that were never finished."""
        kept = self.current
        for folder in self._all():
            if folder != kept:
                shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """Let another process use the folder."""
        self._lock.close()

    def _all(self) -> list[Path]:
        return [f for f in self._folder.iterdir() if f.is_dir() and f.name.startswith(_PREFIX)]


def _locked(path: Path) -> IO[str]:
    file = path.open("w", encoding="utf-8")
    deadline = time.monotonic() + _WAIT
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return file
        except BlockingIOError:
            if time.monotonic() > deadline:
                file.close()
                raise StoreUnavailable(
                    f"Another process uses {path.parent}.", hint="Stop it, or talk to the running service."
                ) from None
            time.sleep(0.05)


_MEGABYTE = 1 << 20
_SLACK = 8 * _MEGABYTE


def check_sizes(folder: Path) -> None:
    """Raise `StoreCorrupt` where the index files' sizes cannot be right.

    The links of a healthy index are a small part of its vectors, and those not much larger than the database with the
    texts.
    """
    database = folder / "chroma.sqlite3"
    for vectors in folder.glob("*/data_level0.bin"):
        size, limit = vectors.stat().st_size, max(64 * _MEGABYTE, 64 * _size(str(database)))
        if size > limit:
            raise StoreCorrupt(f"{vectors} has {size} bytes, which cannot be right")
    for links in folder.glob("*/link_lists.bin"):
        level0 = links.with_name("data_level0.bin")
        if not level0.exists():
            raise StoreCorrupt(f"{links.parent.name} has links but no vectors")
        size, limit = links.stat().st_size, max(2 * _MEGABYTE, level0.stat().st_size)
        if size > limit:
            raise StoreCorrupt(f"{links} has {size} bytes, which cannot be right")


@contextlib.contextmanager
def bounded_growth(folder: Path, work: int = 0) -> Iterator[None]:
    """While inside, no file may grow past the largest one, plus twice ``work`` (bytes written) and some slack.

    A write beyond that fails with "file too large" instead of filling the disk. Holds for the whole process.
    """
    largest = max(
        (_size(os.path.join(place, name)) for place, _, names in os.walk(folder) for name in names), default=0
    )
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    wanted = largest + largest // 4 + 2 * work + _SLACK
    limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _size(file: str) -> int:
    try:
        return os.stat(file).st_size
    except FileNotFoundError:  # a journal that just went
        return 0
