"""The service as people meet it: how fast it is there, how fast it acts, how much memory it takes."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import httpx
import psutil

from tests.bench.homes import DemoHome, demo_home
from tests.bench.measure import Times, memory_mb
from tests.bench.models import scripted_model

_WARM_WITHIN = 180.0


def help_time() -> dict[str, Any]:
    """`homeagent --help`, the whole process."""
    times = Times()
    for _ in range(7):
        with times.one():
            subprocess.run([_program(), "--help"], check=True, stdout=subprocess.DEVNULL)
    return {"help_ms": str(times)}


def service_times(size: int, **settings: str) -> dict[str, Any]:
    """A service over a home of ``size`` entities, with an empty data folder, from its start on; then started again."""
    with demo_home(size) as home, tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        with running_service(home, Path(folder), settings) as service:
            first_light = a_light(home)
            answered = _until_answered(service, f"turn on the {first_light}", started)
            warm, health = until_warm(service, started)
            commands = _commands(service, home)
            total, each = memory_mb(service.pid)
        (Path(folder) / "service.json").unlink(missing_ok=True)
        started = time.monotonic()
        with running_service(home, Path(folder), settings) as service:
            again = _until_answered(service, f"turn off the {first_light}", started)
    return {
        "entities": size,
        "first_sentence_of_first_start_s": round(answered, 2),
        "first_sentence_of_next_start_s": round(again, 2),
        "fully_warm_s": round(warm, 1),
        "health": health,
        "sentence_to_service_call": str(commands),
        "memory_mb": round(total),
        "memory_mb_each": {name: round(mb) for name, mb in each.items()},
    }


def memory_with_a_model(size: int) -> dict[str, Any]:
    """Everything loaded and one sentence answered by a language model (a scripted one), all child processes counted."""
    with demo_home(size) as home, scripted_model() as model, tempfile.TemporaryDirectory() as folder:
        settings = {"HOMEAGENT_LLM__MODEL": "openai/scripted", "HOMEAGENT_LLM__BASE_URL": model}
        settings |= {"HOMEAGENT_LLM__API_KEY": "sk-scripted", "HOMEAGENT_AGENT__BRAIN": "llm"}
        with running_service(home, Path(folder), settings) as service:
            _, health = until_warm(service, time.monotonic())
            answer = service.ask("what do you make of the weather these days?")["response"]
            total, each = memory_mb(service.pid)
    return {
        "entities": size,
        "health": health,
        "answer": answer,
        "memory_mb": round(total),
        "memory_mb_each": {name: round(mb) for name, mb in each.items()},
    }


class RunningService:
    def __init__(self, pid: int, url: str, token: str) -> None:
        self.pid = pid
        self.url = url
        self.token = token
        self._client = httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60)

    def ask(self, text: str) -> dict[str, Any]:
        answer = self._client.post("/api/services/process", json={"text": text})
        answer.raise_for_status()
        return dict(answer.json())

    def health(self) -> dict[str, Any]:
        return dict(self._client.get("/health").json())


@contextlib.contextmanager
def running_service(
    home: DemoHome,
    folder: Path,
    settings: dict[str, str],
    *,
    log: IO[bytes] | None = None,
    files: int | None = None,
) -> Iterator[RunningService]:
    """A service from its start to the end of the block. ``files``: how many it may have open."""
    environment = {
        **os.environ,
        "HOMEAGENT_CONFIG": "",
        "HOMEAGENT_DATA_DIR": str(folder),
        "HOMEAGENT_HOME_ASSISTANT__URL": home.url,
        "HOMEAGENT_HOME_ASSISTANT__TOKEN": home.token,
        "HOMEAGENT_LOG_LEVEL": "warning",
        **settings,
    }
    process = subprocess.Popen(
        [_program(), "serve", "--port", "0"], env=environment, stdout=subprocess.DEVNULL, stderr=log
    )
    if files is not None:
        psutil.Process(process.pid).rlimit(psutil.RLIMIT_NOFILE, (files, files))
    try:
        yield RunningService(process.pid, *_found(folder / "service.json"))
    finally:
        process.terminate()
        process.wait(30)


def _found(file: Path) -> tuple[str, str]:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with contextlib.suppress(OSError, ValueError):
            data = json.loads(file.read_text())
            return data["url"], data["token"]
        time.sleep(0.01)
    raise TimeoutError("the service did not start")


def _until_answered(service: RunningService, sentence: str, started: float) -> float:
    while time.monotonic() - started < 60:
        with contextlib.suppress(httpx.HTTPError):
            service.ask(sentence)
            return time.monotonic() - started
        time.sleep(0.02)
    raise TimeoutError("the service did not answer")


def until_warm(service: RunningService, started: float) -> tuple[float, str]:
    status = ""
    while time.monotonic() - started < _WARM_WITHIN:
        status = str(service.health()["status"])
        if status == "ok":
            break
        time.sleep(0.1)
    return time.monotonic() - started, status


def _commands(service: RunningService, home: DemoHome) -> Times:
    """Switch lights on and off by name and by area: from before the request to the device."""
    times = Times()
    names = named(home, "light")[:25]
    for number, name in enumerate([*names, *names]):
        sentence = f"turn {'off' if number >= len(names) else 'on'} the {name}"
        moment = time.monotonic()
        service.ask(sentence)
        if at := home.first_call_since(moment, patience=0.05):
            times.ms.append((at - moment) * 1000)
        elif number >= len(names):
            print(f"  no call came of {sentence!r}", file=sys.stderr)
    return times


def a_light(home: DemoHome) -> str:
    return named(home, "light")[0]


def a_switch(home: DemoHome) -> str:
    return named(home, "switch")[0]


def named(home: DemoHome, domain: str) -> list[str]:
    """Names that only one thing has, of a domain."""
    states = httpx.get(f"{home.url}/api/states", headers={"Authorization": f"Bearer {home.token}"}).json()
    names = [s["attributes"]["friendly_name"] for s in states if s["entity_id"].startswith(f"{domain}.")]
    return [n for n in names if names.count(n) == 1]


def _program() -> str:
    return str(Path(sys.executable).with_name("homeagent"))
