"""A turn's trace, for people."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from homeagent.cli import show
from homeagent.values import plain_text


def show_trace(trace: Mapping[str, Any]) -> None:
    """Which brain answered, what was retrieved and why, and what was called with which result."""
    retrieval = trace.get("retrieval") or {}
    found = retrieval.get("found") or ()
    show.table(
        ("score", "retrieved", "why"),
        [(f.get("score"), f.get("entity_id"), f.get("reasons")) for f in found],
        empty="nothing was retrieved",
    )
    for memory in trace.get("memories") or ():
        show.line(f"remembered: {_short(memory)}")
    for step in trace.get("steps") or ():
        for call in step.get("calls") or ():
            outcome = call.get("error") or call.get("result")
            show.line(f"called {call.get('name')} {_short(call.get('parameters'))} -> {_short(outcome)}")
    for error in trace.get("errors") or ():
        show.line(f"error: {_short(error)}")
    tokens, timings = trace.get("tokens") or {}, trace.get("timings_ms") or {}
    show.line(f"brain {trace.get('brain')}, {timings.get('total')} ms, {tokens.get('total')} tokens")
    show.line()


def _short(value: object, limit: int = 400) -> str:
    text = plain_text.one_line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    return text if len(text) <= limit else text[: limit - 1] + "…"


def one_line(event: Mapping[str, object]) -> str:
    """An event as a line for people: when, what, and the fields that it carries."""
    shown = {k: v for k, v in event.items() if k not in ("event_type", "timestamp", "turn_id", "conversation_id")}
    time = str(event.get("timestamp", ""))[11:23]
    said = " ".join(f"{name}={_short(value, 160)}" for name, value in shown.items())
    return f"{time} {event.get('event_type', '')} {said}"
