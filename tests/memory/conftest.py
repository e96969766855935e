from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from memory.store import Memories
from tests.databases import database
from tests.memory.fakes import DictStore, HashEmbedder


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = database(tmp_path)
    yield engine
    engine.dispose()


@pytest.fixture
def embedder() -> HashEmbedder:
    return HashEmbedder()


@pytest.fixture
def store() -> DictStore:
    return DictStore()


@pytest.fixture
async def memories(engine: Engine, embedder: HashEmbedder, store: DictStore) -> AsyncIterator[Memories]:
    memories = Memories(engine, embedder, store, fingerprint=lambda: embedder.fingerprint)
    await memories.start()
    yield memories
    await memories.stop()
