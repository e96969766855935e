"""The whole app over the demo home, with an embedding service of the tests' own."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from pydantic import TypeAdapter

from homeagent.app import App
from homeagent.client.asgi_transport import StreamingAsgiTransport
from homeagent.config.loading import Settings
from homeagent.demo.inventory import Inventory
from homeagent.demo.server import DemoServer
from homeagent.past_turns import Sees
from homeagent.service.api import create_api
from homeagent.service.services import SERVICES
from tests.databases import lay_database
from tests.embedding_server import EmbeddingServer
from tests.service.home import Home

TOKEN = "service-token"


@pytest.fixture(scope="session")
def embeddings() -> Iterator[EmbeddingServer]:
    server = EmbeddingServer()
    server.start()
    yield server
    server.stop()


def settings_for(folder: Path, demo: DemoServer, embeddings: EmbeddingServer) -> Settings:
    lay_database(folder)
    return Settings.model_validate(
        {
            "data_dir": folder,
            "home_assistant": {"url": demo.url, "token": demo.token},
            "index": {"endpoint": embeddings.url, "model": "of-the-tests"},
            "agent": {"settle_timeout": 1.0},
        }
    )


@pytest.fixture
def settings(tmp_path: Path, demo: DemoServer, embeddings: EmbeddingServer) -> Settings:
    return settings_for(tmp_path / "data", demo, embeddings)


@pytest.fixture
async def app(settings: Settings) -> AsyncIterator[App]:
    app = App(settings)
    await app.start()
    yield app
    await app.stop()


@pytest.fixture
async def http(app: App) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the app's API."""
    async with client_of(app) as client:
        yield client


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def unchanged(
    demo_inventory: Inventory, embeddings: EmbeddingServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[httpx.AsyncClient]:
    """A client of one app for all tests of a module, whose requests change nothing; looked at in the end."""
    async with DemoServer(demo_inventory, settle=0.05) as demo:
        app = App(settings_for(tmp_path_factory.mktemp("unchanged"), demo, embeddings))
        await app.start()
        async with client_of(app) as client:
            yield client
        assert demo.calls == []
        assert await app.past_turns.conversations(Sees(None, True), 1) == []
        assert (await app.memories.status()).memories == 0
        await app.stop()


@asynccontextmanager
async def client_of(app: App) -> AsyncIterator[httpx.AsyncClient]:
    """The owner's client of an API of its own."""
    transport = StreamingAsgiTransport(create_api(app, token=TOKEN))
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://localhost", headers=headers, timeout=30
    ) as client:
        yield client


def problem(response: httpx.Response) -> dict[str, Any]:
    """The problem that was answered, in the shape that all of them have."""
    assert response.status_code >= 400, response.text
    assert response.headers["content-type"] == "application/problem+json"
    told: dict[str, Any] = response.json()
    assert {"type", "title", "status", "detail", "code", "hint"} <= told.keys()
    assert told["status"] == response.status_code
    assert told["type"].endswith(told["code"])
    return told


def as_documented(answer: Any, told: Any) -> None:
    """The answer has the shape that the OpenAPI document tells: nothing is missing, and there is nothing more."""
    adapter = TypeAdapter(answer)
    adapter.validate_json(json.dumps(told), strict=True, extra="forbid")


class Services:
    """Calls services by name."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    async def __call__(self, name: str, /, **fields: Any) -> Any:
        response = await self.http.post(f"/api/services/{name}", json=fields)
        assert response.status_code == 200, response.text
        as_documented(SERVICES[name].answer, response.json())
        return response.json()

    async def error(self, name: str, /, **fields: Any) -> tuple[int, dict[str, Any]]:
        response = await self.http.post(f"/api/services/{name}", json=fields)
        return response.status_code, problem(response)


@pytest.fixture
def call(http: httpx.AsyncClient) -> Services:
    return Services(http)


@pytest.fixture
async def home(tmp_path: Path, demo: DemoServer, embeddings: EmbeddingServer) -> AsyncIterator[Home]:
    home = Home(tmp_path, demo, embeddings)
    yield home
    for service in home.services:
        if service.process.poll() is None:
            service.process.kill()
        service.process.wait()
