"""The index and the knowledge are kept current whatever failed in between."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event

from homeagent.database import open_database, upgrade
from homeagent.errors import DatabaseError
from homeagent.events import Emitter
from homeagent.ha.home import Home, HomeConfig
from homeagent.index_keeper import IndexKeeper
from homeagent.knowledge import knowledge_store
from homeagent.knowledge.knowledge_store import Knowledge
from indexer.cache import VectorCache
from indexer.documents import Documents
from indexer.index import Index
from tests.indexer.index_helpers import home as entities
from tests.indexer.index_helpers import until

if TYPE_CHECKING:
    from homeagent.ha.connection import HomeAssistant


class Disk:
    """An index on a database whose disk can be full."""

    def __init__(self, folder: Path) -> None:
        self.full = False
        self.refused = 0
        self.engine = open_database(None, folder)
        upgrade(self.engine)
        self.index = Index(folder, self.engine, model="quick", embedder="tests.indexer.hash_embedder:HashEmbedder")
        event.listen(self.engine, "before_cursor_execute", self._write)

    def _write(self, _connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if self.full and statement.startswith("INSERT"):
            self.refused += 1
            raise DatabaseError("The database failed: the disk is full.")


@pytest.mark.slow
async def test_the_index_is_current_again_once_the_disk_has_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("homeagent.index_keeper._QUIET", 0.01)
    monkeypatch.setattr("homeagent.index_keeper._AGAIN", (0.05, 0.05))
    disk, home = Disk(tmp_path), Home()
    config = HomeConfig()
    home.replace(config=config, areas=[], floors=[], device_areas={}, states=[], entities=entities())
    keeper = IndexKeeper(home, disk.index, Emitter())
    disk.full = True
    await disk.index.start()
    keeper.start()
    try:
        await until(lambda: disk.refused > 0)
        disk.full = False
        await until(lambda: disk.index.status.vectors == len(entities()), 20)
    finally:
        await keeper.stop()
        await disk.index.stop()


@pytest.mark.slow
async def test_the_knowledge_is_current_again_once_the_disk_has_space(
    home_assistant: HomeAssistant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for pause, seconds in (("_FIRST", 0.0), ("_QUIET", 0.01), ("_AGAIN", 0.05)):
        monkeypatch.setattr(knowledge_store, pause, seconds)
    disk = Disk(tmp_path)
    index = disk.index
    documents = Documents(
        knowledge_store.KIND,
        index.embed,
        index.wait_ready,
        lambda: index.status.embedder,
        index.store,
        VectorCache(disk.engine),
        lambda: "home",
    )
    knowledge = Knowledge(home_assistant, documents)
    disk.full = True
    await index.start()
    knowledge.start()
    try:
        await until(lambda: disk.refused > 0)
        disk.full = False
        async with asyncio.timeout(20):
            while not await documents.near("when nobody is home", 5):  # noqa: ASYNC110  it comes from another process
                await asyncio.sleep(0.05)
    finally:
        await knowledge.stop()
        await index.stop()
