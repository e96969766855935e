"""The brain that asks a language model."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from homeagent.brains.call_outcomes import changed_something, left_undone, pending
from homeagent.brains.llm.client import Completion, LlmClient, RawCall
from homeagent.brains.llm.current_turn import asked_for
from homeagent.brains.llm.text_calls import TextCalls
from homeagent.claims.answer_checker import AnswerCheck, Checker, Passed
from homeagent.claims.answer_clauses import QUESTION_MARKS, whole_until
from homeagent.claims.internal_text import looks_like_call, without_thoughts
from homeagent.context import ContextBuilder
from homeagent.errors import LlmError
from homeagent.events import Emitter, ErrorOccurred
from homeagent.prompting.prompt import NO_ANSWER, NO_CALL, NOT_A_CALL
from homeagent.toolsets.toolset import Toolset
from homeagent.turn import Message, Role, Say, Step, ToolCall, Turn, new_id, sum_known
from homeagent.turns.agent_phrases import phrase
from homeagent.values.jsonable import parsed

_MACHINE = re.compile(r"[{\[<`]|[a-z]_[a-z]")
"""What a tool call written as text begins with. From there on nothing is said before the end."""


class Gate:
    """Takes the pieces of one answer; hands on what ``check`` lets pass of each whole sentence.

    ``patient``: where a sentence is not so, the model may be asked again, so that nothing is said in its place; the
    gate closes instead. What was held back is not said here: whoever has the whole answer says the rest.
    """

    def __init__(self, say: Say, check: AnswerCheck, *, patient: bool) -> None:
        self._say = say
        self._check = check
        self._patient = patient
        self._text = ""
        self._judged = 0
        self._closed = False

    async def __call__(self, piece: str) -> None:
        self._text += piece
        machine = _MACHINE.search(self._text)
        end = whole_until(self._text[: machine.start()] if machine else self._text)
        if self._closed or end <= self._judged:
            return
        self._judged = end
        passed = await asyncio.to_thread(self._check.take, self._text[:end])
        if passed.untrue and self._patient:
            self._closed = True
        elif passed.text:
            await self._say(passed.text)


UNREADABLE = "unreadable_arguments"
"""The one parameter of a call whose arguments were not JSON: what the model wrote, for its own eyes."""
_LONGEST_UNREADABLE = 500

Schemas = Callable[[Sequence[str] | None], Sequence[Mapping[str, Any]]]
"""Gives the tools in OpenAI's form; with entity ids, every target is one of these."""


