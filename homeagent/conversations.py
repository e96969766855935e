"""Conversations and their turns, kept in the database whichever brain answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Engine, Row, bindparam, delete, func, insert, select, update
from sqlalchemy.orm import Session

from homeagent.privacy.redact import hidden, redacted, scrubbed
from homeagent.prompting.prompt import turn_messages
from homeagent.tables import ConfirmationRow, ConversationRow, TurnRow
from homeagent.turn import Message, PastTurn, Role, ToolCall, Turn, new_id
from memory.outbox import forget_turns

ALWAYS_READ = 4
"""So many of the newest turns are read however few a model is shown: a yes, a code, "the other one" lean on them."""

# What every turn runs. On tables, made once: as objects of the mapper it would cost four times as much.
_CONVERSATIONS, _TURNS = ConversationRow.__table__.c, TurnRow.__table__.c
_OWNER = select(_CONVERSATIONS.user_id).where(_CONVERSATIONS.id == bindparam("conversation"))
_OF_IT = _TURNS.conversation_id == bindparam("conversation")
_LAST = select(func.max(_TURNS.number)).where(_OF_IT)
_NEWEST = (
    select(TurnRow.__table__, _CONVERSATIONS.updated_at.label("spoken_in"))
    .join_from(TurnRow.__table__, ConversationRow.__table__)
    .where(_OF_IT, _TURNS.number > _LAST.scalar_subquery() - bindparam("most"))
    .order_by(_TURNS.number)
)
_TAKEN_UP = (
    update(ConversationRow.__table__)  # type: ignore[arg-type]
    .where(_CONVERSATIONS.id == bindparam("conversation"))
    .values(user_id=func.coalesce(_CONVERSATIONS.user_id, bindparam("user")), updated_at=bindparam("now"))
)
_BEGUN = insert(ConversationRow.__table__)  # type: ignore[arg-type]
_SAID = insert(TurnRow.__table__)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Answer:
    """How a turn ended: what the person is told, and which brain said it."""

    text: str
    brain: str
    question: bool = False


class Conversations:
    """Keeps whole turns only: a sentence never stands without its answer, nor a call without its result.

    After ``idle`` a conversation is not continued: a new sentence starts afresh under the same id. After ``keep`` it is
    deleted by `expire`.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        idle: timedelta = timedelta(minutes=30),
        keep: timedelta = timedelta(days=30),
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._engine = engine
        self._reading = engine.execution_options(read_only=True)
        self._idle = idle
        self._keep = keep
        self._clock = clock

    async def resume(self, conversation_id: str | None, user_id: str | None) -> str:
        """The id under which to go on: the one asked for, or a new one where that is somebody else's."""
        if conversation_id is None:
            return new_id()
        owner = await asyncio.to_thread(self._owner, conversation_id)
        return conversation_id if owner is None or owner == user_id else new_id()

    async def recent(self, conversation_id: str, limit: int) -> tuple[PastTurn, ...]:
        """The last turns, oldest first: at most ``limit``, or `ALWAYS_READ` where that is more.

        None where the conversation has been idle for too long.
        """
        return await asyncio.to_thread(self._recent, conversation_id, limit)

    async def save(self, turn: Turn, answer: Answer, also: Callable[[Connection], None] | None = None) -> int:
        """Keep a finished turn in one transaction, with what ``also`` writes; the number of its messages.

        Raises `DatabaseError`.
        """
        return await asyncio.to_thread(self._save, turn, answer, also)

    async def clear(self, conversation_id: str | None = None) -> int:
        """Delete one conversation, or all, with all that was said and asked in it; how many there were."""
        return await asyncio.to_thread(self._delete, conversation_id, None)

    async def expire(self) -> int:
        """Delete the conversations that nobody has spoken in for ``keep``; how many there were."""
        return await asyncio.to_thread(self._delete, None, self._clock() - self._keep)

    def _owner(self, conversation_id: str) -> str | None:
        with self._reading.connect() as connection:
            return connection.scalar(_OWNER, {"conversation": conversation_id})

    def _recent(self, conversation_id: str, limit: int) -> tuple[PastTurn, ...]:
        # Every turn since the conversation was last taken up belongs together; older ones were left behind.
        asked = {"conversation": conversation_id, "most": max(limit, ALWAYS_READ)}
        with self._reading.connect() as connection:
            turns = connection.execute(_NEWEST, asked).all()
        if not turns or self._clock() - turns[-1].spoken_in > self._idle:
            return ()
        return tuple(_past(t) for t in _since_last_pause(turns, self._idle))

    def _save(self, turn: Turn, answer: Answer, also: Callable[[Connection], None] | None) -> int:
        now = self._clock()
        messages = turn_messages(turn, answer.text)
        secrets = turn.secrets()
        said = {
            "id": turn.turn_id,
            "conversation_id": turn.conversation_id,
            "text": scrubbed(turn.text, secrets),
            "answer": scrubbed(answer.text, secrets),
            "brain": answer.brain,
            "calls": hidden([_call_dict(call) for call in succeeded(turn)], secrets),
            "targets": list(targets(turn)),
            "messages": hidden([_message_dict(message) for message in messages], secrets),
            "question": turn.question,
            "created_at": now,
        }
        which = {"conversation": turn.conversation_id}
        with self._engine.begin() as connection:
            known = connection.execute(_TAKEN_UP, {**which, "user": turn.user_id, "now": now}).rowcount
            last = connection.scalar(_LAST, which) if known else None
            if not known:
                who = {"user_id": turn.user_id, "device_id": turn.device_id}
                connection.execute(_BEGUN, {"id": turn.conversation_id, **who, "created_at": now, "updated_at": now})
            connection.execute(_SAID, {**said, "number": (last or 0) + 1})
            if also is not None:
                also(connection)
        return len(messages)

    def _delete(self, conversation_id: str | None, before: datetime | None) -> int:
        with Session(self._engine) as session, session.begin():
            query = select(ConversationRow.id)
            if conversation_id is not None:
                query = query.where(ConversationRow.id == conversation_id)
            if before is not None:
                query = query.where(ConversationRow.updated_at < before)
            ids = session.scalars(query).all()
            forget_turns(session, select(TurnRow.id).where(TurnRow.conversation_id.in_(ids)))
            for told in (TurnRow, ConfirmationRow):
                session.execute(delete(told).where(told.conversation_id.in_(ids)))
            session.execute(delete(ConversationRow).where(ConversationRow.id.in_(ids)))
            return len(ids)


