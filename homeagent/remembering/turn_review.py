"""Looks finished turns through for what is worth remembering: after the answer, in the background, once each.

A turn is noted in the same transaction that keeps it (the outbox), and the note goes when it has been looked through.
A killed process goes on where it was; what was taken already is then the same again, and stays one memory.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from homeagent.background_tasks import ended, in_background
from homeagent.brains.llm.client import Completion
from homeagent.conversations import Answer
from homeagent.errors import HomeAgentError, LlmError, in_homeagents_words
from homeagent.events import Emitter, ErrorOccurred, MemoryExtracted
from homeagent.ha.home import Home
from homeagent.remembering import extraction_prompt
from homeagent.remembering.correcting import Correcting
from homeagent.remembering.finished_turns import facts_of, note_of
from homeagent.remembering.held_names import HeldNames
from homeagent.remembering.home_view import Linker, Things
from homeagent.remembering.nicknames import Find, Nicknames, nicknames, no_name, own_name
from homeagent.remembering.outright import Outright
from homeagent.remembering.recollecting import BRAIN, Recollecting
from homeagent.remembering.telling_back import TellingBack
from homeagent.remembering.turn_sentences import Parts, divided
from homeagent.turn import Turn
from homeagent.turns.agent_phrases import memory_phrase
from homeagent.turns.rounds import RunsTools
from memory.candidate_check import tells_it_too
from memory.errors import MemoriesError
from memory.explicit import Asked
from memory.extract import Candidate, Outcome, OutcomeKind, TurnFacts
from memory.model import Memory, Sensitivity, Subject, SubjectKind
from memory.outbox import Outbox, Waiting
from memory.purposes import Guess, Purpose, no_guess, purposes_of
from memory.store import Memories

Complete = Callable[[Sequence[Mapping[str, Any]]], Awaitable[Completion]]
"""Messages in OpenAI's form -> the model's answer. Raises `LlmError`."""
_KNOWN = 8
"""Related memories that the model is shown."""
_KNOWN_FROM = 0.2
"""Relevance from which a memory is related."""
_QUIET = 0.5
"""Seconds after a turn before it is looked through, so that the next sentence does not wait for that."""
_log = logging.getLogger(__name__)


class Remembering:
    """``complete`` None: only what is said outright is remembered. ``model``: its name, for the events. ``keeps_back``:
    it is told nothing that is kept as sensitive.

    ``toolbox``: what runs the tools where somebody asks outright to remember or forget; None: that is left to the
    brains. ``extract`` False: only what is asked for is remembered. ``guess``: reads sentences by
    meaning while somebody waits, ``guess_later`` in the look-through.
    """

    def __init__(
        self,
        memories: Memories,
        outbox: Outbox,
        home: Home,
        emitter: Emitter,
        *,
        toolbox: RunsTools | None = None,
        find: Find | None = None,
        complete: Complete | None = None,
        model: str | None = None,
        keeps_back: bool = False,
        extract: bool = True,
        guess: Guess = no_guess,
        guess_later: Guess | None = None,
    ) -> None:
        self._memories = memories
        self._outbox = outbox
        self._home = home
        self._emitter = emitter
        self._nicknames = Nicknames(find) if find else None
        self._complete = complete
        self._model = model
        self._keeps_back = keeps_back
        self._extract = extract
        self._guess = guess
        self._guess_later = guess_later or guess
        self._outright = Outright(self, memories, home, toolbox, guess) if toolbox else None
        self._correcting = Correcting(memories)
        self._recollecting = Recollecting(memories, home)
        self._telling_back = TellingBack(memories, home, self._recollecting)
        self._wake = asyncio.Event()
        self._draining = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Look through what waits, now and after each turn; the scheduled `drain` catches what was put off."""
        self._wake.set()
        self._task = in_background(self._follow(), "remembering")

    async def stop(self) -> None:
        """Stop looking through turns; those that wait are looked through after the next start."""
        await ended(self._task)
        self._task = None

    async def answer(self, turn: Turn, *, otherwise: bool = False) -> Answer | None:
        """Do at once what the sentence asks of memory and nothing else, and say so, or tell what it asks for that was
        told; None: it asks no such thing.

        ``otherwise``: no brain knows what to do with it. Raises `HomeAgentError`.
        """
        with in_homeagents_words():
            if told := await self._telling_back.answer(turn, otherwise=otherwise):
                return told
            return await self._outright.answer(turn, otherwise=otherwise) if self._outright else None

    async def speaker(self, user_id: str | None) -> str | None:
        """Who speaks, in the spelling under which they have memories; as they are called here where they have none."""
        return await self._memories.known_as(user_id)

    async def meant(self, turn: Turn) -> Purpose | None:
        """What the sentence is meant as; None where nothing tells that."""
        return (await self._guess([turn.text])).get(turn.text)

    async def _asks_back(self, turn: Turn) -> bool:
        meant = await self.meant(turn)
        return meant is not None and meant.asks_back

    async def not_known(self, turn: Turn) -> Answer | None:
        """That nothing like it was told, where by its meaning only that answers the question."""
        nothing = Answer(memory_phrase("nothing_like_it", turn.language), BRAIN)
        return nothing if await self._asks_back(turn) else None

    async def tell(self, turn: Turn) -> Answer | None:
        """Answer a question with the memories that were recalled for it; None where they do not tell it well."""
        return await self._recollecting.answer(turn, sure=not await self._asks_back(turn))

    def noting(self, turn: Turn, answer: Answer) -> Callable[[Connection], None] | None:
        """What notes the turn, within the transaction that keeps it; None where it can hold nothing."""
        if not self._extract or not turn.text.strip() or turn.confirmed:
            return None
        note = note_of(turn, answer, self._memories.now(), answered=answer.brain == BRAIN or turn.whole is not None)
        return lambda connection: self._outbox.put(connection, turn.turn_id, note)

    def wake(self) -> None:
        """A turn was noted: look through what waits. Returns at once."""
        self._wake.set()

    async def drain(self) -> int:
        """Look through what is due; how many turns that were."""
        async with self._draining:
            done = 0
            while waiting := await asyncio.to_thread(self._outbox.due):
                linker, view = Linker(self._home), Things(self._home)
                for one in waiting:
                    try:
                        if await self._waits(one):
                            await self._look_through(one, view, linker)
                    except Exception as error:  # noqa: BLE001 - one turn, whatever is wrong with it, holds up no other
                        await self._failed(one, error)
                    done += 1
            return done

    async def _follow(self) -> None:
        while True:
            await self._wake.wait()
            await asyncio.sleep(_QUIET)
            self._wake.clear()
            try:
                await self.drain()
            except HomeAgentError as error:
                _log.warning("turns wait to be looked through for memories: %s", error)

    async def _look_through(self, waiting: Waiting, view: Things, linker: Linker) -> None:
        facts = facts_of(waiting.turn_id, waiting.turn, view, linker.users, self._home.config.time_zone)
        called = nicknames(await self._memories.nicknames(facts.user_id))
        facts = replace(facts, live=view.also(called))
        parts = Parts((), (), "")
        if not waiting.turn["outright_done"]:
            purposes = await purposes_of(facts.said, facts.language, self._guess_later)
            parts = await asyncio.to_thread(divided, waiting.turn["pointed_at"], facts, linker, purposes)
        outcomes = await self._take_asked(parts.outright, facts, linker)
        try:
            told = await self._ask(replace(facts, said=parts.rest), linker) if parts.rest else []
        except LlmError as error:
            if await asyncio.to_thread(self._outbox.failed, waiting):
                return
            self._tell_failure(waiting, error.code, str(error))
            told = []
        else:
            if self._complete is not None and not await self._waits(waiting):  # forgotten while the model thought
                return
        outcomes += await self.take(told, facts, linker)
        if parts.otherwise:
            left = await asyncio.to_thread(_untold, parts.otherwise, outcomes)
            outcomes += await self._take_asked(left, facts, linker)
        await asyncio.to_thread(self._outbox.done, waiting.turn_id)
        self._tell(waiting, outcomes, asked=self._complete is not None)

    async def take(self, candidates: Sequence[Candidate], facts: TurnFacts, linker: Linker) -> list[Outcome]:
        """Link the candidates to who and what they are about, and keep what is worth it."""
        if not candidates:
            return []
        linked = await asyncio.to_thread(lambda: [self._linked(one, facts, linker) for one in candidates])
        if self._nicknames is not None:
            linked = [await self._nicknames.resolved(one, facts, linker) for one in linked]
        held = self._home.worked_out(HeldNames)
        refusals = await asyncio.to_thread(lambda: [no_name(one, held) for one in linked])
        judged = tuple(zip(linked, refusals, strict=True))
        taken = iter(await self._memories.take([own_name(one, facts) for one, no in judged if not no], facts))
        return [Outcome(OutcomeKind.REFUSED, one, reason=no) if no else next(taken) for one, no in judged]

    async def _take_asked(self, asked: Sequence[Asked], facts: TurnFacts, linker: Linker) -> list[Outcome]:
        """Keep what was asked for, each correction in the place of what it corrects."""
        outcomes: list[Outcome] = []
        for one in asked:
            if (corrected := await self._correcting.take(one, facts)) is not None:
                outcomes.append(corrected)
            elif one.keep is not None and (not one.corrects or await self._restates(one)):
                outcomes += await self.take([one.keep], facts, linker)
        return outcomes

    async def _restates(self, asked: Asked) -> bool:
        told = asked.keep if asked.restates else None
        return told is not None and bool(await self._memories.meant.contradicted(told))

    @staticmethod
    def _linked(candidate: Candidate, facts: TurnFacts, linker: Linker) -> Candidate:
        found = [s for s in candidate.subjects if s.kind != SubjectKind.THING]
        for thing in candidate.subjects:
            if thing.kind == SubjectKind.THING:
                found += linker.subjects(thing.text) or (thing,)
        found += linker.subjects(candidate.content)
        if candidate.user_id is not None and candidate.user_id == facts.user_id:
            found.append(Subject(SubjectKind.USER, candidate.user_id, facts.users.get(candidate.user_id, "")))
        unique = {(str(subject.kind), subject.id): subject for subject in found}
        return replace(candidate, subjects=tuple(unique.values()))

    async def _ask(self, facts: TurnFacts, linker: Linker) -> list[Candidate]:
        """The candidates that the model proposes; empty without a model."""
        if self._complete is None:
            return []
        known = await self._related(facts, linker)
        answer = await self._complete(extraction_prompt.messages(facts, known))
        found = extraction_prompt.candidates(answer.text, facts, known)
        if found is None:
            raise LlmError("The model's answer about what to remember could not be read.")
        return found

    async def _related(self, facts: TurnFacts, linker: Linker) -> list[Memory]:
        """What is near to what was said, and what is known of the things it names and of who says it."""
        about = [subject.id for subject in await asyncio.to_thread(linker.subjects, facts.said)]
        found = await self._memories.search(
            facts.said,
            limit=_KNOWN,
            user_id=facts.user_id,
            min_relevance=_KNOWN_FROM,
            language=facts.language,
            subjects=[*about, *filter(None, [facts.user_id])],
        )
        known = [one.memory for one in found]
        return [m for m in known if not (self._keeps_back and m.sensitivity == Sensitivity.SENSITIVE)]

    async def _waits(self, waiting: Waiting) -> bool:
        return await asyncio.to_thread(self._outbox.holds, waiting.turn_id)

    async def _failed(self, waiting: Waiting, error: Exception) -> None:
        """Put the turn off, and tell of it. An error without a name may quote what was said: only its kind is told."""
        await asyncio.to_thread(self._outbox.failed, waiting)
        if isinstance(error, HomeAgentError | MemoriesError):
            self._tell_failure(waiting, error.code, str(error))
            return
        _log.error("a turn could not be looked through for memories", exc_info=error)
        kind = type(error).__name__
        self._tell_failure(waiting, kind, f"It failed with {kind}.")

    def _tell_failure(self, waiting: Waiting, code: str, message: str) -> None:
        event = ErrorOccurred(error_type=code, error_message=message, component="memory")
        self._emitter.emit(_stamped(event, waiting))

    def _tell(self, waiting: Waiting, outcomes: Sequence[Outcome], *, asked: bool) -> None:
        if not outcomes and not asked:
            return
        kept = [one for one in outcomes if one.kind is not OutcomeKind.REFUSED]
        self._emitter.emit(
            _stamped(
                MemoryExtracted(
                    memories_extracted=len(kept),
                    extraction_llm=self._model if asked else None,
                    superseded=sum(len(one.replaced) for one in kept),
                    refused=Counter(one.reason or "?" for one in outcomes if one.kind is OutcomeKind.REFUSED),
                ),
                waiting,
            )
        )


def _untold(asked: Sequence[Asked], outcomes: Sequence[Outcome]) -> list[Asked]:
    """Those that nothing tells which the same turn has left already. Blocks."""
    kept = [one.memory for one in outcomes if one.memory is not None]
    return [
        one
        for one in asked
        if one.keep is not None and not any(tells_it_too(one.keep, memory) for memory in kept)
        if not (one.corrects and kept)
    ]


def _stamped(event: Any, waiting: Waiting) -> Any:
    said = waiting.turn
    return replace(
        event, conversation_id=said.get("conversation_id"), user_id=said.get("user_id"), turn_id=waiting.turn_id
    )