class LlmBrain:
    """Decides each step with a language model. Raises an `LlmError` where the model cannot be asked.

    What of an answer is not so never reaches the person (`claims`). An answer that tells of a deed that no call has
    done, holds a tool call as text, or is empty, is asked for again once; of the second what is so is said.
    ``text_calls``: the profiles whose models may have a call run that they write as their whole answer. ``toolset``:
    the form of the home's tools, where it is not our own. ``keeps_back``: whether what is sensitive is not told.
    """

    name = "llm"

    def __init__(
        self,
        client: LlmClient,
        context: ContextBuilder,
        schemas: Schemas,
        emitter: Emitter,
        checker: Checker,
        *,
        strict_targets: bool = False,
        text_calls: Collection[str] = (),
        toolset: Toolset | None = None,
        keeps_back: bool = False,
    ) -> None:
        self._client = client
        self._context = context
        self._schemas = schemas
        self._emitter = emitter
        self._checker = checker
        self._strict = strict_targets
        self._believed = text_calls
        self._text_calls = TextCalls()
        self._toolset = toolset
        self._keeps_back = keeps_back

    @property
    def available(self) -> bool:
        """Whether a model would be asked now: none is while all are left alone for their failures."""
        return bool(getattr(self._client, "admits", True))

    async def next_step(self, turn: Turn, say: Say) -> Step:
        """The model's tool calls or its answer, held against what is so. Asks the model twice at
        most. Raises LlmError.
        """
        turn.keeps_back = self._keeps_back
        answer = await self._ask(turn, say, patient=True)
        if answer.note is None:
            return self._for_the_person(turn, answer)
        said = (Message(Role.ASSISTANT, answer.step.text),) if answer.step.text else ()
        try:  # what was said is not said twice
            again = await self._ask(turn, _silent, patient=False, notes=(*said, Message(Role.USER, answer.note)))
        except LlmError:
            if not answer.passed.text:
                raise
            return self._for_the_person(turn, answer)
        return self._for_the_person(turn, again.after(answer.step))

    async def _ask(self, turn: Turn, say: Say, *, patient: bool, notes: Sequence[Message] = ()) -> _Answer:
        tools = self._tools(turn)
        prompt = self._context.build(turn, json.dumps(tools, ensure_ascii=False), notes)
        check = await asyncio.to_thread(self._checker.of, turn)
        with asked_for(turn):
            completion = await self._client.ask(prompt.messages, tools, Gate(say, check, patient=patient))
        step = self._step(turn, completion, {tool["function"]["name"] for tool in tools})
        passed = Passed("") if step.tool_calls else await asyncio.to_thread(check.finish, step.text)
        return _Answer(step, passed, _note(step, passed, check))

    def _tools(self, turn: Turn) -> Sequence[Mapping[str, Any]]:
        """The tools; with strict targets limited to the entities that are shown, and so no part of the stable front."""
        if self._toolset is not None:
            ids = self._context.shown_ids(turn) if self._toolset.by_id else ()
            return self._toolset.schemas(self._schemas(None), ids)
        if not self._strict:
            return self._schemas(None)
        return self._schemas([entity.entity_id for entity in turn.gathered.retrieval.entities])

    def _step(self, turn: Turn, completion: Completion, known: set[str]) -> Step:
        text = without_thoughts(completion.text)
        made = completion.calls
        if completion.profile in self._believed:
            written = self._text_calls.believed(turn, text, completion.calls, known)
            made, text = (written, "") if written else (made, text)
        return Step(
            text=text,
            tool_calls=tuple(self._own(call, turn) for call in _with_own_ids(made)),
            tokens=completion.tokens,
            llm_ms=completion.ms,
            cost=completion.cost,
        )

    def _own(self, call: ToolCall, turn: Turn) -> ToolCall:
        """The call as one of our own tools."""
        if self._toolset is None or UNREADABLE in call.parameters:
            return call
        return self._toolset.own_call(call, turn)

    def _for_the_person(self, turn: Turn, answer: _Answer) -> Step:
        """The answer as it is said. Where a part was done, what was not is named, should the model pass over it."""
        step, text = answer.step, answer.passed.text
        if step.tool_calls:
            return step
        if answer.note is not None:
            self._replaced(turn, answer.note)
        if not text:
            waiting = "; ".join(str(confirmation.get("description", "")) for confirmation in pending(turn))
            key = "needs_yes" if waiting else "nothing_changed" if answer.note == NO_CALL else "no_answer"
            text = phrase(key, turn.language, action=waiting)
        missing = [name for name in left_undone(turn) if name.casefold() not in text.casefold()]
        if missing and changed_something(turn):
            text = f"{text} {phrase('not_done', turn.language, action=', '.join(missing))}"
        return replace(step, text=text, question=text.endswith(QUESTION_MARKS))

    def _replaced(self, turn: Turn, note: str) -> None:
        faults = {NO_ANSWER: "empty_answer", NOT_A_CALL: "tool_call_as_text", NO_CALL: "claim_without_action"}
        message = "What was wrong in the model's answer was replaced."
        self._emitter.emit(turn.stamp(ErrorOccurred(error_type=faults[note], error_message=message, component="llm")))


@dataclass(frozen=True, slots=True)
class _Answer:
    """A step as the model gave it, what of its text may be said, and what the model is told of it (None: nothing)."""

    step: Step
    passed: Passed
    note: str | None

    def after(self, first: Step) -> _Answer:
        """The answer with the tokens and time of the first try, too."""
        tokens, spent = first.tokens + self.step.tokens, first.llm_ms + self.step.llm_ms
        cost = sum_known(first.cost, self.step.cost)
        return replace(self, step=replace(self.step, tokens=tokens, llm_ms=spent, cost=cost))


def _note(step: Step, passed: Passed, check: AnswerCheck) -> str | None:
    """What to tell the model about an answer; None where it needs no second try."""
    if step.tool_calls:
        return None
    if not step.text:
        return NO_ANSWER
    if looks_like_call(step.text):
        return NOT_A_CALL
    return NO_CALL if check.asks_again(passed.untrue) else None


async def _silent(_: str) -> None:
    """Says nothing while an answer is made."""


def _with_own_ids(calls: Sequence[RawCall]) -> tuple[ToolCall, ...]:
    """The calls, each with an id of its own: some models give none, or one id to all."""
    used: set[str] = set()
    made = []
    for call in calls:
        call_id = call.id if call.id and call.id not in used else new_id()
        used.add(call_id)
        made.append(ToolCall(call_id, call.name, _parameters(call.arguments)))
    return tuple(made)


def _parameters(arguments: str) -> dict[str, object]:
    if not arguments.strip():
        return {}
    value = parsed(arguments)
    if isinstance(value, str):  # JSON in JSON: some models quote it twice
        value = parsed(value)
    return value if isinstance(value, dict) else {UNREADABLE: arguments[:_LONGEST_UNREADABLE]}
