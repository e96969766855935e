"""A dialogue's turns as the product's own values, and what its model said of them as the text of an answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from homeagent.brains.llm.client import Completion
from homeagent.conversations import Answer
from homeagent.evaluation.memory.dialogues import Dialogue, Recorded, Turn, pattern
from homeagent.turn import PastTurn, RecalledMemory, Round, Step, ToolCall, ToolResult, TurnContext
from homeagent.turn import Turn as TakenTurn
from homeagent.turns.gathering import nothing_gathered

_KNOWN = re.compile(r"<known>\n(.*?)\n</known>", re.DOTALL)


def taken(dialogue: Dialogue, number: int, turn: Turn) -> tuple[TakenTurn, Answer]:
    """The turn as the agent would have gone through it."""
    done = TakenTurn(
        turn.say,
        language=dialogue.language,
        turn_id=turn_id(dialogue, number),
        conversation_id=conversation_of(dialogue, turn),
        user_id=turn.who,
        context=_context(dialogue, number),
        rounds=[_round(turn)] if turn.calls or turn.results else [],
    )
    return done, Answer(turn.answer, "local")


def turn_id(dialogue: Dialogue, number: int) -> str:
    """The id of a dialogue's turn, counted over all sessions."""
    return f"{dialogue.id}-{number}"


def conversation_of(dialogue: Dialogue, turn: Turn) -> str:
    """The conversation that a turn belongs to: one a session."""
    return f"{dialogue.id}-session-{turn.session}"


def _context(dialogue: Dialogue, number: int) -> TurnContext:
    turn = dialogue.turns[number]
    memories = tuple(RecalledMemory(str(n), text, "fact", 0.5, 1.0) for n, text in enumerate(turn.recalled))
    before = dialogue.turns[number - 1] if number else None
    past: tuple[PastTurn, ...] = ()
    if before is not None and before.session == turn.session:
        past = (PastTurn(turn_id(dialogue, number - 1), before.say, before.answer, targets=turn.about),)
    elif turn.about:
        past = (PastTurn("before", "", "", targets=turn.about),)
    return replace(nothing_gathered(turn.say), memories=memories, history=past)


def _round(turn: Turn) -> Round:
    """The tools' calls with their results: those that command, and one that only looks for results without a call."""
    calls = [_call(place, raw) for place, raw in enumerate(turn.calls)]
    while len(calls) < len(turn.results):
        calls.append(ToolCall(f"look-{len(calls)}", "ha_query", {}))
    results = [ToolResult(True, text) for text in turn.results]
    while len(results) < len(calls):
        results.append(ToolResult(True, "done"))
    return Round(Step(tool_calls=tuple(calls)), tuple(results))


def _call(place: int, raw: Mapping[str, Any]) -> ToolCall:
    name = "ha_query" if str(raw["action"]).startswith("get_") else "ha_control"
    given = {
        "action": raw["action"],
        "entity_id": list(raw.get("entities", ())),
        "parameters": dict(raw.get("with", {})),
    }
    return ToolCall(f"call-{place}", name, given)


class RecordedModel:
    """Answers what was recorded of the turn, in the form that is asked for; nothing where nothing was recorded."""

    def __init__(self, dialogue: Dialogue, name_of: Callable[[str], str | None]) -> None:
        self._users = dialogue.users
        self._name_of = name_of
        self.turn: Turn | None = None
        """The turn that is looked through."""
        self.asked = 0

    async def __call__(self, messages: Sequence[Mapping[str, object]]) -> Completion:
        self.asked += 1
        found = _KNOWN.search(str(messages[-1]["content"]))
        known: list[Mapping[str, str]] = json.loads(found.group(1)) if found else []
        turn = self.turn
        memories = [self._told(one, turn, known) for one in turn.candidates] if turn else []
        return Completion(json.dumps({"memories": memories}, ensure_ascii=False))

    def _told(self, recorded: Recorded, turn: Turn, known: Sequence[Mapping[str, str]]) -> dict[str, Any]:
        """``private`` is all that a model can say of whose it is; ids it has of what it was shown alone."""
        data = dict(recorded.data)
        told: dict[str, Any] = {"content": recorded.content, "private": "user" in data}
        if "replaces" in data:
            claimed = pattern(data.pop("replaces"))
            told["replaces"] = [one["id"] for one in known if claimed.fits(one["content"])]
        told["about"] = [self._name(about) for about in data.pop("about", ())]
        told["sensitive"] = data.pop("sensitivity", None) == "sensitive"
        data.pop("user", None)
        plain = {key: value if isinstance(value, bool | int | float) else str(value) for key, value in data.items()}
        return told | plain

    def _name(self, about: str) -> str:
        """As it is said: of a person, a room or thing (``user:anna``, ``thing:car``), or of an entity by its id."""
        _, _, name = about.partition(":")
        return self._users.get(name, name) or self._name_of(about) or about
