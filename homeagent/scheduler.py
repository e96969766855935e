"""What is done again and again: reading the registries anew, and keeping the database tidy.

Jobs live in memory and are coroutines that never block: APScheduler's SQL job store reads on the event loop, and by
default it drops a job that is a second late.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from apscheduler.schedulers.asyncio import AsyncIOScheduler  # type: ignore[import-untyped]
from apscheduler.triggers.date import DateTrigger  # type: ignore[import-untyped]
from apscheduler.triggers.interval import IntervalTrigger  # type: ignore[import-untyped]

from homeagent.errors import HomeAgentError
from indexer.errors import IndexerError
from memory.errors import MemoriesError

_log = logging.getLogger(__name__)
_JITTER = 30
_LATE_BY = int(timedelta(hours=1).total_seconds())


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do every so often."""

    name: str
    every: timedelta
    run: Callable[[], Awaitable[object]]


class Scheduler:
    """Runs jobs on the event loop, each at most once at a time; one that fails is logged and tried again next time."""

    def __init__(self, *jobs: Job) -> None:
        # UTC: intervals need no zone, and looking the machine's up takes files that a container may lack.
        self._scheduler = AsyncIOScheduler(timezone="UTC")
        for job in jobs:
            trigger = IntervalTrigger(seconds=int(job.every.total_seconds()), jitter=_JITTER, timezone="UTC")
            self._scheduler.add_job(
                _run, trigger, args=(job,), id=job.name, coalesce=True, max_instances=1, misfire_grace_time=_LATE_BY
            )

    def start(self) -> None:
        """Run each job for the first time after its interval."""
        self._scheduler.start()

    def wake_at(self, name: str, moment: datetime, run: Callable[[], Awaitable[None]]) -> None:
        """Run once at a moment (aware), however late; another of the name takes its place."""
        trigger = DateTrigger(moment, timezone="UTC")
        self._scheduler.add_job(run, trigger, id=name, replace_existing=True, misfire_grace_time=None)

    def stop(self) -> None:
        """No further job begins; one that runs is cancelled with the loop."""
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)


async def _run(job: Job) -> None:
    try:
        await job.run()
    except (HomeAgentError, IndexerError, MemoriesError) as error:
        _log.warning("%s failed and will be tried again: %s", job.name, error)
