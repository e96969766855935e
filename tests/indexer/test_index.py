"""The index from outside: sync, restart, another embedder, a damaged folder, a dead worker."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import os
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest

from indexer.embed import Vectors
from indexer.errors import EmbedderUnavailable, StoreUnavailable
from indexer.index import Index, Phase
from indexer.retrieval import Situation
from tests.indexer.hash_embedder import vector_of
from tests.indexer.index_helpers import KITCHEN, entity, home, make_index, until, until_ready

pytestmark = pytest.mark.slow  # it starts processes

VAGUE = "zzz qqq"
"""A sentence that no word settles."""


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[Index]:
    index = make_index(tmp_path)
    index.put(home())
    await index.start()
    await until_ready(index)
    yield index
    await index.stop()


async def reopened(folder: Path, model: str = "quick") -> Index:
    index = make_index(folder, model)
    index.put(home())
    await index.start()
    await until_ready(index)
    return index


async def test_words_answer_before_anything_is_loaded(tmp_path: Path) -> None:
    index = make_index(tmp_path)
    index.put(home())
    answer = await index.retrieve("turn on the kitchen ceiling light", Situation())
    assert answer.entities[0].entity_id == "light.kitchen_ceiling"
    assert index.status.phase is Phase.WORDS


async def test_a_sync_embeds_what_is_new_and_nothing_else(index: Index) -> None:
    seen: list[tuple[int, int]] = []
    first = await index.sync(progress=lambda done, total: seen.append((done, total)))
    assert (first.added, first.updated, first.unchanged, first.removed) == (len(home()), 0, 0, 0)
    assert first.embedded == len(home())
    assert seen[-1] == (len(home()), len(home()))
    again = await index.sync()
    assert (again.added, again.updated, again.unchanged, again.embedded) == (0, 0, len(home()), 0)


async def test_a_rename_embeds_one_and_a_name_that_comes_back_none(index: Index) -> None:
    await index.sync()
    kettle = next(e for e in home() if e.entity_id == "switch.kettle")
    renamed = [dataclasses.replace(e, name="Samovar") if e == kettle else e for e in home()]
    index.put(renamed)
    assert (await index.retrieve("samovar", Situation())).entities[0].entity_id == "switch.kettle"
    report = await index.sync()
    assert (report.updated, report.embedded) == (1, 1)
    index.put(home())
    report = await index.sync()
    assert (report.updated, report.embedded) == (1, 0)


async def test_what_is_not_put_any_more_cannot_be_found_at_once(index: Index) -> None:
    await index.sync()
    index.put([e for e in home() if e.entity_id != "switch.kettle"])
    for text in ("turn on the kettle", VAGUE, "switch.kettle"):
        found = (await index.retrieve(text, Situation(), limit=50)).entities
        assert "switch.kettle" not in {e.entity_id for e in found}
    assert (await index.sync()).removed == 1
    assert index.status.vectors == len(home()) - 1


async def test_an_unexposed_entity_is_not_taken(index: Index) -> None:
    index.put([*home(), entity("switch.secret", "Secret Heater", KITCHEN, exposed=False)])
    found = (await index.retrieve("secret heater", Situation())).entities
    assert "switch.secret" not in {e.entity_id for e in found}


async def test_one_entity_can_be_synced(index: Index) -> None:
    report = await index.sync_entity("switch.kettle")
    assert (report.added, report.embedded, index.status.vectors) == (1, 1, 1)
    assert (await index.sync_entity("switch.kettle")).unchanged == 1
    index.put([e for e in home() if e.entity_id != "switch.kettle"])
    assert (await index.sync_entity("switch.kettle")).removed == 1
    assert (await index.sync_entity("light.nobody")) == dataclasses.replace(
        await index.sync_entity("light.nobody"), seconds=pytest.approx(0, abs=5)
    )


async def test_force_computes_everything_anew_and_keeps_what_others_stored(index: Index, tmp_path: Path) -> None:
    await index.sync()
    await index.store.upsert("memories", ["m"], np.ones((1, 3), np.float32), [{"k": "v"}], ["text"])
    before = sorted(f.name for f in (tmp_path / "chroma").iterdir())
    report = await index.sync(force=True)
    assert (report.updated, report.embedded) == (len(home()), len(home()))
    assert await index.store.ids("memories") == ["m"]
    after = sorted(f.name for f in (tmp_path / "chroma").iterdir())
    assert after != before
    assert len(after) == len(before), "the old store is gone"


async def test_a_rebuild_that_was_broken_off_leaves_nothing_to_the_next(index: Index, tmp_path: Path) -> None:
    many = [entity(f"light.l{i}", f"Lamp number {i} of the house", KITCHEN) for i in range(300)]
    index.put(many)
    await index.sync()
    await index.store.upsert("memories", ["m"], np.ones((1, 3), np.float32), [{"k": "v"}], ["text"])
    for _ in range(2):
        rebuilding = asyncio.create_task(
            index.sync(force=True, progress=lambda _done, _total: rebuilding.cancel())  # noqa: B023  it is this one
        )
        with pytest.raises(asyncio.CancelledError):
            await rebuilding
    assert len(list((tmp_path / "chroma").glob("generation-*"))) == 2
    report = await index.sync(force=True)
    assert (report.updated, index.status.vectors) == (len(many), len(many))
    assert await index.store.ids("memories") == ["m"]
    await index.stop()
    again = await reopened(tmp_path)
    try:
        assert again.status.vectors == len(many)
        assert await again.store.ids("memories") == ["m"]
    finally:
        await again.stop()


async def test_after_a_restart_a_vector_planted_in_chroma_decides(index: Index, tmp_path: Path) -> None:
    await index.sync()
    collection = next(c for c in index._backend.collections if c.startswith("entities-"))
    planted = vector_of(VAGUE)[None]
    await index.store.upsert(collection, ["person.ada"], planted, [{}], [""])
    await index.stop()
    again = await reopened(tmp_path)
    try:
        found = await again.retrieve(VAGUE, Situation())
        assert found.entities[0].entity_id == "person.ada"
        assert any(r.startswith("meaning") for r in found.found[0].reasons)
    finally:
        await again.stop()


async def test_what_things_are_for_is_embedded_once(
    index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(_texts: object) -> Vectors:
        raise AssertionError("the database has its vectors")

    await index.sync()
    await index.stop()
    again = await reopened(tmp_path)
    monkeypatch.setattr(again._backend, "embed", nothing)
    try:
        await again.sync()
        assert again._purposes.embedder == again.status.embedder
    finally:
        await again.stop()


def cached(folder: Path) -> set[str]:
    """Whose vectors the database keeps."""
    with contextlib.closing(sqlite3.connect(folder / "homeagent.db")) as database:
        return {name for (name,) in database.execute("SELECT DISTINCT embedder FROM cached_vectors")}


async def test_another_embedder_gets_vectors_of_its_own(index: Index, tmp_path: Path) -> None:
    await index.sync()
    index._syncer._cache.put("knowledge:hash-quick", {"text": np.ones(3, np.float32)})
    await index.stop()
    other = await reopened(tmp_path, model="other")
    try:
        assert other.status.vectors == 0, "vectors of another embedder are not compared with"
        assert (await other.sync()).embedded == len(home())
        assert other.status.vectors == len(home())
        assert len(list((tmp_path / "chroma").glob("generation-*"))) == 1
        assert {name.partition("-t")[0] for name in cached(tmp_path)} == {
            "hash-other",
            "knowledge:hash-quick",
            "purposes:hash-other",
        }
    finally:
        await other.stop()


def poison(folder: Path) -> None:
    [links] = folder.glob("chroma/*/*/link_lists.bin")
    with links.open("r+b") as file:
        file.truncate(4 << 40)  # as seen after a kill: terabytes by name, almost nothing on disk


def destroy_sqlite(folder: Path) -> None:
    [database] = folder.glob("chroma/*/chroma.sqlite3")
    database.write_bytes(b"not a database" * 1000)


def lose_vectors(folder: Path) -> None:
    for file in folder.glob("chroma/*/*/*.bin"):
        file.unlink()


def garble_vectors(folder: Path) -> None:
    for file in folder.glob("chroma/*/*/*.bin"):
        file.write_bytes(os.urandom(file.stat().st_size))


def poison_vectors(folder: Path) -> None:
    [vectors] = folder.glob("chroma/*/*/data_level0.bin")
    os.truncate(vectors, 4 << 40)


def garble_pointer(folder: Path) -> None:
    (folder / "chroma" / "current").write_bytes(b"\xff\xfe\0../..")


DAMAGES = [poison, poison_vectors, destroy_sqlite, lose_vectors, garble_vectors, garble_pointer]


@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_damaged_folder_heals_from_cached_vectors(tmp_path: Path, damage: object) -> None:
    assert callable(damage)
    many = [entity(f"light.l{i}", f"Lamp number {i} of the house", KITCHEN) for i in range(1100)]
    index = make_index(tmp_path)
    index.put(many)
    await index.start()
    await index.sync()
    await index.stop()
    healthy = size(tmp_path / "chroma")
    damage(tmp_path)

    again = make_index(tmp_path)
    again.put(many)
    await again.start()
    try:
        await until_ready(again)
        report = await again.sync()
        assert report.embedded == 0, "the cached vectors are enough"
        assert again.status.vectors == len(many)
        assert again.status.phase is Phase.READY
        assert size(tmp_path / "chroma") < 2 * healthy
    finally:
        await again.stop()


def size(folder: Path) -> int:
    return sum(f.stat().st_size for f in folder.rglob("*") if f.is_file())


async def test_a_killed_worker_comes_back_and_nothing_is_lost(index: Index) -> None:
    await index.sync()
    pid = index._backend._child.pid if index._backend._child else None
    assert pid
    os.kill(pid, signal.SIGKILL)
    await until(lambda: index.status.phase is not Phase.READY)
    assert (await index.retrieve(VAGUE, Situation())).degraded
    await until(lambda: index.status.phase is Phase.READY)
    assert index.status.vectors == len(home())
    assert (await index.sync()).unchanged == len(home())


async def test_a_broken_model_degrades_to_words(tmp_path: Path) -> None:
    index = make_index(tmp_path, model="broken")
    index.put(home())
    await index.start()
    try:
        with pytest.raises(EmbedderUnavailable):
            await until_ready(index)
        assert index.status.phase is Phase.DEGRADED
        assert "take another" in index.status.detail
        with pytest.raises(EmbedderUnavailable, match="broken"):
            await index.sync()
        answer = await index.retrieve("turn on the kettle", Situation())
        assert answer.entities[0].entity_id == "switch.kettle"
        assert "broken" in ((await index.retrieve(VAGUE, Situation())).degraded or "")
    finally:
        await index.stop()


async def test_a_chroma_that_cannot_be_imported_is_named_and_words_carry_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "chromadb.py").write_text("raise RuntimeError('unsupported version of sqlite3')")
    monkeypatch.syspath_prepend(tmp_path)
    index = make_index(tmp_path)
    index.put(home())
    await index.start()
    try:
        with pytest.raises(StoreUnavailable, match="unsupported version of sqlite3"):
            await until_ready(index)
        assert index.status.phase is Phase.DEGRADED
        assert "SQLite is 3.35 or newer" in index.status.detail
        answer = await index.retrieve("turn on the kettle", Situation())
        assert answer.entities[0].entity_id == "switch.kettle"
    finally:
        await index.stop()


async def test_a_worker_that_cannot_be_started_degrades_to_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    index = make_index(tmp_path)
    await index.start()
    try:
        with pytest.raises(StoreUnavailable, match="/nowhere/python"):
            await until_ready(index)
        assert index.status.phase is Phase.DEGRADED
    finally:
        await index.stop()


async def test_the_heavy_libraries_stay_out_of_this_process(index: Index) -> None:
    await index.sync()
    assert not {"torch", "sentence_transformers", "chromadb", "transformers"} & set(sys.modules)
