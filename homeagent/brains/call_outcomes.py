"""What the calls of a turn came to: what was changed or only looked up, what waits for a yes, what was left undone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from homeagent.tools.carry_out import Outcome
from homeagent.turn import ToolCall, ToolResult, Turn

READ_ONLY = frozenset(
    {
        *("ha_query", "retrieve_knowledge", "explain_change", "recall_memory", "get_user_profile"),
        *("query_external_llm", "web_search", "web_fetch"),
    }
)
"""Tools that change nothing."""
_LOOKS = frozenset({("timer", "list")})
"""Actions of other tools that change nothing."""
_added: set[str] = set()
"""Tools of others that say of themselves that they change nothing."""
DONE = frozenset({Outcome.DONE, Outcome.UNDER_WAY, Outcome.SENT})
"""Outcomes of what was done, as far as anything can tell."""
NOT_TRIED = frozenset({"repeated_call", "only_asked"})
"""Errors of calls that were not even passed on. They tell a model how to go on, and a person nothing."""


def only_looks(call: ToolCall) -> bool:
    """Whether a call changes nothing, whatever comes of it."""
    if call.name in READ_ONLY or call.name in _added:
        return True
    return (call.name, call.parameters.get("action")) in _LOOKS


def add_read_only(names: Iterable[str]) -> None:
    """Tools that were added, by settings or by plugins, and that change nothing."""
    _added.update(names)


def changed_something(turn: Turn) -> bool:
    """Whether a call in this turn did something, in part at least."""
    return any(
        _has_effect(call, result)
        for done in turn.rounds
        for call, result in zip(done.step.tool_calls, done.results, strict=True)
    )


def ordered_in_vain(turn: Turn) -> bool:
    """Whether a call was to change something and failed, nothing was changed, and nothing waits for a yes."""
    failed = any(
        not result.success and not only_looks(call) and result.error_type not in NOT_TRIED
        for done in turn.rounds
        for call, result in zip(done.step.tool_calls, done.results, strict=True)
    )
    return failed and not changed_something(turn) and not pending(turn)


def pending(turn: Turn) -> list[dict[str, Any]]:
    """The confirmations that this turn's calls wait for."""
    results = (result.result for done in turn.rounds for result in done.results)
    found = (result.get("confirmation") for result in results if isinstance(result, dict))
    return [confirmation for confirmation in found if confirmation]


def left_undone(turn: Turn) -> tuple[str, ...]:
    """Names of targets that a call failed to change and no later call did. What waits for a yes is not among them."""
    names = {entity.entity_id: entity.name for entity in turn.gathered.retrieval.entities}
    undone: dict[str, None] = {}
    for done in turn.rounds:
        for call, result in zip(done.step.tool_calls, done.results, strict=True):
            if only_looks(call) or result.error_type in NOT_TRIED:
                continue
            for entity_id, name, outcome in _outcomes(call, result):
                names.setdefault(entity_id, name)
                if outcome in DONE or outcome == Outcome.NEEDS_CONFIRMATION:
                    undone.pop(entity_id, None)
                else:
                    undone[entity_id] = None
    return tuple(name for name in map(names.get, undone) if name)


def _outcomes(call: ToolCall, result: ToolResult) -> Iterator[tuple[str, str, str]]:
    """Entity id, name and outcome of each target, from the result; where the call failed as a whole, from its
    parameters.
    """
    targets = result.result.get("targets") if isinstance(result.result, dict) else None
    if isinstance(targets, list):
        for target in targets:
            yield str(target.get("entity_id")), str(target.get("name", "")), str(target.get("outcome"))
    elif not result.success:
        asked = call.parameters.get("entity_id")
        for entity_id in asked if isinstance(asked, list) else [asked]:
            yield str(entity_id), "", ""


def _has_effect(call: ToolCall, result: ToolResult) -> bool:
    if only_looks(call):
        return False
    targets = result.result.get("targets") if isinstance(result.result, dict) else None
    if isinstance(targets, list):
        return any(target.get("outcome") in DONE for target in targets)
    return result.success
