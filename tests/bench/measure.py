"""What the benchmarks measure with: medians, stalls of the event loop, memory of a process and its children."""

from __future__ import annotations

import asyncio
import contextlib
import statistics
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field

import psutil

_TICK = 0.005


@dataclass(slots=True)
class Times:
    """Durations in milliseconds."""

    ms: list[float] = field(default_factory=list)

    @contextlib.contextmanager
    def one(self) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self.ms.append((time.perf_counter() - started) * 1000)

    @property
    def median(self) -> float:
        return statistics.median(self.ms)

    @property
    def p95(self) -> float:
        return sorted(self.ms)[max(0, round(0.95 * len(self.ms)) - 1)]

    def __str__(self) -> str:
        return f"median {self.median:.1f} ms, 95th percentile {self.p95:.1f} ms, {len(self.ms)} runs"


@dataclass(slots=True)
class Stalls:
    """How long the event loop did not come round, in milliseconds."""

    worst_ms: float = 0.0
    over_50_ms: int = 0


@contextlib.asynccontextmanager
async def watching_the_loop() -> AsyncIterator[Stalls]:
    """Notes how late a tick of 5 ms comes while the block runs."""
    stalls = Stalls()

    async def tick() -> None:
        while True:
            started = time.perf_counter()
            await asyncio.sleep(_TICK)
            late = (time.perf_counter() - started - _TICK) * 1000
            stalls.worst_ms = max(stalls.worst_ms, late)
            stalls.over_50_ms += late > 50

    task = asyncio.create_task(tick())
    await asyncio.sleep(0)
    try:
        yield stalls
    finally:
        task.cancel()


def memory_mb(pid: int) -> tuple[float, dict[str, float]]:
    """Resident memory of a process and all below it: the sum, and each by its name and pid, in MB.

    Pages that several processes share count once (proportional set size).
    """
    root = psutil.Process(pid)
    each = {}
    for process in [root, *root.children(recursive=True)]:
        with contextlib.suppress(psutil.Error):
            each[f"{_called(process)} ({process.pid})"] = process.memory_full_info().pss / 1e6
    return sum(each.values()), each


def machine_factor() -> float:
    """Seconds that a fixed piece of pure Python takes here: figures of two machines compare by it."""
    best = float("inf")
    for _ in range(3):
        started = time.perf_counter()
        sum(i * i % 7 for i in range(2_000_000))
        best = min(best, time.perf_counter() - started)
    return best


def _called(process: psutil.Process) -> str:
    line = process.cmdline()
    return " ".join(line[1:4])[:60] if len(line) > 1 else process.name()
