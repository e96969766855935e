"""How large a folder is, and how large it gets while nobody looks."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Self

_EVERY = 0.03


def size_of(folder: Path) -> int:
    """Bytes on the disk: what `du` says, sparse files by what they take."""
    return sum(_on_disk(os.path.join(place, name)) for place, _, names in os.walk(folder) for name in names)


def _on_disk(file: str) -> int:
    try:
        return os.lstat(file).st_blocks * 512
    except OSError:  # it just went
        return 0


class Watch:
    """Samples a folder's size in a thread; ``largest`` is what it has been at most since `forget`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self.largest = 0

    def forget(self) -> None:
        self.largest = 0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._end.wait(_EVERY):
            self.largest = max(self.largest, size_of(self._folder))
