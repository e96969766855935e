"""retrieve_knowledge over a home with a past: what happened, how it works, who lives in it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from homeagent.app import App
from homeagent.config.loading import Settings
from homeagent.demo.inventory import parse_inventory
from homeagent.demo.server import DemoServer
from homeagent.ha import home_sync
from homeagent.history.recording import filling
from homeagent.history.recording.day_search import HistoryFinder
from homeagent.history.summaries.days import day_of, day_span
from homeagent.turn import ToolCall, ToolResult, Turn, new_id
from memory.identity import NICKNAME
from memory.model import Subject, SubjectKind
from tests.embedding_server import EmbeddingServer

pytestmark = pytest.mark.slow  # it starts a store

HOME: dict[str, Any] = {
    "x-time-zone": "Europe/Amsterdam",
    "areas": [{"id": "garden", "name": "Garden"}, {"id": "hall", "name": "Hall"}],
    "entities": [
        {"id": "cover.garage", "name": "Garage door", "state": "closed", "area": "garden",
         "attributes": {"device_class": "garage"}},
        {"id": "binary_sensor.garden_motion", "name": "Garden motion", "state": "off", "area": "garden",
         "attributes": {"device_class": "motion"}},
        {"id": "light.hall", "name": "Hall light", "state": "off", "area": "hall"},
        {"id": "lock.safe", "name": "Safe", "state": "locked", "area": "garden"},
        {"id": "automation.hall_off", "name": "Hall light off at night", "state": "on",
         "x-automation": {"triggers": [{"trigger": "time", "at": "23:30:00"}],
                          "actions": [{"action": "light.turn_off", "target": {"entity_id": "light.hall"}}]}},
        {"id": "automation.hidden", "name": "Secret routine", "state": "on",
         "x-automation": {"triggers": [],
                          "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.hall"}}]}},
        {"id": "script.goodbye", "name": "Goodbye", "state": "off",
         "x-script": {"sequence": [{"action": "light.turn_off", "target": {"entity_id": "light.hall"}}]}},
        {"id": "scene.evening", "name": "Cosy evening", "state": "unknown", "attributes": {"id": "evening"},
         "x-scene": {"light.hall": "on"}},
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def embeddings():
    server = EmbeddingServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Yesterday is over in the first minutes of a day, too."""
    monkeypatch.setattr(filling, "_SETTLED", timedelta())


@pytest.fixture
async def server() -> AsyncIterator[DemoServer]:
    async with DemoServer(parse_inventory(HOME)) as server:
        for entity_id in ("automation.hall_off", "script.goodbye", "scene.evening", "cover.garage"):
            server.set_exposed(entity_id, True)
        server.set_exposed("automation.hidden", False)
        server.set_exposed("lock.safe", False)
        yield server


@pytest.fixture
async def app(server: DemoServer, tmp_path: Path, embeddings: EmbeddingServer) -> AsyncIterator[App]:
    settings = {
        "data_dir": tmp_path / "data",
        "home_assistant": {"url": server.url, "token": server.token},
        "index": {"endpoint": embeddings.url, "model": "of-the-tests"},
    }
    app = App(Settings.model_validate(settings))
    await app.start()
    try:
        assert await app.wait_for_home()
        await asyncio.wait_for(app.index.wait_ready(), 60)
        yield app
    finally:
        await app.stop()


async def ask(app: App, query: str, source_type: str | None = None, **more: Any) -> ToolResult:
    parameters = {"query": query, **({"source_type": source_type} if source_type else {}), **more}
    return await app.toolbox.call(ToolCall(new_id(), "retrieve_knowledge", parameters), Turn(text=query))


def past(app: App, server: DemoServer) -> None:
    zone = app.home.config.time_zone
    yesterday = day_span(day_of(datetime.now(UTC), zone) - timedelta(days=1), zone).start

    def put(entity_id: str, *points: tuple[float, str]) -> None:
        server.put_history(entity_id, [(yesterday + timedelta(hours=h), state) for h, state in points])

    put("cover.garage", (-5, "closed"), (7.5, "open"), (7.6, "closed"))
    put("binary_sensor.garden_motion", (-5, "off"), (2, "on"), (2.5, "off"))
    put("lock.safe", (-5, "locked"), (3, "unlocked"), (3.5, "locked"))


async def test_what_happened_to_a_thing_on_a_day(app: App, server: DemoServer) -> None:
    past(app, server)
    assert app.recording is not None
    await app.recording.fill(3)
    result = await ask(app, "did the garage door open yesterday?", "history", limit=1)
    assert result.success, result.error
    [found] = result.result["found"]
    assert found["about"] == "cover.garage"
    assert found["text"] == "opened once for 6 min: 07:30–07:36"


