"""Answers about what was said."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field

from homeagent.own_tests.store import Right
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


class OwnTestAnswer(BaseModel):
    """A sentence that went wrong, and what would have been right."""

    id: int
    at: datetime
    turn_id: str
    language: str
    text: str
    answer: str = Field(description="What was answered.")
    calls: list[dict[str, Any]] = Field(description="What was called: name and parameters.")
    led_up: list[str] = Field(description="The sentences before it, oldest first.")
    area: str | None
    user_id: str | None
    right: Right
    home: dict[str, Any] | None = Field(default=None, description="The home that it is tried in, where asked for.")


class OwnTestsAnswer(BaseModel):
    """The tests of the owner's own, newest first."""

    tests: list[OwnTestAnswer]
