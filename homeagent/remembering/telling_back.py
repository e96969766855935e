"""Answers who asks what they told, or what is known of somebody: with what is remembered, in the words it was told in,
whichever brain there is. What is not known is said to be so."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from homeagent.conversations import Answer
from homeagent.ha.home import Home
from homeagent.history.when.find_times import When, find_times
from homeagent.remembering.home_view import Linker
from homeagent.remembering.recollecting import BRAIN, Recollecting
from homeagent.turn import Turn
from homeagent.turns.agent_phrases import memory_phrase
from memory.asked_back import AskedBack, Asks, asked_back
from memory.model import Memory
from memory.records import Only
from memory.store import Memories
from memory.word_search import WordIndex

_BEARS = 0.6
"""Relevance from which a memory is about the topic."""
_LOOKED_AT = 50
_TOLD = 5
"""Memories that are told at once; of the others, how many they are."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """The question; whom it is about, and who is to have told it, as ids of users; when."""

    question: AskedBack
    about: tuple[str, ...]
    tellers: tuple[str, ...]
    only: Only | None


class TellingBack:
    """Looks up and words what was told."""

    def __init__(self, memories: Memories, home: Home, recollecting: Recollecting) -> None:
        self._memories = memories
        self._home = home
        self._recollecting = recollecting

    async def answer(self, turn: Turn, *, otherwise: bool = False) -> Answer | None:
        """What was told; None where the sentence asks something else, and where it asks what is known of a thing and
        nothing is: a brain may know it. ``otherwise``: none does."""
        asked = await asyncio.to_thread(self._asked, turn, Linker(self._home))
        if asked is None:
            return None
        question = asked.question
        if question.of_self and turn.user_id is None:
            return Answer(memory_phrase("who_speaks", turn.language), BRAIN)
        if found := await self._found(asked, turn):
            return Answer(await self._words(found, turn), BRAIN)
        if question.asks is Asks.SAID and (said := await asyncio.to_thread(_said_here, question, turn)):
            return Answer(memory_phrase("told_here", turn.language, content=said), BRAIN)
        of_thing = question.about is not None and not asked.about
        if question.asks is Asks.KNOWN and of_thing and not otherwise:
            return None
        return Answer(self._nothing(question, turn), BRAIN)

    def _asked(self, turn: Turn, linker: Linker) -> _Asked | None:
        """Blocks: it may read the words of a language and the names of the home."""
        zone = self._home.config.time_zone
        times = find_times(turn.text, turn.language, self._memories.now(), zone)
        spans = [(one.first, one.last) for one in times]
        question = asked_back(turn.text, turn.language, lambda name: bool(_people(linker, name)), spans)
        if question is None:
            return None
        about = _people(linker, question.about) if question.about else ()
        if question.of_self and turn.user_id is not None:
            about = (turn.user_id,)
        return _Asked(question, about, _people(linker, question.teller or ""), _within(times))

    async def _found(self, asked: _Asked, turn: Turn) -> list[Memory]:
        question = asked.question
        found: dict[str, Memory] = {}
        for user in asked.about:
            found |= {one.id: one for one in await self._memories.of_user(user, turn.user_id, only=asked.only)}
        if question.about is not None:
            near = await self._memories.search(
                question.about,
                limit=_LOOKED_AT,
                user_id=turn.user_id,
                min_relevance=_BEARS,
                language=turn.language,
                only=asked.only,
            )
            found |= {one.memory.id: one.memory for one in near if one.memory.id not in found}
        elif not asked.about:
            found = {one.id: one for one in await self._memories.chosen(asked.only or Only(), turn.user_id)}
        return _by_teller(list(found.values()), asked, turn.user_id)

    async def _words(self, found: Sequence[Memory], turn: Turn) -> str:
        told = found[:_TOLD]
        await self._memories.used([one.id for one in told], turn.turn_id)
        words = await self._recollecting.in_words(told, turn)
        more = len(found) - len(told)
        return f"{words} {memory_phrase('and_more', turn.language, count=more)}" if more else words

    def _nothing(self, question: AskedBack, turn: Turn) -> str:
        if question.about is None:
            return memory_phrase("nothing_of_you" if question.of_self else "nothing_like_it", turn.language)
        return memory_phrase("nothing_about", turn.language, topic=question.about)


def _people(linker: Linker, name: str) -> tuple[str, ...]:
    """The ids of the users who are called by this name, or whose name begins with it."""
    return tuple(one.id for one in linker.people_called(name)) if name else ()


def _within(times: Sequence[When]) -> Only | None:
    return Only(min(one.start for one in times), max(one.end for one in times)) if times else None


def _by_teller(found: list[Memory], asked: _Asked, speaker: str | None) -> list[Memory]:
    """Those that were told by who is asked about. What somebody asks for as their own words and another told is better
    than nothing, and is told with the other's name."""
    question = asked.question
    if question.asks is not Asks.SAID:
        return found
    if question.teller is not None:
        return [one for one in found if one.source and one.source.user_id in asked.tellers]
    mine = [one for one in found if one.source is not None and one.source.user_id == speaker]
    return mine or found


def _said_here(question: AskedBack, turn: Turn) -> str | None:
    """What was said about it in this very conversation and was no question, the latest; None where nothing was.
    Blocks."""
    if question.about is None or question.teller is not None:
        return None
    history = [one for one in turn.gathered.history if not one.text.rstrip().endswith(("?", "？"))]
    said = {one.turn_id: one.text for one in history if asked_back(one.text, turn.language) is None}
    index = WordIndex()
    for turn_id, text in said.items():
        index.put(turn_id, text)
    shares = index.match(question.about, language=turn.language)
    return next((text for turn_id, text in reversed(said.items()) if shares.get(turn_id, 0.0) >= _BEARS), None)
