"""The services about what was said: conversations listed, shown and forgotten. One of a person is theirs alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from homeagent.past_turns import Sees
from homeagent.service import request_fields
from homeagent.values.jsonable import jsonable

if TYPE_CHECKING:
    from homeagent.app import App


async def list_conversations(app: App, fields: request_fields.ListConversations) -> dict[str, Any]:
    """The latest conversations, newest first. ``everybody`` needs the scope speak_for_others."""
    found = await app.past_turns.conversations(Sees(fields.user_id, fields.everybody), fields.limit)
    local = app.home.config.local
    told = [{**jsonable(one), "began_at": local(one.began_at), "updated_at": local(one.updated_at)} for one in found]
    return {"conversations": told}


async def get_conversation(app: App, fields: request_fields.GetConversation) -> dict[str, Any]:
    """All that was said in one conversation, oldest first."""
    named = await _named(app, fields)
    said = await app.past_turns.turns(named)
    turns = [{**jsonable(one), "at": app.home.config.local(one.at)} for one in said]
    return {"conversation_id": named, "turns": turns}


async def delete_conversation(app: App, fields: request_fields.DeleteConversation) -> dict[str, Any]:
    """Forget one conversation, with all that waits in it for a yes."""
    named = await _named(app, fields)
    await app.conversations.clear(named)
    return {"deleted": named}


async def clear_history(app: App, fields: request_fields.ClearHistory) -> dict[str, Any]:
    """Delete one conversation or all of them; how many there were."""
    return {"cleared": await app.conversations.clear(fields.conversation_id)}


async def _named(app: App, fields: request_fields.GetConversation) -> str:
    return await app.conversations.named(fields.conversation_id, fields.user_id, everybody=fields.everybody)
