"""What leaves through the sinks: never a secret, no text unless asked for, and never a delay or a loop."""

from __future__ import annotations

import asyncio
import json
import logging
import stat
from collections.abc import Mapping
from dataclasses import MISSING, fields
from datetime import datetime
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from homeagent import events
from homeagent.errors import HomeAssistantAuthError, HomeAssistantUnavailable
from homeagent.events import Emitter, ErrorOccurred, Event, HistorySaved, ToolExecuted, VectorDbQueried
from homeagent.sinks import HomeAssistantBusSink, JsonLinesSink, LogSink, shown
from tests.event_queue import EventQueue

TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJhYmNkZWYifQ.c2lnbmF0dXJlLXNpZ25hdHVyZQ"
SAID = "unlock the front door please"
UNLOCK = ToolExecuted(
    tool_name="ha_control",
    parameters={"entity_id": "lock.front", "code": "4711", "note": SAID},
    result={"success": True, "result": {"spoken": SAID}},
    success=True,
    duration_ms=12.5,
    conversation_id="c1",
)
FAILED = ErrorOccurred(
    error_type="not_found", error_message=f"No area in {SAID!r}", component="tools", context={"text": SAID}
)


def every_event() -> list[Event]:
    """One of each type, with something recognisable in every field that could hold what was said."""
    made = []
    kinds = [kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, Event)]
    assert len(kinds) > 10
    for kind in kinds:
        hints = get_type_hints(kind)
        values = {f.name: _sample(hints[f.name]) for f in fields(kind) if _is_own(f) and f.name not in _NAMES}
        made.append(kind(**values, **{name: "x" for name in _NAMES if name in hints and name not in _OPTIONAL}))
    return made


_OPTIONAL = {"extraction_llm", "hint", "device_id", "user_id", "turn_id", "conversation_id"}
_NAMES = {
    "tool_name", "tool_call_id", "status", "error_type", "component", "mode", "optimization_type", "storage_type",
    "collection", "context_mode", "timer_id", "kind", "state", "outcome", "profile", "instead", *_OPTIONAL,
}  # fmt: skip
"""Fields that hold names of parts or fixed words, never what was said."""


def _is_own(field: Any) -> bool:
    return field.name != "timestamp" and (field.default is MISSING or field.default is None or field.name == "context")


def _sample(hint: Any) -> Any:
    text = str(hint)
    if "Mapping" in text:
        return {"a": SAID} if "Any" in text else {"a": 1}
    if "tuple" in text:
        return (1.0,) if "float" in text else ("light.a",)
    if hint is Any or "str" in text:
        return SAID
    return True if hint is bool else 1


def test_without_text_no_event_says_what_was_said() -> None:
    for event in every_event():
        if isinstance(event, events.ConversationFinished):
            continue  # its context holds counts; what the agent puts there is tested with the agent
        assert SAID in json.dumps(shown(event, include_text=True)) or not _can_hold_text(event), event
        assert SAID not in json.dumps(shown(event, include_text=False)), event


def _can_hold_text(event: Event) -> bool:
    return any(SAID in str(getattr(event, f.name)) for f in fields(event))


async def test_the_log_has_one_line_an_event_without_text_or_codes(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "homeagent.events")
    await LogSink().handle(UNLOCK)
    await LogSink().handle(FAILED)
    unlock, failed = caplog.records
    assert unlock.getMessage() == "tool.executed conversation_id=c1 tool_name=ha_control success=true duration_ms=12.5"
    assert failed.levelname == "WARNING"
    assert failed.getMessage() == "error error_type=not_found component=tools"


async def test_the_log_with_text_stays_one_line_and_masks(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "homeagent.events")
    await LogSink(include_text=True).handle(
        ErrorOccurred(error_type="x", error_message=f"a\nforged line success=true {TOKEN}", component="c")
    )
    [record] = caplog.records
    assert "\n" not in record.getMessage()
    assert TOKEN not in record.getMessage()
    assert '"a\\nforged line' in record.getMessage()


async def test_codes_and_tokens_are_masked_even_with_text(tmp_path: Path) -> None:
    file = tmp_path / "events.jsonl"
    await JsonLinesSink(file, include_text=True).handle(UNLOCK)
    line = json.loads(file.read_text())
    assert line["event_type"] == "home_agent.tool.executed"
    assert line["parameters"] == {"entity_id": "lock.front", "code": "********", "note": SAID}
    assert datetime.fromisoformat(line["timestamp"]).tzinfo is not None


async def test_the_file_is_private_and_turned_over_by_size(tmp_path: Path) -> None:
    file = tmp_path / "new" / "events.jsonl"
    sink = JsonLinesSink(file, max_bytes=1000, keep=2)
    for number in range(40):
        await sink.handle(HistorySaved(message_count=number))
    files = sorted(path.name for path in file.parent.iterdir())
    assert files == ["events.jsonl", "events.jsonl.1", "events.jsonl.2"]
    assert all(path.stat().st_size <= 1000 for path in file.parent.iterdir())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    kept = [json.loads(line)["message_count"] for name in reversed(files) for line in _lines(file.parent / name)]
    assert kept == list(range(kept[0], 40))


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


