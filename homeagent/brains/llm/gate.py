"""Lets a streamed answer through, a sentence at a time, as far as it may be said."""

from __future__ import annotations

import asyncio
import re

from homeagent.claims.answer_checker import AnswerCheck
from homeagent.claims.answer_clauses import whole_until
from homeagent.turn import Say

_MACHINE = re.compile(r"[{\[<`]|[a-z]_[a-z]")
"""What a tool call written as text begins with. From there on nothing is said before the end."""


class Gate:
    """Takes the pieces of one answer; hands on what ``check`` lets pass of each whole sentence.

    ``patient``: where a sentence is not so, the model may be asked again, so that nothing is said in its place; the
    gate closes instead. What was held back is not said here: whoever has the whole answer says the rest.
    """

    def __init__(self, say: Say, check: AnswerCheck, *, patient: bool) -> None:
        self._say = say
        self._check = check
        self._patient = patient
        self._text = ""
        self._judged = 0
        self._closed = False

    async def __call__(self, piece: str) -> None:
        self._text += piece
        machine = _MACHINE.search(self._text)
        end = whole_until(self._text[: machine.start()] if machine else self._text)
        if self._closed or end <= self._judged:
            return
        self._judged = end
        passed = await asyncio.to_thread(self._check.take, self._text[:end])
        if passed.untrue and self._patient:
            self._closed = True
        elif passed.text:
            await self._say(passed.text)