def succeeded(turn: Turn) -> tuple[ToolCall, ...]:
    """The calls of a turn that did what they were for."""
    return tuple(
        call
        for done in turn.rounds
        for call, result in zip(done.step.tool_calls, done.results, strict=True)
        if result.success
    )


def targets(turn: Turn) -> tuple[str, ...]:
    """The entity ids that a turn was about: those in its results, else those that its calls name, in order."""
    found: dict[str, None] = {}
    for done in turn.rounds:
        for call, result in zip(done.step.tool_calls, done.results, strict=True):
            ids = list(_ids_in(result.result)) or list(_ids_in(call.parameters))
            found.update(dict.fromkeys(ids))
    return tuple(found)


def _ids_in(value: Any) -> Sequence[str]:
    """Entity ids under any ``entity_id`` or ``entities`` key, without wildcards."""
    if isinstance(value, list | tuple):
        return [i for item in value for i in _ids_in(item)]
    if not isinstance(value, dict):
        return []
    found: list[str] = []
    for key, item in value.items():
        if key in ("entity_id", "entity_ids") and isinstance(item, str | list | tuple):
            ids = [item] if isinstance(item, str) else [i for i in item if isinstance(i, str)]
            found += [i for i in ids if "." in i and "*" not in i]
        else:
            found += _ids_in(item)
    return found


def _since_last_pause(turns: Sequence[Row[Any]], idle: timedelta) -> Sequence[Row[Any]]:
    start = 0
    for place in range(1, len(turns)):
        if turns[place].created_at - turns[place - 1].created_at > idle:
            start = place
    return turns[start:]


def _past(row: Row[Any]) -> PastTurn:
    return PastTurn(
        turn_id=row.id,
        text=row.text,
        answer=row.answer,
        calls=tuple(ToolCall(**call) for call in row.calls),
        targets=tuple(row.targets),
        messages=tuple(_message(m) for m in row.messages),
        question=row.question,
        number=row.number,
    )


def _call_dict(call: ToolCall) -> dict[str, Any]:
    """A call as it is kept: without codes, which are never stored."""
    return {"id": call.id, "name": call.name, "parameters": redacted(call.parameters)}


def _message_dict(message: Message) -> dict[str, Any]:
    kept: dict[str, Any] = {"role": message.role.value, "content": message.content}
    if message.tool_calls:
        kept["tool_calls"] = [_call_dict(call) for call in message.tool_calls]
    if message.tool_call_id:
        kept["tool_call_id"] = message.tool_call_id
    return kept


def _message(kept: dict[str, Any]) -> Message:
    return Message(
        role=Role(kept["role"]),
        content=kept["content"],
        tool_calls=tuple(ToolCall(**call) for call in kept.get("tool_calls", ())),
        tool_call_id=kept.get("tool_call_id"),
    )
