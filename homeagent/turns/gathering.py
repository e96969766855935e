"""Checks a sentence and gathers what surrounds it: past turns, the entities it may mean, the memories that fit."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from homeagent.conversations import Conversations
from homeagent.errors import HomeAgentError, InvalidInput, TooLarge
from homeagent.ha.home import Home
from homeagent.privacy.said_codes import TellsSecrets, note_secrets, secret_sentences
from homeagent.remembering.held_names import HeldNames
from homeagent.remembering.nicknames import nicknames, with_real_names
from homeagent.rights import rights
from homeagent.turn import RecalledMemory, Turn, TurnContext
from homeagent.turns.turn_report import TurnReport
from indexer.errors import IndexerError
from indexer.mentions import MentionKind, Mentions
from indexer.retrieval import Retrieval, Situation
from memory.errors import MemoriesError
from memory.model import Sensitivity
from memory.purposes import Purpose


class Finds(Protocol):
    """What finds entities: the index."""

    async def retrieve(self, text: str, situation: Situation, *, limit: int = 10) -> Retrieval:
        """At most ``limit`` entities that a text may mean, and what was found in it. Raises IndexerError."""


class Recalls(Protocol):
    """What finds memories: each result has ``memory`` and ``relevance_score``."""

    @property
    def secrets(self) -> TellsSecrets:
        """What knows the sentences that are never kept."""

    async def search(
        self,
        query: str,
        *,
        limit: int = 10,
        user_id: str | None = None,
        subjects: Sequence[str] = (),
        count: bool = False,
        turn_id: str | None = None,
        language: str | None = None,
        meant: Purpose | None = None,
        unanswered: bool = False,
    ) -> Sequence[Any]:
        """At most ``limit`` memories that bear on ``query``, most relevant first: the household's and that user's.

        ``subjects`` are ids of entities and areas that the sentence names; with ``count`` each find counts as a use in
        that turn. ``meant`` and ``unanswered`` as of `Gatherer.remember`.
        """

    async def nicknames(self, user_id: str | None = None) -> Sequence[Any]:
        """The names that the household and this user gave to things."""


class TellsDays(Protocol):
    """What finds the days that a sentence is about."""

    async def about(self, text: str, language: str, retrieval: Retrieval, limit: int) -> Sequence[str]:
        """At most ``limit`` days that a sentence is about, a line each; none where it names no time gone by."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What bounds a turn. ``turn_timeout`` is in seconds."""

    entities: int = 10
    memories: int = 5
    days: int = 8
    history_turns: int = 10
    rounds: int = 6
    turn_timeout: float = 90.0


