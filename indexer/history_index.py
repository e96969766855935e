"""The history index: days of entities and areas that can be found by meaning, by thing and by day."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from datetime import date

from sqlalchemy import Engine

from indexer.cache import VectorCache
from indexer.documents import DocumentReport, Documents, Filter, Store
from indexer.embed import Vectors
from indexer.entity import FormerId
from indexer.history_rows import AREA, HistoryDay, HistoryRows

__all__ = ["AREA", "HistoryDay", "HistoryIndex"]

KIND = "history"


class HistoryIndex:
    """Keeps days in the database, and in step with it their vectors in a Chroma collection of their own.

    ``embed``, ``ready``, ``fingerprint`` and ``store`` are the index's; ``installation`` (blocks) tells homes apart
    that share a Chroma server. Everything is asynchronous; the database is used in threads. Raises IndexerError where
    the store or the model is needed and is not to be had.
    """

    def __init__(
        self,
        engine: Engine,
        embed: Callable[[Sequence[str]], Awaitable[Vectors]],
        ready: Callable[[], Awaitable[None]],
        fingerprint: Callable[[], str | None],
        store: Store,
        installation: Callable[[], str] = lambda: "",
    ) -> None:
        self._rows = HistoryRows(engine)
        self._documents = Documents(KIND, embed, ready, fingerprint, store, VectorCache(engine), installation)

    async def put(self, days: Sequence[HistoryDay]) -> None:
        """Keep these, in place of older ones: there at once, found by meaning after the next `sync`."""
        if days:
            await asyncio.to_thread(self._rows.put, days)

    async def sync(self, progress: Callable[[int, int], None] | None = None) -> DocumentReport:
        """Bring the vectors in step. May be ended at any time: what was embedded until then is not embedded again."""
        wanted = await asyncio.to_thread(self._rows.ids)
        report = await self._documents.sync(wanted, self._rows.documents, progress)
        if report.removed:
            await self._documents.tidy(await asyncio.to_thread(self._rows.hashes))
        return report

    async def near(self, text: str, first: date, last: date, limit: int) -> list[tuple[HistoryDay, float]]:
        """Days whose summaries mean what the text says, best first, with their similarity."""
        where: Filter = {"date": (int(f"{first:%Y%m%d}"), int(f"{last:%Y%m%d}"))}
        found = dict(await self._documents.near(text, limit, where))
        days = await asyncio.to_thread(self._rows.named, list(found))
        return [(day, found[f"{day.about}|{day.day.isoformat()}"]) for day in days]

    async def read(
        self, first: date, last: date, abouts: Collection[str] | None = None, limit: int | None = None
    ) -> list[HistoryDay]:
        """Days from ``first`` to ``last``, the newest first, of these entities and areas, or of all."""
        return await asyncio.to_thread(self._rows.read, first, last, abouts, limit)

    async def of_area(self, area_id: str | None, day: date) -> list[HistoryDay]:
        """The day of each thing in an area; None: of what has no area."""
        return await asyncio.to_thread(self._rows.of_area, area_id, day)

    async def over(self, first: date, last: date) -> dict[date, set[str]]:
        """What is final already, of each day."""
        return await asyncio.to_thread(self._rows.over, first, last)

    async def busy(self, since: date, points: int) -> set[str]:
        """What had more than so many recorded changes in a day since then."""
        return await asyncio.to_thread(self._rows.busy, since, points)

    async def forget_before(self, day: date) -> int:
        """Drop what is older; returns how many days of things."""
        return await asyncio.to_thread(self._rows.forget_before, day)

    async def rename(self, ids: Mapping[str, str], now: float) -> dict[str, tuple[FormerId, ...]]:
        """Give days to the entity ids that their things have now (``ids``: by registry id; ``now``: seconds since the
        epoch). Returns the ids that things had before, by the one they have now."""
        await asyncio.to_thread(self._rows.rename, ids, now)
        return await asyncio.to_thread(self._rows.former_ids)

    async def withdraw(self, hidden: Collection[str], shown: Collection[str]) -> None:
        """Note what is exposed no longer, and what is again; what is in neither stays as it is."""
        await asyncio.to_thread(self._rows.withdraw, hidden, shown)
