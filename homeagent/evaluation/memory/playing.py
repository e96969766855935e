"""Playing a dialogue: turn by turn through what remembers, on an empty database, by the dialogue's own clock."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from homeagent.conversations import Conversations
from homeagent.database import open_database, upgrade
from homeagent.evaluation.memory.dialogue_turns import RecordedModel, taken
from homeagent.evaluation.memory.dialogues import Asked, Dialogue, Mode, Recorded, Turn
from homeagent.evaluation.memory.homes import LivingIn
from homeagent.events import Emitter
from homeagent.privacy.said_codes import note_secrets, secret_sentences
from homeagent.remembering.correcting import Correcting
from homeagent.remembering.finished_turns import facts_now
from homeagent.remembering.home_view import Linker
from homeagent.remembering.nicknames import nicknames
from homeagent.remembering.turn_review import Remembering
from homeagent.turn import Turn as TakenTurn
from indexer.documents import Filter
from indexer.errors import EmbedderUnavailable
from memory.explicit import heard_in
from memory.extract import Candidate, Outcome, TurnFacts
from memory.model import Memory, Recalled
from memory.outbox import Outbox
from memory.purposes import Guess, no_guess, purposes_of
from memory.rows import memories_of
from memory.store import Memories
from memory.tables import MemoryRow

BACKGROUND = "background"
"""The channel of what is known before the dialogue begins."""
LIMIT = 10
"""Memories asked for."""
_BEFORE = timedelta(days=30)
_SETTLE = 120.0
"""Seconds in which all vectors must have been made."""


@dataclass(frozen=True, slots=True)
class Embedder:
    """``embed`` and the name of what it embeds with. ``there`` False: words alone find."""

    embed: Callable[[Sequence[str]], Awaitable[Vectors]]
    fingerprint: str | None
    there: bool = True
    guess: Guess = no_guess
    """Reads sentences by meaning."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """What one proposal came to. ``recorded`` None: drawn from what was said outright."""

    turn: Turn
    recorded: Recorded | None
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Answered:
    """What a question brought up for one user."""

    text: str
    user: str | None
    found: tuple[Recalled, ...]
    asked: Asked | None = None
    """None: it was unrelated."""
    probe: bool = False
    """Asked again by somebody else, only to see whether anything leaks."""


@dataclass(slots=True)
class Played:
    """A dialogue and everything that became of it. ``memories``: all that the database holds in the end."""

    dialogue: Dialogue
    learnt: list[Learnt] = field(default_factory=list)
    answered: list[Answered] = field(default_factory=list)
    memories: tuple[Memory, ...] = ()
    listed: Mapping[str | None, tuple[Memory, ...]] = field(default_factory=dict)
    """What each user (None: somebody unknown) gets to see of a list."""
    vectors_left: frozenset[str] = frozenset()
    """Ids in the vector store that no current memory has."""
    linker: Linker | None = None


class _Clock:
    def __init__(self, at: datetime) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at


class _Watched(Remembering):
    """What remembers, and a note of each outcome."""

    outcomes: list[Outcome]

    async def take(self, candidates: Sequence[Candidate], facts: TurnFacts, linker: Linker) -> list[Outcome]:
        found = await super().take(candidates, facts, linker)
        self.outcomes += found
        return found


async def play(dialogue: Dialogue, there: LivingIn, embedder: Embedder) -> Played:
    """All sessions, then all questions in the order of their time. Raises what the memory raises."""
    clock = _Clock(dialogue.turns[0].at - _BEFORE)
    with tempfile.TemporaryDirectory() as folder:
        engine = await asyncio.to_thread(_database, Path(folder))
        shelf = InMemoryStore()
        memories = Memories(engine, embedder.embed, shelf, fingerprint=lambda: embedder.fingerprint, now=clock)
        await memories.start()
        try:
            return await _Stage(dialogue, there, memories, engine, shelf, clock, embedder).run()
        finally:
            await memories.stop()
            engine.dispose()


class _Stage:
    def __init__(
        self,
        dialogue: Dialogue,
        there: LivingIn,
        memories: Memories,
        engine: Engine,
        shelf: InMemoryStore,
        clock: _Clock,
        embedder: Embedder,
    ) -> None:
        self._dialogue = dialogue
        self._there = there
        self._memories = memories
        self._engine = engine
        self._shelf = shelf
        self._clock = clock
        self._by_meaning = embedder.there
        self._guess = embedder.guess
        self._model = RecordedModel(dialogue, there.name_of)
        self._remembering = _Watched(
            memories,
            Outbox(engine, clock),
            there.home,
            Emitter(),
            find=there.find,
            complete=self._model if dialogue.mode is Mode.EXTRACTED else None,
            model="recorded",
            guess=embedder.guess,
        )
        self._conversations = Conversations(engine)
        self._played = Played(dialogue, linker=Linker(there.home))

    async def run(self) -> Played:
        for content in self._dialogue.background:
            await self._memories.add(content, language=self._dialogue.language, source=BACKGROUND)
        waiting = sorted(self._dialogue.expect.recall, key=lambda asked: asked.at)
        for number, turn in enumerate(self._dialogue.turns):
            while waiting and waiting[0].at < turn.at:
                await self._ask(waiting.pop(0))
            self._clock.at = turn.at
            await self._learn(number, turn)
        await self._take_stock()
        for asked in waiting:
            await self._ask(asked)
        for text in self._dialogue.expect.unrelated:
            for user in self._dialogue.users:
                self._played.answered.append(await self._found(text, user))
        return self._played

    async def _learn(self, number: int, turn: Turn) -> None:
        done, answer = taken(self._dialogue, number, turn)
        await note_secrets(done, await secret_sentences(done, self._memories.secrets))
        self._model.turn = turn
        self._remembering.outcomes = []
        with self._there.with_states(turn.live):
            await self._forget(done)
            await self._conversations.save(done, answer, self._remembering.noting(done, answer))
            await self._remembering.drain()
        recorded = {one.content: one for one in reversed(turn.candidates)}
        again = {one.content: one for one in turn.candidates}
        for outcome in self._remembering.outcomes:
            content = outcome.candidate.content
            # The same words twice, for one user and for the household: the first outcome is the first one's.
            one = recorded.pop(content, None) or again.get(content)
            self._played.learnt.append(Learnt(turn, one, outcome))

    async def _forget(self, done: TakenTurn) -> None:
        """Somebody asks to forget, is shown what would go, and says yes."""
        linker = Linker(self._there.home)
        facts = await facts_now(done, self._there.home, linker)
        purposes = await purposes_of(done.text, done.language, self._guess)
        heard = heard_in(done.text, done.language, done.user_id, (), linker.is_thing, purposes)
        asked = [one for each in heard for one in each.asked if one.forgets]
        correcting = Correcting(self._memories)
        meant = {memory.id for one in asked for memory in await correcting.to_forget(one, facts, now=True)}
        if meant:
            await self._memories.delete(*meant)

    async def _ask(self, asked: Asked) -> None:
        self._clock.at = asked.at
        self._played.answered.append(await self._found(asked.text, asked.user, asked))
        for other in [None, *self._dialogue.users]:
            if other != asked.user:
                self._played.answered.append(await self._found(asked.text, other, asked, probe=True))

    async def _found(self, text: str, user: str | None, asked: Asked | None = None, *, probe: bool = False) -> Answered:
        await self._settle()
        language = asked.language if asked and asked.language else self._dialogue.language
        named = nicknames(await self._memories.nicknames(user))
        subjects = await self._there.about(text, language, named)
        found = await self._memories.search(
            text,
            limit=LIMIT,
            user_id=user,
            subjects=subjects,
            language=language,
            meant=(await self._guess([text])).get(text),
            unanswered=await self._there.is_unanswered(text, language),
        )
        return Answered(text, user, tuple(found), asked, probe)

    async def _settle(self) -> None:
        if self._by_meaning:
            await asyncio.wait_for(self._memories.settled(), _SETTLE)

    async def _take_stock(self) -> None:
        self._clock.at = self._dialogue.end + timedelta(minutes=1)
        await self._settle()
        self._played.memories = await asyncio.to_thread(self._everything)
        self._played.listed = {
            user: tuple(await self._memories.list(limit=1000, user_id=user)) for user in [None, *self._dialogue.users]
        }
        ids = {m.id for m in self._played.memories if m.superseded_by is None}
        self._played.vectors_left = frozenset(self._shelf.everything - ids)

    def _everything(self) -> tuple[Memory, ...]:
        """Read from the tables themselves: the truth, whatever the store says of it."""
        with Session(self._engine) as session:
            rows = session.scalars(select(MemoryRow).order_by(MemoryRow.created_at)).all()
            return tuple(memories_of(session.connection(), rows))


def _database(folder: Path) -> Engine:
    engine = open_database(None, folder)
    upgrade(engine)
    return engine


Vectors = NDArray[np.float32]


class InMemoryStore:
    """Collections of vectors, compared by their cosine."""

    def __init__(self) -> None:
        self._kept: dict[str, dict[str, Vectors]] = {}

    async def upsert(
        self,
        collection: str,
        ids: Sequence[str],
        vectors: Vectors,
        metadatas: Sequence[Mapping[str, object]],
        documents: Sequence[str],
    ) -> None:
        """See `indexer.documents.Store.upsert`; metadata and documents are not kept."""
        self._kept.setdefault(collection, {}).update(zip(ids, vectors, strict=True))

    async def delete(self, collection: str, ids: Sequence[str]) -> None:
        """See `indexer.documents.Store.delete`."""
        for key in ids:
            self._kept.get(collection, {}).pop(key, None)

    async def names(self, prefix: str) -> list[str]:
        """See `indexer.documents.Store.names`."""
        return [name for name in self._kept if name.startswith(prefix)]

    async def ids(self, collection: str) -> list[str]:
        """See `indexer.documents.Store.ids`."""
        return list(self._kept.get(collection, {}))

    async def query(
        self, collection: str, vector: Vectors, k: int, where: Filter | None = None
    ) -> list[tuple[str, float]]:
        """See `indexer.documents.Store.query`; the similarity is -1 to 1 here, and there is no metadata to hold."""
        assert where is None
        near = [(key, float(kept @ vector)) for key, kept in self._kept.get(collection, {}).items()]
        return sorted(near, key=lambda pair: -pair[1])[:k]

    @property
    def everything(self) -> set[str]:
        """The ids that are anywhere."""
        return {key for kept in self._kept.values() for key in kept}


async def no_embedder(texts: Sequence[str]) -> Vectors:
    """For measuring what words alone find."""
    raise EmbedderUnavailable("Measured without an embedder.")
