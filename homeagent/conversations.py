"""Conversations and their turns, kept in the database whichever brain answered."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    Select,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Session

from homeagent.privacy.redact import MASK, hidden, redacted, scrubbed
from homeagent.prompting.prompt import turn_messages
from homeagent.tables import ConfirmationRow, ConversationRow, TurnRow
from homeagent.turn import Message, PastTurn, Role, ToolCall, Turn, Written, new_id
from homeagent.turns.question_back import QuestionBack
from homeagent.values.jsonable import jsonable
from homeagent.values.short_ids import the_one
from memory.outbox import forget_turns

_KEPT = timedelta(days=30)
_MOST_TOLD = 5
"""Ids that begin alike and are read before it is said that there are several."""
_COMPARED = 8
"""The last sentences and answers by which a conversation is told from others: a chat may be long."""
_MOST_UNDER_WAY = 200
"""The latest conversations among which the one is sought that a chat goes on with."""
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
    """How a turn ended: what the person is told, and which brain said it ("none": no brain was sure, or it failed).

    ``at_a_loss``: the sentence was not wholly understood, or the home has nothing of what was meant. ``undone``: it
    only says that what was ordered is not done.
    """

    text: str
    brain: str
    question: bool = False
    at_a_loss: bool = False
    undone: bool = False


class Conversations:
    """Keeps whole turns only: a sentence never stands without its answer, nor a call without its result.

    After ``idle`` a conversation is not continued: a new sentence starts afresh under the same id. After `_KEPT` it is
    deleted by `expire`.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        idle: timedelta = timedelta(minutes=30),
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._engine = engine
        self._reading = engine.execution_options(read_only=True)
        self._idle = idle
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

    async def save(
        self,
        turn: Turn,
        answer: Answer,
        also: Callable[[Connection], None] | None = None,
        trace: Mapping[str, Any] | None = None,
    ) -> int:
        """Keep a finished turn and how it went in one transaction, with what ``also`` writes; how many messages it has.

        Raises `DatabaseError`.
        """
        return await asyncio.to_thread(self._save, turn, answer, also, trace)

    async def continued_by(self, said: Sequence[tuple[str, str]], user_id: str | None) -> str | None:
        """The conversation that sentences with their answers (oldest first, the beginning may be missing) belong to.

        None where there is none that this user may go on with and that is not idle for too long. Where several hold
        the very same words, a new one that begins as they do: what waits for a yes in one of them is of that one alone.
        """
        return await asyncio.to_thread(self._continued_by, said[-_COMPARED:], user_id) if said else None

    async def named(self, start: str, user_id: str | None, *, everybody: bool = False) -> str:
        """The id that begins with ``start``, among those that this user may see.

        Raises NotFound where none does, AmbiguousId where several do.
        """
        whose = () if everybody else (_visible_to(user_id),)
        query = select(_CONVERSATIONS.id).where(_CONVERSATIONS.id.startswith(start, autoescape=True), *whose)
        return the_one(await asyncio.to_thread(self._ids, query), start, what="conversation")

    async def brain_of(self, turn_id: str) -> str | None:
        """Which brain answered a turn; None where it is not kept."""
        return await asyncio.to_thread(self._brain_of, turn_id)

    async def clear(self, conversation_id: str | None = None) -> int:
        """Delete one conversation, or all, with all that was said and asked in it; how many there were."""
        return await asyncio.to_thread(self._delete, conversation_id, None)

    async def expire(self) -> int:
        """Delete the conversations that nobody has spoken in for `_KEPT`; how many there were."""
        return await asyncio.to_thread(self._delete, None, self._clock() - _KEPT)

    def _continued_by(self, said: Sequence[tuple[str, str]], user_id: str | None) -> str | None:
        since = self._clock() - self._idle
        goes_on = (_visible_to(user_id), _CONVERSATIONS.updated_at > since)
        query = select(_CONVERSATIONS.id).where(*goes_on).order_by(_CONVERSATIONS.updated_at.desc())
        with self._reading.connect() as connection:
            ids = connection.scalars(query.limit(_MOST_UNDER_WAY)).all()
            newest = select(_TURNS.conversation_id, func.max(_TURNS.number).label("number")).where(
                _TURNS.conversation_id.in_(ids)
            )
            last = newest.group_by(_TURNS.conversation_id).subquery()
            rows = connection.execute(
                select(_TURNS.conversation_id, _TURNS.number, _TURNS.text, _TURNS.answer)
                .join(last, (last.c.conversation_id == _TURNS.conversation_id))
                .where(_TURNS.number > last.c.number - len(said))
                .order_by(_TURNS.number)
            ).all()
        kept: dict[str, list[tuple[str, str]]] = {}
        for row in rows:
            kept.setdefault(row.conversation_id, []).append((row.text, row.answer))
        alike = {one: len(kept[one]) for one in ids if one in kept and _same_words(kept[one], said)}
        found = [one for one, turns in alike.items() if turns == max(alike.values())]
        return found[0] if len(found) == 1 else self._begun_like(found[0], user_id) if found else None

    def _begun_like(self, conversation_id: str, user_id: str | None) -> str:
        """A new conversation with the turns of this one, without what waits in it for a yes."""
        new, now = new_id(), self._clock()
        with self._engine.begin() as connection:
            who = {"user_id": user_id, "device_id": None}
            connection.execute(_BEGUN, {"id": new, **who, "created_at": now, "updated_at": now})
            turns = connection.execute(select(TurnRow.__table__).where(_TURNS.conversation_id == conversation_id))
            copies = [{**row._mapping, "id": new_id(), "conversation_id": new} for row in turns]
            connection.execute(_SAID, copies)
        return new

    def _ids(self, query: Select[tuple[str]]) -> list[str]:
        with self._reading.connect() as connection:
            return list(connection.scalars(query.limit(_MOST_TOLD)))

    def _owner(self, conversation_id: str) -> str | None:
        with self._reading.connect() as connection:
            return connection.scalar(_OWNER, {"conversation": conversation_id})

    def _brain_of(self, turn_id: str) -> str | None:
        with self._reading.connect() as connection:
            return connection.scalar(select(_TURNS.brain).where(_TURNS.id == turn_id))

    def _recent(self, conversation_id: str, limit: int) -> tuple[PastTurn, ...]:
        # Every turn since the conversation was last taken up belongs together; older ones were left behind.
        asked = {"conversation": conversation_id, "most": max(limit, ALWAYS_READ)}
        with self._reading.connect() as connection:
            turns = connection.execute(_NEWEST, asked).all()
        if not turns or self._clock() - turns[-1].spoken_in > self._idle:
            return ()
        return tuple(_past(t) for t in _since_last_pause(turns, self._idle))

    def _save(
        self,
        turn: Turn,
        answer: Answer,
        also: Callable[[Connection], None] | None,
        trace: Mapping[str, Any] | None,
    ) -> int:
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
            "question": turn.question.as_dict() if turn.question is not None else None,
            "trace": None if trace is None else jsonable(_without_contents(trace)),
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


