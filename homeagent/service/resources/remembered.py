"""Memories."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from pydantic import Field

from homeagent.access import Scope
from homeagent.errors import NotFound
from homeagent.service import memories
from homeagent.service.answers.memories import WholeMemoryAnswer
from homeagent.service.document import Tag
from homeagent.service.paging import Page, Paged, moment, page
from homeagent.service.request_fields import DeleteMemory, Fields, Id
from homeagent.service.resources.registering import PathId, Resources, who_asks
from homeagent.service.speakers import as_known
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
