"""Answers a question with what was told: where the home has nothing to say to it, and no language model is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from homeagent.conversations import Answer
from homeagent.ha.home import Home
from homeagent.languages.answers import load_answers
from homeagent.remembering.home_view import users_of
from homeagent.turn import Turn
from homeagent.turns.agent_phrases import memory_phrase
from memory.errors import MemoryNotFound
from memory.model import Memory
from memory.store import Memories

BRAIN = "memory"
"""Who answered, where it was nobody's decision."""
_TELLS = 0.6
"""Relevance from which a memory is told for an answer: well above the floor, as nobody weighs it any more."""
_MAY_TELL = 0.4
"""The same where by its meaning only what was told can answer."""
_BESIDE = 0.85
"""Share of the best one's relevance from which another is told too: two may answer a question together."""
_MOST = 3
_NEAR_DAYS = 7
"""Days within which the name of a weekday says which day it was."""


class Recollecting:
    """Words an answer from the memories that were recalled for a turn."""

    def __init__(self, memories: Memories, home: Home) -> None:
        self._memories = memories
        self._home = home

    async def answer(self, turn: Turn, *, sure: bool = True) -> Answer | None:
        """What was told, in the words it was told in; None where nothing tells it well.

        Of the memories that were recalled for the turn, which are the person's own and the household's. ``sure`` False:
        nothing else can answer, so that what bears on it less is told too.
        """
        least = _TELLS if sure else _MAY_TELL
        told = [one for one in turn.gathered.memories if one.relevance_score >= least]
        if not told:
            return None
        best = max(one.relevance_score for one in told)
        ids = [one.memory_id for one in told if one.relevance_score >= _BESIDE * best]
        try:
            memories = [await self._memories.get(memory_id) for memory_id in ids[:_MOST]]
        except MemoryNotFound:  # forgotten in between
            return None
        return Answer(await self.in_words(memories, turn), BRAIN)

    async def in_words(self, memories: Sequence[Memory], turn: Turn) -> str:
        """Each one as a quotation, with who said it and when."""
        users = users_of(self._home)
        told = await asyncio.to_thread(lambda: [self._told(memory, turn, users) for memory in memories])
        return " ".join(told)

    def _told(self, memory: Memory, turn: Turn, users: dict[str, str]) -> str:
        teller = memory.source.user_id if memory.source else None
        key = "told_by_you" if teller is not None and teller == turn.user_id else "told_by"
        if key == "told_by" and (teller is None or teller not in users):
            key = "told"
        day = self._day(memory, turn.language)
        return memory_phrase(key, turn.language, name=users.get(teller or "", ""), when=day, content=memory.content)

    def _day(self, memory: Memory, language: str) -> str:
        """When it was said last: today, yesterday, the weekday if that is near, else the date."""
        day = memory.updated_at.astimezone(self._home.config.time_zone).date()
        ago = (self._memories.now().astimezone(self._home.config.time_zone).date() - day).days
        if ago <= 1:
            return memory_phrase("today" if ago < 1 else "yesterday", language)
        words = load_answers(language) if ago < _NEAR_DAYS else None
        return memory_phrase("on_day", language, day=words.weekday(day.weekday()) if words else day.isoformat())
