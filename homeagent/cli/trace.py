"""A turn's trace, for people."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from homeagent.cli import show


def show_trace(trace: Mapping[str, Any]) -> None:
    """What was retrieved and why, and what was called with which result."""
    retrieved = trace.get("retrieved") or ()
    show.table(
        ("retrieved", "name", "score", "why"),
        [(r.get("entity_id"), r.get("name"), r.get("score"), r.get("reasons")) for r in retrieved],
        empty="Nothing was retrieved.",
    )
    for call in trace.get("calls") or ():
        show.line(f"called {call.get('name')} {_short(call.get('parameters'))} -> {_short(call.get('result'))}")
    rest = {k: v for k, v in trace.items() if k not in ("retrieved", "calls")}
    for name, value in rest.items():
        show.line(f"{name}: {_short(value)}")


def _short(value: Any, limit: int = 400) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def one_line(event: Mapping[str, Any]) -> str:
    """An event as a line for people: when, what, and the fields that it carries."""
    shown = {k: v for k, v in event.items() if k not in ("event_type", "timestamp", "turn_id", "conversation_id")}
    time = str(event.get("timestamp", ""))[11:23]
    said = " ".join(f"{name}={_short(value, 160)}" for name, value in shown.items())
    return f"{time} {event.get('event_type', '')} {said}"
