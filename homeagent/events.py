"""What happened, as typed records, and the one emitter that hands them to sinks.

Emitting never waits: each sink has its own bounded queue and its own task, so a slow or failing sink delays nobody.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any, ClassVar, Protocol

PREFIX = "home_agent."
_QUEUE_SIZE = 1000
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Base of all. ``type`` without the prefix; ids where one is in play."""

    type: ClassVar[str] = ""
    timestamp: datetime = field(default_factory=lambda: datetime.now(UTC))
    conversation_id: str | None = None
    user_id: str | None = None
    turn_id: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Flat and ready for JSON: ``event_type`` with prefix, then the fields that are set."""
        data: dict[str, Any] = {"event_type": PREFIX + self.type}
        for f in fields(self):
            value = getattr(self, f.name)
            if value is not None:
                data[f.name] = value.isoformat() if isinstance(value, datetime) else value
        return data


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationStarted(Event):
    """A turn begins."""

    type: ClassVar[str] = "conversation.started"
    device_id: str | None = None
    context_mode: str = "vector_db"
    """``direct`` (the whole home fits) or ``vector_db`` (retrieved)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationFinished(Event):
    """All of this turn, not since the start."""

    type: ClassVar[str] = "conversation.finished"
    tool_calls: int
    tool_breakdown: Mapping[str, int]
    tokens: Mapping[str, int]
    """prompt, completion, total, cached"""
    cost: float | None = None
    """US dollars; None: no model was asked, or its price is not known."""
    duration_ms: float
    performance: Mapping[str, float]
    """llm_latency_ms, tool_latency_ms, context_latency_ms"""
    context: Mapping[str, Any]
    """brain, mode, entities, memories, retrieval (embedded, degraded)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolProgress(Event):
    """A tool call begins or ends."""

    type: ClassVar[str] = "tool.progress"
    tool_name: str
    tool_call_id: str
    status: str
    """started, completed, failed"""
    success: bool | None = None
    error: str | None = None
    error_type: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolExecuted(Event):
    """A tool call is over. ``duration_ms`` counts its wait for the device too."""

    type: ClassVar[str] = "tool.executed"
    tool_name: str
    parameters: Mapping[str, Any]
    result: Any
    """Cut where it is large."""
    success: bool
    duration_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextInjected(Event):
    """What a model was shown of the home. ``token_count``: what it weighs."""

    type: ClassVar[str] = "context.injected"
    mode: str
    entities_included: tuple[str, ...]
    memories_included: tuple[str, ...] = ()
    """Memory ids."""
    token_count: int
    vector_db_query: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextOptimized(Event):
    """The context was over its budget, and cut. ``dropped``: what of it went."""

    type: ClassVar[str] = "context.optimized"
    original_tokens: int
    optimized_tokens: int
    compression_level: float
    """optimized / original, 0 to 1"""
    optimization_type: str
    """history, entities, memories, selector; joined with + where several"""
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HistorySaved(Event):
    """A turn is kept in the database."""

    type: ClassVar[str] = "history.saved"
    message_count: int
    storage_type: str = "persistent"


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorDbQueried(Event):
    """A text was looked up by meaning."""

    type: ClassVar[str] = "vector_db.queried"
    query: str
    results_count: int
    similarity_scores: tuple[float, ...]
    """0 to 1, higher is nearer"""
    duration_ms: float
    collection: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryExtracted(Event):
    """A finished turn was looked through for memories."""

    type: ClassVar[str] = "memory.extracted"
    memories_extracted: int
    extraction_llm: str | None = None
    superseded: int = 0
    refused: Mapping[str, int] = field(default_factory=dict)
    """reason: count"""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTended(Event):
    """What the regular upkeep did; `homeagent memory log` has a line for each."""

    type: ClassVar[str] = "memory.tended"
    expired: int = 0
    faded: int = 0
    merged: int = 0
    dropped: int = 0
    embedded: int = 0
    """Memories whose vectors were made anew for another embedding model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimerSet(Event):
    """``kind``: timer, alarm, reminder, action. ``due``: None for what waits upon a state. No names go along."""

    type: ClassVar[str] = "timer.set"
    timer_id: str
    kind: str
    due: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimerChanged(Event):
    """A timer is otherwise than it was: it has another time, or is paused, resumed, rung or ended. ``due`` None: it
    does not wait for a time.
    """

    type: ClassVar[str] = "timer.changed"
    timer_id: str
    kind: str
    state: str
    due: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimerCancelled(Event):
    """A timer was taken back before it was due."""

    type: ClassVar[str] = "timer.cancelled"
    timer_id: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TimerFired(Event):
    """It rang, or acted, or should have: ``outcome`` is ``done``, or what has to be told of it (late, missed, …)."""

    type: ClassVar[str] = "timer.fired"
    timer_id: str
    kind: str
    outcome: str
    late_seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorOccurred(Event):
    """Something failed, in a turn or in the background. ``error_type`` is the error's code."""

    type: ClassVar[str] = "error"
    error_type: str
    error_message: str
    component: str
    context: Mapping[str, Any] = field(default_factory=dict)
    hint: str | None = None
    """What the owner can do about this kind of error; fixed words, which hold nothing that was said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamingError(Event):
    """A model's stream broke off. ``fallback``: the answer was asked for again, whole."""

    type: ClassVar[str] = "streaming.error"
    error: str
    error_type: str
    fallback: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSwitched(Event):
    """A language model failed, and another was asked in its place. Both are names of profiles."""

    type: ClassVar[str] = "llm.switched"
    profile: str
    instead: str
    error_type: str
    error_message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCircuit(Event):
    """A language model is left alone (``open``), tried again (``half open``) or used as before (``closed``)."""

    type: ClassVar[str] = "llm.circuit"
    profile: str
    state: str
    pause_seconds: float = 0.0
    error_type: str | None = None
    error_message: str | None = None
    hint: str | None = None


