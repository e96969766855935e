"""A person's yes or no to actions that wait for it. Never decided by a model."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

from homeagent.brains import consent
from homeagent.brains.call_outcomes import pending as pending_in
from homeagent.brains.consent import About, Reply
from homeagent.confirmations import Confirmations, Pending
from homeagent.conversations import Answer
from homeagent.errors import NotFound, Refused
from homeagent.ha.home import Home
from homeagent.policy.verdicts import Effect
from homeagent.timers import timer_texts
from homeagent.turn import Brain, Say, Step, ToolCall, ToolResult, Turn, new_id
from homeagent.turns import confirmation_question
from homeagent.turns.agent_phrases import phrase
from homeagent.turns.question_back import QuestionBack
from homeagent.turns.rounds import RunsTools, run_round
from indexer.entity import Entity
from indexer.words import words

_PERSON = "person"
_TIMER = "timer"
"""The tool of which a yes sets something for later."""


@runtime_checkable
class KnowsOrders(Protocol):
    """A brain that tells an order from an answer."""

    async def orders_others(self, turn: Turn, entity_ids: Collection[str]) -> bool:
        """Whether the sentence by itself is an order for things that it names, and for none of these."""


class Approvals:
    """Finds what a yes or no answers, and carries it out. ``wording`` is the brain that words the results, and may know
    orders."""

    def __init__(self, confirmations: Confirmations, toolbox: RunsTools, wording: Brain | None, home: Home) -> None:
        self._confirmations = confirmations
        self._toolbox = toolbox
        self._wording = wording
        self._home = home

    async def waiting(self, turn: Turn) -> tuple[Pending, ...]:
        """What this turn's calls wait for, or what it asks about once more; noted in the turn's question, so that the
        next turn may answer it."""
        ids = [str(confirmation.get("id")) for confirmation in pending_in(turn)]
        ids += turn.question.confirmations if turn.question is not None else ()
        if not ids:
            return ()
        found = tuple(await self._confirmations.open(turn.conversation_id, ids))
        asked = turn.question or QuestionBack()
        unheard = asked.unheard or not turn.may_confirm
        turn.question = replace(asked, confirmations=tuple(p.id for p in found), unheard=unheard)
        return found

    def asking(self, turn: Turn, answer: Answer, waiting: Sequence[Pending]) -> Answer:
        """The answer with our question for what ``waiting`` holds, always last: it alone tells what a yes is to,
        whatever a model has asked before it."""
        if not waiting:
            return answer
        return replace(answer, text=f"{answer.text} {self.question(waiting, turn.language)}".strip(), question=True)

    def question(self, waiting: Sequence[Pending], language: str) -> str:
        """The question for the yes to all of these."""
        consequences = [one for pending in waiting for one in pending.consequences]
        also = [self._deed(pending, language) for pending in waiting if not pending.consequences]
        asks = confirmation_question.question(consequences, language, also=also)
        then = [timer_texts.later(one.parameters, self._home, language) for one in waiting if one.tool_name == _TIMER]
        return " ".join([*dict.fromkeys(then), asks])

    async def answer(self, turn: Turn, say: Say) -> Answer | None:
        """Settle what the last turn asked for, where the sentence answers that; what is no clear answer is asked about
        once more. None where the sentence is about something else.

        A yes after other turns in between opens no door, and none to a question that this speaker has not heard: they
        are asked first.
        """
        asked = turn.gathered.asked
        if asked is None or not asked.confirmations:
            return None
        ids = asked.confirmations
        pending = await self._confirmations.open(turn.conversation_id, ids)
        languages = dict.fromkeys([turn.language, *(p.language for p in pending if p.language)])
        reply = await asyncio.to_thread(consent.judge, turn.text, languages, self._about(pending, turn.language))
        if reply is Reply.YES and turn.may_confirm and asked.unheard and pending:
            reply = Reply.UNCLEAR
        if reply is Reply.UNCLEAR and await self._orders_others(turn, pending):
            return None  # "mach das Licht an" begins like "mach", and is no answer
        if reply is Reply.UNCLEAR and pending:
            turn.question = QuestionBack(confirmations=tuple(p.id for p in pending))
            return Answer("", "local")
        if reply is Reply.YES and not turn.may_confirm:
            return Answer(phrase("may_not_confirm", turn.language), "local")
        if reply in (Reply.YES, Reply.NO):
            return await self._settle(turn, reply is Reply.YES, ids, say)
        return None

    async def _orders_others(self, turn: Turn, waiting: Sequence[Pending]) -> bool:
        targets = {target for pending in waiting for target in pending.targets}
        knows = self._wording if targets and isinstance(self._wording, KnowsOrders) else None
        return knows is not None and await knows.orders_others(turn, targets)

    async def _settle(self, turn: Turn, approve: bool, ids: Sequence[str], say: Say) -> Answer:
        """Run or drop each of them, once; or say why not."""
        take = self._confirmations.take if approve else self._confirmations.reject
        taken, refused = [], False
        for confirmation_id in ids:
            try:
                taken.append(await take(confirmation_id, turn.user_id, turn.device_id))
            except NotFound:
                continue
            except Refused:
                refused = True
        if not taken:
            return Answer(phrase("asked_elsewhere" if refused else "no_longer_waiting", turn.language), "local")
        return await self.carry_out(turn, approve, taken, say)

    async def carry_out(self, turn: Turn, approve: bool, taken: Sequence[Pending], say: Say) -> Answer:
        """Run the calls exactly as they were bound; the answer tells what came of them. Where the deed is another now,
        the tool asks anew."""
        if not approve:
            return Answer(phrase("left_alone", turn.language), "local")
        turn.confirmed = True
        turn.approved = frozenset(pending.digest for pending in taken if pending.digest)
        turn.interrupted = frozenset(pending.turn_id for pending in taken if pending.turn_id)
        calls = tuple(ToolCall(new_id(), pending.tool_name, dict(pending.parameters)) for pending in taken)
        done = await run_round(self._toolbox, turn, Step(tool_calls=calls))
        step = await self._wording.next_step(turn, say) if self._wording else None
        if step is not None and step.text:
            return Answer(step.text, "local", step.question)
        asked_anew = {confirmation.get("id") for confirmation in pending_in(turn)}
        told = (
            self._told(pending, result, turn.language)
            for pending, result in zip(taken, done.results, strict=True)
            if result.success or not asked_anew
        )
        return Answer(" ".join(told), "local")

    def _told(self, pending: Pending, result: ToolResult, language: str) -> str:
        """What came of one call, where nobody else words it."""
        if pending.tool_name == _TIMER and result.success:
            return timer_texts.is_set(pending.parameters, self._home, language)
        return phrase("done" if result.success else "not_done", language, action=self._called(pending, language))

    def _about(self, waiting: Sequence[Pending], language: str) -> About:
        """What a person may say again in their yes: the deed, and the name where it is about one thing."""
        consequences = [one for pending in waiting for one in pending.consequences]
        bare = [pending for pending in waiting if not pending.consequences]
        opens = ["open"] if any(one.effect is Effect.OPENS for one in consequences) else []
        named = {one.name for one in consequences}.union(*map(self._names, bare))
        through = {one.through for one in consequences}
        return About(
            question=self.question(waiting, language),
            actions=frozenset([*(one.action for one in consequences), *map(_action, bare), *opens]),
            names=tuple(name for names in (named, through) if len(names) == 1 for name in names),
            others=frozenset(word for thing in self._home.entities.values() for word in _naming(thing)),
        )

    def _deed(self, pending: Pending, language: str) -> str:
        """A sentence on what was kept without its consequences."""
        action = _action(pending)
        return confirmation_question.deed(action, self._names(pending), language) if action else pending.description

    def _called(self, pending: Pending, language: str) -> str:
        if not pending.targets:
            return pending.description
        return confirmation_question.called(pending.consequences, language) or ", ".join(self._names(pending))

    def _names(self, pending: Pending) -> list[str]:
        """What the targets are called now."""
        entities = {entity_id: self._home.entity(entity_id) for entity_id in pending.targets}
        return [entity.name if entity else entity_id for entity_id, entity in entities.items()]


def _naming(thing: Entity) -> Iterator[str]:
    """The words of what a thing and its area are called; a person's name may tell who it is."""
    area = thing.area
    names = () if thing.domain == _PERSON else (*thing.names, *((area.name, *area.aliases) if area is not None else ()))
    for name in names:
        yield from words(name)


def _action(pending: Pending) -> str:
    return str(pending.parameters.get("action", ""))
