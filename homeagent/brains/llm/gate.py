"""Lets a streamed answer through, a sentence at a time, as far as it is safe to say."""

from __future__ import annotations

import re
from collections.abc import Callable

from homeagent.prompting.prompt import NOTHING_CHANGED
from homeagent.turn import Say

_END = re.compile(r"[.!?。！？؟…]+[\"'”’)»]*(?=\s)|[。！？]|\n")
_MACHINE = re.compile(r"[{\[<`]|[a-z]_[a-z]")
"""What a tool call written as text begins with. From there on nothing is said before the end."""


class Gate:
    """Takes the pieces of one answer; hands on what ``may_pass`` (given all the text so far) allows.

    What was held back is not said here: whoever has the whole answer says the rest.
    """

    def __init__(self, say: Say, may_pass: Callable[[str], bool]) -> None:
        self._say = say
        self._may_pass = may_pass
        self._text = ""
        self._passed = 0
        self._begun = False
        self._closed = False

    async def __call__(self, piece: str) -> None:
        self._text += piece
        end = self._safe_end()
        if self._closed or end <= self._passed:
            return
        if not self._may_pass(self._text[:end]):
            self._closed = True
            return
        passing = self._text[self._passed : end] if self._begun else spoken(self._text[:end])
        self._passed = end
        if passing:
            self._begun = True
            await self._say(passing)

    def _safe_end(self) -> int:
        """The end of the last whole sentence before anything that looks meant for a program."""
        machine = _MACHINE.search(self._text)
        limit = machine.start() if machine else len(self._text)
        ends = [found.end() for found in _END.finditer(self._text) if found.end() <= limit]
        return ends[-1] if ends else 0


def spoken(text: str) -> str:
    """The answer without the declaration that nothing was changed, which is not for the person."""
    return text.strip().removeprefix(NOTHING_CHANGED).lstrip() if NOTHING_CHANGED in text else text.lstrip()
