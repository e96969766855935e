"""What a turn costs while others mean no good: half-open connections, listeners, wrong tokens; and log and memory."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil

from homeagent.confirmations import Confirmations
from homeagent.database import open_database
from homeagent.turn import Turn
from tests.bench.homes import demo_home
from tests.bench.measure import Times, memory_mb
from tests.bench.serving import RunningService, a_light, a_switch, running_service, until_warm

_TURNS = 60
_ASKING = {"HOMEAGENT_POLICY__RULES": '[{"target": "switch.*", "decision": "confirm"}]'}
"""A generated home has nothing that is asked about."""
_FEW_FILES = 512
"""Files that the service may open, as on a small machine: fewer than there are attackers."""
_MANY_LISTENERS = {"HOMEAGENT_SERVICE__MAX_CONNECTIONS": "1200", "HOMEAGENT_SERVICE__MAX_LISTENERS": "1000"}


def attacked_times(size: int) -> dict[str, Any]:
    """A turn's time before and during each attack, on a home of ``size`` entities."""
    return {
        "500 half-open connections": _attacked(size, "half_open", 500, {}, _FEW_FILES),
        "50 that guess tokens": _attacked(size, "wrong_token", 50, {}, _FEW_FILES),
        "1000 listeners": _attacked(size, "listener", 1000, _MANY_LISTENERS, None),
        "10000 questions that wait": _with_questions(size, 10_000),
    }


def _with_questions(size: int, count: int) -> dict[str, Any]:
    """Turns, and turns that ask for a yes, before and while so many questions wait."""
    with (
        demo_home(size) as home,
        tempfile.TemporaryDirectory() as folder,
        running_service(home, Path(folder), _ASKING) as service,
    ):
        until_warm(service, time.monotonic())
        light, switch = a_light(home), a_switch(home)
        _turns(service, light)
        before, asking = _turns(service, light), _asking_turns(service, switch)
        asyncio.run(_fill(Path(folder), count))
        during, asking_during = _turns(service, light), _asking_turns(service, switch)
    return {
        "before": str(before),
        "during": str(during),
        "times as long": round(during.median / before.median, 2),
        "asking before": str(asking),
        "asking during": str(asking_during),
    }


def _asking_turns(service: RunningService, switch: str) -> Times:
    times = Times()
    for _ in range(_TURNS // 3):
        with times.one():
            answer = service.ask(f"turn on the {switch}")
        assert answer["pending"], answer
    return times


async def _fill(folder: Path, count: int) -> None:
    engine = open_database(None, folder)
    confirmations = Confirmations(engine, ttl=3600.0)
    for number in range(count):
        turn = Turn(text="", conversation_id=f"c{number % 100}", user_id=f"user {number % 50}")
        await confirmations.create(turn, "ha_control", {"number": number}, ["lock.x"], f"unlock {number}")
    engine.dispose()


def _attacked(size: int, attack: str, count: int, settings: dict[str, str], files: int | None) -> dict[str, Any]:
    with demo_home(size) as home, tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as log:
        with running_service(home, Path(folder), settings, log=log, files=files) as service:
            until_warm(service, time.monotonic())
            light = a_light(home)
            _turns(service, light)
            before, memory = _turns(service, light), memory_mb(service.pid)[0]
            with _attacking(attack, service, count):
                during = _turns(service, light)
                held = psutil.Process(service.pid).num_fds()
                memory_during = memory_mb(service.pid)[0]
        written = log.seek(0, 2)
    return {
        "before": str(before),
        "during": str(during),
        "times as long": round(during.median / before.median, 2),
        "files open": held,
        "log_kb": round(written / 1000, 1),
        "memory_mb": f"{memory:.0f}, during {memory_during:.0f}",
    }


def _turns(service: RunningService, light: str) -> Times:
    times = Times()
    for number in range(_TURNS):
        with times.one():
            service.ask(f"turn {'off' if number % 2 else 'on'} the {light}")
    return times


@contextlib.contextmanager
def _attacking(attack: str, service: RunningService, count: int) -> Iterator[None]:
    command = [sys.executable, "-m", "tests.bench.attackers", attack, str(urlsplit(service.url).port), service.token]
    process = subprocess.Popen([*command, str(count)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        yield
    finally:
        process.terminate()
        process.wait()
