"""A person's yes or no to actions that wait for it. Never decided by a model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from homeagent.brains import consent
from homeagent.brains.effects import pending as pending_in
from homeagent.confirmations import Confirmations, Pending
from homeagent.conversations import Answer
from homeagent.errors import NotFound
from homeagent.turn import Brain, Say, Step, ToolCall, Turn, new_id
from homeagent.turns.phrases import phrase
from homeagent.turns.rounds import RunsTools, run_round

_WAITING = "confirmations"
"""Where a turn's question keeps the ids that a bare yes in the next turn answers."""


class Approvals:
    """Finds what a yes or no answers, and carries it out. ``wording`` is the brain that words the results."""

    def __init__(self, confirmations: Confirmations, toolbox: RunsTools, wording: Brain | None) -> None:
        self._confirmations = confirmations
        self._toolbox = toolbox
        self._wording = wording

    async def waiting(self, turn: Turn) -> tuple[Pending, ...]:
        """What this turn's calls wait for; noted in the turn's question, so that the next turn may answer it."""
        ids = {str(confirmation.get("id")) for confirmation in pending_in(turn)}
        if not ids:
            return ()
        found = tuple(p for p in await self._confirmations.open(turn.conversation_id) if p.id in ids)
        turn.question = {**(turn.question or {}), _WAITING: [p.id for p in found]}
        return found

    @staticmethod
    def asking(turn: Turn, answer: Answer, waiting: Sequence[Pending]) -> Answer:
        """The answer, naming all that ``waiting`` holds: a yes may only be to what the person was told. A model's own
        words are not relied on for that, since they may ask about something else."""
        unsaid = [pending.description for pending in waiting if pending.description not in answer.text]
        if not unsaid or (answer.brain == "local" and answer.question):
            return answer
        asked = phrase("needs_yes", turn.language, action="; ".join(unsaid))
        return replace(answer, text=f"{answer.text} {asked}".strip(), question=True)

    async def answered(self, turn: Turn) -> tuple[bool, list[str]] | None:
        """Whether the sentence is a bare yes or no, and to which confirmations: those that the last turn asked for.

        None where it is no such answer. A yes after other turns in between opens no door.
        """
        history = turn.gathered.history
        asked = (history[-1].question or {}).get(_WAITING) if history else None
        if not asked:
            return None
        yes, no = await asyncio.to_thread(_read, turn.text, turn.language)
        return (yes, list(asked)) if yes or no else None

    async def settle(self, turn: Turn, approve: bool, ids: Sequence[str], say: Say) -> Answer:
        """Run or drop each of them, once. Raises `NotFound` where none of them waits any more."""
        take = self._confirmations.take if approve else self._confirmations.reject
        taken = []
        for confirmation_id in ids:
            try:
                taken.append(await take(confirmation_id, turn.user_id))
            except NotFound:
                continue
        if not taken:
            return Answer(phrase("no_longer_waiting", turn.language), "local")
        return await self.carry_out(turn, approve, taken, say)

    async def carry_out(self, turn: Turn, approve: bool, taken: Sequence[Pending], say: Say) -> Answer:
        """Run the calls exactly as they were bound; the answer tells what came of them."""
        if not approve:
            return Answer(phrase("left_alone", turn.language), "local")
        turn.confirmed = True
        calls = tuple(ToolCall(new_id(), pending.tool_name, dict(pending.parameters)) for pending in taken)
        done = await run_round(self._toolbox, turn, Step(tool_calls=calls))
        step = await self._wording.next_step(turn, say) if self._wording else None
        if step is not None and step.text:
            return Answer(step.text, "local", step.question)
        words = (
            phrase("done" if result.success else "not_done", turn.language, action=pending.description)
            for pending, result in zip(taken, done.results, strict=True)
        )
        return Answer(" ".join(words), "local")


def _read(text: str, language: str) -> tuple[bool, bool]:
    return consent.is_yes(text, language), consent.is_no(text, language)
