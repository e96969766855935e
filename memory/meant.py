"""Which memories somebody means who corrects, takes back or only points at what was told."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from memory.extract import Candidate
from memory.memory_search import Finder
from memory.model import Memory
from memory.reconcile import Relation, relation
from memory.records import Records

_NEWEST = 20
"""Memories among which the one that was told last in a conversation is looked for."""
_SHARING = 20
"""Memories that are looked at as what a correction may mean."""
_TAKEN_BACK = 0.15
"""Share of the words that take something back which the memory that is meant has."""


class Meant:
    """Looks among the current memories that who speaks may see."""

    def __init__(self, records: Records, finder: Finder) -> None:
        self._records = records
        self._finder = finder

    async def by(self, text: str, language: str | None, user_id: str | None) -> Sequence[Memory]:
        """The current memories that ``text`` names as what to forget: those that say it, or are about all of it."""
        from memory.candidate_check import is_meant  # the words of all languages: only where somebody speaks

        def meant() -> list[Memory]:
            return [one for one in self._visible_near(text, user_id, language) if is_meant(text, language, one)]

        return await asyncio.to_thread(meant)

    async def quoted_in(self, texts: Sequence[str], language: str | None, user_id: str | None) -> Memory | None:
        """The one current memory that these texts tell in its own words; None: none or several do."""

        def quoted() -> list[Memory]:
            near = {one.id: one for text in texts for one in self._sharing(text, user_id, language)}
            return [one for one in near.values() if any(one.content in text for text in texts)]

        found = await asyncio.to_thread(quoted)
        return found[0] if len(found) == 1 else None

    async def about_most(self, text: str, language: str | None, user_id: str | None) -> Sequence[Memory]:
        """The memory that shares most with what takes something back; none where that is little."""

        def best() -> Sequence[Memory]:
            shared = self._finder.by_words(text, user_id, language)
            there = [one for one in self._sharing(text, user_id, language) if shared[one.id].share >= _TAKEN_BACK]
            return there[:1]

        return await asyncio.to_thread(best)

    async def contradicted(self, candidate: Candidate) -> Sequence[Memory]:
        """The current memories of its scope whose place the candidate would take."""

        def others() -> list[Memory]:
            near = self._visible_near(candidate.content, candidate.user_id, candidate.language)
            apart = (Relation.SAME, Relation.DIFFERENT)
            return [one for one in near if relation(candidate, one) not in apart]

        return await asyncio.to_thread(others)

    async def told_last(self, conversation_id: str, user_id: str | None) -> Memory | None:
        """What was told last in a conversation, as far as this user may see it and it still holds."""
        newest = await asyncio.to_thread(lambda: self._records.newest(memory_type=None, limit=_NEWEST, user_id=user_id))
        told = (one for one in newest if one.source and one.source.conversation_id == conversation_id)
        return next(told, None)

    async def correctable(
        self,
        said: str,
        language: str | None,
        user_id: str | None,
        last: Memory | None = None,
        *,
        likely: bool = False,
        otherwise: bool = False,
        before: Sequence[str] = (),
        people: Iterable[str] = (),
        alone: bool = False,
    ) -> Sequence[tuple[Memory, str]]:
        """The current memory that ``said`` corrects, and what it says then; several where it may mean any of them.

        One that ``said`` names; where it names nothing, one that the texts ``before`` it are about, or the ``last`` one
        that was told; else the one that is nearest by meaning. ``likely``: by its meaning it tells something, so that
        it takes the place of what is about the same, as it is; ``otherwise``: it says that this was otherwise before.
        ``people``: names of the household. ``alone``: it is hardly more than a value, and means the ``last`` one.
        """
        from memory.corrections import (
            corrected,
            exchanged,
            may_be_the_same,
            shares_a_word,
            values_in,
        )  # the words of all languages: only where somebody speaks

        def found() -> Sequence[tuple[Memory, str]]:
            if alone and last is not None:
                placed = None if values_in(said, language) else corrected(said, language, last.content, last.language)
                content = exchanged(said, language, last.content, last.language, alone=True)
                content = placed.content if placed is not None else content
                return [(last, content)] if content and last.key is None else []
            if likely and (rivals := self._rivals(said, language, user_id, tuple(people), otherwise)):
                return [(r, exchanged(said, language, r.content, r.language, whole=True) or said) for r in rivals]
            near = [one for one in self._visible_near(said, user_id, language) if one.key is None]
            tried = [(corrected(said, language, one.content, one.language), one) for one in near]
            named = [(how, one) for how, one in tried if how is not None and how.named]
            if named:
                most = max(how.rank for how, _ in named)
                return [(one, how.content) for how, one in named if how.rank == most]
            for text in before:
                for one in self._sharing(text, user_id, language):
                    if not shares_a_word(text, language, one.content, one.language):
                        continue
                    if content := exchanged(said, language, one.content, one.language):
                        return [(one, content)]
            how_last = corrected(said, language, last.content, last.language) if last and last.key is None else None
            return [(last, how_last.content)] if last is not None and how_last is not None else []

        if meant := await asyncio.to_thread(found):
            return meant
        nearest = await self._finder.nearest(said, user_id) if otherwise else None
        if nearest is None:
            return ()
        memories = await asyncio.to_thread(self._records.many, (nearest,), user_id)
        return [
            (one, exchanged(said, language, one.content, one.language, whole=True) or said)
            for one in memories.values()
            if one.key is None and may_be_the_same(said, language, one.content, one.language)
        ]

    def _rivals(
        self, said: str, language: str | None, user_id: str | None, people: Sequence[str], otherwise: bool
    ) -> Sequence[Memory]:
        """The memory whose place a correction takes as it is; several that it is about as much as one another."""
        from memory.corrections import rivalry  # the words of all languages: only where somebody speaks
        from memory.statement_parts import wording

        names = [word for name in people for word in wording(name).words]
        near = self._sharing(said, user_id, language)
        how = {one.id: rivalry(said, language, one.content, one.language, names, otherwise=otherwise) for one in near}
        most = max(how.values(), default=0.0)
        return [one for one in near if how[one.id] == most] if most else []

    def _sharing(self, text: str, user_id: str | None, language: str | None) -> Sequence[Memory]:
        """The memories without a key that share most words with ``text``, the best first."""
        shared = self._finder.by_words(text, user_id, language)
        ids = sorted(shared, key=lambda key: -shared[key].share)[:_SHARING]
        found = self._records.many(tuple(ids), user_id)
        return [found[i] for i in ids if i in found and found[i].key is None]

    def _visible_near(self, text: str, user_id: str | None, language: str | None) -> Sequence[Memory]:
        ids = [i for scope in dict.fromkeys((None, user_id)) for i in self._finder.near(text, scope, (), language)]
        return tuple(self._records.many(tuple(dict.fromkeys(ids)), user_id).values())
