"""What needs no words of a language to be an answer to a question back: a code, a yes, a no."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from homeagent.brains.consent import is_no, is_yes
from homeagent.brains.language.reading import Reading
from homeagent.brains.local.last_turn import restored
from homeagent.brains.local.planning.plans import CODE
from homeagent.turn import SaidCode
from homeagent.understanding.last import each
from homeagent.understanding.request import Act, Request


def answered(reading: Reading, question: Mapping[str, Any], codes: Sequence[SaidCode], language: str) -> Request | None:
    """What a code, a yes or a no makes of the request that a question was about; None where it is none of these."""
    if "request" not in question:
        return None  # what was asked was a yes to a confirmation, which is the agent's business
    candidates = tuple(question.get("candidates", ()))
    if _is_code(reading, question, codes) or (question.get("kind") == "suggest" and is_yes(reading.text, language)):
        return replace(restored(question["request"]), scope=each(candidates))
    return Request(Act.SAY, say="left_alone") if is_no(reading.text, language) else None


def _is_code(reading: Reading, question: Mapping[str, Any], codes: Sequence[SaidCode]) -> bool:
    """Whether the sentence is the code that was asked for, and orders nothing else. The tool takes it from the turn."""
    one = len({said.code for said in codes}) == 1
    return question.get("kind") == CODE and one and not reading.of("actions", "adjust", "set")
