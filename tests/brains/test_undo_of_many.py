"""Undo after a call on more things than its result lists one by one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from homeagent.brains.local.last_turn import undone
from homeagent.ha.home import State
from homeagent.prompting.prompt import turn_messages
from homeagent.tools.carry_out import Done, Outcome
from homeagent.tools.control_result import answer
from homeagent.turn import PastTurn, Round, Step, ToolCall, ToolResult, Turn
from homeagent.understanding.request import Act
from indexer.entity import Entity

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)


def state(entity_id: str, text: str) -> State:
    return State(entity_id, text, {}, NOW, NOW)


@pytest.mark.parametrize(("on", "act"), [(3, Act.CONTROL), (60, Act.SAY)])
def test_it_puts_back_what_changed_or_says_that_it_cannot(on: int, act: Act) -> None:
    ids = [f"light.{n}" for n in range(70)]
    lit = set(ids[-on:])
    done = [
        Done(Entity(i, i), Outcome.DONE, state(i, "on" if i in lit else "off"), state(i, "off"), confirmed=True)
        for i in ids
    ]
    call = ToolCall("c", "ha_control", {"action": "turn_off", "entity_id": ids})
    result = ToolResult(success=True, result=answer("turn_off", done, None))
    turn = Turn("all off", rounds=[Round(Step(tool_calls=(call,)), (result,))])
    past = PastTurn("t", "all off", "Off.", (call,), tuple(ids), turn_messages(turn, "Off."))
    request = undone(past)
    assert request is not None
    assert request.act is act
    if act is Act.CONTROL:
        assert request.action == "turn_on"
        assert {i for group in request.scope.named for i in group} == lit
