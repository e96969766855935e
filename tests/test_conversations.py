"""Conversations as they are kept and taken up again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine

from homeagent.confirmations import Confirmations
from homeagent.conversations import Answer, Conversations
from homeagent.prompting.prompt import history_messages
from homeagent.turn import Role, Round, Step, ToolCall, ToolResult, Turn
from homeagent.turns.question_back import QuestionBack, QuestionKind
from homeagent.understanding.request import Act, Request


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 11, 28, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, **span: float) -> None:
        self.now += timedelta(**span)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def kept(engine: Engine, clock: Clock) -> Conversations:
    return Conversations(engine, clock=clock)


def turn(text: str = "hello", talk: str = "talk", user: str | None = None, **more: object) -> Turn:
    return Turn(text, conversation_id=talk, user_id=user, **more)  # type: ignore[arg-type]


def acting(*entity_ids: str, success: bool = True) -> Turn:
    calls = tuple(ToolCall(f"c{n}", "ha_control", {"entity_id": e}) for n, e in enumerate(entity_ids))
    results = tuple(ToolResult(success, {"targets": [{"entity_id": e}]}) for e in entity_ids)
    return turn("act", rounds=[Round(Step(tool_calls=calls), results)])


async def test_a_turn_comes_back_whole_after_a_restart(kept: Conversations, engine: Engine, clock: Clock) -> None:
    done = acting("light.a", "light.b")
    asked = Request(Act.CONTROL, action="turn_on", parameters={"brightness": 40})
    done.question = QuestionBack(QuestionKind.WHICH, ("light.a",), asked, ("c1",), unheard=True)
    assert await kept.save(done, Answer("On.", "local")) == 5
    (past,) = await Conversations(engine, clock=clock).recent("talk", 10)
    assert (past.text, past.answer, past.turn_id) == ("act", "On.", done.turn_id)
    assert past.targets == ("light.a", "light.b")
    assert [c.parameters for c in past.calls] == [{"entity_id": "light.a"}, {"entity_id": "light.b"}]
    assert past.question == done.question
    assert [m.role for m in past.messages] == [Role.USER, Role.ASSISTANT, Role.TOOL, Role.TOOL, Role.ASSISTANT]


async def test_a_failed_call_is_told_but_is_no_deed(kept: Conversations) -> None:
    await kept.save(acting("light.a", success=False), Answer("No.", "local"))
    (past,) = await kept.recent("talk", 10)
    assert past.calls == ()
    assert past.targets == ("light.a",)


@pytest.mark.parametrize(("limit", "read"), [(0, 4), (1, 4), (4, 4), (5, 5), (10, 10)])
async def test_turns_keep_their_order_and_the_newest_are_always_read(
    kept: Conversations, limit: int, read: int
) -> None:
    for n in range(12):
        await kept.save(turn(f"s{n}"), Answer(f"a{n}", "llm"))
        past = await kept.recent("talk", limit)
        assert [p.text for p in past] == [f"s{i}" for i in range(n + 1)][-read:]
        assert [p.number for p in past] == [i + 1 for i in range(n + 1)][-read:]


async def test_messages_pair_calls_and_results_whatever_ids_they_had(kept: Conversations) -> None:
    for _ in range(3):
        await kept.save(acting("light.a", "light.b"), Answer("On.", "llm"))
    messages = history_messages(await kept.recent("talk", 10))
    asked = [c["id"] for m in messages for c in m.get("tool_calls", ())]
    answered = [m["tool_call_id"] for m in messages if m["role"] == "tool"]
    assert asked == answered
    assert len(set(asked)) == 6
    assert all(len(i) == 9 and i.isalnum() for i in asked)


async def test_after_a_long_silence_a_sentence_starts_afresh(kept: Conversations, clock: Clock) -> None:
    await kept.save(turn("before"), Answer("a", "llm"))
    clock.pass_by(minutes=29)
    assert len(await kept.recent("talk", 10)) == 1
    clock.pass_by(minutes=2)
    assert await kept.recent("talk", 10) == ()
    await kept.save(turn("after"), Answer("b", "llm"))
    assert [p.text for p in await kept.recent("talk", 10)] == ["after"]


async def test_a_conversation_is_continued_by_its_own_user_only(kept: Conversations) -> None:
    await kept.save(turn(user="ann"), Answer("a", "llm"))
    assert await kept.resume("talk", "ann") == "talk"
    assert await kept.resume("talk", "bob") != "talk"
    assert await kept.resume("talk", None) != "talk"
    assert await kept.resume("new", "bob") == "new"
    assert await kept.resume(None, "bob") != await kept.resume(None, "bob")


async def test_clearing_one_or_all_tells_how_many(kept: Conversations) -> None:
    for talk in ("one", "two", "three"):
        await kept.save(turn(talk=talk), Answer("a", "llm"))
    assert await kept.clear("one") == 1
    assert await kept.clear("one") == 0
    assert await kept.recent("one", 10) == ()
    assert await kept.clear() == 2


async def test_what_was_asked_goes_with_its_conversation(kept: Conversations, engine: Engine) -> None:
    confirmations = Confirmations(engine, 90.0)
    for talk in ("one", "two"):
        asking = turn(talk=talk)
        await confirmations.create(asking, "ha_control", {}, ["lock.door"], "unlock the front door")
        await kept.save(asking, Answer("Unlock the front door?", "local"))
    await kept.clear("one")
    assert await confirmations.open("one") == []
    assert len(await confirmations.open("two")) == 1


async def test_old_conversations_expire(kept: Conversations, clock: Clock) -> None:
    await kept.save(turn(talk="old"), Answer("a", "llm"))
    clock.pass_by(days=29)
    await kept.save(turn(talk="young"), Answer("a", "llm"))
    clock.pass_by(days=2)
    assert await kept.expire() == 1
    assert await kept.clear() == 1