async def test_a_line_that_a_killed_process_left_unfinished_spoils_no_other(tmp_path: Path) -> None:
    file = tmp_path / "events.jsonl"
    file.write_text('{"event_type": "home_agent.hist')
    await JsonLinesSink(file).handle(HistorySaved(message_count=1))
    assert json.loads(_lines(file)[1])["message_count"] == 1


async def test_a_disk_that_takes_nothing_costs_one_line_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "events.jsonl").mkdir()
    sink = JsonLinesSink(tmp_path / "events.jsonl")
    for _ in range(3):
        await sink.handle(HistorySaved(message_count=1))
    assert [record.levelname for record in caplog.records] == ["WARNING"]


class Bus:
    """Home Assistant's bus as the sink sees it; ``failure`` is raised instead of taking the event."""

    def __init__(self) -> None:
        self.fired: list[tuple[str, dict[str, Any]]] = []
        self.tried = 0
        self.failure: Exception | None = None

    async def __call__(self, event_type: str, data: Mapping[str, Any]) -> None:
        self.tried += 1
        if self.failure:
            raise self.failure
        self.fired.append((event_type, json.loads(json.dumps(data))))


async def test_the_bus_gets_types_and_counts_and_no_text() -> None:
    bus = Bus()
    sink = HomeAssistantBusSink(bus)
    await sink.handle(UNLOCK)
    await sink.handle(
        VectorDbQueried(query=SAID, results_count=1, similarity_scores=(0.5,), duration_ms=1.0, collection="entities")
    )
    (first, unlock), (second, queried) = bus.fired
    assert (first, second) == ("home_agent.tool.executed", "home_agent.vector_db.queried")
    assert unlock["success"] is True
    assert queried["similarity_scores"] == [0.5]
    assert SAID not in json.dumps(bus.fired)
    assert "4711" not in json.dumps(bus.fired)


async def test_the_bus_with_text_leaves_it_out_where_it_is_too_long() -> None:
    bus = Bus()
    sink = HomeAssistantBusSink(bus, include_text=True)
    await sink.handle(FAILED)
    await sink.handle(ErrorOccurred(error_type="x", error_message="y" * 50_000, component="c"))
    (_, short), (_, long) = bus.fired
    assert SAID in short["error_message"]
    assert long == {"timestamp": long["timestamp"], "error_type": "x", "component": "c", "cut": True}


async def test_the_bus_stops_for_good_at_the_first_refusal(caplog: pytest.LogCaptureFixture) -> None:
    bus = Bus()
    bus.failure = HomeAssistantAuthError("The token is not accepted.")
    sink = HomeAssistantBusSink(bus)
    for _ in range(3):
        await sink.handle(UNLOCK)
    bus.failure = None
    await sink.handle(UNLOCK)
    assert (bus.tried, bus.fired, sink.stopped) == (1, [], True)
    assert len(caplog.records) == 1


async def test_the_bus_comes_back_after_home_assistant_was_away(caplog: pytest.LogCaptureFixture) -> None:
    bus = Bus()
    bus.failure = HomeAssistantUnavailable("It does not answer.")
    sink = HomeAssistantBusSink(bus)
    for _ in range(3):
        await sink.handle(UNLOCK)
    bus.failure = None
    await sink.handle(UNLOCK)
    assert (bus.tried, len(bus.fired)) == (4, 1)
    assert len(caplog.records) == 1


async def test_a_failing_sink_makes_no_event_and_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    emitter = Emitter()
    bus = Bus()
    bus.failure = HomeAssistantUnavailable("It does not answer.")
    watcher = EventQueue()
    emitter.add(HomeAssistantBusSink(bus))
    emitter.add(watcher)
    emitter.emit(UNLOCK)
    assert await asyncio.wait_for(watcher.get(), 1) == UNLOCK
    await asyncio.sleep(0.05)
    assert watcher.empty()
    await emitter.close()


async def test_a_slow_bus_delays_neither_the_emitter_nor_others() -> None:
    never = asyncio.Event()

    async def stuck(_type: str, _data: Mapping[str, Any]) -> None:
        await never.wait()

    emitter = Emitter()
    watcher = EventQueue()
    emitter.add(HomeAssistantBusSink(stuck))
    emitter.add(watcher)
    started = asyncio.get_running_loop().time()
    for _ in range(100):
        emitter.emit(UNLOCK)
    assert asyncio.get_running_loop().time() - started < 0.1
    assert await asyncio.wait_for(watcher.get(), 1) == UNLOCK
    await emitter.close(timeout=0.05)
