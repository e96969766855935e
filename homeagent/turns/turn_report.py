"""The story of one turn: its events as they happen, its figures, its trace."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from homeagent.conversations import Answer
from homeagent.errors import (
    HomeAgentError,
    HomeAssistantAuthError,
    HomeAssistantError,
    HomeAssistantUnavailable,
    LlmError,
    ServiceCallFailed,
)
from homeagent.events import (
    ContextInjected,
    ConversationFinished,
    ConversationStarted,
    Emitter,
    ErrorOccurred,
    HistorySaved,
    VectorDbQueried,
)
from homeagent.privacy.redact import hidden, scrubbed
from homeagent.prompting.outside import signs_of, sources
from homeagent.turn import Step, Tokens, Turn, TurnContext, sum_known
from indexer.retrieval import Retrieval

_MOST_SHOWN = 50
_OUTSIDE = frozenset(
    e.code for e in (HomeAssistantError, HomeAssistantUnavailable, HomeAssistantAuthError, ServiceCallFailed)
) | {"timeout", "internal"}
"""Why a call failed though nothing was wrong with it."""


class TurnReport:
    """Figures of this turn only; times in milliseconds."""

    def __init__(self, turn: Turn, emitter: Emitter, mode: str) -> None:
        self._turn = turn
        self._emitter = emitter
        self._mode = mode
        self._started = time.perf_counter()
        self._spent: defaultdict[str, float] = defaultdict(float)
        self.tokens = Tokens()
        self.cost: float | None = None
        self.errors: list[dict[str, str]] = []
        self._emit(ConversationStarted(device_id=turn.device_id, context_mode=mode))

    @contextmanager
    def timing(self, part: str) -> Iterator[None]:
        """Count the time inside for ``part``: context, brain or tool."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self._spent[part] += (time.perf_counter() - started) * 1000

    def stepped(self, brain: str, step: Step) -> None:
        """A brain decided something; the first step of a turn tells what it was shown."""
        self.tokens += step.tokens
        self._spent["llm"] += step.llm_ms
        self.cost = sum_known(self.cost, step.cost)
        if brain == "local" and not self._turn.rounds:
            self._understood_locally()

    def retrieved(self, retrieval: Retrieval) -> None:
        """Tell that entities were looked for; nothing is told where no vector was asked."""
        if not retrieval.embedded:
            return
        self._emit(
            VectorDbQueried(
                query=scrubbed(retrieval.query, self._turn.secrets()),
                results_count=retrieval.total,
                similarity_scores=tuple(round(f.score, 4) for f in retrieval.found[:_MOST_SHOWN]),
                duration_ms=retrieval.duration_ms,
                collection="entities",
            )
        )

    def failed(self, error: HomeAgentError | str, component: str) -> None:
        """An error that the person is told about, or that took something from the answer."""
        code, words = (error.code, str(error)) if isinstance(error, HomeAgentError) else (error, error)
        self.errors.append({"type": code, "message": words, "component": component})
        # A model's names its settings; others may quote what was said.
        fixed = error.hint if isinstance(error, LlmError) else getattr(type(error), "hint", "")
        self._emit(ErrorOccurred(error_type=code, error_message=words, component=component, hint=fixed or None))

    def failure(self) -> str | None:
        """Code of what kept the turn from its end, or a call from Home Assistant; None where neither happened."""
        codes = [error["type"] for error in self.errors if error["component"] == "agent"]
        results = [result for done in self._turn.rounds for result in done.results if not result.success]
        codes += [result.error_type for result in results if result.error_type in _OUTSIDE]
        return codes[0] if codes else None

    def saved(self, messages: int) -> None:
        """Tell that the turn is kept: how many messages."""
        self._emit(HistorySaved(message_count=messages))

    def finished(self, answer: Answer) -> None:
        """Tell that the turn is over, with its figures."""
        calls = Counter(call.name for done in self._turn.rounds for call in done.step.tool_calls)
        context = self._turn.context
        self._emit(
            ConversationFinished(
                tool_calls=calls.total(),
                tool_breakdown=dict(calls),
                tokens=self._token_figures(),
                cost=self.cost,
                duration_ms=self._total_ms(),
                performance={
                    "llm_latency_ms": round(self._spent["llm"], 1),
                    "tool_latency_ms": round(self._spent["tool"], 1),
                    "context_latency_ms": round(self._spent["context"], 1),
                },
                context={
                    "brain": answer.brain,
                    "mode": self._mode,
                    "entities": len(context.retrieval.found) if context else 0,
                    "memories": len(context.memories) if context else 0,
                    "retrieval": {
                        "embedded": bool(context and context.retrieval.embedded),
                        "degraded": context.retrieval.degraded if context else None,
                    },
                },
            )
        )

    def trace(self, answer: Answer) -> dict[str, Any]:
        """All of the turn for whoever wants to see why: what was found, called, answered, and how long it took."""
        context = self._turn.context
        trace = {
            "brain": answer.brain,
            "language": self._turn.language,
            "area_id": self._turn.area_id,
            "guess": self._turn.guess,
            "heard": self._turn.heard,
            "retrieval": _retrieval(context.retrieval) if context else None,
            "memories": [asdict(memory) for memory in context.memories] if context else [],
            "suspicious": _suspicious(context) if context else {},
            "from_outside": list(sources(self._turn)),
            "history_turns": len(context.history) if context else 0,
            "steps": [
                {
                    "text": done.step.text,
                    "calls": [
                        {"name": call.name, "parameters": call.parameters, **result.as_dict(), "ms": result.duration_ms}
                        for call, result in zip(done.step.tool_calls, done.results, strict=True)
                    ],
                }
                for done in self._turn.rounds
            ],
            "tokens": self._token_figures(),
            "cost": self.cost,
            "timings_ms": {"total": self._total_ms(), **{part: round(ms, 1) for part, ms in self._spent.items()}},
            "errors": self.errors,
        }
        return hidden(trace, self._turn.secrets())

    def _understood_locally(self) -> None:
        """The local brain reads the retrieved entities themselves: they cost no tokens."""
        retrieval = self._turn.gathered.retrieval
        self._emit(
            ContextInjected(
                mode=self._mode,
                entities_included=tuple(e.entity_id for e in retrieval.entities[:_MOST_SHOWN]),
                token_count=0,
                vector_db_query=scrubbed(retrieval.query, self._turn.secrets()),
            )
        )

    def _token_figures(self) -> dict[str, int]:
        return {**asdict(self.tokens), "total": self.tokens.total}

    def _total_ms(self) -> float:
        return round((time.perf_counter() - self._started) * 1000, 1)

    def _emit(self, event: Any) -> None:
        self._emitter.emit(self._turn.stamp(event))


def _suspicious(context: TurnContext) -> dict[str, list[str]]:
    """Names and memories that look like instructions, by id: they were shown as data only."""
    shown = {e.entity_id: " ".join(e.names) for e in context.retrieval.entities[:_MOST_SHOWN]}
    shown |= {memory.memory_id: memory.content for memory in context.memories}
    return {key: list(signs) for key, text in shown.items() if (signs := signs_of(text))}


def _retrieval(retrieval: Retrieval) -> dict[str, Any]:
    return {
        "query": retrieval.query,
        "total": retrieval.total,
        "selector": asdict(retrieval.selector) if retrieval.selector else None,
        "undecided": retrieval.undecided,
        "also": [asdict(one) for one in retrieval.also],
        "embedded": retrieval.embedded,
        "degraded": retrieval.degraded,
        "ms": round(retrieval.duration_ms, 1),
        "mentions": [
            {"kind": m.kind.value, "text": m.text, "values": list(m.values)} for m in retrieval.mentions.items
        ],
        "found": [
            {"entity_id": f.entity.entity_id, "score": round(f.score, 3), "reasons": list(f.reasons)}
            for f in retrieval.found[:_MOST_SHOWN]
        ],
    }
