"""Answers who asks to remember or forget something, with what was kept or would go, whichever brain there is."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from homeagent.conversations import Answer
from homeagent.ha.home import Home
from homeagent.remembering.live import Linker
from homeagent.remembering.phrases import phrase
from homeagent.remembering.turns import facts_now, pointed_at, subjects_of
from homeagent.turn import Step, ToolCall, Turn, new_id
from homeagent.turns.phrases import phrase as needs
from homeagent.turns.rounds import RunsTools, run_round
from memory.explicit import is_request, said_outright
from memory.extract import Candidate, Outcome, OutcomeKind
from memory.store import Memories

if TYPE_CHECKING:
    from homeagent.remembering.remembering import Remembering

_FORGET = "forget_memory"
BRAIN = "memory"
"""Who answered, where it was nobody's decision."""
_KEYS = {"secret": "secret", "transient": "passing", "commanded": "passing"}


class Outright:
    def __init__(self, remembering: Remembering, memories: Memories, home: Home, toolbox: RunsTools) -> None:
        self._remembering = remembering
        self._memories = memories
        self._home = home
        self._toolbox = toolbox

    async def answer(self, turn: Turn, *, otherwise: bool = False) -> Answer | None:
        """Do what the sentence asks of memory, and say so; None where it asks nothing of it, or more than that.

        ``otherwise``: no brain knows what to do with it, so that a preference that is told is all it is.
        """
        kinds = ("remember", "forget", "call", *(("preference",) if otherwise else ()))
        if not await asyncio.to_thread(is_request, turn.text, turn.language, kinds):
            return None
        linker = Linker(self._home)
        here = subjects_of(pointed_at(turn), linker)
        candidates = said_outright(turn.text, turn.language, turn.user_id, here)
        if not candidates:
            return None
        words = [await self._done(one, turn, linker) for one in candidates]
        return Answer(" ".join(words), BRAIN)

    async def _done(self, candidate: Candidate, turn: Turn, linker: Linker) -> str:
        if candidate.forget:
            return await self._forget(candidate, turn)
        facts = await facts_now(turn, self._home, linker)
        [outcome] = await self._remembering.take([candidate], facts, linker)
        return await self._said(outcome, turn)

    async def _said(self, outcome: Outcome, turn: Turn) -> str:
        if outcome.kind is OutcomeKind.REFUSED or outcome.memory is None:
            return phrase(_KEYS.get(outcome.reason or "", "not_kept"), turn.language)
        content = outcome.memory.content
        if outcome.kind is OutcomeKind.REFRESHED:
            return phrase("known", turn.language, content=content)
        if outcome.replaced:
            before = [(await self._memories.get(memory_id)).content for memory_id in outcome.replaced]
            return phrase("changed", turn.language, content=content, before="; ".join(before))
        return phrase("remembered", turn.language, content=content)

    async def _forget(self, candidate: Candidate, turn: Turn) -> str:
        """Ask for the yes that it takes, naming what would go."""
        call = ToolCall(new_id(), _FORGET, {"about": candidate.content})
        done = await run_round(self._toolbox, turn, Step(tool_calls=(call,)))
        result = done.results[0]
        if not result.success:
            return phrase("nothing_like_it", turn.language)
        return needs("needs_yes", turn.language, action=result.result["confirmation"]["description"])
