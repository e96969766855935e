"""What the agent asks of its home, of what remembers turns and of what happened meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from sqlalchemy import Connection

from homeagent.conversations import Answer
from homeagent.ha.home import Home
from homeagent.timers.timer import Timer
from homeagent.turn import Turn
from memory.purposes import Purpose


class HasHome(Protocol):
    """Home Assistant, of which the turn itself needs the live home alone."""

    @property
    def home(self) -> Home:
        """The live home."""


class Remembers(Protocol):
    """What keeps of turns what is worth it."""

    async def answer(self, turn: Turn, *, otherwise: bool = False) -> Answer | None:
        """Do what a sentence asks of memory and nothing else, and say so; None: it asks no such thing.

        ``otherwise``: no brain knows what to do with it. Raises HomeAgentError.
        """

    async def speaker(self, user_id: str | None) -> str | None:
        """Who speaks, in the spelling under which they are known. Raises HomeAgentError."""

    async def meant(self, turn: Turn) -> Purpose | None:
        """What the sentence is meant as; None where nothing tells that."""

    async def not_known(self, turn: Turn) -> Answer | None:
        """That nothing like it was told, where by its meaning only that answers the question."""

    async def tell(self, turn: Turn) -> Answer | None:
        """Answer with the memories that were recalled for the turn; None where they do not tell it well."""

    def noting(self, turn: Turn, answer: Answer) -> Callable[[Connection], None] | None:
        """What notes the turn, to be called in the transaction that keeps it; None where it can hold nothing."""

    def wake(self) -> None:
        """A turn was noted: look through what waits. Returns at once."""


class TellsNews(Protocol):
    """What happened meanwhile that somebody has to hear of."""

    async def untold(self, turn: Turn) -> list[Timer]:
        """What the turn's speaker has not heard yet. Raises DatabaseError."""

    def words(self, timers: list[Timer], language: str) -> str:
        """A sentence for each. Blocks: it may read the words of a language."""

    async def told(self, timers: list[Timer]) -> None:
        """These were told, and are not told again. Raises DatabaseError."""
