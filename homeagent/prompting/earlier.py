"""The turns that no longer fit, in short: what was decided, about what, and what was left open."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from homeagent.claims.answer_clauses import QUESTION_MARKS
from homeagent.prompting.firewall import clean, fence
from homeagent.prompting.token_counting import CountTokens
from homeagent.turn import Message, PastTurn, Role

HEARD = "Understood."
"""What stands after them, so that the speakers take turns: some servers take nothing else."""
_LONGEST_SAID = 100
_LONGEST_QUESTION = 120
_LONGEST_VALUE = 60
_MOST_TARGETS = 4
_TOLD = ("area", "floor", "domain", "device_class", "label", "name", "in_seconds", "at", "query", "content", "about")
"""What of a call beside its action and entities says what it is about."""


def in_short(turns: Sequence[PastTurn], count: CountTokens, budget: int) -> tuple[str, tuple[PastTurn, ...]]:
    """The turns in a line each, fenced, as far as they fit the budget of tokens, and which these are.

    Where not all fit, those are kept that did something, decided something or ended in a question, the latest first.
    """
    lines = {past.turn_id: _line(past) for past in turns}
    kept: set[str] = set()
    weight = count(fence("earlier", ""))
    for past in sorted(turns, key=lambda past: (not _matters(past), -past.number)):
        weight += count(lines[past.turn_id]) + 1
        if weight > budget:
            break
        kept.add(past.turn_id)
    told = tuple(past for past in turns if past.turn_id in kept)
    return (fence("earlier", "\n".join(lines[past.turn_id] for past in told)) if told else "", told)


def _line(past: PastTurn) -> str:
    parts = [f'- said: "{clean(past.text, _LONGEST_SAID)}"']
    deeds = list(_deeds(past.messages))
    if deeds:
        parts.append("; ".join(deeds))
    elif past.targets:
        parts.append(f"about {_some(past.targets)}")
    if question := _question(past):
        parts.append(f'asked back: "{question}"')
    return "; ".join(parts)


def _matters(past: PastTurn) -> bool:
    return bool(past.targets or _question(past) or any(message.tool_calls for message in past.messages))


def _deeds(messages: Sequence[Message]) -> Iterable[str]:
    """What was called, upon what, and what came of it."""
    results = {m.tool_call_id: m.content for m in messages if m.role is Role.TOOL}
    for message in messages:
        for call in message.tool_calls:
            yield f"{_called(call.name, call.parameters)} ({_outcome(results.get(call.id, ''))})"


def _called(name: str, parameters: Mapping[str, Any]) -> str:
    action = clean(str(parameters.get("action") or name), _LONGEST_VALUE)
    ids = parameters.get("entity_id")
    named = [ids] if isinstance(ids, str) else ids if isinstance(ids, list) else []
    settings = parameters.get("parameters")
    more = {key: parameters[key] for key in _TOLD if parameters.get(key)}
    more |= settings if isinstance(settings, Mapping) else {}
    wanted = [f"{clean(key, 30)}={clean(_as_text(value), _LONGEST_VALUE)}" for key, value in more.items()]
    return " ".join([action, *([_some(named)] if named else []), *wanted])


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _some(targets: Sequence[object]) -> str:
    shown = ", ".join(clean(str(target), _LONGEST_VALUE) for target in targets[:_MOST_TARGETS])
    more = len(targets) - _MOST_TARGETS
    return f"{shown} and {more} more" if more > 0 else shown


def _outcome(result: str) -> str:
    """``done``, ``waits for a yes`` or ``failed``, from a result as the model reads it, which may have been cut."""
    if '"confirmation":{' in result:
        return "waits for a yes"
    return "done" if '"success":true' in result else "failed"


def _question(past: PastTurn) -> str:
    """The question that the answer ended with; empty where it ended with none."""
    answer = " ".join(past.answer.split())
    if past.question is None and not answer.endswith(QUESTION_MARKS):
        return ""
    last = max(answer.rfind(mark, 0, -1) for mark in (". ", "! ", "? ", "。", "！", "？"))
    return clean(answer[last + 1 :].strip(), _LONGEST_QUESTION)
