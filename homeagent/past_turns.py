"""Kept conversations and their turns, read for whoever looks back: a page at a time, each turn with its trace."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Engine, Row, Select, and_, func, or_, select

from homeagent.errors import NotFound
from homeagent.tables import ConversationRow, TurnRow

_CONVERSATIONS, _TURNS = ConversationRow.__table__.c, TurnRow.__table__.c


@dataclass(frozen=True, slots=True)
class Summary:
    """A conversation at a glance. ``said``: its first sentence. ``user_id`` None: the household's."""

    id: str
    user_id: str | None
    device_id: str | None
    began_at: datetime
    updated_at: datetime
    turns: int
    said: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """A sentence and its answer, as they are kept: without codes. ``brain``: which one answered."""

    number: int
    at: datetime
    text: str
    answer: str
    brain: str
    targets: tuple[str, ...]
    turn_id: str


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """A turn as it is kept. ``trace`` None: it was kept before traces were. What was recalled stands in it by id."""

    exchange: Exchange
    conversation_id: str
    trace: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Sees:
    """Whose conversations are shown: the household's and this user's, or everybody's."""

    user_id: str | None
    everybody: bool = False

    @property
    def visible(self) -> tuple[ColumnElement[bool], ...]:
        """As conditions of a query."""
        if self.everybody:
            return ()
        return (or_(_CONVERSATIONS.user_id.is_(None), _CONVERSATIONS.user_id == self.user_id),)


class PastTurns:
    """Reads only. Every method may raise DatabaseError; those for one thing raise NotFound, too."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(read_only=True)

    async def conversations(self, sees: Sees, limit: int, before: tuple[datetime, str] | None = None) -> list[Summary]:
        """The latest, newest first; ``before``: only those behind one that was last spoken in then, and its id."""
        query = _summaries().where(*sees.visible).order_by(_CONVERSATIONS.updated_at.desc(), _CONVERSATIONS.id)
        if before is not None:
            at, id_ = before
            behind = and_(_CONVERSATIONS.updated_at == at, _CONVERSATIONS.id > id_)
            query = query.where(or_(_CONVERSATIONS.updated_at < at, behind))
        return [_summary(row) for row in await asyncio.to_thread(self._rows, query.limit(limit))]

    async def conversation(self, sees: Sees, conversation_id: str) -> Summary:
        """One of them."""
        query = _summaries().where(_CONVERSATIONS.id == conversation_id, *sees.visible)
        rows = await asyncio.to_thread(self._rows, query)
        if not rows:
            raise NotFound(f"There is no conversation {conversation_id[:64]!r}.", hint="`GET /api/conversations`")
        return _summary(rows[0])

    async def turns(self, conversation_id: str, limit: int | None = None, after: int = 0) -> list[Exchange]:
        """Those of a conversation behind number ``after``, oldest first."""
        query = select(TurnRow.__table__).where(_TURNS.conversation_id == conversation_id, _TURNS.number > after)
        return [_exchange(r) for r in await asyncio.to_thread(self._rows, query.order_by(_TURNS.number).limit(limit))]

    async def turn(self, sees: Sees, turn_id: str) -> KeptTurn:
        """One turn with its trace."""
        of = _CONVERSATIONS.id == _TURNS.conversation_id
        query = select(TurnRow.__table__).join(ConversationRow.__table__, of).where(_TURNS.id == turn_id, *sees.visible)
        rows = await asyncio.to_thread(self._rows, query)
        if not rows:
            raise NotFound(f"There is no turn {turn_id[:64]!r}.")
        return KeptTurn(_exchange(rows[0]), rows[0].conversation_id, rows[0].trace)

    async def said(self, sees: Sees, turn_ids: Collection[str]) -> dict[str, str]:
        """Turn id -> what was said in it, of those of these turns that are kept and shown."""
        of = _CONVERSATIONS.id == _TURNS.conversation_id
        query = select(_TURNS.id, _TURNS.text).join(ConversationRow.__table__, of)
        query = query.where(_TURNS.id.in_(turn_ids), *sees.visible)
        return {row.id: row.text for row in await asyncio.to_thread(self._rows, query)} if turn_ids else {}

    def _rows(self, query: Select[Any]) -> list[Row[Any]]:
        with self._engine.connect() as connection:
            return list(connection.execute(query))


def _summaries() -> Select[Any]:
    counted = select(_TURNS.conversation_id, func.count().label("turns"), func.min(_TURNS.number).label("first"))
    of_each = counted.group_by(_TURNS.conversation_id).subquery()
    return (
        select(ConversationRow.__table__, of_each.c.turns, _TURNS.text)
        .join(of_each, of_each.c.conversation_id == _CONVERSATIONS.id)
        .join(TurnRow, (_TURNS.conversation_id == _CONVERSATIONS.id) & (_TURNS.number == of_each.c.first))
    )


def _summary(row: Row[Any]) -> Summary:
    return Summary(row.id, row.user_id, row.device_id, row.created_at, row.updated_at, row.turns, row.text)


def _exchange(row: Row[Any]) -> Exchange:
    return Exchange(row.number, row.created_at, row.text, row.answer, row.brain, tuple(row.targets), row.id)
