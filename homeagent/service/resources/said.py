"""Conversations and their turns, each with its trace."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query, Request
from pydantic import BaseModel, Field

from homeagent.access import Scope
from homeagent.past_turns import Exchange, Sees, Summary
from homeagent.service.answers.turns import Trace
from homeagent.service.document import Tag
from homeagent.service.paging import Page, Paged, moment, page
from homeagent.service.request_fields import Fields, Id
from homeagent.service.resources.registering import PathId, Resources, who_asks
from homeagent.values.jsonable import jsonable
from memory.errors import MemoryNotFound


class Whose(Fields):
    """``everybody``: those of all users, for callers that may speak for others."""

    user_id: Id | None = None
    everybody: bool = False

    @property
    def sees(self) -> Sees:
        """Whose conversations are shown."""
        return Sees(self.user_id, self.everybody)


class ConversationsQuery(Whose, Paged):
    """Which conversations."""


class TurnsQuery(Whose, Paged):
    """Which turns of a conversation."""


class ConversationsPage(Page[Summary]):
    """Conversations, the latest first."""


class TurnsPage(Page[Exchange]):
    """Turns of a conversation, oldest first."""


class WholeTurn(BaseModel):
    """A turn and how it went."""

    turn_id: str
    conversation_id: str
    number: int = Field(description="Its place in the conversation, from 1.")
    at: str
    text: str
    answer: str
    brain: str
    targets: list[str]
    trace: Trace | None = Field(description="Null for turns that were kept before traces were.")


def add_conversations(resources: Resources) -> None:
    """`/api/conversations` and `/api/turns`."""
    app = resources.app

    @resources.get("/api/conversations", "read_conversations", Tag.CONVERSATIONS, Scope.READ, ConversationsPage)
    async def conversations(request: Request, query: Annotated[ConversationsQuery, Query()]) -> object:
        """The conversations, the latest first."""
        query = query.sent_by(who_asks(request))
        found = await app.past_turns.conversations(query.sees, query.one_more, query.place(moment, str))
        return page(found, query.limit, lambda one: (one.updated_at, one.id))

    one = "/api/conversations/{conversation_id}"

    @resources.get(one, "read_conversation", Tag.CONVERSATIONS, Scope.READ, Summary)
    async def conversation(request: Request, conversation_id: PathId, query: Annotated[Whose, Query()]) -> object:
        """One conversation at a glance."""
        return await app.past_turns.conversation(query.sent_by(who_asks(request)).sees, conversation_id)

    @resources.get(f"{one}/turns", "read_turns", Tag.CONVERSATIONS, Scope.READ, TurnsPage)
    async def turns(request: Request, conversation_id: PathId, query: Annotated[TurnsQuery, Query()]) -> object:
        """What was said in a conversation, oldest first."""
        query = query.sent_by(who_asks(request))
        await app.past_turns.conversation(query.sees, conversation_id)
        (after,) = query.place(int) or (0,)
        found = await app.past_turns.turns(conversation_id, query.one_more, after)
        return page(found, query.limit, lambda one: (one.number,))

    @resources.delete(one, "remove_conversation", Tag.CONVERSATIONS, Scope.ASK)
    async def forget(request: Request, conversation_id: PathId, query: Annotated[Whose, Query()]) -> object:
        """Forget a conversation, with all that waits in it for a yes."""
        known = await app.past_turns.conversation(query.sent_by(who_asks(request)).sees, conversation_id)
        return await app.conversations.clear(known.id)

    @resources.get("/api/turns/{turn_id}", "read_turn", Tag.CONVERSATIONS, Scope.READ, WholeTurn)
    async def turn(request: Request, turn_id: PathId, query: Annotated[Whose, Query()]) -> object:
        """One turn with its whole trace: what was found, recalled, called and answered, and how long it took."""
        query = query.sent_by(who_asks(request))
        kept = await app.past_turns.turn(query.sees, turn_id)
        trace: dict[str, Any] | None = None
        if kept.trace is not None:
            trace = {**kept.trace, "memories": [await recalled(one, query.user_id) for one in kept.trace["memories"]]}
        return {**jsonable(kept.exchange), "conversation_id": kept.conversation_id, "trace": trace}

    async def recalled(kept: dict[str, Any], user_id: str | None) -> dict[str, Any]:
        """With what it says now; nothing where it was forgotten, or is another's."""
        try:
            memory = await app.memories.get(kept["memory_id"])
        except MemoryNotFound:
            return {**kept, "content": ""}
        return {**kept, "content": memory.content if memory.user_id in (None, user_id) else ""}
