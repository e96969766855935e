"""What went otherwise with timers since somebody was last spoken to, told at the end of the next answer."""

from __future__ import annotations

from homeagent.ha.home import Home
from homeagent.timers import timer_texts
from homeagent.timers.timer import Timer
from homeagent.timers.timers import Timers
from homeagent.turn import Turn

_MOST = 3
"""Told in one answer; what is more comes with the next."""


class TimerNews:
    """Each note is told once, to whom it concerns; it stays in the table until the answer is kept."""

    def __init__(self, timers: Timers, home: Home) -> None:
        self._timers = timers
        self._home = home

    async def untold(self, turn: Turn) -> list[Timer]:
        """What this speaker has not heard yet. Raises DatabaseError."""
        return (await self._timers.untold(turn.user_id))[:_MOST]

    def words(self, timers: list[Timer], language: str) -> str:
        """A sentence for each. Blocks at the first time in a language."""
        return " ".join(timer_texts.note(timer, self._home, language) for timer in timers)

    async def told(self, timers: list[Timer]) -> None:
        """They are not told again. Raises DatabaseError."""
        await self._timers.store.told(timers)
