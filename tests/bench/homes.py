"""Demo homes of any size in processes of their own, so that their work is not counted as the product's."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from subprocess import PIPE, Popen

from homeagent.demo.generate import generate
from homeagent.demo.server import DemoServer
from homeagent.ha.connection import HomeAssistant


@dataclass(slots=True)
class DemoHome:
    """A running demo home. ``calls`` are (time.monotonic(), entity id) of what reached a device."""

    url: str
    token: str
    calls: list[tuple[float, str]] = field(default_factory=list)

    def first_call_since(self, moment: float, patience: float = 2.0) -> float | None:
        """When the first command after ``moment`` reached a device."""
        until = time.monotonic() + patience
        while time.monotonic() < until:
            for at, _ in tuple(self.calls):
                if at >= moment:
                    return at
            time.sleep(0.002)
        return None


@contextlib.contextmanager
def demo_home(size: int) -> Iterator[DemoHome]:
    """A home of ``size`` entities, from its start to the end of the block."""
    process = Popen([sys.executable, "-m", "tests.bench.homes", str(size)], stdout=PIPE, text=True)
    assert process.stdout is not None
    try:
        home = DemoHome(**json.loads(process.stdout.readline()))
        threading.Thread(target=_collect, args=(process.stdout, home.calls), daemon=True).start()
        yield home
    finally:
        process.terminate()
        process.wait()


@contextlib.asynccontextmanager
async def connected(home: DemoHome) -> AsyncIterator[HomeAssistant]:
    """The product's own connection to it, everything read."""
    ha = HomeAssistant(home.url, home.token)
    await ha.start()
    try:
        assert await ha.wait_ready(60)
        yield ha
    finally:
        await ha.stop()


def _collect(lines: Iterator[str], calls: list[tuple[float, str]]) -> None:
    for line in lines:
        at, entity_id = json.loads(line)
        calls.append((at, entity_id))


async def _serve(size: int) -> None:
    async with DemoServer(generate(size), settle=0.0) as server:
        print(json.dumps({"url": server.url, "token": server.token}), flush=True)
        told = 0
        while True:
            for call in server.calls[told:]:
                print(json.dumps([call.at, call.entity_id]), flush=True)
                told += 1
            await asyncio.sleep(0.005)


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1])))
