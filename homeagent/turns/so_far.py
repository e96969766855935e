"""What a turn has done so far, in words: told where it cannot go on."""

from __future__ import annotations

from dataclasses import replace

from homeagent.brains.call_outcomes import DONE, only_looks
from homeagent.brains.local.wording import control_answers
from homeagent.brains.local.wording.entity_names import unique_names
from homeagent.claims.replacing import own_phrases
from homeagent.errors import HomeAgentError
from homeagent.ha.home import Home
from homeagent.turn import ToolCall, ToolResult, Turn
from homeagent.turns.agent_phrases import error_phrase, phrase

_CONTROL = "ha_control"


def ended_by(failure: HomeAgentError | str, turn: Turn, home: Home) -> str:
    """What the person is told of a failure, the key of a phrase or an error: what had been done before it is told
    first. Blocks: it may read language files."""
    told = phrase(failure, turn.language) if isinstance(failure, str) else error_phrase(failure, turn.language)
    done = what_was_done(turn, home)
    if not done:
        return told
    if told == phrase("llm_error", turn.language):
        told = phrase("then_llm_error", turn.language)
    elif told == phrase("went_wrong", turn.language):
        told = phrase("then_went_wrong", turn.language)
    return phrase("but_then", turn.language, done=done, failure=told)


def what_was_done(turn: Turn, home: Home) -> str:
    """The changes that calls of this turn made; empty where there are none."""
    made = [
        (call, done)
        for one in turn.rounds
        for call, result in zip(one.step.tool_calls, one.results, strict=True)
        if not only_looks(call) and (done := _done_part(call, result)) is not None
    ]
    controls = [(call, result) for call, result in made if call.name == _CONTROL]
    phrases = own_phrases(turn.language)
    if phrases is None:
        ids = [str(line["entity_id"]) for _, result in controls for line in result.result["targets"]]
        words = [phrase("done", turn.language, action=", ".join(unique_names(ids, home)))] if ids else []
    else:
        words = [text for text, _ in control_answers.words(controls, home, phrases) if text]
    others = len(made) > len(controls)
    return " ".join(dict.fromkeys([*words, *([phrase("stored", turn.language)] if others else [])]))


def _done_part(call: ToolCall, result: ToolResult) -> ToolResult | None:
    """The result with the targets that were reached alone; None where nothing was."""
    targets = result.result.get("targets") if isinstance(result.result, dict) else None
    if not isinstance(targets, list):
        return result if result.success and call.name != _CONTROL else None
    reached = [line for line in targets if line.get("outcome") in DONE]
    if not reached:
        return None
    return replace(result, success=True, error=None, error_type=None, result={**result.result, "targets": reached})
