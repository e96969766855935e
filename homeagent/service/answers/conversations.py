"""Answers about what was said."""

from __future__ import annotations

from pydantic import BaseModel, Field

from homeagent.past_turns import Exchange, Summary


class ClearedAnswer(BaseModel):
    """How many conversations were deleted."""

    cleared: int


class ConversationsAnswer(BaseModel):
    """Conversations, the latest first."""

    conversations: list[Summary]


class ConversationAnswer(BaseModel):
    """All that was said in a conversation, oldest first."""

    conversation_id: str
    turns: list[Exchange]


class DeletedAnswer(BaseModel):
    """What was deleted."""

    deleted: str = Field(description="Its whole id.")
