"""Answers who asks to remember or forget something, with what was kept or would go, whichever brain there is."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from homeagent.conversations import Answer
from homeagent.ha.home import Home
from homeagent.privacy.said_codes import holds_what_was_said
from homeagent.remembering.correcting import Correcting
from homeagent.remembering.finished_turns import facts_now, pointed_at, subjects_of
from homeagent.remembering.held_names import NoName
from homeagent.remembering.home_view import Linker
from homeagent.remembering.recollecting import BRAIN
from homeagent.remembering.turn_sentences import opens_with_an_order
from homeagent.turn import Step, ToolCall, Turn, new_id
from homeagent.turns.agent_phrases import memory_phrase
from homeagent.turns.agent_phrases import phrase as needs
from homeagent.turns.rounds import RunsTools, run_round
from memory.explicit import Asked, heard_in
from memory.extract import Outcome, OutcomeKind, TurnFacts
from memory.purposes import Guess, purposes_of
from memory.store import Memories

if TYPE_CHECKING:
    from homeagent.remembering.turn_review import Remembering

_FORGET = "forget_memory"
_KEYS = {
    "secret": "secret",
    "no_speaker": "no_speaker",
    "transient": "passing",
    "commanded": "passing",
    **{str(no): str(no) for no in NoName},
}
"""What is said of a refusal, by its code."""


class Outright:
    """Stores and forgets what a sentence says to remember or to forget, and words the answer."""

    def __init__(
        self, remembering: Remembering, memories: Memories, home: Home, toolbox: RunsTools, guess: Guess
    ) -> None:
        self._remembering = remembering
        self._memories = memories
        self._home = home
        self._toolbox = toolbox
        self._guess = guess
        self._correcting = Correcting(memories)

    async def answer(self, turn: Turn, *, otherwise: bool = False) -> Answer | None:
        """Do what the sentence asks of memory, and say so; None where it asks nothing of it.

        What it says beside that is left in ``turn.rest``, and then only what is surely meant is done. ``otherwise``: no
        brain knows what to do with it, so that it is for memory even where it might have been more.
        """
        linker = Linker(self._home)
        here = subjects_of(pointed_at(turn), linker)
        purposes = await purposes_of(turn.text, turn.language, self._guess) if otherwise else {}
        heard = await asyncio.to_thread(
            heard_in, turn.text, turn.language, turn.user_id, here, linker.is_thing, purposes
        )
        rest = " ".join(one.rest for one in heard if one.rest)
        found = [asked for one in heard for asked in one.asked]
        if any(not (asked.sure or asked.corrects) and asked.keep for asked in found) and opens_with_an_order(
            turn.text, turn.language
        ):
            return None
        if not found or (rest and otherwise) or await self._is_listed([one.text for one in heard]):
            return None
        facts = await facts_now(turn, self._home, linker)
        meant = [await self._is_meant(one, turn, facts) for one in found]
        if not all(meant) and (rest or not otherwise or any(one.erases for one in found)):
            return None
        words = [await self._done(one, turn, facts, linker) for one in found]
        if not any(words):
            return None
        turn.rest = rest
        return Answer(" ".join(filter(None, words)), BRAIN)

    async def _is_listed(self, said: Sequence[str]) -> bool:
        """Whether it is to be noted on a list or for a reminder: then it is not for memory."""
        return any(purpose.is_listed for purpose in (await self._guess(said)).values())

    async def _is_meant(self, asked: Asked, turn: Turn, facts: TurnFacts) -> bool:
        """Whether memory is certainly meant, before any brain was asked."""
        if asked.corrects:
            return bool(await self._correcting.targets(asked, facts, now=True))
        if asked.sure or not asked.forgets:
            return asked.sure
        return bool(await self._correcting.to_forget(asked, facts, now=True))

    async def _done(self, asked: Asked, turn: Turn, facts: TurnFacts, linker: Linker) -> str:
        """What is said of it; empty where there is nothing that it could mean."""
        if asked.forgets:
            meant = await self._correcting.to_forget(asked, facts, now=True)
            if meant or asked.last:
                return await self._forget({"memory_ids": [memory.id for memory in meant]}, turn) if meant else ""
            return await self._forget({"about": asked.forget}, turn)
        if asked.keep is None or holds_what_was_said(turn.said_codes, asked.keep.content):
            return memory_phrase("secret", turn.language) if asked.keep is not None else ""
        corrected = await self._correcting.targets(asked, facts, now=True)
        if len(corrected) > 1:
            options = "; ".join(memory.content for memory, _ in corrected)
            return memory_phrase("which_corrected", turn.language, options=options)
        if corrected:
            return await self._said(await self._memories.correct(*corrected[0], facts), turn)
        if asked.corrects:
            return ""  # nothing like it is remembered
        [outcome] = await self._remembering.take([asked.keep], facts, linker)
        return await self._said(outcome, turn)

    async def _said(self, outcome: Outcome, turn: Turn) -> str:
        if outcome.kind is OutcomeKind.REFUSED or outcome.memory is None:
            return memory_phrase(_KEYS.get(outcome.reason or "", "not_kept"), turn.language)
        content = outcome.memory.content
        if outcome.kind is OutcomeKind.REFRESHED:
            return memory_phrase("known", turn.language, content=content)
        if outcome.replaced:
            before = [(await self._memories.get(memory_id)).content for memory_id in outcome.replaced]
            return memory_phrase("changed", turn.language, content=content, before="; ".join(before))
        return memory_phrase("remembered", turn.language, content=content)

    async def _forget(self, named: dict[str, Any], turn: Turn) -> str:
        """Ask for the yes that it takes, naming what would go."""
        call = ToolCall(new_id(), _FORGET, named)
        done = await run_round(self._toolbox, turn, Step(tool_calls=(call,)))
        result = done.results[0]
        if not result.success:
            return memory_phrase("nothing_like_it", turn.language)
        return needs("needs_yes", turn.language, action=result.result["confirmation"]["description"])