def _without_contents(trace: Mapping[str, Any]) -> dict[str, Any]:
    """What was recalled is kept by its id alone: it can be forgotten, and then it is nowhere."""
    recalled = [{name: value for name, value in one.items() if name != "content"} for one in trace["memories"]]
    return {**trace, "memories": recalled}


def _visible_to(user_id: str | None) -> ColumnElement[bool]:
    """The household's conversations are everybody's; one of a person is theirs alone."""
    return or_(_CONVERSATIONS.user_id.is_(None), _CONVERSATIONS.user_id == user_id)


def _same_words(kept: Sequence[tuple[str, str]], said: Sequence[tuple[str, str]]) -> bool:
    """Whether a conversation ends in these sentences and answers. Where a code was hidden anything may have stood."""
    pairs = zip(reversed(kept), reversed(said), strict=False)
    return all(_same(k, s) for one, other in pairs for k, s in zip(one, other, strict=True))


def _same(kept: str, said: str) -> bool:
    words, hidden_in = " ".join(said.split()), " ".join(kept.split()).split(MASK)
    return re.fullmatch(".+".join(map(re.escape, hidden_in)), words, re.S) is not None


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


def _ids_in(value: object) -> Sequence[str]:
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


def _since_last_pause(turns: Sequence[Row[object]], idle: timedelta) -> Sequence[Row[object]]:
    start = 0
    for place in range(1, len(turns)):
        if turns[place].created_at - turns[place - 1].created_at > idle:
            start = place
    return turns[start:]


def _past(row: Row[object]) -> PastTurn:
    return PastTurn(
        turn_id=row.id,
        text=row.text,
        answer=row.answer,
        calls=tuple(map(_call, row.calls)),
        targets=tuple(row.targets),
        messages=tuple(_message(m) for m in row.messages),
        question=QuestionBack.from_dict(row.question) if row.question else None,
        number=row.number,
    )


def _call_dict(call: ToolCall) -> dict[str, object]:
    """A call as it is kept: without codes, which are never stored."""
    kept: dict[str, object] = {"id": call.id, "name": call.name, "parameters": redacted(call.parameters)}
    if (written := call.written) is not None:
        kept["written"] = {**asdict(written), "parameters": redacted(written.parameters)}
    return kept


def _call(kept: dict[str, Any]) -> ToolCall:
    written = kept.get("written")
    return ToolCall(kept["id"], kept["name"], kept["parameters"], Written(**written) if written else None)


def _message_dict(message: Message) -> dict[str, object]:
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
        tool_calls=tuple(map(_call, kept.get("tool_calls", ()))),
        tool_call_id=kept.get("tool_call_id"),
    )
