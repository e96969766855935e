"""What went otherwise is told with the next answer, once, to whom it concerns, and never behind a question."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from homeagent.agent import Agent
from homeagent.ha.connection import HomeAssistant
from homeagent.timers.due import After
from homeagent.timers.timer import Note, SetBy, TimerKind
from homeagent.timers.timer_store import TimerStore
from homeagent.timers.timer_texts import TimerNews
from homeagent.timers.timers import Timers
from homeagent.turn import Step
from tests.turning import ScriptedBrain, Stage, control, step


@pytest.fixture
async def stage(home_assistant: HomeAssistant, tmp_path: Path) -> AsyncIterator[Stage]:
    stage = Stage(home_assistant, tmp_path)
    yield stage
    await stage.close()


@pytest.fixture
def timers(stage: Stage) -> Timers:
    return Timers(TimerStore(stage.engine), stage.ha.home, stage.emitter)


def answering(stage: Stage, timers: Timers, *script: Step) -> Agent:
    return stage.agent(ScriptedBrain(*script), news=TimerNews(timers, stage.ha.home))


async def missed(timers: Timers, name: str, user_id: str | None = None) -> None:
    timer = await timers.set(TimerKind.REMINDER, After(timedelta(minutes=1)), SetBy(user_id=user_id), name=name)
    noted = replace(timer, note=Note.MISSED, next_due=None)
    assert await timers.store.replace(timer, noted, datetime.now(UTC))


async def test_it_is_told_once_after_the_answer(stage: Stage, timers: Timers) -> None:
    await missed(timers, "pills")
    agent = answering(stage, timers, Step("Hello."), Step("Hello."))
    first = (await agent.process("hello", language="en")).response
    assert first == "Hello. Reminder (pills): missed, because I was not running when it was due."
    assert (await agent.process("hello", language="en")).response == "Hello."


async def test_what_somebody_set_is_told_to_them_alone(stage: Stage, timers: Timers) -> None:
    await missed(timers, "present for ben", "anna")
    agent = answering(stage, timers, Step("Hello."), Step("Hello."))
    assert (await agent.process("hello", user_id="ben", language="en")).response == "Hello."
    assert "present" in (await agent.process("hello", user_id="anna", language="en")).response


async def test_a_question_stays_the_last_that_is_said(stage: Stage, timers: Timers) -> None:
    await missed(timers, "pills")
    agent = answering(stage, timers, step(control("unlock", "lock.front_door")), Step("One moment."), Step("Hello."))
    assert (await agent.process("unlock the door", language="en")).response.endswith("Shall I?")
    assert "pills" in (await agent.process("hello", language="en")).response