class Gatherer:
    """Fills a turn's context. ``memories`` is None where nothing is remembered, ``days`` where none are summed up."""

    def __init__(
        self,
        home: Home,
        index: Finds,
        memories: Recalls | None,
        conversations: Conversations,
        limits: Limits,
        days: TellsDays | None = None,
    ) -> None:
        self._days = days
        self._home = home
        self._index = index
        self._memories = memories
        self._conversations = conversations
        self._limits = limits

    async def gather(self, turn: Turn, report: TurnReport) -> None:
        """Past turns and retrieved entities."""
        history, named = await asyncio.gather(
            self._conversations.recent(turn.conversation_id, self._limits.history_turns), self._nicknames(turn, report)
        )
        situation = Situation(
            language=turn.language,
            state_of=self._home.state_text,
            area_id=turn.area_id,
            last_entities=history[-1].targets if history else (),
            nicknames=named,
        )
        text = turn.text
        if named:
            text = await asyncio.to_thread(with_real_names, text, named, self._home.exposed())
        guard = self._memories.secrets if self._memories is not None else None
        retrieval, secret = await asyncio.gather(
            self._index.retrieve(text, situation, limit=self._limits.entities), secret_sentences(turn, guard)
        )
        if rights().sees is not None:  # nothing else is named to a model either
            seen = tuple(f for f in retrieval.found if rights().may_see(f.entity.entity_id))
            retrieval = replace(retrieval, found=seen, total=len(seen), also=())
        turn.context = TurnContext(retrieval, history=history)
        await note_secrets(turn, secret)
        report.retrieved(retrieval)

    async def remember(
        self, turn: Turn, report: TurnReport, *, meant: Purpose | None = None, unanswered: bool = False
    ) -> None:
        """Add the memories that fit; without them the turn goes on. It costs a vector: only where a model is asked, or
        where what was told may answer.

        ``meant``: as what the sentence is, where that is known. ``unanswered``: it is a question that the home has no
        answer to, so that what fits less well may be meant.
        """
        if self._memories is None or self._limits.memories < 1:
            return
        try:
            found = await self._memories.search(
                turn.text,
                limit=self._limits.memories,
                user_id=turn.user_id,
                subjects=_named(turn.gathered.retrieval.mentions),
                count=True,
                turn_id=turn.turn_id,
                language=turn.language,
                meant=meant,
                unanswered=unanswered,
            )
        except (IndexerError, MemoriesError, HomeAgentError) as error:
            report.failed(error if isinstance(error, HomeAgentError) else str(error), "memory")
            return
        turn.context = replace(turn.gathered, memories=tuple(_recalled(one) for one in found))

    async def look_back(self, turn: Turn, report: TurnReport) -> None:
        """Add the days that the sentence is about, where it names a time gone by; without them the turn goes on."""
        if self._days is None:
            return
        try:
            found = await self._days.about(turn.text, turn.language, turn.gathered.retrieval, self._limits.days)
        except (IndexerError, HomeAgentError) as error:
            report.failed(error if isinstance(error, HomeAgentError) else str(error), "history")
            return
        turn.context = replace(turn.gathered, happened=tuple(found))

    async def _nicknames(self, turn: Turn, report: TurnReport) -> Mapping[str, tuple[str, ...]]:
        """What the speaker calls things, as far as it is remembered, stands in the sentence and holds."""
        if self._memories is None:
            return {}
        try:
            if called := nicknames(await self._memories.nicknames(turn.user_id)):
                held = self._home.worked_out(HeldNames)
                return await asyncio.to_thread(held.that_hold, called, turn.text)
            return {}
        except (MemoriesError, HomeAgentError) as error:
            report.failed(error if isinstance(error, HomeAgentError) else str(error), "memory")
            return {}


def _named(mentions: Mentions) -> tuple[str, ...]:
    """Ids of the entities and areas that the sentence names: what is remembered of them belongs to it."""
    kinds = (MentionKind.NAME, MentionKind.AREA)
    return tuple(dict.fromkeys(value for kind in kinds for mention in mentions.of(kind) for value in mention.values))


def nothing_gathered(text: str) -> TurnContext:
    """The context of a turn that needs none."""
    return TurnContext(Retrieval(query=text, mentions=Mentions(text), found=(), total=0))


def _recalled(found: Any) -> RecalledMemory:
    memory = found.memory
    return RecalledMemory(
        memory.id,
        memory.content,
        str(memory.type),
        memory.importance,
        found.relevance_score,
        sensitive=memory.sensitivity == Sensitivity.SENSITIVE,
    )


LONGEST_TEXT = 8_192
"""Bytes of a sentence, a query."""
_LONGEST_ID = 64


def checked(text: str, conversation_id: str | None) -> str:
    """The sentence, stripped and in valid Unicode. Raises `InvalidInput` with what to do, `TooLarge`."""
    stripped = text.strip()
    if not stripped:
        raise InvalidInput("There is no text.", hint="Say what you want, such as: turn on the kitchen light.")
    short_enough(stripped)
    if conversation_id is not None and not 0 < len(conversation_id) <= _LONGEST_ID:
        raise InvalidInput(f"conversation_id has 1 to {_LONGEST_ID} characters.")
    return stripped.encode("utf-8", "replace").decode("utf-8")


def short_enough(text: str) -> str:
    """The same text. Raises `TooLarge`."""
    if len(text.encode(errors="replace")) > LONGEST_TEXT:
        raise TooLarge("The text is too long.", hint=f"At most {LONGEST_TEXT} bytes are taken.")
    return text
