"""Keeps what is known of automations, scripts and scenes current; finds it by entities, by words, by meaning."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from homeagent.background_tasks import ended, in_background
from homeagent.errors import HomeAgentError
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.home import HomeChange
from homeagent.knowledge import SOURCES
from indexer.describe import text_hash
from indexer.documents import Documents
from indexer.errors import IndexerError
from indexer.words import words

if TYPE_CHECKING:
    from homeagent.knowledge.reading_configs import Piece

KIND = "knowledge"

_log = logging.getLogger(__name__)
_FIRST = 20.0
"""Seconds from the start to the first reading: people's first sentences come before it."""
_QUIET = 2.0
"""Seconds to gather changes: saving an automation removes it and puts it back."""
_AGAIN = 60.0
_ALL_AGAIN = 1800.0
"""Seconds after which everything is read again: what reloads without a change of state sends nothing."""
_ABOUT_ENTITY, _ABOUT_WORDS, _ABOUT_MEANING = 0.5, 0.3, 0.5
"""How much it counts that a piece is about the entities meant, holds the words, and means the same."""
_LEAST = 0.25
_LEAST_SIMILAR = 0.3


@dataclass(frozen=True, slots=True)
class FoundPiece:
    """A piece with how well it fits (0 to 1), and why."""

    piece: Piece
    score: float
    reasons: tuple[str, ...]


