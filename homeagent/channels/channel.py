"""What a channel is: a way to reach people, who can be asked by it, and what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from homeagent.errors import HomeAgentError

EVERYBODY = "*"
HOUSEHOLD = "household"
GRACE = 3.0
"""Seconds that what is being sent, or done upon an answer, may still take when the service ends."""


class ChannelError(HomeAgentError):
    """A message did not reach a phone or a chat. ``for_good``: trying again is of no use."""

    code = "channel"
    http_status = 502

    def __init__(self, message: str, *, hint: str | None = None, for_good: bool = False, pause: float = 0.0) -> None:
        super().__init__(message, hint=hint)
        self.for_good = for_good
        self.pause = pause
        """Seconds that the other side wants to be left alone for."""


@dataclass(frozen=True, slots=True)
class Target:
    """Somebody's phone or a chat. ``address`` is how the channel calls it.

    ``users``: whose questions are asked there, by user id; HOUSEHOLD: those of nobody in particular; EVERYBODY: all.
    Whoever holds it may answer them. ``timers``: whether it is told what rings, too.
    """

    address: str
    users: frozenset[str] = frozenset({HOUSEHOLD})
    timers: bool = False
    language: str | None = None

    def serves(self, user_id: str | None) -> bool:
        """Whether what is asked of this user (None: of the household) may be answered here."""
        return EVERYBODY in self.users or (HOUSEHOLD if user_id is None else user_id) in self.users


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody is asked. ``key`` must come back with the answer: it is made for this question at this target,
    and cannot be guessed. ``text`` tells all that the yes is to."""

    confirmation_id: str
    key: str
    text: str
    language: str
    expires_at: datetime


class Refusals(Protocol):
    """What notes who was not listened to, and answers that were not taken: the audit log."""

    async def refuse(self, channel: str, reason: str, **about: object) -> None: ...


class Channel(Protocol):
    """Each method raises ChannelError, or another HomeAgentError, where the message did not arrive."""

    name: str
    targets: tuple[Target, ...]

    async def ask(self, target: str, question: Question) -> str:
        """Put the question with its two answers; returns how the channel calls the message."""

    async def told(self, target: str, message: str, question: str, outcome: str) -> None:
        """It was answered, here or elsewhere: the message tells how it came out, and takes no answer any more."""

    async def withdraw(self, target: str, message: str, question: str, reason: str) -> None:
        """Nobody's answer counts any more: the message takes none, and is removed or tells why."""

    async def tell(self, target: str, text: str) -> None:
        """Tell something that asks for no answer."""

    async def try_out(self) -> str:
        """Whether questions go out and answers come in this way at all; what was found, for whoever set it up."""

    async def try_target(self, target: str) -> str:
        """Whether this phone or chat can be asked, without anybody's noticing; what it is."""


class Answers(Protocol):
    """What a channel hands answers to."""

    async def answered(self, channel: str, target: str | None, key: str, *, approve: bool) -> str:
        """Take an answer that came from this target (None: whoever has the key is the one who was asked); what is told
        to whoever gave it. Never raises a HomeAgentError."""
