"""From a question about the past to what ``ha_query`` is asked."""

from __future__ import annotations

from typing import Any

from homeagent.brains.local.meaning.request import Asking, Past, Tell
from homeagent.brains.local.planning.plans import QUERY, call
from homeagent.history.when.find import When
from homeagent.turn import ToolCall

_FIGURES = frozenset({Tell.AVERAGE, Tell.LOWEST, Tell.HIGHEST, Tell.SUM})


def past_calls(past: Past) -> tuple[ToolCall, ...]:
    """A look-up for each thing: over the first stretch, compared with the second where there is one."""
    return tuple(call(QUERY, {"entity_id": [a.entity_id], "history": _history(a, past)}) for a in past.of)


def _history(asking: Asking, past: Past) -> dict[str, Any]:
    history: dict[str, Any] = _span(past.periods[0]) if past.periods else {}
    if asking.states:
        history["state"] = list(asking.states)
    if asking.attribute:
        history["attribute"] = asking.attribute
    if past.tell in _FIGURES:
        history["aggregate"] = past.tell.value
    if len(past.periods) > 1:
        history["compare"] = _span(past.periods[1])
    return history


def _span(when: When) -> dict[str, str]:
    return {"from": when.start.isoformat(), "to": when.end.isoformat()}
