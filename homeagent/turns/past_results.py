"""What the tools of a past turn returned, and what that tells of the states before it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from homeagent.turn import PastTurn, Role


def changed(past: PastTurn) -> dict[str, str] | None:
    """Entity id -> state before, of everything that a turn brought into another state; None where
    no result tells it.
    """
    lines = tuple(_lines(past))
    if not lines:
        return None
    return {
        str(line["entity_id"]): str(line["before"])
        for line in lines
        if line.get("before") is not None and line.get("outcome") == "done" and line["before"] != line.get("after")
    }


def _lines(past: PastTurn) -> Iterable[Mapping[str, object]]:
    """The lines of the tools' results, one for each target."""
    for result in results_of(past):
        targets = result.get("targets", ())
        yield from (line for line in targets if isinstance(line, dict) and "entity_id" in line)


def results_of(past: PastTurn) -> Iterable[Mapping[str, Any]]:
    """What the tools returned, in order; what was cut off or failed without a result is left out."""
    for message in past.messages:
        if message.role is not Role.TOOL:
            continue
        try:
            told = json.loads(message.content)
        except ValueError:
            continue  # cut off, or no result
        result = told.get("result") if isinstance(told, dict) else None
        if isinstance(result, dict):
            yield result
