"""What people call things, kept in memory: every sentence is looked through for these names."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from datetime import datetime

from memory.identity import NICKNAME
from memory.model import Memory
from memory.records import Records


class Names:
    """The memories that say what somebody calls a thing, of all scopes, read at the first use. ``now`` is the clock."""

    def __init__(self, records: Records, now: Callable[[], datetime]) -> None:
        self._records = records
        self._now = now
        self._known: dict[str, Memory] | None = None
        self._lock = threading.Lock()

    def at_hand(self, user_id: str | None) -> list[Memory] | None:
        """The current ones that ``user_id`` may see, newest first; None: they have to be read first."""
        known = self._known
        if known is None:
            return None
        now = self._now()
        mine = [one for one in tuple(known.values()) if one.user_id in (None, user_id) and one.is_current(now)]
        return sorted(mine, key=lambda one: (one.updated_at, one.id), reverse=True)

    def read(self) -> None:
        """Blocks, where they have not been read yet."""
        with self._lock:
            if self._known is None:
                self._known = {one.id: one for one in self._records.nicknames()}

    def put(self, memory: Memory) -> None:
        """Blocks while they are being read. The memory as it is now, whatever it says."""
        with self._lock:
            if self._known is not None:
                self._known.pop(memory.id, None)
                if (memory.key or "").startswith(NICKNAME):
                    self._known[memory.id] = memory

    def remove(self, ids: Iterable[str]) -> None:
        """Blocks while they are being read."""
        with self._lock:
            for memory_id in ids:
                if self._known is not None:
                    self._known.pop(memory_id, None)

    def reload(self) -> None:
        """Read everything anew at the next use."""
        with self._lock:
            self._known = None
