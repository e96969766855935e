"""What a turn costs while others mean no good: half-open connections, listeners, wrong tokens; and log and memory."""

from __future__ import annotations

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

from tests.bench.homes import demo_home
from tests.bench.measure import Times, memory_mb
from tests.bench.serving import RunningService, a_light, running_service, until_warm

_TURNS = 60
_FEW_FILES = 512
"""Files that the service may open, as on a small machine: fewer than there are attackers."""
_MANY_LISTENERS = {"HOMEAGENT_SERVICE__MAX_CONNECTIONS": "1200", "HOMEAGENT_SERVICE__MAX_LISTENERS": "1000"}


def attacked_times(size: int) -> dict[str, Any]:
    """A turn's time before and during each attack, on a home of ``size`` entities."""
    return {
        "500 half-open connections": _attacked(size, "half_open", 500, {}, _FEW_FILES),
        "50 that guess tokens": _attacked(size, "wrong_token", 50, {}, _FEW_FILES),
        "1000 listeners": _attacked(size, "listener", 1000, _MANY_LISTENERS, None),
    }


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
