"""Runs the tool calls of a step: together where they do not depend on each other, each with exactly one result."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from homeagent.brains.call_outcomes import only_looks
from homeagent.brains.llm.brain import UNREADABLE
from homeagent.prompting.prompt import ONLY_ASKED
from homeagent.prompting.prompt import REPEATED as NOTE_ON_REPEATED
from homeagent.toolsets.toolset import UNFIT
from homeagent.turn import Round, Step, ToolCall, ToolResult, Turn

REPEATED = "repeated_call"
_CONTROL = "ha_control"
_TIMER = "timer"
_ONLY_ASKED = ToolResult(
    success=False,
    error=ONLY_ASKED,
    error_type="only_asked",
)
INTERRUPTED = ToolResult(
    success=False, error="Interrupted: it is not known whether this was done.", error_type="interrupted"
)


class RunsTools(Protocol):
    """What runs one call: the toolbox."""

    async def call(self, call: ToolCall, turn: Turn) -> ToolResult:
        """Run one call. Failures are part of the result; only a cancellation is raised."""


async def run_round(toolbox: RunsTools, turn: Turn, step: Step) -> Round:
    """Run a step's calls and note them in the turn, also when this is cancelled on the way."""
    calls = step.tool_calls
    results = [INTERRUPTED] * len(calls)

    async def run(place: int) -> None:
        made = (*_made(turn), *zip(calls[:place], results[:place], strict=True))
        results[place] = _refused(turn, calls[place], made) or await toolbox.call(calls[place], turn)

    try:
        for batch in batches(calls):
            await asyncio.gather(*(run(place) for place in batch))
    finally:
        done = Round(step, tuple(results))
        turn.rounds.append(done)
    return done


def repeats(turn: Turn) -> int:
    """How many rounds of the turn held a call that had been made before."""
    return sum(any(result.error_type == REPEATED for result in done.results) for done in turn.rounds)


def batches(calls: Sequence[ToolCall]) -> list[list[int]]:
    """Places of calls that may run at the same time, in order: looks with looks, changes of different entities."""
    made: list[list[int]] = []
    for place, call in enumerate(calls):
        if not made or any(_depends(call, calls[other]) for other in made[-1]):
            made.append([])
        made[-1].append(place)
    return made


def _depends(one: ToolCall, other: ToolCall) -> bool:
    if only_looks(one) and only_looks(other):
        return False
    mine, theirs = _entities(one), _entities(other)
    return not mine or not theirs or bool(mine & theirs)


def _entities(call: ToolCall) -> frozenset[str]:
    """The ids a call is about; none where these are not all of it (wildcards, areas, what is no entity at all)."""
    named = call.parameters.get("entity_id")
    ids = [named] if isinstance(named, str) else named if isinstance(named, list) else []
    known = [i for i in ids if isinstance(i, str) and "." in i and "*" not in i]
    return frozenset(known) if len(known) == len(ids) else frozenset()


def _may_touch(call: ToolCall, allowed: frozenset[str]) -> bool:
    """Whether a call, or what it sets for later, names its entities, and these alone."""
    if call.name == _CONTROL:
        return bool(ids := _entities(call)) and ids <= allowed
    given = call.parameters.get("calls") if call.name == _TIMER else None
    later = given if isinstance(given, list) else []
    return all(_may_touch(ToolCall(call.id, _CONTROL, one), allowed) for one in later if isinstance(one, dict))


def _made(turn: Turn) -> Iterator[tuple[ToolCall, ToolResult]]:
    """The calls of the rounds so far, each with its result."""
    for done in turn.rounds:
        yield from zip(done.step.tool_calls, done.results, strict=True)


def _refused(turn: Turn, call: ToolCall, made: Iterable[tuple[ToolCall, ToolResult]]) -> ToolResult | None:
    """The answer to a call that is not run at all. ``made`` are the turn's calls before it, with their results."""
    if UNREADABLE in call.parameters:
        error = f"The arguments were not an object in JSON: {call.parameters[UNREADABLE]}"
        return ToolResult(success=False, error=error, error_type="invalid_parameters")
    if UNFIT in call.parameters:
        return ToolResult(success=False, error=str(call.parameters[UNFIT]), error_type="invalid_parameters")
    if turn.only_asks and not only_looks(call) and call.name != "store_memory":
        return _ONLY_ASKED
    if turn.touchable is not None and not only_looks(call) and not _may_touch(call, turn.touchable):
        return _ONLY_ASKED
    if _key(call) in _since_last_change(call, made):
        return ToolResult(success=False, error=NOTE_ON_REPEATED, error_type=REPEATED)
    return None


def _since_last_change(call: ToolCall, made: Iterable[tuple[ToolCall, ToolResult]]) -> set[str]:
    """The calls made already, without those that another change came after: on, off, on is no repetition."""
    seen: set[str] = set()
    for before, result in made:
        if not only_looks(before) and result.success and _key(before) != _key(call):
            seen.clear()
        seen.add(_key(before))
    return seen


def _key(call: ToolCall) -> str:
    return json.dumps([call.name, call.parameters], sort_keys=True, default=str)