class Knowledge:
    """Runs from ``start`` to ``stop``. ``unexposed``: whether automations, scripts and scenes are known that are not
    exposed."""

    def __init__(self, ha: HomeAssistant, documents: Documents, *, unexposed: bool = False) -> None:
        self._ha = ha
        self._documents = documents
        self._unexposed = unexposed
        self._pieces: dict[str, Piece] = {}
        self._dirty: set[str] = set()
        self._all_dirty = True
        self._changed = asyncio.Event()
        self._turn = asyncio.Lock()
        self._end_listening: Callable[[], None] | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def pieces(self) -> Sequence[Piece]:
        """Everything that is known now."""
        return tuple(self._pieces.values())

    def start(self) -> None:
        """Read everything in the background, and what changes from then on."""
        self._end_listening = self._ha.home.listen(self._on_change)
        self._task = in_background(self._follow(), name="knowledge")

    async def stop(self) -> None:
        """Stop following changes; what is known stays."""
        if self._end_listening is not None:
            self._end_listening()
            self._end_listening = None
        await ended(self._task)

    async def refresh(self, entity_ids: Collection[str] | None = None) -> None:
        """Read these anew, or everything; what is gone or not exposed any more is forgotten.

        Raises HomeAssistantError.
        """
        from homeagent.knowledge.reading_configs import known_entities, read_pieces  # not for every start

        async with self._turn:
            entities = known_entities(self._ha.home, unexposed=self._unexposed, only=entity_ids)
            read = {p.entity.entity_id: p for p in await read_pieces(self._ha, entities, all_named=self._unexposed)}
            kept = {} if entity_ids is None else {i: p for i, p in self._pieces.items() if i not in entity_ids}
            self._pieces = kept | read
            if entity_ids is None:
                self._all_dirty = False

    async def sync(self) -> None:
        """Bring the vectors in step. Raises IndexerError, DatabaseError."""
        documents = {d.stored_id: d for d in (p.document for p in self.pieces)}
        report = await self._documents.sync(list(documents), lambda ids: [documents[i] for i in ids])
        if report.removed:
            await self._documents.tidy([text_hash(d.text) for d in documents.values()])

    async def find(
        self, query: str, source_type: str | None, meant: Collection[str], limit: int
    ) -> tuple[list[FoundPiece], str | None]:
        """The pieces that fit best, as they are this moment, and what was missing to look for meaning (else None).

        ``meant``: the entities that the query is about. Raises HomeAssistantError.
        """
        if self._all_dirty:
            await self.refresh()
        similar, missing = await self._similar(query, source_type, limit)
        found = []
        for piece in self._pieces.values():
            if source_type in (None, piece.source_type):
                concerned = piece.described.reads | {i for i, _ in self.does(piece)}
                fit = _fit(piece, concerned, query, meant, similar.get(piece.entity.entity_id, 0.0))
                if fit.score >= _LEAST:
                    found.append(fit)
        found.sort(key=lambda f: (-f.score, f.piece.entity.entity_id))
        return await self._as_now(found[:limit]), missing

    def does(self, piece: Piece) -> frozenset[tuple[str, str]]:
        """What a piece does to which entities, by itself and through the scripts and scenes that it starts."""
        found: set[tuple[str, str]] = set()
        started, waiting = {piece.entity.entity_id}, [piece]
        while waiting:
            does = waiting.pop().described.does
            found |= does
            inner = {i for i, _ in does if i in self._pieces and i.startswith(_STARTED)} - started
            started |= inner
            waiting += [self._pieces[i] for i in inner]
        return frozenset(found)

    async def _as_now(self, found: Sequence[FoundPiece]) -> list[FoundPiece]:
        """With what they do, and what of it is exposed, read anew: it may have been changed a second ago.

        Gone ones are left out.
        """
        told = {i for f in found for i in (f.piece.entity.entity_id, *f.piece.described.reads)}
        await self._ha.is_exposed(told | {i for f in found for i, _ in self.does(f.piece)})
        await self.refresh([f.piece.entity.entity_id for f in found])
        now = ((f, self._pieces.get(f.piece.entity.entity_id)) for f in found)
        return [FoundPiece(piece, f.score, f.reasons) for f, piece in now if piece is not None]

    async def _similar(self, query: str, source_type: str | None, limit: int) -> tuple[dict[str, float], str | None]:
        where = {"source_type": source_type} if source_type else None
        try:
            return dict(await self._documents.near(query, max(20, 2 * limit), where)), None
        except IndexerError as error:
            return {}, str(error)

    def _on_change(self, change: HomeChange) -> None:
        mine = {i for i in change.entity_ids if i.startswith(_MINE)}
        if mine:
            self._dirty |= mine
            self._changed.set()

    async def _follow(self) -> None:
        await asyncio.sleep(_FIRST)
        while True:
            try:
                await self._take_up()
                pause = _ALL_AGAIN
            except (HomeAgentError, IndexerError) as error:
                _log.warning("what is known of automations could not be brought up to date: %s", error)
                self._all_dirty, pause = True, _AGAIN
            try:
                async with asyncio.timeout(pause):
                    await self._changed.wait()
            except TimeoutError:
                self._all_dirty = True
            await asyncio.sleep(_QUIET)

    async def _take_up(self) -> None:
        while not await self._ha.wait_ready(_AGAIN):
            pass
        self._changed.clear()
        dirty, self._dirty = self._dirty, set()
        await self.refresh(None if self._all_dirty else dirty)
        await self.sync()


_MINE = tuple(f"{domain}." for domain in SOURCES)
_STARTED = ("script.", "scene.")


def _fit(piece: Piece, concerned: Collection[str], query: str, meant: Collection[str], similarity: float) -> FoundPiece:
    asked = set(words(query))
    shared = asked & set(words(piece.document.text))
    about = bool(meant) and (piece.entity.entity_id in meant or not set(meant).isdisjoint(concerned))
    coverage = len(shared) / len(asked) if asked else 0.0
    meaning = max(0.0, similarity - _LEAST_SIMILAR) / (1 - _LEAST_SIMILAR)
    reasons = [
        *(["about what is meant"] if about else []),
        *([f"words {coverage:.2f}"] if shared else []),
        *([f"meaning {similarity:.2f}"] if meaning else []),
    ]
    score = _ABOUT_ENTITY * about + _ABOUT_WORDS * coverage + _ABOUT_MEANING * meaning
    return FoundPiece(piece, min(1.0, score), tuple(reasons))
