"""`GET /metrics`: figures for Prometheus. Labels hold names of ours alone, never a sentence, a name or an id."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from fastapi import FastAPI
from fastapi.responses import PlainTextResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.process_collector import ProcessCollector

import homeagent
from homeagent import events
from homeagent.access import Scope
from homeagent.errors import LlmError
from homeagent.service.document import Tag, bearer, failures
from homeagent.service.listeners import Listeners
from homeagent.values.subclasses import subclasses
from indexer.status import Phase

if TYPE_CHECKING:
    from homeagent.app import App

METRICS = "/metrics"
OTHER = "other"
"""In place of a name that somebody else chose."""
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_STAGES = {"context_latency_ms": "context", "llm_latency_ms": "llm", "tool_latency_ms": "tool"}


class Metrics:
    """Counts what happens, as a sink of the events, and looks at the rest when it is asked."""

    name = "metrics"

    def __init__(self, app: App, listeners: Listeners) -> None:
        self._app = app
        self._listeners = listeners
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        count, spread = self._counter, self._histogram
        self._turns = count("turns", "Turns that are over.", "brain")
        self._turn = spread("turn_seconds", "How long a turn took.", "brain")
        self._stage = spread("turn_stage_seconds", "How much of it each stage took.", "stage")
        self._calls = count("tool_calls", "Tool calls, by what came of them.", "tool", "result")
        self._call = spread("tool_call_seconds", "How long a call took, waiting for the device included.", "tool")
        self._tokens = count("tokens", "Tokens of language models; cached ones are part of the prompt's.", "kind")
        self._cost = count("cost_dollars", "What language models cost, as far as their prices are known.")
        self._errors = count("errors", "Failures, in turns and in the background.", "component", "code")
        self._llm_errors = count("llm_errors", "Failures of language models.", "code")
        self._extracted = count("memories_extracted", "Memories that were made of turns.")
        self._fired = count("timers_fired", "Timers that were due, by what came of them.", "kind", "outcome")
        self._gauges = _Gauges(self.registry)
        self._llm_codes = {LlmError.code, *(kind.code for kind in subclasses(LlmError))}
        for code in sorted(self._llm_codes):
            self._llm_errors.labels(code)  # there from the beginning, so that the first failure shows as a rise

    async def handle(self, event: events.Event) -> None:
        """Count an event."""
        match event:
            case events.ConversationFinished():
                self._count_turn(event)
            case events.ToolExecuted():
                tool = event.tool_name if event.tool_name in self._app.toolbox.names else OTHER
                self._calls.labels(tool, "success" if event.success else "failure").inc()
                self._call.labels(tool).observe(event.duration_ms / 1000)
            case events.ErrorOccurred():
                self._errors.labels(event.component, event.error_type).inc()
                self._count_llm_error(event.error_type)
            case events.ModelSwitched():
                self._count_llm_error(event.error_type)
            case events.MemoryExtracted():
                self._extracted.inc(event.memories_extracted)
            case events.TimerFired():
                self._fired.labels(event.kind, event.outcome).inc()

    async def text(self) -> bytes:
        """All figures, in the format of Prometheus. Raises DatabaseError."""
        await self._gauges.look(self._app, self._listeners)
        return await asyncio.to_thread(generate_latest, self.registry)

    def _count_turn(self, event: events.ConversationFinished) -> None:
        brain = str(event.context.get("brain", OTHER))
        self._turns.labels(brain).inc()
        self._turn.labels(brain).observe(event.duration_ms / 1000)
        for figure, stage in _STAGES.items():
            self._stage.labels(stage).observe(event.performance.get(figure, 0.0) / 1000)
        for kind in ("prompt", "completion", "cached"):
            self._tokens.labels(kind).inc(event.tokens.get(kind, 0))
        self._cost.inc(event.cost or 0.0)

    def _count_llm_error(self, code: str) -> None:
        if code in self._llm_codes:
            self._llm_errors.labels(code).inc()

    def _counter(self, name: str, said: str, *labels: str) -> Counter:
        return Counter(f"homeagent_{name}", said, labels, registry=self.registry)

    def _histogram(self, name: str, said: str, *labels: str) -> Histogram:
        return Histogram(f"homeagent_{name}", said, labels, buckets=_SECONDS, registry=self.registry)


class _Gauges:
    """What is looked at when it is asked."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry
        gauge = self._gauge
        gauge("info", "The release that runs.", "version").labels(homeagent.__version__).set(1)
        self._connected = gauge("home_assistant_connected", "Whether Home Assistant is connected, 0 or 1.")
        self._entities = gauge("entities", "Entities of the home; `exposed`: those that may be touched.", "which")
        self._index = gauge("index_entities", "Entities that can be found.")
        self._vectors = gauge("index_vectors", "Vectors that are stored.")
        self._phase = gauge("index_phase", "1 for the phase that the index is in.", "phase")
        self._age = gauge("index_age_seconds", "Seconds since it was last brought in line with the home.")
        self._memories = gauge("memories", "Current memories.")
        self._unembedded = gauge("memories_without_vector", "Memories that wait for their vector.")
        self._pending = gauge("pending", "Questions that wait for a yes.")
        self._timers = gauge("timers", "Timers that are to come, paused or ringing.", "kind", "state")
        self._dropped = gauge("events_dropped", "Events that a slow sink lost since the start.")
        self._listeners = gauge("event_listeners", "Listeners to the stream of events.")

    async def look(self, app: App, listeners: Listeners) -> None:
        """Raises DatabaseError."""
        self._connected.set(app.ha.status.connected)
        self._entities.labels("all").set(len(app.home.entities))
        self._entities.labels("exposed").set(len(app.home.exposed()))
        index = app.index.status
        self._index.set(index.entities)
        self._vectors.set(index.vectors)
        for phase in Phase:
            self._phase.labels(phase.value).set(index.phase is phase)
        age = (datetime.now(UTC) - index.synced_at).total_seconds() if index.synced_at else float("nan")
        self._age.set(age)
        memories = await app.memories.status()
        self._memories.set(memories.memories)
        self._unembedded.set(memories.pending_vectors)
        self._pending.set(await app.confirmations.count_waiting())
        self._timers.clear()
        for timer in await app.timers.find():
            self._timers.labels(timer.kind.value, timer.state.value).inc()
        self._dropped.set(app.emitter.dropped)
        self._listeners.set(listeners.count)

    def _gauge(self, name: str, said: str, *labels: str) -> Gauge:
        return Gauge(f"homeagent_{name}", said, labels, registry=self._registry)


class _Figures(PlainTextResponse):
    """Names the media type for the document."""

    media_type = CONTENT_TYPE_LATEST.partition(";")[0]


def add_metrics(api: FastAPI, app: App, listeners: Listeners) -> None:
    """`GET /metrics`; counts from now on. Needs a running event loop."""
    metrics = Metrics(app, listeners)
    app.emitter.add(metrics)

    @api.get(
        METRICS,
        operation_id="metrics",
        tags=[Tag.MONITORING],
        summary="Figures for Prometheus",
        response_model=None,
        response_class=_Figures,
        responses=failures() | {200: {"description": "Figures in the text format of Prometheus."}},
        dependencies=bearer((Scope.READ,)),
    )
    async def figures() -> Response:
        """Turns and how long they took by stage, tool calls, tokens, cost, failures; how large and old the index is,
        memories, questions, timers. Needs `read`."""
        return Response(await metrics.text(), media_type=CONTENT_TYPE_LATEST)