class Sink(Protocol):
    """Where events go. ``handle`` may be slow or fail; ``name`` is for the log."""

    name: str

    async def handle(self, event: Event) -> None:
        """Take one event. What it raises is logged and costs this event only."""


class Emitter:
    """Hands each event to every sink. A full queue drops the oldest event of that sink and counts it."""

    def __init__(self) -> None:
        self._queues: dict[Sink, asyncio.Queue[Event]] = {}
        self._tasks: dict[Sink, asyncio.Task[None]] = {}
        self._endings: list[Callable[[], Awaitable[None]]] = []
        self.dropped = 0

    def emit(self, event: Event) -> None:
        """Hand the event to every sink's queue. Never waits: a full queue loses its oldest event."""
        for queue in self._queues.values():
            if queue.full():
                queue.get_nowait()
                queue.task_done()
                self.dropped += 1
            queue.put_nowait(event)

    def add(self, sink: Sink, ended: Callable[[], Awaitable[None]] | None = None) -> None:
        """Give a sink every event from now on, in order, one at a time. ``ended``: called after the last."""
        if ended is not None:
            self._endings.append(ended)
        queue: asyncio.Queue[Event] = asyncio.Queue(_QUEUE_SIZE)
        self._queues[sink] = queue
        self._tasks[sink] = asyncio.create_task(self._drain(sink, queue), name=f"events:{sink.name}")

    async def remove(self, sink: Sink) -> None:
        """Give a sink no further event; those in its queue are dropped."""
        self._queues.pop(sink, None)
        if task := self._tasks.pop(sink, None):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def close(self, timeout: float = 2.0) -> None:
        """Let the sinks finish what is queued, for at most ``timeout`` seconds, and end them."""
        try:
            async with asyncio.timeout(timeout):
                await asyncio.gather(*(q.join() for q in self._queues.values()))
        except TimeoutError:
            _log.warning("some event sinks did not finish in %s s", timeout)
        for sink in tuple(self._queues):
            await self.remove(sink)
        for ended in self._endings:
            await ended()
        self._endings.clear()

    async def _drain(self, sink: Sink, queue: asyncio.Queue[Event]) -> None:
        while True:
            event = await queue.get()
            try:
                await sink.handle(event)
            except Exception:  # noqa: BLE001 - a sink is somebody else's code: it must not end the others
                _log.warning("event sink %s failed on %s", sink.name, event.type, exc_info=True)
            finally:
                queue.task_done()
