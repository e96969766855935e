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
from memory.statement_parts import wording


class Tells(Protocol):
    """What answers with the memories that were recalled for a turn."""

    async def tell(self, turn: Turn) -> Answer | None:
        """The answer in the words of the memories; None where none of them tells."""


class Recollection:
    """``remembering`` None: nothing is remembered."""

    def __init__(self, gatherer: Gatherer, remembering: Tells | None) -> None:
        self._gatherer = gatherer
        self._remembering = remembering

    async def instead(self, turn: Turn, step: Step | None, report: TurnReport) -> Answer | None:
        """What was told, where it tells more than the first ``step`` of the local brain; None: no brain knew any.

        A state always goes before it, and no command looks for memories.
        """
        if self._remembering is None or not await asyncio.to_thread(_may_tell_more, turn, step):
            return None
        with report.timing("context"):
            await self._gatherer.remember(turn, report)
        return await self._remembering.tell(turn)


def _may_tell_more(turn: Turn, step: Step | None) -> bool:
    if step is None or step.at_a_loss:
        return asks(turn)
    looks = bool(step.tool_calls) and all(only_looks(call) for call in step.tool_calls)
    return looks and _of_a_wish(turn) and asks(turn)


def _of_a_wish(turn: Turn) -> bool:
    """Whether it is about what somebody likes, or what should be: no state tells that."""
    return wording(turn.text, turn.language).has("wish")
