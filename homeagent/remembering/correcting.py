"""Puts a corrected statement in the place of the one that is meant: the one that is named, or the one told last."""

from __future__ import annotations

from collections.abc import Sequence

from memory.explicit import Asked
from memory.extract import Outcome, TurnFacts
from memory.model import Memory
from memory.store import Memories


class Correcting:
    """Finds what a correction means, and takes it."""

    def __init__(self, memories: Memories) -> None:
        self._memories = memories

    async def targets(self, asked: Asked, facts: TurnFacts, *, now: bool = False) -> Sequence[tuple[Memory, str]]:
        """The memory that is corrected and what it says then; several where any of them may be meant, empty where
        nothing that is remembered is.

        ``now``: only the turn right before may have told what is pointed at; else any of the conversation.
        """
        if asked.correction is None:
            return ()
        if not asked.corrects and asked.keep is not None and await self._memories.meant.contradicted(asked.keep):
            return ()  # it takes that one's place as it is
        last = await self.last(facts, now=now or asked.alone) if asked.corrects else None
        if asked.alone and last is None:
            return ()
        return await self._memories.meant.correctable(
            asked.correction,
            facts.language,
            facts.user_id,
            last,
            likely=asked.likely,
            otherwise=asked.otherwise,
            before=facts.before if asked.likely or asked.corrects else (),
            people=facts.users.values(),
            alone=asked.alone,
        )

    async def last(self, facts: TurnFacts, *, now: bool) -> Memory | None:
        """What was told last in the conversation, where that may be pointed at: by somebody, or as an answer."""
        if facts.calls:
            return None
        quoted = await self._memories.meant.quoted_in(facts.before[:1], facts.language, facts.user_id)
        if quoted is not None:
            return quoted
        last = await self._memories.meant.told_last(facts.conversation_id, facts.user_id)
        told = last.source.turn_id if last is not None and last.source else None
        return last if not now or told in facts.turns_before else None

    async def to_forget(self, asked: Asked, facts: TurnFacts, *, now: bool = False) -> Sequence[Memory]:
        """What is to be forgotten; empty where nothing that is remembered is meant. ``now`` as of `targets`."""
        found: Sequence[Memory] = ()
        if asked.forget is not None:
            found = await self._memories.meant.by(asked.forget, facts.language, facts.user_id)
            if not found and asked.likely:
                found = await self._memories.meant.about_most(asked.forget, facts.language, facts.user_id)
        if not found and asked.last and (last := await self.last(facts, now=now)) is not None:
            found = [last]
        return found

    async def take(self, asked: Asked, facts: TurnFacts, *, now: bool = False) -> Outcome | None:
        """What became of the correction; None where it corrects nothing, or nobody can tell what."""
        meant = await self.targets(asked, facts, now=now)
        return await self._memories.correct(*meant[0], facts) if len(meant) == 1 else None
