"""The questions that stand on phones and in chats: kept, so that a restart neither forgets nor repeats them."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Engine, delete, select, update
from sqlalchemy.orm import Session

from homeagent.channels.channel import Target
from homeagent.confirmations import Pending
from homeagent.tables import SentQuestionRow

_KEY_BYTES = 24


@dataclass(frozen=True, slots=True)
class Sent:
    """A question at one target. ``message``: how the channel calls it; None until it was sent."""

    id: int
    confirmation_id: str
    channel: str
    target: str
    message: str | None
    text: str
    language: str
    sent_at: datetime


class SentQuestions:
    """Every method may raise `DatabaseError`. Of a key only its hash is kept: who reads the database answers none."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._reading = engine.execution_options(read_only=True)

    async def begin(self, pending: Pending, channel: str, target: Target, text: str, language: str) -> tuple[Sent, str]:
        """Note that a question is about to be sent; with the key that an answer to it must bring along."""
        key = secrets.token_urlsafe(_KEY_BYTES)
        row = SentQuestionRow(
            confirmation_id=pending.id,
            channel=channel,
            target=target.address,
            key_hash=_hashed(key),
            text=text,
            language=language,
            sent_at=datetime.now(UTC),
        )
        return await asyncio.to_thread(self._insert, row), key

    async def is_sent(self, sent: Sent, message: str) -> None:
        """It stands there now, under this name."""
        await asyncio.to_thread(self._name, sent.id, message)

    async def end(self, sent: Sent) -> None:
        """It is over there; its key opens nothing any more."""
        await asyncio.to_thread(self._delete, SentQuestionRow.id == sent.id)

    async def forget_unsent(self) -> None:
        """Forget those that were being sent when the service ended: whether they arrived is not known, so they are
        asked anew, under another key."""
        await asyncio.to_thread(self._delete, SentQuestionRow.message.is_(None))

    async def standing(self, channel: str) -> list[Sent]:
        """All that stand on a channel, the oldest first."""
        return await asyncio.to_thread(self._read, SentQuestionRow.channel == channel)

    async def of_key(self, key: str) -> Sent | None:
        """The question that a key belongs to."""
        found = await asyncio.to_thread(self._read, SentQuestionRow.key_hash == _hashed(key))
        return found[0] if found else None

    def _insert(self, row: SentQuestionRow) -> Sent:
        with Session(self._engine) as session, session.begin():
            session.add(row)
            session.flush()
            return _sent(row)

    def _name(self, number: int, message: str) -> None:
        with Session(self._engine) as session, session.begin():
            session.execute(update(SentQuestionRow).where(SentQuestionRow.id == number).values(message=message))

    def _delete(self, which: object) -> None:
        with Session(self._engine) as session, session.begin():
            session.execute(delete(SentQuestionRow).where(which))  # type: ignore[arg-type]

    def _read(self, which: object) -> list[Sent]:
        query = select(SentQuestionRow).where(which).order_by(SentQuestionRow.id)  # type: ignore[arg-type]
        with Session(self._reading) as session:
            return [_sent(row) for row in session.scalars(query)]


def _hashed(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _sent(row: SentQuestionRow) -> Sent:
    return Sent(row.id, row.confirmation_id, row.channel, row.target, row.message, row.text, row.language, row.sent_at)
