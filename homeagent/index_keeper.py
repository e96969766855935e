"""Keeps the index current with the home: words at once, vectors when the changes have calmed down."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from homeagent.background_tasks import ended, in_background
from homeagent.errors import HomeAgentError
from homeagent.events import Emitter, ErrorOccurred
from homeagent.ha.home import ChangeKind, Home, HomeChange
from indexer.errors import IndexerError

if TYPE_CHECKING:
    from collections.abc import Callable

    from indexer.index import Index

_log = logging.getLogger(__name__)
_QUIET = 1.0
"""Seconds without a further change after which vectors are made; a registry event rarely comes alone."""
_AGAIN = (2.0, 60.0)
"""Seconds after which a failed sync is tried again: at first (a damaged store heals by then), and at most."""


class IndexKeeper:
    """Follows the home's names, areas and exposure from ``start`` to ``stop``. State changes never reach the index."""

    def __init__(self, home: Home, index: Index, emitter: Emitter) -> None:
        self._home = home
        self._index = index
        self._emitter = emitter
        self._changed = asyncio.Event()
        self._end_listening: Callable[[], None] | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Put what the home holds now into the index, and follow its changes in the background."""
        self._end_listening = self._home.listen(self._on_change)
        self._task = in_background(self._follow(), name="index keeper")
        if self._home.ready:
            self._put()

    async def stop(self) -> None:
        """Stop following; the index stays as it is."""
        if self._end_listening is not None:
            self._end_listening()
            self._end_listening = None
        await ended(self._task)

    def _on_change(self, change: HomeChange) -> None:
        if change.kind is ChangeKind.ENTITIES:
            self._put()

    def _put(self) -> None:
        home = self._home
        self._index.put(home.exposed(), areas=home.areas.values(), floors=home.floors.values())
        self._changed.set()

    async def _follow(self) -> None:
        pause = _AGAIN[0]
        while True:
            await self._changed.wait()
            while self._changed.is_set():
                self._changed.clear()
                await asyncio.sleep(_QUIET)
            if await self._sync():
                pause = _AGAIN[0]
            else:
                asyncio.get_running_loop().call_later(pause, self._changed.set)
                pause = min(2 * pause, _AGAIN[1])

    async def _sync(self) -> bool:
        try:
            report = await self._index.sync()
        except (HomeAgentError, IndexerError) as error:
            _log.warning("the index could not be brought up to date: %s", error)
            self._emitter.emit(
                ErrorOccurred(error_type=type(error).__name__, error_message=str(error), component="indexer")
            )
            return False
        _log.info("index: %s", report)
        return True
