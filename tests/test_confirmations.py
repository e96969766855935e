"""What waits for a yes: bound to one deed, to who was asked and where; used once; short-lived."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, text

from homeagent.confirmations import Confirmations, Pending
from homeagent.errors import NotFound, Refused
from homeagent.policy.verdicts import Consequence, Effect
from homeagent.turn import Turn

UNLOCK = {"action": "unlock", "entity_id": ["lock.door"], "parameters": {}}


def turn(conversation_id: str = "talk", user_id: str | None = "anna", device_id: str | None = "hall") -> Turn:
    return Turn(text="", conversation_id=conversation_id, user_id=user_id, device_id=device_id, language="de")


async def ask(
    confirmations: Confirmations,
    of: Turn | None = None,
    call: dict[str, Any] | None = None,
    *,
    tool: str = "ha_control",
    description: str = "unlock Door",
    **more: Any,
) -> Pending:
    return await confirmations.create(of or turn(), tool, call or UNLOCK, ["lock.door"], description, **more)


def let_expire(engine: Engine, pending: Pending, seconds: float = 1) -> None:
    past = (datetime.now(UTC) - timedelta(seconds=seconds)).strftime("%Y-%m-%d %H:%M:%S.%f")
    with engine.begin() as connection:
        connection.execute(
            text("update confirmations set expires_at = :past where id = :id"), {"past": past, "id": pending.id}
        )


async def test_what_is_taken_is_what_was_asked_for_to_the_last_word(confirmations):
    told = (Consequence(Effect.OPENS, "unlock", "Door", "Come in", "why"), Consequence(Effect.UNPROTECTS, "x", "y"))
    asked = await ask(confirmations, consequences=told, digest="d" * 64)
    taken = await confirmations.take(asked.id, "anna", "hall")
    assert taken == asked
    assert (taken.tool_name, dict(taken.parameters), taken.targets) == ("ha_control", UNLOCK, ("lock.door",))
    assert (taken.consequences, taken.digest, taken.description) == (told, "d" * 64, "unlock Door")
    assert (taken.conversation_id, taken.user_id, taken.device_id, taken.language) == ("talk", "anna", "hall", "de")
    assert timedelta(seconds=80) < taken.expires_at - datetime.now(UTC) <= timedelta(seconds=90)


@pytest.mark.parametrize("how", ["take", "reject"])
async def test_a_code_is_given_back_once_to_a_yes_alone(confirmations, how):
    call = {**UNLOCK, "parameters": {"code": "1234"}}
    asked = await ask(confirmations, call=call)
    answered = await getattr(confirmations, how)(str(asked.number), "anna", "hall")
    assert (answered.parameters == call) == (how == "take")


async def test_a_code_of_one_is_no_code_of_another(confirmations):
    first = await ask(confirmations, call={**UNLOCK, "parameters": {"code": "1234"}})
    second = await ask(confirmations, call={**UNLOCK, "parameters": {"code": "9876"}}, description="unlock Shed")
    assert (await confirmations.take(second.id, "anna", "hall")).parameters["parameters"] == {"code": "9876"}
    assert (await confirmations.take(first.id, "anna", "hall")).parameters["parameters"] == {"code": "1234"}


@pytest.mark.parametrize(
    ("user_id", "device_id"), [("ben", "hall"), ("anna", "kitchen"), (None, "hall"), ("anna", None)]
)
@pytest.mark.parametrize("by", ["id", "number"])
@pytest.mark.parametrize("how", ["take", "reject"])
async def test_only_who_was_asked_answers_and_a_refusal_uses_nothing_up(confirmations, user_id, device_id, by, how):
    asked = await ask(confirmations)
    with pytest.raises(Refused, match="somebody else"):
        await getattr(confirmations, how)(str(getattr(asked, by)), user_id, device_id)
    assert (await confirmations.take(asked.id, "anna", "hall")).id == asked.id


async def test_an_unknown_speaker_answers_what_an_unknown_speaker_was_asked(confirmations):
    asked = await ask(confirmations, turn(user_id=None, device_id=None))
    with pytest.raises(Refused):
        await confirmations.take(asked.id, "anna", None)
    assert (await confirmations.take(asked.id)).id == asked.id


async def test_it_is_used_once_whichever_the_answer(confirmations):
    for first in ("take", "reject"):
        for second in ("take", "reject"):
            asked = await ask(confirmations)
            await getattr(confirmations, first)(asked.id, "anna", "hall")
            with pytest.raises(NotFound, match="already answered"):
                await getattr(confirmations, second)(asked.id, "anna", "hall")


async def test_what_has_expired_is_gone_by_id_and_by_number(confirmations, engine):
    asked = await ask(confirmations)
    let_expire(engine, asked)
    for name in (asked.id, str(asked.number)):
        with pytest.raises(NotFound):
            await confirmations.take(name, "anna", "hall")
    assert await confirmations.open("talk") == []
    assert await confirmations.waiting("anna", "hall", 10) == []
    assert await confirmations.waiting_anywhere(10) == []


async def test_an_expired_code_is_kept_nowhere(confirmations, engine):
    gone = Confirmations(engine, -1.0)
    await ask(gone, call={**UNLOCK, "parameters": {"code": "1234"}})
    await ask(gone, call={**UNLOCK, "parameters": {"code": "9876"}}, description="unlock Shed")
    assert "1234" not in repr(vars(gone))


async def test_the_same_call_again_takes_the_place_of_the_first(confirmations):
    first = await ask(confirmations)
    again = await ask(confirmations)
    assert [one.id for one in await confirmations.open("talk")] == [again.id]
    with pytest.raises(NotFound):
        await confirmations.take(first.id, "anna", "hall")


@pytest.mark.parametrize(
    "other",
    [
        {"of": turn("other")},
        {"of": turn(user_id="ben")},
        {"of": turn(user_id=None)},
        {"of": turn(device_id="kitchen")},
        {"of": turn(device_id=None)},
        {"tool": "forget_memory"},
        {"description": "unlock Shed"},
        {"call": {**UNLOCK, "entity_id": ["lock.shed"]}},
    ],
    ids=["conversation", "user", "nobody", "device", "no device", "tool", "description", "call"],
)
async def test_another_call_or_another_asker_takes_nobodys_place(confirmations, other):
    first = await ask(confirmations)
    await ask(confirmations, **other)
    assert first.id in {one.id for one in await confirmations.waiting_anywhere(10)}
    assert (await confirmations.take(first.id, "anna", "hall")).id == first.id


async def test_a_decided_one_is_not_replaced(confirmations):
    first = await ask(confirmations)
    await confirmations.take(first.id, "anna", "hall")
    await ask(confirmations)
    with pytest.raises(NotFound, match="already answered"):
        await confirmations.take(first.id, "anna", "hall")


async def test_a_conversation_has_its_own_and_of_these_those_that_are_named(confirmations):
    one, two = await ask(confirmations), await ask(confirmations, description="unlock Shed")
    await ask(confirmations, turn("other"))
    assert [p.id for p in await confirmations.open("talk")] == [one.id, two.id]
    assert [p.id for p in await confirmations.open("talk", [two.id])] == [two.id]
    assert await confirmations.open("talk", []) == []
    assert await confirmations.open("other", [two.id]) == []


async def test_a_list_shows_the_newest_oldest_first(confirmations):
    asked = [await ask(confirmations, description=f"unlock {i}") for i in range(4)]
    ids = [one.id for one in asked]
    assert [one.id for one in await confirmations.waiting("anna", "hall", 2)] == ids[-2:]
    assert [one.id for one in await confirmations.waiting_anywhere(3)] == ids[-3:]
    assert await confirmations.waiting("anna", "kitchen", 9) == []
    assert await confirmations.waiting(None, "hall", 9) == []


async def test_one_is_found_however_many_came_after_it_and_all_are_counted(confirmations, engine):
    asked = [await ask(confirmations, description=f"unlock {i}") for i in range(4)]
    assert await confirmations.waiting_one(asked[0].id) == asked[0]
    assert await confirmations.count_waiting() == 4
    let_expire(engine, asked[1])
    await confirmations.take(asked[2].id, "anna", "hall")
    assert await confirmations.waiting_one(asked[1].id) is await confirmations.waiting_one(asked[2].id) is None
    assert await confirmations.waiting_one("nothing") is None
    assert await confirmations.count_waiting() == 2


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Midway"])
async def test_the_machines_time_zone_makes_nothing_last_longer_or_shorter(confirmations, engine, monkeypatch, zone):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        await ask(confirmations)
        again = await ask(confirmations)
        assert [one.id for one in await confirmations.open("talk")] == [again.id]
        assert (await ask(confirmations, description="unlock Shed")).number == 3  # asked again, it had got a new one
        let_expire(engine, again)
        with pytest.raises(NotFound):
            await confirmations.take(again.id, "anna", "hall")
        assert [one.description for one in await confirmations.waiting_anywhere(9)] == ["unlock Shed"]
    finally:
        monkeypatch.undo()
        time.tzset()


# --- numbers


async def test_a_number_is_given_once_while_any_of_it_lasts(confirmations, engine):
    first, second = await ask(confirmations), await ask(confirmations, description="unlock Shed")
    assert (first.number, second.number) == (1, 2)
    await confirmations.take("1", "anna", "hall")
    assert (await ask(confirmations, description="unlock Barn")).number == 3
    let_expire(engine, second)
    assert (await ask(confirmations, description="unlock Attic")).number == 4


async def test_a_number_means_the_newest_of_that_number_that_waits_for_this_speaker(confirmations, engine):
    mine = await ask(confirmations)
    theirs = await ask(confirmations, turn(user_id="ben"))
    with engine.begin() as connection:
        connection.execute(text("update confirmations set number = 1"))
    assert (await confirmations.take("1", "anna", "hall")).id == mine.id
    assert (await confirmations.take("1", "ben", "hall")).id == theirs.id
    old = await ask(confirmations, description="unlock Shed")
    new = await ask(confirmations, description="unlock Barn")
    with engine.begin() as connection:
        connection.execute(text("update confirmations set number = 7 where id in (:a, :b)"), {"a": old.id, "b": new.id})
    assert (await confirmations.take("7", "anna", "hall")).id == new.id


@pytest.mark.parametrize("name", ["", "0", "2", "-1", "１", "1" * 10, "1" * 40, "1.0", "x"])
async def test_what_is_no_number_of_one_is_unknown(confirmations, name):
    await ask(confirmations)
    with pytest.raises(NotFound):
        await confirmations.take(name, "anna", "hall")


async def test_a_number_of_nine_digits_is_one(confirmations, engine):
    asked = await ask(confirmations)
    with engine.begin() as connection:
        connection.execute(text("update confirmations set number = 999999999"))
    assert (await confirmations.take("999999999", "anna", "hall")).id == asked.id


async def test_a_row_from_before_numbers_goes_by_its_speaker_and_is_approved_for_nothing(confirmations, engine):
    asked = await ask(confirmations, digest="d")
    with engine.begin() as connection:
        connection.execute(
            text("update confirmations set number = null, device_id = null, digest = null, consequences = null")
        )
    with pytest.raises(Refused):
        await confirmations.take(asked.id, "ben", "hall")
    taken = await confirmations.take(asked.id, "anna", "hall")
    assert (taken.digest, taken.consequences, taken.number) == ("", (), None)


async def test_decided_and_expired_ones_stay_for_a_month(confirmations, engine):
    old, kept = await ask(confirmations), await ask(confirmations, description="unlock Shed")
    let_expire(engine, old, timedelta(days=31).total_seconds())
    let_expire(engine, kept, timedelta(days=29).total_seconds())
    await ask(confirmations, description="unlock Barn")
    with engine.connect() as connection:
        left = set(connection.execute(text("select id from confirmations")).scalars())
    assert old.id not in left
    assert kept.id in left


async def test_what_was_answered_can_be_seen_in_the_database(confirmations, engine):
    yes, no = await ask(confirmations), await ask(confirmations, description="unlock Shed")
    await confirmations.take(yes.id, "anna", "hall")
    await confirmations.reject(no.id, "anna", "hall")
    with engine.connect() as connection:
        rows = connection.execute(text("select id, approved, decided_at, turn_id from confirmations")).all()
    assert {row.id: row.approved for row in rows} == {yes.id: 1, no.id: 0}
    assert all(row.decided_at and row.turn_id for row in rows)


# --- answers from elsewhere


async def test_a_channel_answers_for_whoever_was_asked_once(confirmations):
    waiting = await ask(confirmations)
    taken = await confirmations.answer_from("telegram:5", waiting.id, approved=True)
    assert (taken.user_id, taken.device_id) == ("anna", "hall")
    assert await confirmations.outcome(waiting.id) == "approved"
    with pytest.raises(NotFound):
        await confirmations.answer_from("telegram:5", waiting.id, approved=True)
    with pytest.raises(NotFound):
        await confirmations.take(waiting.id, "anna", "hall")


async def test_a_channel_cannot_answer_by_number_or_after_the_time(confirmations, engine):
    waiting = await ask(confirmations)
    for unknown in (str(waiting.number), "", "0"):
        with pytest.raises(NotFound):
            await confirmations.answer_from("telegram:5", unknown, approved=True)
    assert await confirmations.outcome(waiting.id) is None
    let_expire(engine, waiting)
    with pytest.raises(NotFound, match="expired"):
        await confirmations.answer_from("telegram:5", waiting.id, approved=True)
    assert await confirmations.outcome(waiting.id) == "expired"


async def test_what_nobody_answered_is_given_out_once_and_not_after_hours(confirmations, engine):
    late, old, there = [await ask(confirmations, description=name) for name in ("late", "old", "there")]
    let_expire(engine, late)
    let_expire(engine, old, 3700)
    assert [one.id for one in await confirmations.time_out()] == [late.id]
    assert await confirmations.time_out() == []
    assert await confirmations.outcome(there.id) is None
    assert await confirmations.outcome("unknown") == "gone"


async def test_whoever_listens_hears_of_each_question_and_answer(confirmations):
    heard: list[str] = []
    confirmations.listen(lambda: heard.append("x"))
    waiting = await ask(confirmations)
    assert len(heard) == 1
    await confirmations.reject(waiting.id, "anna", "hall")
    assert len(heard) == 2
    assert await confirmations.outcome(waiting.id) == "rejected"
