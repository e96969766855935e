"""The agent's own tables: conversations with their turns, confirmations, the audit, tokens, timers, own tests."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, MetaData, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from memory.tables import UtcDateTime

__all__ = [
    "AuditRow",
    "Base",
    "ConfirmationRow",
    "ConversationRow",
    "OwnTestRow",
    "SentQuestionRow",
    "TimerRow",
    "TokenRow",
    "TurnRow",
    "UtcDateTime",
]


class Base(DeclarativeBase):
    """The agent's own tables."""

    metadata = MetaData()


class ConversationRow(Base):
    """A conversation; ``updated_at`` is when its last turn was kept."""

    __tablename__ = "conversations"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[str | None] = mapped_column(String(200))
    device_id: Mapped[str | None] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


class TurnRow(Base):
    """One turn of a conversation, with the messages that a model is shown of it later."""

    __tablename__ = "turns"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    conversation_id: Mapped[str] = mapped_column(ForeignKey("conversations.id", ondelete="CASCADE"), index=True)
    number: Mapped[int]
    """Counts up in a conversation, from 1."""
    text: Mapped[str] = mapped_column(Text)
    answer: Mapped[str] = mapped_column(Text)
    brain: Mapped[str] = mapped_column(String(50))
    calls: Mapped[list[Any]] = mapped_column(JSON)
    targets: Mapped[list[Any]] = mapped_column(JSON)
    messages: Mapped[list[Any]] = mapped_column(JSON)
    question: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    trace: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    """How it went; turns of before have none."""
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class ConfirmationRow(Base):
    """A call that waits for a yes. ``parameters`` are bound: the yes runs exactly these, on exactly ``targets``.

    ``number`` is how people name it, unique among those of about a day. ``consequences`` and ``digest`` are what
    the yes is to; rows of before have neither.
    """

    __tablename__ = "confirmations"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    conversation_id: Mapped[str | None] = mapped_column(String(64), index=True)
    turn_id: Mapped[str | None] = mapped_column(String(64))
    user_id: Mapped[str | None] = mapped_column(String(200))
    device_id: Mapped[str | None] = mapped_column(String(200))
    language: Mapped[str | None] = mapped_column(String(100))
    number: Mapped[int | None] = mapped_column(index=True)
    tool_name: Mapped[str] = mapped_column(String(100))
    parameters: Mapped[dict[str, Any]] = mapped_column(JSON)
    targets: Mapped[list[Any]] = mapped_column(JSON)
    description: Mapped[str] = mapped_column(Text)
    consequences: Mapped[list[Any] | None] = mapped_column(JSON)
    digest: Mapped[str | None] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    decided_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    approved: Mapped[bool | None]
    """None beside ``decided_at``: nobody answered in time, and that was told."""
    answered_on: Mapped[str | None] = mapped_column(String(300))
    """The channel and whom it reaches, where the answer came by one; None where it came in the conversation."""


class SentQuestionRow(Base):
    """A question as it stands on a phone or in a chat. Kept until what stands there tells how it ended."""

    __tablename__ = "sent_questions"

    id: Mapped[int] = mapped_column(primary_key=True)
    confirmation_id: Mapped[str] = mapped_column(String(64))
    channel: Mapped[str] = mapped_column(String(20))
    target: Mapped[str] = mapped_column(String(200))
    key_hash: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of what an answer must bring along, in hex. That itself is kept nowhere."""
    message: Mapped[str | None] = mapped_column(String(100))
    """How the channel calls the message; None until it was sent."""
    text: Mapped[str] = mapped_column(Text)
    language: Mapped[str] = mapped_column(String(100))
    sent_at: Mapped[datetime] = mapped_column(UtcDateTime)


class AuditRow(Base):
    """One action that was asked for: what it resolved to, what was decided, what came of it. Texts hold no codes."""

    __tablename__ = "audit"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    turn_id: Mapped[str] = mapped_column(String(64))
    conversation_id: Mapped[str] = mapped_column(String(64))
    user_id: Mapped[str | None] = mapped_column(String(200))
    device_id: Mapped[str | None] = mapped_column(String(200))
    text: Mapped[str] = mapped_column(Text)
    """What was said; empty where a tool was used outright."""
    action: Mapped[str] = mapped_column(String(100))
    parameters: Mapped[dict[str, Any]] = mapped_column(JSON)
    confirmation_id: Mapped[str | None] = mapped_column(String(64))
    """The question that was asked because of it."""
    approved: Mapped[bool]
    """Whether it ran upon a yes."""
    answered_on: Mapped[str | None] = mapped_column(String(300))
    """Where that yes came from, as in `ConfirmationRow`."""
    targets: Mapped[list[Any]] = mapped_column(JSON)
    """Per target: entity id, name, decision, reason, effects, outcome, states before and after."""


class TokenRow(Base):
    """Who may use the service, besides its owner."""

    __tablename__ = "tokens"

    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    hash: Mapped[str] = mapped_column(String(64))
    """SHA-256 of the token, in hex. The token itself is kept nowhere."""
    scopes: Mapped[list[str]] = mapped_column(JSON)
    user_id: Mapped[str | None] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class TimerRow(Base):
    """What is to happen later. The truth about it: whatever rings only wakes who reads here.

    ``claimed_at`` is set, and ``next_due`` moved on, before anything is done: one that still has it when the service
    starts was cut off in the middle, and is not done again.
    """

    __tablename__ = "timers"

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(20))
    name: Mapped[str] = mapped_column(Text)
    due: Mapped[dict[str, Any]] = mapped_column(JSON)
    next_due: Mapped[datetime | None] = mapped_column(UtcDateTime, index=True)
    state: Mapped[str] = mapped_column(String(20), index=True)
    remaining: Mapped[float | None]
    armed: Mapped[bool]
    calls: Mapped[list[Any]] = mapped_column(JSON)
    approved: Mapped[list[str]] = mapped_column(JSON)
    conversation_id: Mapped[str | None] = mapped_column(String(64))
    user_id: Mapped[str | None] = mapped_column(String(200))
    device_id: Mapped[str | None] = mapped_column(String(200))
    area_id: Mapped[str | None] = mapped_column(String(200))
    language: Mapped[str] = mapped_column(String(100))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    changed_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    fired_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    claimed_at: Mapped[datetime | None] = mapped_column(UtcDateTime, index=True)
    note: Mapped[str | None] = mapped_column(String(20), index=True)
    detail: Mapped[str] = mapped_column(Text)


class OwnTestRow(Base):
    """A sentence that went wrong, as `homeagent.own_tests.store` tells it. Holds no codes."""

    __tablename__ = "own_tests"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    turn_id: Mapped[str] = mapped_column(String(64), index=True)
    language: Mapped[str] = mapped_column(String(100))
    text: Mapped[str] = mapped_column(Text)
    answer: Mapped[str] = mapped_column(Text)
    calls: Mapped[list[Any]] = mapped_column(JSON)
    home: Mapped[dict[str, Any]] = mapped_column(JSON)
    led_up: Mapped[list[str]] = mapped_column(JSON)
    area: Mapped[str | None] = mapped_column(String(200))
    user_id: Mapped[str | None] = mapped_column(String(200))
    right: Mapped[dict[str, Any]] = mapped_column(JSON)
