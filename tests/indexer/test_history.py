"""Days that can be found: kept in the database, their vectors in a real Chroma, through restarts and changes."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from indexer.entity import FormerId
from indexer.errors import EmbedderUnavailable
from indexer.history_index import HistoryDay, HistoryIndex
from indexer.index import Index
from tests.databases import database
from tests.indexer.index_helpers import until_ready

pytestmark = pytest.mark.slow  # it starts processes

MONDAY = date(2026, 5, 4)


def make(folder: Path, **options: Any) -> tuple[Index, HistoryIndex]:
    engine = database(folder)
    index = Index(folder, engine, model="quick", embedder="tests.indexer.hash_embedder:HashEmbedder", **options)
    return index, HistoryIndex(engine, index.embed, index.wait_ready, lambda: index.status.embedder, index.store)


def day(about: str, on: date = MONDAY, text: str = "opened once", **more: Any) -> HistoryDay:
    name = about.partition(".")[2].replace("_", " ") or about
    told: dict[str, Any] = {
        "kind": "opening", "name": name, "gist": "opened", "quiet": False, "over": True, "area": "Yard",
    }  # fmt: skip
    return HistoryDay(about=about, day=on, text=text, **(told | more))


@pytest.fixture
async def kept(tmp_path: Path):
    index, history = make(tmp_path)
    await index.start()
    await until_ready(index)
    yield history
    await index.stop()


async def test_days_are_found_by_meaning_within_the_days_asked_for(kept: HistoryIndex) -> None:
    week = [MONDAY + timedelta(days=d) for d in range(7)]
    await kept.put([day("cover.garage_door", on, f"opened {on.day} times") for on in week])
    await kept.put([day("light.hall_lamp", on, f"on for {on.day} h", kind="switched") for on in week])
    report = await kept.sync()
    assert (report.written, report.embedded) == (14, 14)
    found = await kept.near("garage door opened", week[2], week[3], 10)
    assert {d.day for d, _ in found} == {week[2], week[3]}
    assert found[0][0].about == "cover.garage_door"
    assert 0 <= found[-1][1] <= found[0][1] <= 1


async def test_what_is_there_is_never_embedded_again(kept: HistoryIndex) -> None:
    await kept.put([day("cover.garage"), day("cover.gate")])
    assert (await kept.sync()).embedded == 2
    await kept.put([day("cover.garage"), day("cover.gate", text="opened 2 times")])
    report = await kept.sync()
    assert (report.written, report.embedded, report.removed) == (1, 1, 1)
    await kept.put([day("cover.gate")])
    assert (await kept.sync()).embedded == 0  # known from before


async def test_the_running_day_is_embedded_once_however_it_goes_on(kept: HistoryIndex) -> None:
    for times in range(1, 4):
        await kept.put([day("cover.garage", text=f"opened {times} times", over=False)])
        await kept.sync()
    [(found, _)] = await kept.near("garage", MONDAY, MONDAY, 5)
    assert found.text == "opened 3 times"
    await kept.put([day("cover.garage", MONDAY + timedelta(days=1), over=False)])
    assert (await kept.sync()).embedded == 0  # the next day begins like the last


async def test_quiet_days_are_kept_and_not_embedded(kept: HistoryIndex) -> None:
    await kept.put([day("cover.garage", text="closed all day", quiet=True)])
    assert (await kept.sync()).written == 0
    [found] = await kept.read(MONDAY, MONDAY, ["cover.garage"])
    assert found.text == "closed all day"


async def test_a_lost_store_is_filled_without_embedding(tmp_path: Path) -> None:
    index, history = make(tmp_path)
    await index.start()
    await until_ready(index)
    await history.put([day("cover.garage"), day("light.hall")])
    await history.sync()
    await index.stop()
    (tmp_path / "chroma" / "current").unlink()
    index, history = make(tmp_path)
    await index.start()
    try:
        await until_ready(index)
        report = await history.sync()
        assert (report.written, report.embedded) == (2, 0)
        assert len(await history.near("garage", MONDAY, MONDAY, 5)) == 2
    finally:
        await index.stop()


async def test_old_days_go(kept: HistoryIndex) -> None:
    await kept.put([day("cover.garage", MONDAY - timedelta(days=d)) for d in range(5)])
    await kept.sync()
    assert await kept.forget_before(MONDAY - timedelta(days=1)) == 3
    assert (await kept.sync()).removed == 3
    assert len(await kept.read(date.min, date.max)) == 2


async def test_a_renamed_entity_keeps_its_days(kept: HistoryIndex) -> None:
    await kept.put([day("cover.old", MONDAY - timedelta(days=d), registry_id="r1") for d in range(3)])
    await kept.put([day("cover.new", text="opened twice", registry_id="r1")])
    await kept.sync()
    await kept.rename({"r1": "cover.new"}, 1000.0)
    assert await kept.read(date.min, date.max, ["cover.old"]) == []
    assert [d.text for d in await kept.read(date.min, date.max, ["cover.new"])] == [
        "opened twice", "opened once", "opened once",
    ]  # fmt: skip
    assert (await kept.sync()).embedded == 0


async def test_the_ids_that_a_thing_had_are_kept(kept: HistoryIndex) -> None:
    await kept.put([day("cover.old", registry_id="r1")])
    for now, entity_id in enumerate(("cover.new", "cover.newest")):
        former = await kept.rename({"r1": entity_id}, float(now))
    assert former == {"cover.newest": (FormerId("cover.old", 0.0), FormerId("cover.new", 1.0))}


async def test_two_things_may_swap_their_ids(kept: HistoryIndex) -> None:
    await kept.put(
        [day("light.left", text="left", registry_id="r1"), day("light.right", text="right", registry_id="r2")]
    )
    former = await kept.rename({"r1": "light.right", "r2": "light.left"}, 5.0)
    assert {d.about: d.text for d in await kept.read(date.min, date.max)} == {
        "light.right": "left",
        "light.left": "right",
    }
    assert former == {
        "light.right": (FormerId("light.left", 5.0),),
        "light.left": (FormerId("light.right", 5.0),),
    }


async def test_what_is_exposed_no_longer_is_not_told(kept: HistoryIndex) -> None:
    await kept.put([day("lock.safe"), day("cover.garage")])
    await kept.sync()
    await kept.withdraw(["lock.safe"], ["cover.garage"])
    await kept.sync()
    assert [d.about for d in await kept.read(date.min, date.max)] == ["cover.garage"]
    assert [d.about for d, _ in await kept.near("safe", MONDAY, MONDAY, 5)] == ["cover.garage"]
    await kept.withdraw([], ["lock.safe", "cover.garage"])
    assert (await kept.sync()).embedded == 0
    assert len(await kept.read(date.min, date.max)) == 2


async def test_areas_tell_of_their_things(kept: HistoryIndex) -> None:
    await kept.put([day("light.a", area_id="hall"), day("light.b"), day("area:hall", area_id="hall")])
    assert [d.about for d in await kept.of_area("hall", MONDAY)] == ["light.a"]
    assert [d.about for d in await kept.of_area(None, MONDAY)] == ["light.b"]


async def test_without_a_model_days_are_kept_and_read(tmp_path: Path) -> None:
    _index, history = make(tmp_path)
    await history.put([day("cover.garage")])
    assert len(await history.read(MONDAY, MONDAY)) == 1
    with pytest.raises(EmbedderUnavailable):
        await history.near("garage", MONDAY, MONDAY, 5)
