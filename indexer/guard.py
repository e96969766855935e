"""Guards against Chroma's index files that a kill in mid-write can poison.

A poisoned file holds a wrong length; opening it then hangs and writes without end (chroma-core/chroma#7510). So sizes
are looked at before opening, and while Chroma works no file may grow by more than the work explains.
"""

from __future__ import annotations

import contextlib
import os
import resource
from collections.abc import Iterator
from pathlib import Path

from indexer.errors import StoreCorrupt

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
