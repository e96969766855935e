"""What is remembered as the answer to a question: where nothing else tells it."""

from __future__ import annotations

import asyncio
from typing import Protocol

from homeagent.brains.call_outcomes import only_looks
from homeagent.brains.question_detection import asks
from homeagent.conversations import Answer
from homeagent.turn import Step, Turn
from homeagent.turns.gathering import Gatherer
from homeagent.turns.turn_report import TurnReport
from memory.purposes import Purpose
from memory.statement_parts import wording


class Tells(Protocol):
    """What answers with the memories that were recalled for a turn."""

    async def meant(self, turn: Turn) -> Purpose | None:
        """What the sentence is meant as; None where nothing tells that."""

    async def not_known(self, turn: Turn) -> Answer | None:
        """That nothing like it was told, where by its meaning only that answers the question."""

    async def tell(self, turn: Turn) -> Answer | None:
        """The answer in the words of the memories; None where none of them tells."""


class Recollection:
    """``remembering`` None: nothing is remembered."""

    def __init__(self, gatherer: Gatherer, remembering: Tells | None) -> None:
        self._gatherer = gatherer
        self._remembering = remembering

    async def instead(self, turn: Turn, step: Step | None, report: TurnReport) -> Answer | None:
        """What was told, where it tells more than the first ``step`` of the local brain; None: no brain knew any.

        A state goes before it, unless by its meaning the question is for what was told, or for what somebody likes. No
        command looks for memories.
        """
        if self._remembering is None or not await asyncio.to_thread(_only_asks, turn, step):
            return None
        meant = await self._remembering.meant(turn)
        asks_back = meant is not None and meant.asks_back
        at_a_loss = step is None or step.at_a_loss
        if not (asks_back or at_a_loss or await asyncio.to_thread(_of_a_wish, turn)):
            return None
        with report.timing("context"):
            await self._gatherer.remember(turn, report, meant=meant)
        return await self._remembering.tell(turn)

    async def not_known(self, turn: Turn) -> Answer | None:
        """That nothing like it was told, where only that would have answered."""
        if self._remembering is None or not await asyncio.to_thread(asks, turn):
            return None
        return await self._remembering.not_known(turn)


def _only_asks(turn: Turn, step: Step | None) -> bool:
    looks = step is None or step.at_a_loss or (step.tool_calls and all(only_looks(call) for call in step.tool_calls))
    return bool(looks) and asks(turn)


def _of_a_wish(turn: Turn) -> bool:
    """Whether it is about what somebody likes, or what should be: no state tells that."""
    return wording(turn.text, turn.language).has("wish")
