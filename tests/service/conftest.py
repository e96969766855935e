"""The whole app over the demo home, with an embedding service of the tests' own."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import TypeAdapter

from homeagent.app import App
from homeagent.client.asgi_transport import StreamingAsgiTransport
from homeagent.config.loading import Settings
from homeagent.demo.server import DemoServer
from homeagent.service.api import create_api
from homeagent.service.services import SERVICES
from tests.embedding_server import EmbeddingServer
from tests.service.home import Home

TOKEN = "service-token"


@pytest.fixture(scope="session")
def embeddings() -> Iterator[EmbeddingServer]:
    server = EmbeddingServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def settings(tmp_path: Path, demo: DemoServer, embeddings: EmbeddingServer) -> Settings:
    return Settings.model_validate(
        {
            "data_dir": tmp_path / "data",
            "home_assistant": {"url": demo.url, "token": demo.token},
            "index": {"endpoint": embeddings.url, "model": "of-the-tests"},
            "agent": {"settle_timeout": 1.0},
        }
    )


@pytest.fixture
async def app(settings: Settings) -> AsyncIterator[App]:
    app = App(settings)
    await app.start()
    yield app
    await app.stop()


@pytest.fixture
async def http(app: App) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the app's API."""
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
