"""The brain that asks a language model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from homeagent.brains.claims import Claims
from homeagent.brains.effects import changed_something, left_undone, pending
from homeagent.brains.llm.client import Completion, LlmClient, RawCall
from homeagent.brains.llm.gate import Gate, spoken
from homeagent.brains.llm.text_calls import find_calls, looks_like_call, without_thoughts
from homeagent.context import ContextBuilder
from homeagent.events import Emitter, ErrorOccurred
from homeagent.prompting.prompt import NO_ANSWER, NO_CALL, NOT_A_CALL
from homeagent.turn import Message, Role, Say, Step, ToolCall, Turn, new_id
from homeagent.turns.phrases import phrase

UNREADABLE = "unreadable_arguments"
"""The one parameter of a call whose arguments were not JSON: what the model wrote, for its own eyes."""
_LONGEST_UNREADABLE = 500

CURRENT: ContextVar[Turn | None] = ContextVar("turn", default=None)
"""The turn that a model is asked for, for events from below."""
Schemas = Callable[[Sequence[str] | None], Sequence[Mapping[str, Any]]]
"""Gives the tools in OpenAI's form; with entity ids, every target is one of these."""


class LlmBrain:
    """Decides each step with a language model. Raises an `LlmError` where the model cannot be asked.

    An answer that must not reach the person (it claims what was not done, holds a tool call as text, or is empty) is
    asked for again once, and then replaced by an honest one.
    """

    name = "llm"

    def __init__(
        self,
        client: LlmClient,
        context: ContextBuilder,
        schemas: Schemas,
        emitter: Emitter,
        *,
        strict_targets: bool = False,
    ) -> None:
        self._client = client
        self._context = context
        self._schemas = schemas
        self._emitter = emitter
        self._strict = strict_targets

    async def next_step(self, turn: Turn, say: Say) -> Step:
        claims = await asyncio.to_thread(Claims, turn)
        step = await self._ask(turn, say, claims)
        note = self._fault(step, claims)
        if note is None:
            return _for_the_person(turn, step)
        said = (Message(Role.ASSISTANT, step.text),) if step.text else ()
        again = await self._ask(turn, _silent, claims, (*said, Message(Role.USER, note)))  # nothing is said twice
        again = replace(again, tokens=step.tokens + again.tokens, llm_ms=step.llm_ms + again.llm_ms)
        if self._fault(again, claims) is None:
            return _for_the_person(turn, again)
        return self._honest(turn, again, note)

    async def _ask(self, turn: Turn, say: Say, claims: Claims, notes: Sequence[Message] = ()) -> Step:
        tools = self._tools(turn)
        CURRENT.set(turn)
        prompt = self._context.build(turn, json.dumps(tools, ensure_ascii=False), notes)
        completion = await self._client.ask(prompt.messages, tools, Gate(say, claims.may_pass))
        return _step(completion, {tool["function"]["name"] for tool in tools})

    def _tools(self, turn: Turn) -> Sequence[Mapping[str, Any]]:
        """The tools; with strict targets limited to retrieved entities, and so no part of the stable front."""
        if not self._strict:
            return self._schemas(None)
        return self._schemas([entity.entity_id for entity in turn.gathered.retrieval.entities])

    @staticmethod
    def _fault(step: Step, claims: Claims) -> str | None:
        """What to tell the model about an answer that may not reach the person; None where it may."""
        if step.tool_calls:
            return None
        if not step.text:
            return NO_ANSWER
        if looks_like_call(step.text):
            return NOT_A_CALL
        return None if claims.may_pass(step.text) else NO_CALL

    def _honest(self, turn: Turn, step: Step, note: str) -> Step:
        faults = {NO_ANSWER: "empty_answer", NOT_A_CALL: "tool_call_as_text", NO_CALL: "claim_without_action"}
        self._emitter.emit(
            turn.stamp(
                ErrorOccurred(
                    error_type=faults[note],
                    error_message="The model's answer was replaced, since it was wrong twice.",
                    component="llm",
                )
            )
        )
        waiting = pending(turn)
        if waiting:
            actions = "; ".join(str(confirmation.get("description", "")) for confirmation in waiting)
            return replace(step, text=phrase("needs_yes", turn.language, action=actions), question=True)
        key = "nothing_changed" if note == NO_CALL else "no_answer"
        return replace(step, text=phrase(key, turn.language), question=False)


async def _silent(_: str) -> None:
    """Says nothing while an answer is made."""


def _step(completion: Completion, known: set[str]) -> Step:
    text = without_thoughts(completion.text)
    raw = completion.calls or find_calls(text, known)
    return Step(
        text="" if raw and not completion.calls else text,
        tool_calls=_with_own_ids(raw),
        tokens=completion.tokens,
        llm_ms=completion.ms,
    )


def _with_own_ids(calls: Sequence[RawCall]) -> tuple[ToolCall, ...]:
    """The calls, each with an id of its own: some models give none, or one id to all."""
    used: set[str] = set()
    made = []
    for call in calls:
        call_id = call.id if call.id and call.id not in used else new_id()
        used.add(call_id)
        made.append(ToolCall(call_id, call.name, _parameters(call.arguments)))
    return tuple(made)


def _parameters(arguments: str) -> dict[str, Any]:
    if not arguments.strip():
        return {}
    try:
        value = json.loads(arguments)
        if isinstance(value, str):  # JSON in JSON: some models quote it twice
            value = json.loads(value)
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {UNREADABLE: arguments[:_LONGEST_UNREADABLE]}


def _for_the_person(turn: Turn, step: Step) -> Step:
    """The answer as it is said. Where a part was done, what was not is named, should the model pass over it."""
    if step.tool_calls:
        return step
    text = spoken(step.text).strip()
    missing = [name for name in left_undone(turn) if name.casefold() not in text.casefold()]
    if missing and changed_something(turn):
        text = f"{text} {phrase('not_done', turn.language, action=', '.join(missing))}"
    return replace(step, text=text, question=text.endswith(("?", "？", "؟")))
