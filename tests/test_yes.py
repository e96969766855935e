"""A yes is a yes to one question: sentences in, the demo home's state out."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from sqlalchemy import text

from homeagent.confirmations import Confirmations
from homeagent.demo.server import DemoServer
from homeagent.errors import ConfirmationRequired, NotFound, Refused
from homeagent.ha.connection import HomeAssistant
from homeagent.policy.verdicts import Consequence, Effect
from homeagent.tools.toolbox import Partial, Tool
from homeagent.turn import Step, ToolCall, Turn
from homeagent.turns.reply import Reply
from tests.turning import ScriptedBrain, Stage, control, step

LOCK = "lock.front_door"
ASKED = "That unlocks Front door. Shall I?"


@pytest.fixture
async def stage(home_assistant: HomeAssistant, tmp_path: Path) -> AsyncIterator[Stage]:
    stage = Stage(home_assistant, tmp_path)
    yield stage
    await stage.close()


def unlocking(*after: Step | None) -> ScriptedBrain:
    """Wants to unlock the door and says the first of ``after``; the rest is for the sentences that follow."""
    return ScriptedBrain(step(control("unlock", LOCK)), *(after or (Step(""),)))


def is_locked(demo: DemoServer) -> bool:
    return demo.state(LOCK)["state"] == "locked"


# --- which question a yes is to


async def test_our_question_stands_last_whatever_the_model_asks(stage: Stage, demo: DemoServer) -> None:
    news = "It is sunny. (I could also unlock Front door, never mind.) Shall I read the news?"
    agent = stage.agent(unlocking(Step(news, question=True), None))
    asked = await agent.process("what's the weather?")
    assert asked.response == f"{news} {ASKED}"
    assert asked.question
    await agent.process("yes", conversation_id=asked.conversation_id)
    assert not is_locked(demo)


@pytest.mark.parametrize("between", ["Would you like to hear the news?", "It is noon."])
async def test_anything_in_between_takes_the_yes_away(stage: Stage, demo: DemoServer, between: str) -> None:
    agent = stage.agent(unlocking(Step(""), Step(between, question=True), Step("Here are the news.")))
    asked = await agent.process("unlock the front door")
    await agent.process("what time is it?", conversation_id=asked.conversation_id)
    yes = await agent.process("yes", conversation_id=asked.conversation_id)
    assert yes.response == "Here are the news."
    assert is_locked(demo)


@pytest.mark.parametrize(
    "unclear",
    ["yes?", "sure?", "right?", "yeah right", "hmm", "yes, but later", "ok and the garage too", "front door?"],
)
async def test_what_is_no_clear_yes_is_asked_about_again(stage: Stage, demo: DemoServer, unclear: str) -> None:
    agent = stage.agent(unlocking(Step(""), None))
    asked = await agent.process("unlock the front door")
    again = await agent.process(unclear, conversation_id=asked.conversation_id)
    assert again.response == ASKED
    assert again.question
    assert [p.id for p in again.pending] == [p.id for p in asked.pending]
    assert is_locked(demo)
    await agent.process("yes", conversation_id=asked.conversation_id)
    assert not is_locked(demo)


@pytest.mark.parametrize(
    ("language", "question", "yes"),
    [
        ("de", "Das entriegelt Front door. Soll ich?", "ja, mach auf"),
        ("fr", "Cela déverrouille Front door. Je le fais ?", "oui, vas-y"),
        ("es", "Eso desbloquea Front door. ¿Lo hago?", "sí, ábrela"),
        ("nl", "Dat ontgrendelt Front door. Zal ik dat doen?", "ja, doe maar open"),
        ("ko", "Front door 잠금 해제. 진행할까요?", "응 그렇게 해"),
    ],
)
async def test_it_is_asked_and_answered_in_the_persons_language(
    stage: Stage, demo: DemoServer, language: str, question: str, yes: str
) -> None:
    agent = stage.agent(unlocking(Step(""), None))
    asked = await agent.process("…", language=language)
    assert asked.response == question
    done = await agent.process(yes, conversation_id=asked.conversation_id, language=language)
    assert "unlock" not in done.response
    assert not is_locked(demo)


async def test_a_yes_in_the_language_of_the_question_counts_where_the_next_sentence_names_none(
    stage: Stage, demo: DemoServer
) -> None:
    agent = stage.agent(unlocking(Step(""), None))
    asked = await agent.process("…", language="de")
    await agent.process("ja bitte", conversation_id=asked.conversation_id)
    assert not is_locked(demo)


async def test_a_yes_answers_all_that_one_question_named(stage: Stage, demo: DemoServer) -> None:
    both = step(control("unlock", LOCK), control("open", "cover.garage_door"))
    agent = stage.agent(ScriptedBrain(both, Step(""), None))
    asked = await agent.process("let me in everywhere")
    assert asked.response == "That unlocks Front door and opens Garage door. Shall I?"
    await agent.process("yes please", conversation_id=asked.conversation_id)
    assert not is_locked(demo)
    assert demo.state("cover.garage_door")["state"] != "closed"


async def test_a_code_is_in_no_question(stage: Stage) -> None:
    agent = stage.agent(ScriptedBrain(step(control("unlock", "lock.back_door", code="1234")), Step("")))
    asked = await agent.process("unlock the back door with 1234")
    assert asked.response == "That unlocks Back door lock. Shall I?"


# --- whose yes it is


WHO: list[tuple[dict[str, Any], dict[str, Any], bool]] = [
    ({"user_id": "anna"}, {"user_id": "anna"}, True),
    ({"user_id": "anna", "device_id": "hall"}, {"user_id": "anna", "device_id": "hall"}, True),
    ({"device_id": "hall"}, {"device_id": "hall"}, True),
    ({}, {}, True),
    ({"user_id": "anna"}, {"user_id": "ben"}, False),
    ({"user_id": "anna"}, {}, False),
    ({"user_id": "anna", "device_id": "hall"}, {"user_id": "anna", "device_id": "kitchen"}, False),
    ({"device_id": "hall"}, {"device_id": "kitchen"}, False),
    ({"device_id": "hall"}, {}, False),
    ({"device_id": "hall"}, {"user_id": "ben", "device_id": "hall"}, False),
    ({}, {"user_id": "ben"}, False),
    ({}, {"device_id": "kitchen"}, False),
]


@pytest.mark.parametrize(("asks", "answers", "opens"), WHO)
async def test_only_who_was_asked_can_say_yes(
    stage: Stage, demo: DemoServer, asks: dict[str, Any], answers: dict[str, Any], opens: bool
) -> None:
    agent = stage.agent(unlocking(Step(""), None, Step("What do you mean?")))
    asked = await agent.process("unlock the front door", **asks)
    answered = await agent.process("yes", conversation_id=asked.conversation_id, **answers)
    assert is_locked(demo) != opens
    assert answered.response
    if not opens:
        (pending,) = asked.pending
        with pytest.raises(Refused):
            await agent.confirm(str(pending.number), True, **answers)
        assert is_locked(demo)


async def test_another_conversation_does_not_say_yes(stage: Stage, demo: DemoServer) -> None:
    agent = stage.agent(unlocking(Step(""), Step("To what?")))
    await agent.process("unlock the front door")
    assert (await agent.process("yes")).response == "To what?"
    assert is_locked(demo)


async def test_a_yes_is_to_no_question_of_one_whose_yes_does_not_count(stage: Stage, demo: DemoServer) -> None:
    agent = stage.agent(unlocking(Step(""), None))
    asked = await agent.process("unlock the front door", user_id="anna", may_confirm=False)
    here = {"conversation_id": asked.conversation_id, "user_id": "anna"}
    first = await agent.process("yes", **here)
    assert first.response == ASKED
    assert is_locked(demo)
    await agent.process("yes", **here)
    assert not is_locked(demo)


async def test_a_no_to_what_another_was_asked_counts(stage: Stage, demo: DemoServer) -> None:
    agent = stage.agent(unlocking(Step("")))
    asked = await agent.process("unlock the front door", may_confirm=False)
    await agent.process("no", conversation_id=asked.conversation_id)
    assert await stage.confirmations.waiting_anywhere(10) == []
    assert is_locked(demo)


# --- how long, and what for


async def test_a_yes_after_a_restart(stage: Stage, demo: DemoServer) -> None:
    asked = await stage.agent(unlocking()).process("unlock the front door")
    stage.confirmations = Confirmations(stage.engine, 90.0)
    await stage.agent(ScriptedBrain(None)).process("yes", conversation_id=asked.conversation_id)
    assert not is_locked(demo)


@pytest.mark.parametrize("answer", ["yes", "no"])
async def test_an_expired_question_is_said_to_be_gone(stage: Stage, demo: DemoServer, answer: str) -> None:
    agent = stage.agent(unlocking())
    asked = await agent.process("unlock the front door")
    past = (datetime.now(UTC) - timedelta(seconds=1)).strftime("%Y-%m-%d %H:%M:%S.%f")
    with stage.engine.begin() as connection:
        connection.execute(text("update confirmations set expires_at = :past"), {"past": past})
    told = await agent.process(answer, conversation_id=asked.conversation_id)
    assert told.response == "That request is no longer waiting."
    assert is_locked(demo)


async def test_what_is_no_longer_exposed_is_not_done_and_that_is_said(stage: Stage, demo: DemoServer) -> None:
    agent = stage.agent(unlocking(Step(""), None))
    asked = await agent.process("unlock the front door")
    demo.set_exposed(LOCK, False)
    await stage.ha.reload()
    told = await agent.process("yes", conversation_id=asked.conversation_id)
    assert told.response.startswith("That did not work")
    assert is_locked(demo)


class Deed(BaseModel):
    name: str


class Doing(Tool):
    """Runs a script that may be edited: it does ``deed`` once that very deed was said yes to, and else asks."""

    name = "do"
    description = "…"
    Params = Deed

    def __init__(self) -> None:
        self.confirmations: Confirmations | None = None
        self.deed = "unlock Front door"
        self.done: list[str] = []

    async def run(self, params: Deed, turn: Turn) -> Any:
        if turn.confirmed and self.deed in turn.approved:
            self.done.append(self.deed)
            return {}
        assert self.confirmations is not None
        action, _, name = self.deed.partition(" ")
        pending = await self.confirmations.create(
            turn,
            self.name,
            {"name": params.name},
            ["script.evening"],
            self.deed,
            consequences=[Consequence(Effect.OPENS, action, name, params.name)],
            digest=self.deed,
        )
        waits = {"id": pending.id, "description": pending.description}
        return Partial({"confirmation": waits}, ConfirmationRequired("…", confirmation_id=pending.id))


async def test_another_deed_than_was_asked_about_is_asked_about_anew(
    home_assistant: HomeAssistant, tmp_path: Path
) -> None:
    doing = Doing()
    stage = Stage(home_assistant, tmp_path, tools=[doing])
    doing.confirmations = stage.confirmations
    agent = stage.agent(ScriptedBrain(step(ToolCall("1", "do", {"name": "Evening"})), Step(""), None, None))
    asked = await agent.process("good evening")
    assert asked.response == "Evening unlocks Front door. Shall I?"
    doing.deed = "open Garage door"
    again = await agent.process("yes", conversation_id=asked.conversation_id)
    assert doing.done == []
    assert again.response == "Evening opens Garage door. Shall I?"
    done = await agent.process("yes", conversation_id=asked.conversation_id)
    assert doing.done == ["open Garage door"]
    assert done.response == "Done: Evening."
    await stage.close()


# --- numbers and lists


async def ask_for(stage: Stage, *entity_ids: str, **who: Any) -> list[Reply]:
    return [
        await stage.agent(ScriptedBrain(step(control("unlock", i)), Step(""))).process(f"unlock {i}", **who)
        for i in entity_ids
    ]


async def test_what_waits_is_numbered_listed_and_answered_by_number(stage: Stage, demo: DemoServer) -> None:
    await ask_for(stage, LOCK, "lock.front_door", user_id="anna")
    waiting = await stage.confirmations.waiting("anna", None, 10)
    assert [p.number for p in waiting] == [1, 2]
    assert await stage.confirmations.waiting("ben", None, 10) == []
    agent = stage.agent(ScriptedBrain(None))
    await agent.confirm("2", True, user_id="anna")
    assert not is_locked(demo)
    with pytest.raises(NotFound):
        await agent.confirm("2", True, user_id="anna")
    (left,) = await stage.confirmations.waiting("anna", None, 10)
    assert agent.question(left) == ASKED
    await ask_for(stage, LOCK, user_id="anna")
    assert [p.number for p in await stage.confirmations.waiting_anywhere(10)] == [1, 3]


@pytest.mark.parametrize(("ago", "number"), [(1, 3), (23 * 60 * 60, 3), (24 * 60 * 60, 1)])
async def test_numbers_begin_anew_a_day_after_all_have_expired(stage: Stage, ago: int, number: int) -> None:
    await ask_for(stage, LOCK, LOCK)
    past = (datetime.now(UTC) - timedelta(seconds=ago)).strftime("%Y-%m-%d %H:%M:%S.%f")
    with stage.engine.begin() as connection:
        connection.execute(text("update confirmations set expires_at = :past"), {"past": past})
    (fresh,) = await ask_for(stage, LOCK)
    assert [p.number for p in fresh.pending] == [number]


async def test_ten_thousand_that_wait_slow_no_turn(stage: Stage) -> None:
    (first,) = await ask_for(stage, LOCK)
    copy = (
        "with recursive n(i) as (select 2 union all select i + 1 from n where i < 10000) "
        "insert into confirmations (id, conversation_id, tool_name, parameters, targets, description, number, "
        "created_at, expires_at) select printf('%032d', i), conversation_id, tool_name, parameters, targets, "
        "description || i, i, created_at, expires_at from confirmations, n"
    )
    with stage.engine.begin() as connection:
        connection.execute(text(copy))
    agent = stage.agent(unlocking(Step(""), None))
    await agent.process("warm up, unlock the front door")
    started = time.perf_counter()
    again = await agent.process("yes", conversation_id=first.conversation_id)
    waiting = await stage.confirmations.waiting(None, None, 10)
    assert time.perf_counter() - started < 1.5
    assert again.response
    assert len(waiting) == 10
