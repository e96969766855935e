"""What needs no words of a language to be an answer to a question back: a code, a yes, a no."""

from __future__ import annotations

from dataclasses import replace

from homeagent.brains.consent import is_no, is_yes
from homeagent.brains.local.last_turn import restored
from homeagent.brains.local.planning.plans import CODE
from homeagent.turn import Turn
from homeagent.understanding.last import each
from homeagent.understanding.request import Act, Request

_MOST_BESIDE = 4
"""Words beside a code that is only said: "it is 4 3 2 1"."""


def answered(turn: Turn, text: str) -> Request | None:
    """What a code, a yes or a no makes of the request that the question of the last turn was about; None where it is
    none of these. ``text``: the sentence without the code, which the tool takes from the turn."""
    question = turn.gathered.history[-1].question if turn.gathered.history else None
    if question is None or "request" not in question:
        return None  # what was asked was a yes to a confirmation, which is the agent's business
    candidates = tuple(question.get("candidates", ()))
    one = len({said.code for said in turn.said_codes}) == 1 and len(text.split()) <= _MOST_BESIDE
    if (question.get("kind") == CODE and one) or (question.get("kind") == "suggest" and is_yes(text, turn.language)):
        return replace(restored(question["request"]), scope=each(candidates))
    return Request(Act.SAY, say="left_alone") if is_no(text, turn.language) else None
