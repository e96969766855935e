"""Nicknames: "the reading lamp is the one by the sofa" leads from the name to the entity from then on."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from homeagent.remembering.held_names import HeldNames, NoName
from homeagent.remembering.home_view import Linker
from indexer.entity import Entity
from indexer.errors import IndexerError
from indexer.normalise import unaccented
from indexer.retrieval import Retrieval, Situation
from memory.extract import Candidate, TurnFacts
from memory.identity import NICKNAME
from memory.model import Memory, Subject, SubjectKind
from memory.naming_sentences import Naming, naming

Find = Callable[[str, Situation], Awaitable[Retrieval]]
"""What finds entities: the index."""
_SURE = 0.3
"""Score from which the first entity found is taken for what was described."""
_AHEAD = 0.05
"""How far it must be ahead of the second."""


class Nicknames:
    """Finds which entity a statement gives a name to. ``find`` is the index's retrieval."""

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
            key=NICKNAME + unaccented(named.name),
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


def no_name(candidate: Candidate, held: HeldNames) -> NoName | None:
    """Why nothing may be called by the candidate's nickname; None where it may, or where the candidate gives none.
    Blocks.
    """
    if candidate.key is None or not candidate.key.startswith(NICKNAME):
        return None
    return held.refusal(candidate.key.removeprefix(NICKNAME), _entities(candidate.subjects))


def own_name(candidate: Candidate, facts: TurnFacts) -> Candidate:
    """The candidate, a nickname as the speaker's alone: nobody else need know that somebody calls a thing so."""
    if candidate.key is None or not candidate.key.startswith(NICKNAME) or facts.user_id is None:
        return candidate
    return replace(candidate, user_id=facts.user_id)


def nicknames(memories: Iterable[Memory]) -> Mapping[str, tuple[str, ...]]:
    """Name -> entity ids, for retrieval's ``Situation.nicknames``. For one name a user's own meaning wins over the
    household's, and a later one over an earlier one.
    """
    return {
        memory.key.removeprefix(NICKNAME): ids
        for memory in sorted(memories, key=lambda one: (one.user_id is not None, one.updated_at))
        if memory.key is not None and memory.key.startswith(NICKNAME) and (ids := _entities(memory.subjects))
    }


def _entities(subjects: Iterable[Subject]) -> tuple[str, ...]:
    return tuple(subject.id for subject in subjects if subject.kind == SubjectKind.ENTITY)


def with_real_names(text: str, names: Mapping[str, tuple[str, ...]], exposed: Sequence[Entity]) -> str:
    """``text`` with the nicknames of single things replaced by their names, so that every brain knows them.

    A nickname inside a longer name of a thing stays, and so does one of a thing that is not among ``exposed``. Blocks:
    where a nickname was said, all names are looked through.
    """
    meant = {nickname: ids[0] for nickname, ids in names.items() if len(ids) == 1}
    spoken = "".join(unaccented(letter) for letter in text)
    said = tuple(_pattern(meant).finditer(spoken)) if meant else ()
    if not said:
        return text
    real = {entity.entity_id: entity.name for entity in exposed}
    spans = tuple(_spans(spoken, (unaccented(name) for entity in exposed for name in entity.names)))
    places = [place for place, letter in enumerate(text) for _ in unaccented(letter)]
    written, end = "", 0
    for match in said:
        name = real.get(meant[match.group()])
        within = any(a <= match.start() and match.end() <= b and (a, b) != match.span() for a, b in spans)
        if name is not None and not within:
            written += text[end : places[match.start()]] + name
            end = places[match.end() - 1] + 1
    return written + text[end:]


def _pattern(nicknames: Iterable[str]) -> re.Pattern[str]:
    """Any of them, the longest first; as whole words, but for Korean endings."""
    ends = {True: r"(?!\w)", False: r"(?![^\W\uac00-\ud7a3])"}
    longest = sorted(nicknames, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(one) + ends[one.isascii()] for one in longest)})")


def _spans(text: str, names: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Where the names stand in the text."""
    for name in names:
        if name in text:
            yield from (match.span() for match in re.finditer(re.escape(name), text))
