"""A home folder in which the service runs as a process of its own, and commands beside it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import httpx

from homeagent.demo.server import DemoServer
from tests.cli.command import Service, run
from tests.embedding_server import EmbeddingServer


class Home:
    """A home folder with a configuration that leads to the demo home."""

    def __init__(self, folder: Path, demo: DemoServer, embeddings: EmbeddingServer) -> None:
        self.folder = folder
        self.announced = folder / "homeagent" / "service.json"
        self.variables = {
            "HOMEAGENT_HOME_ASSISTANT__URL": demo.url,
            "HOMEAGENT_HOME_ASSISTANT__TOKEN": demo.token,
            "HOMEAGENT_INDEX__ENDPOINT": embeddings.url,
            "HOMEAGENT_INDEX__MODEL": "of-the-tests",
        }
        self.services: list[Service] = []

    async def serve(self, *options: str) -> Service:
        service = Service(self.folder, "serve", "--port", "0", *options, **self.variables)
        self.services.append(service)
        await asyncio.to_thread(service.wait_for, self.announced)
        return service

    def http(self) -> httpx.AsyncClient:
        """A client of the running service."""
        said = json.loads(self.announced.read_text())
        headers = {"Authorization": f"Bearer {said['token']}"}
        return httpx.AsyncClient(base_url=said["url"], headers=headers, timeout=60)

    async def run(self, *arguments: str) -> tuple[int, str, str]:
        """A command while the demo home goes on in this process."""
        done = await asyncio.to_thread(lambda: run(self.folder, *arguments, **self.variables))
        return done.returncode, done.stdout, done.stderr
