"""What the tools of a past turn returned, and what that tells of the states before it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from homeagent.tools.carry_out import Outcome
from homeagent.turn import PastTurn, Role

_CAME_ABOUT = (Outcome.DONE, Outcome.UNDER_WAY)
"""What did something."""


@dataclass(frozen=True, slots=True)
class Left:
    """The state of a thing before and after a turn, and ``was``: parameters that set what else was set otherwise."""

    before: str
    after: str
    was: Mapping[str, Any]


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
        if line.get("outcome") == Outcome.DONE and line.get("before") not in (None, line.get("after"))
    }


def unlisted(past: PastTurn) -> bool:
    """Whether a call may have changed more things than its result lists: those that it changed come first there."""
    return any(Outcome.DONE in (result.get("more") or ()) and _all_changed(result) for result in results_of(past))


def _all_changed(result: Mapping[str, Any]) -> bool:
    done = [line for line in result.get("targets", ()) if line.get("outcome") in _CAME_ABOUT]
    return all(line.get("before") != line.get("after") or line.get("was") for line in done)


def sent(past: PastTurn) -> bool:
    """Whether a call was sent of which no state can tell what it did."""
    return any(line.get("outcome") == Outcome.SENT for line in _lines(past))


def left_otherwise(past: PastTurn) -> dict[str, Left]:
    """Entity id -> how it was before a turn and is since, of everything that the turn brought to be otherwise.

    Of a thing that several calls were about, how it was before the first counts. What was not listed, because a call
    was about too many things, is missing.
    """
    found: dict[str, Left] = {}
    for line in _each(_lines(past)):
        if line.get("outcome") not in _CAME_ABOUT or line.get("before") is None:
            continue
        entity_id, was = str(line["entity_id"]), line.get("was")
        settings = was if isinstance(was, dict) else {}
        first = found.get(entity_id)
        left = Left(str(line["before"]), str(line.get("after")), settings)
        if first is not None:  # what was off had no settings, whatever it was given since
            kept = first.was if first.before == "off" else {**settings, **first.was}
            left = Left(first.before, left.after, kept)
        found[entity_id] = left
    return {i: left for i, left in found.items() if left.before != left.after or left.was}


def _each(lines: Iterable[Mapping[str, Any]]) -> Iterable[Mapping[str, Any]]:
    """The lines, of a group whose members were not alike those of its members."""
    for line in lines:
        yield from line.get("members") or (line,)


def _lines(past: PastTurn) -> Iterable[Mapping[str, Any]]:
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
