from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import Engine

from memory.store import Memories
from tests.memory.fakes import DictStore, HashEmbedder


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
