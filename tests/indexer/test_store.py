"""The vector store through its worker process, on real Chroma folders."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest

from indexer.errors import StoreError, StoreUnavailable
from indexer.index import Index, Phase
from indexer.vector_store import VectorStore
from tests.indexer.index_helpers import make_index, until, until_ready

pytestmark = pytest.mark.slow  # it starts processes

ROWS = np.eye(4, dtype=np.float32)


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[Index]:
    index = make_index(tmp_path)
    await index.start()
    await until_ready(index)
    yield index
    await index.stop()


async def fill(store: VectorStore, *ids: str) -> None:
    await store.upsert("things", ids, ROWS[: len(ids)], [{"n": i} for i in range(len(ids))], list(ids))


async def test_rows_come_back_as_they_went_in(index: Index) -> None:
    await fill(index.store, "a", "b")
    ids, vectors, metadatas = await index.store.all("things")
    assert dict(zip(ids, (m["n"] for m in metadatas), strict=True)) == {"a": 0, "b": 1}
    assert np.allclose(vectors[ids.index("b")], ROWS[1])
    assert sorted(await index.store.ids("things")) == ["a", "b"]


async def test_query_gives_similarities_from_one_down_to_zero(index: Index) -> None:
    await fill(index.store, "a", "b")
    await index.store.upsert("things", ["c"], -ROWS[:1], [{}], [""])
    found = dict(await index.store.query("things", ROWS[0], 10))
    assert found["a"] == pytest.approx(1.0, abs=1e-5)
    assert found["b"] == pytest.approx(0.0, abs=1e-5)
    assert found["c"] == 0.0


async def test_odd_calls_are_harmless(index: Index) -> None:
    store = index.store
    assert await store.ids("never-made") == []
    assert await store.query("never-made", ROWS[0], 3) == []
    await store.delete("never-made", ["x"])
    await store.upsert("things", [], ROWS[:0], [], [])
    await store.upsert("things", ["a", "a"], ROWS[:2], [{"n": 1}, {"n": 2}], ["", ""])
    await store.delete("things", ["nobody", "nobody"])
    await store.delete("things", [])
    ids, vectors, _ = await store.all("things")
    assert ids == ["a"]
    assert np.allclose(vectors[0], ROWS[1]), "the last of two rows with one id counts"
    assert await store.query("things", ROWS[0], 0) == []


async def test_more_rows_than_chroma_takes_at_once(index: Index) -> None:
    count = 6000
    vectors = np.random.default_rng(1).normal(size=(count, 4)).astype(np.float32)
    await index.store.upsert("things", [str(i) for i in range(count)], vectors, [{}] * count, [""] * count)
    assert len(await index.store.ids("things")) == count


async def test_a_callers_mistake_is_refused_and_costs_nothing(index: Index) -> None:
    await fill(index.store, "a")
    for attempt in (
        index.store.query("things", np.ones(7, np.float32), 1),
        index.store.upsert("things", ["b"], np.ones((1, 7), np.float32), [{}], [""]),
        index.store.upsert("no!", ["b"], ROWS[:1], [{}], [""]),
    ):
        with pytest.raises(StoreError, match="refuses"):
            await attempt
    assert await index.store.ids("things") == ["a"]
    assert index.status.phase is Phase.READY


async def test_a_second_index_on_the_folder_is_refused(index: Index, tmp_path: Path) -> None:
    other = make_index(tmp_path)
    await other.start()
    await until(lambda: other.status.phase is Phase.DEGRADED)
    assert "Another process uses" in other.status.detail
    await other.stop()
    await fill(index.store, "a")
    assert await index.store.ids("things") == ["a"]


async def test_an_unreachable_server_degrades_to_words_and_says_what_to_do(tmp_path: Path) -> None:
    index = make_index(tmp_path, chroma_url="http://127.0.0.1:9")
    await index.start()
    await until(lambda: index.status.phase is Phase.DEGRADED)
    assert "http://127.0.0.1:9" in index.status.detail
    assert "index.chroma_url" in index.status.detail
    with pytest.raises(StoreUnavailable, match="127"):
        await index.store.ids("things")
    await index.stop()


async def test_a_chroma_without_its_own_store_is_named_and_nothing_is_rebuilt(tmp_path: Path) -> None:
    """The package chromadb-client brings this module, by which Chroma knows that it is no more than a client."""
    script = f"""
import sys
from pathlib import Path
from types import ModuleType
thin = sys.modules["chromadb.is_thin_client"] = ModuleType("thin")
thin.is_thin_client = True
from indexer.chroma import ChromaStore
from indexer.errors import StoreUnavailable
try:
    ChromaStore(Path({str(tmp_path)!r})).open()
except StoreUnavailable as error:
    print(error, error.hint)
"""
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", script, stdout=asyncio.subprocess.PIPE)
    said = (await child.communicate())[0].decode()
    assert "chromadb-client" in said
    assert "Install `chromadb`" in said
