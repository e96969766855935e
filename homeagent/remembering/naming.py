"""Nicknames: "the reading lamp is the one by the sofa" leads from the name to the entity from then on."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace

from homeagent.remembering.live import Linker
from indexer.errors import IndexerError
from indexer.retrieval import Retrieval, Situation
from memory.called import Naming, naming
from memory.extract import Candidate, TurnFacts
from memory.identity import NICKNAME
from memory.language import plain
from memory.model import Memory, SubjectKind

Find = Callable[[str, Situation], Awaitable[Retrieval]]
"""What finds entities: the index."""
_SURE = 0.3
"""Score from which the first entity found is taken for what was described."""
_AHEAD = 0.05
"""How far it must be ahead of the second."""


class Nicknames:
    def __init__(self, find: Find) -> None:
        self._find = find

    async def resolved(self, candidate: Candidate, facts: TurnFacts, linker: Linker) -> Candidate:
        """The candidate, with its key and entity where it calls something of the home by a name."""
        language = candidate.language or facts.language
        named = await asyncio.to_thread(naming, candidate.content, language, linker.is_thing)
        if named is None or candidate.key is not None:
            return candidate
        exactly = {subject.id for subject in linker.things(named.what)}
        entity_id = exactly.pop() if len(exactly) == 1 else await self._described(named, facts.language)
        subject = linker.entity(entity_id) if entity_id else None
        if subject is None:
            return candidate
        return replace(
            candidate,
            category="fact",
            key=NICKNAME + plain(named.name),
            value=subject.id,
            subjects=(*(s for s in candidate.subjects if s.kind != SubjectKind.ENTITY), subject),
        )

    async def _described(self, named: Naming, language: str) -> str | None:
        try:
            retrieval = await self._find(f"{named.name} {named.what}", Situation(language=language))
        except IndexerError:
            return None
        found = retrieval.found[:2]
        if not found or found[0].score < _SURE:
            return None
        if len(found) > 1 and found[0].score - found[1].score < _AHEAD:
            return None
        return found[0].entity.entity_id


def nicknames(memories: Iterable[Memory]) -> Mapping[str, tuple[str, ...]]:
    """Name -> entity ids, for retrieval's ``Situation.nicknames``."""
    return {
        memory.key.removeprefix(NICKNAME): ids
        for memory in memories
        if memory.key is not None
        and memory.key.startswith(NICKNAME)
        and (ids := tuple(s.id for s in memory.subjects if s.kind == SubjectKind.ENTITY))
    }


def with_real_names(text: str, names: Mapping[str, tuple[str, ...]], name_of: Callable[[str], str | None]) -> str:
    """``text`` with the nicknames of single things put as the things are called, so that every brain knows them.

    ``name_of`` gives an entity's name; None: it is gone, and the nickname stays.
    """
    for nickname, ids in sorted(names.items(), key=lambda item: len(item[0]), reverse=True):
        real = name_of(ids[0]) if len(ids) == 1 else None
        span = _span(text, nickname) if real else None
        if real and span:
            text = f"{text[: span[0]]}{real}{text[span[1] :]}"
    return text


def _span(text: str, nickname: str) -> tuple[int, int] | None:
    """Where the nickname stands in the text, whatever its case and accents; as whole words, but for Korean endings."""
    places = [place for place, letter in enumerate(text) for _ in plain(letter)]
    spoken = "".join(plain(letter) for letter in text)
    ends = r"(?!\w)" if nickname.isascii() else r"(?![^\W\uac00-\ud7a3])"
    found = re.search(rf"(?<!\w){re.escape(nickname)}{ends}", spoken)
    return (places[found.start()], places[found.end() - 1] + 1) if found else None
