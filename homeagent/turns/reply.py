"""What a caller gets of a turn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from homeagent.brains.call_outcomes import changed_something, ordered_in_vain
from homeagent.confirmations import Pending
from homeagent.conversations import Answer
from homeagent.turn import Turn


class ResponseType(StrEnum):
    """What came of a sentence, as Home Assistant's conversation API names it."""

    ACTION_DONE = "action_done"
    QUERY_ANSWER = "query_answer"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Reply:
    """What a caller gets. ``pending`` are the confirmations that wait for a yes; ``trace`` only where asked for.

    ``response_type``: ERROR where something failed, where the sentence was not understood, and where nothing was done
    of what it ordered. ``targets``: the ids of the entities that the turn was about, in order.
    ``question``: the person is asked back, so a voice device should listen again. ``error``: code of the failure that
    the answer tells of (Home Assistant, the model, time …), for callers that do not read answers; None where the turn
    went its way, a refusal included.
    """

    response: str
    conversation_id: str
    turn_id: str
    pending: tuple[Pending, ...] = ()
    trace: dict[str, Any] | None = None
    question: bool = False
    error: str | None = None
    response_type: ResponseType = ResponseType.QUERY_ANSWER
    targets: tuple[str, ...] = ()

    @property
    def handled(self) -> bool:
        """Whether the sentence was understood and dealt with: answered, asked about, or done, in part at least."""
        return self.response_type is not ResponseType.ERROR


def response_type_of(turn: Turn, answer: Answer, failure: str | None) -> ResponseType:
    """What came of a turn. ``failure``: code of what kept it from its end; None where nothing did."""
    if failure is not None or answer.brain == "none":
        return ResponseType.ERROR
    if not answer.question and (answer.at_a_loss or answer.undone or ordered_in_vain(turn)):
        return ResponseType.ERROR
    return ResponseType.ACTION_DONE if changed_something(turn) else ResponseType.QUERY_ANSWER
