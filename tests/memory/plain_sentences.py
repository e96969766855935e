"""Plain sentences as a household says them, with what is right (`sentences/<language>.yaml`), and who tries them.

Kinds: ``keep``: what is said, and all that is kept of it. ``two``: the same with several statements. ``beside``: what
is kept, and what is left of the sentence for the brains. ``correct``: what was told, what is said then, words that the
one current memory has, words that it has not. ``apart``: two that live side by side. ``retract``: what was told, and
what takes it back. ``junk``: nothing is kept. ``like``: kept as the speaker's own. ``secret``, ``harmless``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from sqlalchemy import Engine

from homeagent.confirmations import Confirmations
from homeagent.conversations import Answer, Conversations
from homeagent.events import Emitter
from homeagent.ha.home import Home, HomeConfig
from homeagent.remembering.turn_review import Remembering
from homeagent.tools.memory_tools import ForgetMemory
from homeagent.tools.toolbox import Toolbox
from homeagent.turn import PastTurn, Turn, TurnContext
from homeagent.turns.gathering import nothing_gathered
from indexer.normalise import unaccented
from memory.model import Memory
from memory.outbox import Outbox
from memory.purposes import Guess, no_guess
from memory.store import Memories

FOLDER = Path(__file__).parent / "sentences"
LANGUAGES = tuple(sorted(file.stem for file in FOLDER.glob("*.yaml")))


@cache
def sentences(language: str) -> dict[str, list[Any]]:
    """Kind -> its sentences."""
    found: dict[str, list[Any]] = yaml.safe_load((FOLDER / f"{language}.yaml").read_text(encoding="utf-8"))
    return found


class Household:
    """Anna, who talks to an agent without a language model and says yes where she is asked."""

    def __init__(
        self, memories: Memories, engine: Engine, language: str, user: str | None = "anna", guess: Guess = no_guess
    ) -> None:
        self.memories = memories
        self._engine = engine
        self._language = language
        self._user = user
        self._confirmations = Confirmations(engine, 90.0)
        home = Home()
        home.replace(config=HomeConfig(), areas=[], floors=[], device_areas={}, entities=[])
        toolbox = Toolbox([ForgetMemory(memories, self._confirmations)], Emitter())
        self.room = Remembering(memories, Outbox(engine, memories.now), home, Emitter(), toolbox=toolbox, guess=guess)
        self._past: list[PastTurn] = []
        self._talks = 0
        self.answers: list[str] = []

    def begin(self) -> None:
        """Another conversation."""
        self._talks += 1
        self._past = []

    async def say(self, text: str) -> None:
        """A turn that no brain knows anything about, and what is left to do after it."""
        context = TurnContext(nothing_gathered(text).retrieval, history=tuple(self._past))
        turn = Turn(text, self._language, user_id=self._user, conversation_id=f"talk-{self._talks}", context=context)
        answer = await self.room.answer(turn) or await self.room.answer(turn, otherwise=True)
        self.answers.append(answer.text if answer else "")
        for pending in await self._confirmations.open(turn.conversation_id):
            await self.memories.delete(*pending.parameters["memory_ids"])
            await self._confirmations.reject(pending.id, self._user, None)
        given = answer or Answer("", "none")
        await Conversations(self._engine).save(turn, given, self.room.noting(turn, given))
        await self.room.drain()
        self._past.append(PastTurn(turn.turn_id, text, given.text))

    async def kept(self) -> Sequence[Memory]:
        """All that is current."""
        return await self.memories.list(user_id=self._user)

    async def forget_all(self) -> None:
        """A fresh start."""
        await self.memories.clear()


def same(one: str, other: str) -> bool:
    """Whether two statements have the same words."""
    return _words(one) == _words(other)


def has(memory: Memory, word: str) -> bool:
    """Whether the word stands in it; a number only whole."""
    ends = r"(?!\d)" if word[-1:].isdigit() else ""
    return bool(re.search(rf"(?<!\d){re.escape(unaccented(word))}{ends}", unaccented(memory.content)))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", unaccented(text))
