"""Memories."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query, Request
from pydantic import Field

from homeagent.access import Scope
from homeagent.errors import NotFound
from homeagent.service import memories
from homeagent.service.answers.administration import AuditEntry
from homeagent.service.answers.memories import WholeMemoryAnswer
from homeagent.service.document import Tag
from homeagent.service.paging import Page, Paged, moment, page
from homeagent.service.request_fields import DeleteMemory, Fields, Id
from homeagent.service.resources.registering import PathId, Resources, who_asks
from homeagent.service.speakers import as_known
from indexer.status import IndexStatus
from memory.model import Memory, MemoryType


class User(Fields):
    """On whose behalf."""

    user_id: Id | None = None


class MemoriesQuery(User, Paged):
    """``type``: only memories of this type; ``history``: replaced ones too."""

    type: MemoryType | None = None
    history: bool = Field(default=False)


class MemoriesPage(Page[Memory]):
    """Memories, last changed first."""


def add_memories(resources: Resources) -> None:
    """`/api/memories`."""
    app = resources.app

    @resources.get("/api/memories", "read_memories", Tag.MEMORIES, Scope.READ, MemoriesPage)
    async def listed(request: Request, query: Annotated[MemoriesQuery, Query()]) -> object:
        """The memories that this user may see, last changed first."""
        query = await as_known(app, query.sent_by(who_asks(request)))
        found = await app.memories.list(
            memory_type=query.type,
            limit=query.one_more,
            user_id=query.user_id,
            history=query.history,
            before=query.place(moment, str),
        )
        return page(found, query.limit, lambda one: (one.updated_at, one.id))

    one = "/api/memories/{memory_id}"

    @resources.get(one, "read_memory", Tag.MEMORIES, Scope.READ, WholeMemoryAnswer)
    async def show(request: Request, memory_id: PathId, query: Annotated[User, Query()]) -> object:
        """One memory with its origin, the ones it replaced and its log."""
        return await memories.get_memory(app, await whole(request, memory_id, query))

    @resources.delete(one, "remove_memory", Tag.MEMORIES, Scope.ASK)
    async def forget(request: Request, memory_id: PathId, query: Annotated[User, Query()]) -> object:
        """Forget one memory."""
        return await memories.delete_memory(app, await whole(request, memory_id, query))

    async def whole(request: Request, memory_id: str, query: User) -> DeleteMemory:
        """What is asked for by its whole id: services take the beginning of one, too."""
        fields = DeleteMemory(memory_id=memory_id, user_id=query.user_id).sent_by(who_asks(request))
        fields = await as_known(app, fields)
        if memory_id not in await app.memories.beginning(memory_id, fields.user_id):
            raise NotFound(f"There is no memory {memory_id!r}.", hint="`GET /api/memories` shows what there is.")
        return fields


_MOST_ROWS = 2**63 - 1
"""The largest number that a database has for a row."""


class AuditQuery(Paged):
    """``entity_id``: only actions on this entity."""

    entity_id: Id | None = None


class AuditPage(Page[AuditEntry]):
    """Actions, newest first."""


def add_index(resources: Resources) -> None:
    """`/api/index`."""

    @resources.get("/api/index", "read_index", Tag.HOME, Scope.READ, IndexStatus)
    async def index(request: Request) -> object:
        """How the index is: its phase, what it holds, its embedder and store."""
        return resources.app.index.status


def add_audit(resources: Resources) -> None:
    """`/api/audit`."""
    app = resources.app

    @resources.get("/api/audit", "read_audit", Tag.ADMINISTRATION, Scope.ADMIN, AuditPage)
    async def listed(request: Request, query: Annotated[AuditQuery, Query()]) -> object:
        """What was done, for whom and with which yes; newest first."""
        (before,) = query.place(row) or (None,)
        found = await app.audit.entries(query.one_more, query.entity_id, before)
        return page(found, query.limit, lambda one: (one["id"],))

    @resources.get("/api/audit/{entry_id}", "read_audit_entry", Tag.ADMINISTRATION, Scope.ADMIN, AuditEntry)
    async def show(request: Request, entry_id: Annotated[int, Path(ge=1, le=_MOST_ROWS)]) -> object:
        """One action."""
        return await app.audit.entry(entry_id)


def row(number: object) -> int:
    """A row's number in a place. Raises ValueError."""
    if not isinstance(number, int) or not 0 < number <= _MOST_ROWS:
        raise ValueError("no row has that number")
    return number
