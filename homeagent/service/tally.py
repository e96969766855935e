"""What happens often, and would be a line of the log each time: summed up, and told once in a while."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter

_MOST_NAMED = 5
_EVERY = 60.0
"""Seconds."""


class Tally:
    """Counts, and writes at most one warning a minute: the first at once, later ones together.

    ``text`` takes ``{count}``; who it was is put after it. Needs a running event loop.
    """

    def __init__(self, log: logging.Logger, text: str) -> None:
        self._log = log
        self._text = text
        self._counts: Counter[str] = Counter()
        self._others = 0
        self._next = 0.0
        self._waiting: asyncio.TimerHandle | None = None

    def add(self, whom: str) -> None:
        """Once more, by ``whom`` (an address)."""
        if whom in self._counts or len(self._counts) < _MOST_NAMED:
            self._counts[whom] += 1
        else:
            self._others += 1
        if self._waiting is None:
            loop = asyncio.get_running_loop()
            self._waiting = loop.call_at(max(self._next, loop.time()), self._tell)

    def _tell(self) -> None:
        self._waiting = None
        self._next = asyncio.get_running_loop().time() + _EVERY
        count = self._counts.total() + self._others
        said = [f"{whom} ({times})" for whom, times in self._counts.most_common()]
        said += [f"others ({self._others})"] if self._others else []
        self._log.warning("%s: %s", self._text.format(count=count), ", ".join(said))
        self._counts.clear()
        self._others = 0