async def test_a_place_is_told_by_what_is_exposed_in_it(app: App, server: DemoServer) -> None:
    server.set_exposed("lock.safe", True)
    await app.ha.reload()
    past(app, server)
    assert app.recording is not None
    await app.recording.fill(3)
    told = (await ask(app, "what happened in the garden yesterday", "history", limit=1)).result["found"][0]["text"]
    assert "Garden motion: motion once" in told
    assert "Safe" in told
    server.set_exposed("lock.safe", False)
    await app.ha.reload()
    told = (await ask(app, "what happened in the garden yesterday", "history", limit=1)).result["found"][0]["text"]
    assert "Safe" not in told
    assert "Garden motion" in told


async def test_a_question_about_the_past_brings_its_days_along(app: App, server: DemoServer) -> None:
    past(app, server)
    assert app.recording is not None
    await app.recording.fill(3)
    finder = HistoryFinder(app.ha, app.recording)
    for text, language in (("did the garage door open yesterday?", "en"), ("was war gestern mit Garage door?", "de")):
        retrieval = await app.search(text, limit=5, language=language, device_id=None)
        lines = await finder.about(text, language, retrieval, 4)
        assert "Garage door: opened once for 6 min: 07:30–07:36" in lines[0]
    text = "open the garage door"
    assert await finder.about(text, "en", await app.search(text, limit=5, language="en", device_id=None), 4) == ()


async def test_which_automation_does_it(app: App) -> None:
    result = await ask(app, "which automation turns the hall light off?", "automation")
    assert result.success, result.error
    [found] = result.result["found"]
    assert found["entity_id"] == "automation.hall_off"
    assert found["text"] == ("Hall light off at night, an automation. When at 23:30:00; then it turns off Hall light")
    assert found["enabled"] is True


async def test_scripts_and_scenes_are_found_too(app: App) -> None:
    scripts = (await ask(app, "goodbye", "script")).result["found"]
    assert [f["entity_id"] for f in scripts] == ["script.goodbye"]
    scenes = (await ask(app, "cosy evening", "scene")).result["found"]
    assert "it sets Hall light on" in scenes[0]["text"]


async def test_what_is_exposed_no_longer_is_found_no_longer(app: App, server: DemoServer) -> None:
    assert (await ask(app, "hall light", "automation")).result["found"]
    server.set_exposed("automation.hall_off", False)
    await app.ha.reload()
    assert (await ask(app, "hall light", "automation")).result["found"] == []


async def test_what_an_automation_does_is_told_by_what_is_exposed_this_moment(
    app: App, server: DemoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = (await ask(app, "hall light", "automation")).result["found"][0]["text"]
    assert "turns off Hall light" in told
    monkeypatch.setattr(home_sync, "EXPOSURE_FRESH", 0.0)
    server.set_exposed("light.hall", False)
    told = (await ask(app, "hall light", "automation")).result["found"][0]["text"]
    assert "turns off something that is not exposed" in told


async def test_entities_and_all_kinds_together(app: App) -> None:
    entities = (await ask(app, "hall light", "entity")).result["found"]
    assert entities[0]["entity_id"] == "light.hall"
    kinds = {f["source_type"] for f in (await ask(app, "hall light")).result["found"]}
    assert {"automation", "script", "scene"} <= kinds


async def test_the_profile_is_the_speakers(app: App) -> None:
    await app.memories.add("wake-up time: seven", key="wake-up time", value="seven", category="habit", user_id="ada")
    of_ben = (Subject(SubjectKind.USER, "ben"),)
    await app.memories.add("Ben gets up at nine", key="ben: wake-up time", value="nine", subjects=of_ben)
    await app.memories.add("the beast is the lamp", key=f"{NICKNAME}the beast", value="the beast")
    turn = Turn(text="", user_id="cleo")
    call = ToolCall(new_id(), "retrieve_knowledge", {"query": "wake-up time", "source_type": "profile"})
    assert (await app.toolbox.call(call, turn)).result["found"] == []
    turn = Turn(text="", user_id="ada")
    [found] = (await app.toolbox.call(call, turn)).result["found"]
    assert found["text"] == "seven"


async def test_bad_kinds_are_refused(app: App) -> None:
    result = await ask(app, "x", "weather")
    assert result.error_type == "invalid_parameters"
