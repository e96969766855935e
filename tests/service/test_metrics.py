"""Figures for Prometheus: what was done shows in them, and nothing that was said or is called anything."""

from __future__ import annotations

import json

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from homeagent.access import Scope
from homeagent.app import App
from homeagent.events import ErrorOccurred, ModelSwitched, TimerFired, ToolExecuted
from tests.service.conftest import Services, problem
from tests.service.test_tokens import As, as_

__all__ = ["as_"]

Figures = dict[tuple[str, tuple[tuple[str, str], ...]], float]


async def _figures(http: httpx.AsyncClient, app: App) -> Figures:
    await app.emitter._queues[next(sink for sink in app.emitter._queues if sink.name == "metrics")].join()
    response = await http.get("/metrics")
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/plain; version=")
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(response.text)
        for sample in family.samples
    }


def _of(figures: Figures, name: str, **labels: str) -> float:
    return figures[f"homeagent_{name}", tuple(sorted(labels.items()))]


@pytest.mark.slow
async def test_what_was_done_is_counted(http: httpx.AsyncClient, call: Services, app: App) -> None:
    await app.index.wait_ready()
    await call("reindex_entities")
    before = await _figures(http, app)
    await call("process", text="turn on the kitchen lights")
    await call("process", text="unlock the front door")
    await call("set_timer", kind="timer", name="Ada's pasta", in_seconds=480)
    await call("add_memory", content="The paper bin goes out on Thursdays")
    figures = await _figures(http, app)
    assert _of(figures, "turns_total", brain="local") == 2
    assert _of(figures, "turn_seconds_count", brain="local") == 2
    for stage in ("context", "llm", "tool"):
        assert _of(figures, "turn_stage_seconds_count", stage=stage) == 2
    assert 0 < _of(figures, "turn_stage_seconds_sum", stage="tool") < _of(figures, "turn_seconds_sum", brain="local")
    assert _of(figures, "tool_calls_total", tool="ha_control", result="success") == 1
    assert _of(figures, "tool_calls_total", tool="ha_control", result="failure") == 1
    assert _of(figures, "tokens_total", kind="prompt") == 0
    assert _of(figures, "pending") == 1
    assert _of(figures, "timers", kind="timer", state="waiting") == 1
    assert _of(figures, "memories") == _of(before, "memories") + 1
    assert _of(figures, "index_entities") == _of(figures, "entities", which="exposed") > 0
    assert _of(figures, "index_vectors") > 0
    assert _of(figures, "index_phase", phase="ready") == 1
    assert 0 <= _of(figures, "index_age_seconds") < 60
    assert _of(figures, "home_assistant_connected") == 1
    assert _of(figures, "event_listeners") == 0
    assert figures["process_resident_memory_bytes", ()] > 0


async def test_failures_are_counted_by_their_codes(http: httpx.AsyncClient, app: App) -> None:
    assert _of(await _figures(http, app), "llm_errors_total", code="llm_timeout") == 0
    app.emitter.emit(ErrorOccurred(error_type="llm_timeout", error_message="m", component="agent"))
    app.emitter.emit(ModelSwitched(profile="a", instead="b", error_type="llm_timeout", error_message="m"))
    app.emitter.emit(ErrorOccurred(error_type="database", error_message="m", component="conversations"))
    app.emitter.emit(TimerFired(timer_id="1", kind="alarm", outcome="late"))
    figures = await _figures(http, app)
    assert _of(figures, "llm_errors_total", code="llm_timeout") == 2
    assert _of(figures, "errors_total", component="conversations", code="database") == 1
    assert _of(figures, "timers_fired_total", kind="alarm", outcome="late") == 1


async def test_no_label_says_what_was_said_or_what_anything_is_called(
    http: httpx.AsyncClient, call: Services, app: App
) -> None:
    await call("process", text="turn on the kitchen lights", user_id="ada", device_id="tablet-in-the-hall")
    await call("set_timer", kind="timer", name="Granny's pills", in_seconds=480, user_id="ada")
    await call("add_token", name="for-ada", scopes=["read"], user_id="ada")
    app.emitter.emit(
        ToolExecuted(tool_name="unlock_adas_door", parameters={}, result=None, success=False, duration_ms=1)
    )
    labels = json.dumps([dict(labels) for _, labels in await _figures(http, app)]).lower()
    for said in ("ada", "kitchen", "granny", "tablet", "light."):
        assert said not in labels
    assert '"tool": "other"' in labels


async def test_readers_may_see_them_and_nobody_else(as_: As) -> None:
    reader, asker = await as_(Scope.READ), await as_(Scope.ASK)
    assert (await reader.http.get("/metrics")).status_code == 200
    assert problem(await asker.http.get("/metrics"))["code"] == "missing_scope"


@pytest.mark.parametrize("wanted", ["application/openmetrics-text", "text/html"])
async def test_whoever_asks_is_answered_in_the_one_format(http: httpx.AsyncClient, wanted: str) -> None:
    response = await http.get("/metrics", headers={"Accept": wanted})
    assert response.headers["content-type"].startswith("text/plain")
