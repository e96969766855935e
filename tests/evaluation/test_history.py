"""The questions about recorded days: what the tool tells is what plain SQL over the records tells."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from homeagent.config.settings import HomeAssistantSettings, IndexSettings, Settings
from homeagent.demo.server import DemoServer
from homeagent.evaluation.history import household, recorder_tables
from homeagent.evaluation.history.history_run import run, summary
from homeagent.evaluation.history.questions import HistoryHome, load, moment
from homeagent.evaluation.history.recorder_tables import Expected
from homeagent.events import Emitter
from homeagent.ha.connection import HomeAssistant
from homeagent.tools.ha_query import HaQuery
from homeagent.tools.toolbox import Toolbox
from homeagent.turn import ToolCall, ToolResult, Turn
from tests.history.told import agrees

SET = Path(__file__).parents[2] / "data" / "eval" / "history"
HOMES = {home.language: home for home in load(SET)}


def test_the_set_is_large_enough_and_in_six_languages():
    questions = [q for home in HOMES.values() for q in home.questions]
    assert set(HOMES) == {"en", "de", "fr", "es", "nl", "ko"}
    assert len(questions) >= 120
    assert len({q.text for q in questions}) == len(questions)


@pytest.mark.parametrize("home", HOMES.values(), ids=HOMES)
def test_the_days_are_what_a_recorder_keeps(home):
    rows = household.record(home.days)
    assert rows == household.record(home.days)  # by seed
    start, end = home.days.moment(home.days.until - timedelta(days=14)), home.days.end
    stopped, started = (home.days.moment(local) for local in home.days.gap)
    for several in rows.values():
        times = [row.at for row in several]
        assert times == sorted(set(times))
        assert times[0] < start
        assert times[-1] < end
        assert not [t for t in times if stopped <= t < started]
        assert "unavailable" in {row.state for row in several}
    energy = [float(r.state) for r in rows["sensor.energy"] if r.state != "unavailable"]
    assert min(energy) < energy[0] < max(energy)  # it began anew


def asked_of_tool(expected: Expected) -> dict[str, Any]:
    history: dict[str, Any] = {"from": moment(expected.start).isoformat(), "to": moment(expected.end).isoformat()}
    if expected.states:
        history["state"] = list(expected.states)
    if expected.attribute:
        history["attribute"] = expected.attribute
    if not expected.states and expected.tell not in ("changes", "gone"):
        history["aggregate"] = expected.tell.removeprefix("when_")
    return {"entity_id": expected.entity, "history": history}


def told_by(result: ToolResult, expected: Expected) -> Any:
    """What of the tool's answer is the figure that was asked for."""
    (line,) = result.result["history"]
    return {
        "time": lambda: line["seconds"],
        "count": lambda: line["count"],
        "first": lambda: line["first"]["at"],
        "last": lambda: line.get("last", line["first"])["at"],
        "whether": lambda: line["seconds"] > 0,
        "changes": lambda: line["total_changes"],
        "when_max": lambda: line["at"],
        "gone": lambda: line["recorded_since"],
    }.get(expected.tell, lambda: line["value"])()


@pytest.fixture(params=HOMES)
async def asked(request):
    """A home's questions, the tool on the demo home, and the records."""
    home: HistoryHome = HOMES[request.param]
    rows = household.record(home.days)
    async with DemoServer(home.inventory(rows)) as server:
        for entity_id, several in rows.items():
            server.put_rows(entity_id, [(r.at, r.state, r.attributes) for r in several])
        ha = HomeAssistant(server.url, server.token)
        await ha.start()
        assert await ha.wait_ready(10)
        yield home, Toolbox([HaQuery(ha)], Emitter()), recorder_tables.database(rows)
        await ha.stop()


async def test_the_tool_tells_what_sql_tells(asked):
    home, toolbox, database = asked
    for question in home.questions:
        for expected in filter(None, (question.expected, question.beside)):
            call = ToolCall("1", "ha_query", asked_of_tool(expected))
            result = await toolbox.call(call, Turn(text="", conversation_id="c"))
            told, wanted = told_by(result, expected), recorder_tables.answer(database, expected)
            assert agrees(told, wanted, expected, home.days.zone), question.id
            assert result.success is (expected.tell != "gone")


@pytest.mark.slow
async def test_the_agent_tells_it_without_a_model(tmp_path):
    """In one language here: the whole set is what `homeagent eval` is for."""
    anywhere = HomeAssistantSettings(url="http://localhost:1", token="x")
    settings = Settings(home_assistant=anywhere, index=IndexSettings(model=str(tmp_path / "none")))
    result = summary(await run([HOMES["de"]], settings), failures=True)
    assert result["invented"] == 0, result["failures"]
    assert result["exact"] >= 0.95, result["failures"]
    assert result["total"] == len(HOMES["de"].questions)
