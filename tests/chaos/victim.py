"""The service that is killed: a process tree over one data folder, and what it says of itself."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import psutil

from tests.cli.command import Service

PATIENCE = 180.0
"""Seconds after which a service that is not well counts as hung."""


class Victim:
    """`homeagent serve` over ``folder``, started again and again."""

    def __init__(self, folder: Path, variables: Mapping[str, str]) -> None:
        self.folder = folder
        self.data = folder / "homeagent"
        self._variables = dict(variables)
        self._service: Service | None = None
        self._http = httpx.Client()
        self._started = 0.0

    def start(self) -> None:
        """Start it, and wait until it can be spoken to."""
        announced = self.data / "service.json"
        announced.unlink(missing_ok=True)  # what the killed one left behind
        self._started = time.monotonic()
        self._service = Service(self.folder, "serve", "--port", "0", **self._variables)
        self._service.wait_for(announced)
        said = json.loads(announced.read_text())
        headers = {"Authorization": f"Bearer {said['token']}"}
        self._http = httpx.Client(base_url=said["url"], headers=headers, timeout=PATIENCE)

    def kill(self) -> float:
        """``kill -9`` the parent alone; the seconds until its children are gone as well."""
        assert self._service is not None
        children = psutil.Process(self._service.process.pid).children(recursive=True)
        at = time.monotonic()
        os.kill(self._service.process.pid, signal.SIGKILL)
        self._service.process.wait()
        while any(_alive(child) for child in children):
            assert time.monotonic() - at < 10, "the children outlive a killed service"
            time.sleep(0.005)
        return time.monotonic() - at

    def end(self) -> None:
        if self._service is not None:
            self._service.end(seconds=30)

    def command(self, *arguments: str) -> Service:
        """Another command on the same folder, under way."""
        return Service(self.folder, *arguments, **self._variables)

    def call(self, service: str, **fields: Any) -> Any:
        """What a service answers. Raises httpx.HTTPError."""
        response = self._http.post(f"/api/services/{service}", json=fields)
        response.raise_for_status()
        return response.json()

    def search(self, text: str) -> Any:
        return self._http.post("/api/search", json={"text": text}).raise_for_status().json()

    def health(self) -> Any:
        return self._http.get("/health").raise_for_status().json()

    def progress(self, *, force: bool) -> Iterator[float]:
        """Reindex; the share that is done, as it is told. Ends early when the service does."""
        body = {"force": force, "stream": True}
        with (
            contextlib.suppress(httpx.HTTPError),
            self._http.stream("POST", "/api/services/reindex_entities", json=body) as response,
        ):
            for line in response.iter_lines():
                if line.startswith("data: ") and (done := json.loads(line.removeprefix("data: ")).get("done")):
                    yield done / json.loads(line.removeprefix("data: "))["total"]

    def wait_until_well(self, entities: int) -> float:
        """Until every part is well and each of ``entities`` has its vector; seconds since the start."""
        health: Any = {}
        while time.monotonic() - self._started < PATIENCE:
            health = self.health()
            index, memory = health["parts"]["index"], health["parts"]["memory"]
            if health["status"] == "ok" and index["vectors"] == entities and not memory["waiting_for_vectors"]:
                break
            time.sleep(0.05)
        else:
            raise AssertionError(f"not well after {PATIENCE:g} s: {health}\n{self.log()[-3000:]}")
        self.call("reindex_entities")  # waits for a sync that is under way
        again = self.call("reindex_entities")
        assert again["unchanged"] == entities, again
        return time.monotonic() - self._started

    def wait_until_found(self, name: str) -> None:
        """Until an entity can be found by this name: the service knows of the change."""
        started = time.monotonic()
        while not any(found["name"] == name for found in self.search(name)["found"]):
            assert time.monotonic() - started < PATIENCE, f"{name} cannot be found"
            time.sleep(0.02)

    def log(self) -> str:
        file = self.folder / "service.log"
        return file.read_text(errors="replace") if file.exists() else ""

    def syncs(self) -> int:
        """How often it has said that the index is up to date with the home."""
        return self.log().count("index: SyncReport")

    def rebuilds(self) -> int:
        """How often it has said that it makes the vector store anew."""
        return self.log().count("the vector store is rebuilt")


def _alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
