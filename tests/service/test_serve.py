"""`homeagent serve` as a process: found by other commands, alone on its folder, ended cleanly or killed."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import psutil
import pytest

from homeagent.demo.inventory import Inventory
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

    async def serve(self) -> Service:
        service = Service(self.folder, "serve", "--port", "0", **self.variables)
        self.services.append(service)
        await asyncio.to_thread(service.wait_for, self.announced)
        return service

    async def run(self, *arguments: str) -> "tuple[int, str, str]":
        """A command while the demo home goes on in this process."""
        done = await asyncio.to_thread(lambda: run(self.folder, *arguments, **self.variables))
        return done.returncode, done.stdout, done.stderr


@pytest.fixture
async def home(tmp_path: Path, demo: DemoServer, embeddings: EmbeddingServer) -> AsyncIterator[Home]:
    home = Home(tmp_path, demo, embeddings)
    yield home
    for service in home.services:
        if service.process.poll() is None:
            service.process.kill()
        service.process.wait()


async def test_a_service_from_start_to_end(home: Home, demo: DemoServer) -> None:
    service = await home.serve()
    announced = json.loads(home.announced.read_text())
    assert announced["pid"] == service.process.pid

    code, _, _ = await home.run("ask", "turn on the kitchen lights")
    assert code == 0
    assert demo.state("light.kitchen_lights")["state"] == "on"

    async with httpx.AsyncClient(base_url=announced["url"]) as http:
        assert (await http.get("/health")).json()["parts"]["database"]["status"] == "ok"
        assert (await http.post("/api/services/process", json={"text": "hi"})).status_code == 401
        forged = await http.get("/health", headers={"Host": "evil.example"})
        assert forged.status_code == 403

    code, _, error = await home.run("serve", "--port", "0")
    assert code == 2
    assert str(service.process.pid) in error

    children = psutil.Process(service.process.pid).children(recursive=True)
    assert await asyncio.to_thread(service.end, signal.SIGTERM) == 0
    assert not home.announced.exists()
    assert not [child for child in children if child.is_running() and child.status() != psutil.STATUS_ZOMBIE]
    assert announced["token"] not in service.log.read_text()


async def test_without_a_service_a_command_does_it_itself(home: Home, demo: DemoServer) -> None:
    code, _, error = await home.run("ask", "turn on the kitchen lights")
    assert code == 0, error
    assert demo.state("light.kitchen_lights")["state"] == "on"
    assert not home.announced.exists()


async def test_a_killed_service_is_not_missed(home: Home, demo: DemoServer) -> None:
    service = await home.serve()
    code, stdout, _ = await home.run("memory", "add", "The bins go out on Thursday")
    assert code == 0, stdout
    children = psutil.Process(service.process.pid).children(recursive=True)
    await asyncio.to_thread(service.end, signal.SIGKILL)
    assert home.announced.exists()  # left behind, and no longer true

    code, stdout, error = await home.run("memory", "list")
    assert code == 0, error
    assert "The bins go out on Thursday" in stdout
    assert not [child for child in children if child.is_running() and child.status() != psutil.STATUS_ZOMBIE]


async def test_an_address_that_is_taken(home: Home, demo: DemoServer) -> None:
    port = demo.url.rpartition(":")[2]
    code, _, error = await home.run("serve", "--port", port)
    assert code == 2
    assert port in error
    assert "service.port" in error


async def test_home_assistant_down_wrong_and_back(home: Home, demo_inventory: Inventory, demo: DemoServer) -> None:
    home.variables["HOMEAGENT_HOME_ASSISTANT__TOKEN"] = "wrong"
    code, _, error = await home.run("ask", "turn on the kitchen lights")
    assert code == 1
    assert "token" in error
    code, stdout, _ = await home.run("doctor")
    assert code == 1
    assert "homeagent setup" in stdout

    home.variables["HOMEAGENT_HOME_ASSISTANT__TOKEN"] = demo.token
    await demo.stop()
    service = await home.serve()
    code, _, error = await home.run("ask", "turn on the kitchen lights")
    assert code == 1
    assert demo.url in error
    assert '"degraded"' in (await home.run("status", "--json"))[1]

    await demo.start()
    for _ in range(60):
        code, _, error = await home.run("ask", "turn on the kitchen lights")
        if code == 0:
            break
    assert code == 0, error
    assert demo.state("light.kitchen_lights")["state"] == "on"
    await asyncio.to_thread(service.end)


async def test_two_commands_at_once_wait_for_each_other(home: Home) -> None:
    done = await asyncio.gather(home.run("memory", "add", "one"), home.run("memory", "add", "two"))
    assert [code for code, _, _ in done] == [0, 0], done
    _, stdout, _ = await home.run("memory", "list")
    assert "one" in stdout
    assert "two" in stdout


async def test_a_database_that_is_none(home: Home) -> None:
    (home.folder / "homeagent").mkdir()
    (home.folder / "homeagent" / "homeagent.db").write_bytes(b"this is not a database" * 100)
    for command in (["ask", "turn on the kitchen lights"], ["serve", "--port", "0"]):
        code, _, error = await home.run(*command)
        assert code == 1
        assert "homeagent.db" in error
    code, stdout, _ = await home.run("doctor")
    assert code == 1
    assert "homeagent.db" in stdout
    assert "95 entities" in stdout  # Home Assistant is tried all the same
