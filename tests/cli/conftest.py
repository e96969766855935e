"""A demo service that runs as a process of its own, as `make demo` starts it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import Service
from tests.embedding_server import EmbeddingServer


@pytest.fixture(scope="session")
def embedder() -> Iterator[dict[str, str]]:
    """The variables that make a service embed with a service of the tests' own."""
    server = EmbeddingServer()
    server.start()
    yield {"HOMEAGENT_INDEX__ENDPOINT": server.url, "HOMEAGENT_INDEX__MODEL": "of-the-tests"}
    server.stop()


@pytest.fixture(scope="session")
def demo_service(tmp_path_factory: pytest.TempPathFactory, embedder: dict[str, str]) -> Iterator[Service]:
    folder: Path = tmp_path_factory.mktemp("demo")
    service = Service(folder, "demo", **embedder)
    try:
        service.wait_for(folder / "homeagent" / "demo" / "service.json")
        yield service
    finally:
        service.end()
