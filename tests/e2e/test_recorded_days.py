"""Days in a real Home Assistant's recorder: what is told of them is what plain SQL over its own tables tells."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from homeagent.brains.local.brain import LocalBrain
from homeagent.evaluation.history import household, recorder_tables
from homeagent.evaluation.history.questions import HistoryHome, load
from homeagent.evaluation.history.scoring import score
from homeagent.events import Emitter
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.recorder import HistoryRow
from homeagent.history.numbers import measured
from homeagent.tools.ha_query import HaQuery
from homeagent.tools.toolbox import Toolbox
from homeagent.turn import ToolCall, Turn
from homeagent.values.timespan import Span
from tests.e2e import real
from tests.evaluation.test_history import SET, asked_of_tool, told_by
from tests.history.told import agrees
from tests.turning import Stage

HOME: HistoryHome = next(home for home in load(SET) if home.language == "en")
OUTSIDE = "sensor.outdoor_temperature"


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[real.RealHomeAssistant]:
    rows = household.record(HOME.days)
    instance = real.start(HOME.inventory(rows), tmp_path_factory.mktemp("recorded"))
    real.stop(instance)
    with sqlite3.connect(_database(instance)) as recorder:
        recorder_tables.write(recorder, rows)
        _write_statistics(recorder, rows[OUTSIDE])
    real.start_again(instance)
    _tell_what_it_does(instance)
    yield instance
    real.stop(instance, for_good=True)


@pytest.fixture
async def ha(instance: real.RealHomeAssistant) -> AsyncIterator[HomeAssistant]:
    ha = HomeAssistant(instance.url, instance.token, timeout=30)
    ha.home.clock = lambda: HOME.days.end
    await ha.start()
    assert await ha.wait_ready(60), ha.status
    known = [e["id"] for e in HOME.raw["entities"]]
    await ha._link.socket.command(
        "homeassistant/expose_entity", assistants=["conversation"], entity_ids=known, should_expose=True
    )
    await ha.reload()
    yield ha
    await ha.stop()


async def test_the_tool_tells_what_sql_over_the_recorder_tells(
    instance: real.RealHomeAssistant, ha: HomeAssistant
) -> None:
    toolbox = Toolbox([HaQuery(ha)], Emitter())
    with sqlite3.connect(_database(instance)) as recorder:
        for question in HOME.questions:
            for expected in filter(None, (question.expected, question.beside)):
                call = ToolCall("1", "ha_query", asked_of_tool(expected))
                result = await toolbox.call(call, Turn(text="", conversation_id="c"))
                wanted = recorder_tables.answer(recorder, expected)
                assert agrees(told_by(result, expected), wanted, expected, HOME.days.zone), question.id


async def test_the_agent_tells_it_without_a_model(
    instance: real.RealHomeAssistant, ha: HomeAssistant, tmp_path: Path
) -> None:
    stage = Stage(ha, tmp_path, tools=[HaQuery(ha)])
    agent = stage.agent(LocalBrain(ha.home), mode="local")
    scored = []
    with sqlite3.connect(_database(instance)) as recorder:
        for question in HOME.questions:
            reply = await agent.process(question.text, language="en", trace=True)
            results = [call["result"] for step in (reply.trace or {})["steps"] for call in step["calls"]]
            asked = [e for e in (question.expected, question.beside) if e is not None]
            wanted = [recorder_tables.answer(recorder, e) for e in asked]
            scored.append(score(question, wanted, reply.response, results, HOME.days.end, HOME.days.zone))
    await stage.close()
    assert not [s.invented for s in scored if s.invented]
    assert sum(s.exact for s in scored) >= 0.95 * len(scored)


async def test_longer_than_states_are_kept_it_is_told_from_the_statistics(
    instance: real.RealHomeAssistant, ha: HomeAssistant
) -> None:
    history = {"from": "2026-10-22T00:00", "to": "2026-11-04T00:00", "aggregate": "max"}
    call = ToolCall("1", "ha_query", {"entity_id": OUTSIDE, "history": history})
    result = await Toolbox([HaQuery(ha)], Emitter()).call(call, Turn(text="", conversation_id="c"))
    (line,) = result.result["history"]
    with sqlite3.connect(_database(instance)) as recorder:
        start, end = (HOME.days.moment(datetime.fromisoformat(history[k])).timestamp() for k in ("from", "to"))
        (highest,) = recorder.execute(
            "SELECT MAX(max) FROM statistics WHERE start_ts >= ? AND start_ts < ?", (start, end)
        ).fetchone()
    assert line["source"] == "long-term statistics"
    assert line["value"] == pytest.approx(highest)


def _tell_what_it_does(instance: real.RealHomeAssistant) -> None:
    """The test home's thermostat does not say by itself whether it heats; others do."""
    address, headers = f"{instance.url}/api/states/climate.heating", {"Authorization": f"Bearer {instance.token}"}
    state = httpx.get(address, headers=headers).raise_for_status().json()
    told = {"state": state["state"], "attributes": {**state["attributes"], "hvac_action": "idle"}}
    httpx.post(address, headers=headers, json=told).raise_for_status()


def _database(instance: real.RealHomeAssistant) -> Path:
    return instance.folder / "home-assistant_v2.db"


def _write_statistics(recorder: sqlite3.Connection, rows: Sequence[HistoryRow]) -> None:
    """What Home Assistant would have compiled of these each hour."""
    columns = "statistic_id, source, unit_of_measurement, has_mean, has_sum, mean_type"
    known = recorder.execute("SELECT id FROM statistics_meta WHERE statistic_id = ?", (OUTSIDE,)).fetchone()
    added = f"INSERT INTO statistics_meta ({columns}) VALUES (?, 'recorder', '°C', 1, 0, 1)"
    number = known[0] if known else recorder.execute(added, (OUTSIDE,)).lastrowid
    hour = rows[0].at.replace(minute=0, second=0, microsecond=0, tzinfo=UTC)
    while hour < rows[-1].at:
        span = Span(hour, hour + timedelta(hours=1))
        hour = span.end
        if (found := measured(rows, span)) is not None:
            recorder.execute(
                "INSERT INTO statistics (metadata_id, created_ts, start_ts, mean, min, max) VALUES (?, ?, ?, ?, ?, ?)",
                (number, span.end.timestamp(), span.start.timestamp(), found.mean, found.low, found.high),
            )
    recorder.commit()
