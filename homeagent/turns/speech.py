"""What a person hears of a turn while it goes on, and in the end: the boundary that every answer passes."""

from __future__ import annotations

from homeagent.turn import Say
from homeagent.values.plain_text import PlainStream, plain_text


class Speech:
    """Hands pieces of the answer on as they come, and at the end what was not said yet. Nothing is said twice.

    What is handed on is plain text, whatever names and models bring along.
    """

    def __init__(self, say: Say | None) -> None:
        self._say = say
        self._step = ""
        self._plain = PlainStream()
        self.said = ""
        self._first = ""

    async def begin(self, text: str) -> None:
        """Say what is known before any step is taken."""
        self._first = f"{plain_text(text)} "
        self.next_step()
        await self(text)

    async def __call__(self, piece: str) -> None:
        await self._tell(self._plain.take(piece))

    async def _tell(self, piece: str) -> None:
        if self._say is None or not piece:
            return
        if not self._step and self.said:
            piece = f" {piece.lstrip()}"
        self._step += piece
        self.said += piece
        await self._say(piece)

    def next_step(self) -> None:
        """What comes now belongs to another step's text."""
        self._step = ""
        self._plain = PlainStream()

    async def finish(self, text: str) -> str:
        """Say what of the final ``text`` was not said; all that the person was told in this turn."""
        text = plain_text(text)
        if self._say is None:
            return f"{self._first}{text}".strip()
        begun, whole = self._step.lstrip(), text.strip()
        if whole.startswith(begun):
            rest = whole[len(begun) :]
        elif whole == begun.rstrip():
            rest = ""
        else:
            self.next_step()
            rest = whole
        await self._tell(rest)
        return self.said.strip()
