"""What a person hears and says where an action for later needs a yes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from homeagent.ha.connection import HomeAssistant
from homeagent.policy.policy import Policy
from homeagent.timers.agreed_actions import Later
from homeagent.timers.timer_store import TimerStore
from homeagent.timers.timers import Timers
from homeagent.tools.ha_control import HaControl
from homeagent.tools.timer import TimerTool
from homeagent.tools.toolbox import Toolbox
from homeagent.turn import ToolCall, new_id
from tests.turning import ScriptedBrain, Stage, step

UNLOCK = {"action": "unlock", "entity_id": "lock.front_door"}


@pytest.fixture
async def stage(home_assistant: HomeAssistant, tmp_path: Path) -> AsyncIterator[Stage]:
    stage = Stage(home_assistant, tmp_path)
    control = HaControl(home_assistant, Policy(), stage.confirmations, settle=1.0)
    timers = Timers(TimerStore(stage.engine), home_assistant.home, stage.emitter)
    tool = TimerTool(timers, Later(control, stage.confirmations), home_assistant.home)
    stage.toolbox = Toolbox([control, tool], stage.emitter)
    yield stage
    await stage.close()


def sets(**when: Any) -> ToolCall:
    return ToolCall(new_id(), "timer", {"action": "set", "kind": "action", "calls": [UNLOCK], **when})


@pytest.mark.parametrize(
    ("language", "when", "told", "yes", "done"),
    [
        (
            "en",
            {"upon_entity_id": "light.kitchen_lights", "upon_state": "on"},
            "Not now, but then: Kitchen lights: on.",
            "yes",
            "That is set: Kitchen lights: on.",
        ),
        ("de", {"in_seconds": 600}, "Nicht jetzt, sondern dann: 10 min.", "ja", "Das ist eingestellt: 10 min."),
        (
            "en",
            {"at": "07:00", "weekdays": ["mon"]},
            "Not now, but then: 07:00, Monday.",
            "yes",
            "That is set: 07:00, Monday.",
        ),
    ],
)
async def test_the_question_says_when_and_the_yes_sets_it(
    stage: Stage, language: str, when: dict[str, Any], told: str, yes: str, done: str
) -> None:
    agent = stage.agent(ScriptedBrain(step(sets(**when)), step(text="…"), None))
    asked = await agent.process("open up later", language=language)
    assert told in asked.response
    assert asked.response.endswith("?")
    assert asked.question
    answer = await agent.process(yes, language=language, conversation_id=asked.conversation_id)
    assert answer.response == done
    assert len(await TimerStore(stage.engine).live()) == 1
    assert stage.ha.home.state_text("lock.front_door") == "locked"


async def test_a_no_sets_nothing(stage: Stage) -> None:
    agent = stage.agent(ScriptedBrain(step(sets(in_seconds=600)), step(text="…")))
    asked = await agent.process("open up later", language="en")
    await agent.process("no", language="en", conversation_id=asked.conversation_id)
    assert await TimerStore(stage.engine).live() == []
