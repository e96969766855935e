"""Answers that are none: replayed, from elsewhere, changed, late. None acts twice, or for somebody else."""

from __future__ import annotations

import logging

import pytest

from homeagent.channels.channel import Target
from homeagent.cli.policy import as_rows
from homeagent.logs import MaskingFormatter
from homeagent.turn import Step
from tests.channels.people import (
    CHAT,
    OTHER_CHAT,
    PHONE,
    STRANGE_CHAT,
    TABLET,
    Device,
    People,
    settled,
    unlocking,
    until,
)
from tests.telegram_server import TOKEN

DONE = Step("Front door is unlocked.")


@pytest.fixture
def others(people: People) -> Device:
    """Ben has a tablet and a chat, too; Anna is asked on the phone and in the first chat."""
    people.phones = (Target(PHONE, frozenset({"anna"})), Target(TABLET, frozenset({"ben"})))
    people.chats = (Target(str(CHAT), frozenset({"anna"})), Target(str(OTHER_CHAT), frozenset({"ben"})))
    return Device(people.demo, TABLET)


async def test_a_replayed_callback_does_nothing_more(people: People) -> None:
    async with people.running(*unlocking(DONE)) as running:
        await running.ask()
        await running.asked_everywhere()
        data = people.chat.buttons["Yes"]
        people.telegram.press(people.chat, "Yes")
        await until(lambda: people.chat.text.endswith("unlocked."))
        await running.agent._confirmations.waiting_anywhere(5)
        people.demo.set_state("lock.front_door", "locked")
        people.telegram.send_callback(CHAT, data)
        people.telegram.send_callback(CHAT, data)
        await until(lambda: len(people.telegram.acknowledged) == 3)
        assert people.locked
        assert people.times_unlocked() == 1
        assert people.telegram.acknowledged[1:] == ["That request is no longer waiting."] * 2
        assert {one["reason"] for one in await running.refusals()} == {"unknown_question"}


async def test_a_replayed_press_on_the_phone_does_nothing_more(people: People) -> None:
    async with people.running(*unlocking(DONE)) as running:
        await running.ask()
        await running.asked_everywhere()
        action = people.phone.buttons["Yes"]
        people.phone.press("Yes")
        await until(lambda: not people.locked)
        people.demo.set_state("lock.front_door", "locked")
        people.phone.fire(action)
        await settled()
        assert people.locked
        assert people.times_unlocked() == 1


async def test_another_chats_callback_counts_for_nothing(people: People, others: Device) -> None:
    async with people.running(*unlocking()) as running:
        await running.ask("anna")
        await running.asked_everywhere()
        people.telegram.send_callback(OTHER_CHAT, people.chat.buttons["Yes"])
        await until(lambda: people.telegram.acknowledged)
        assert people.telegram.acknowledged == ["That request is no longer waiting."]
        assert people.locked
        assert people.chat.buttons
        (refused,) = await running.refusals()
        assert (refused["reason"], refused["target"]) == ("asked_elsewhere", str(OTHER_CHAT))


async def test_strange_chats_are_ignored_and_noted_once(people: People) -> None:
    async with people.running(*unlocking()) as running:
        await running.ask()
        await running.asked_everywhere()
        for _ in range(50):
            people.telegram.send_callback(STRANGE_CHAT, people.chat.buttons["Yes"])
            people.telegram.write(STRANGE_CHAT, "unlock the front door")
        for strange in range(10_000, 10_100):
            people.telegram.write(strange, "yes")
        await until(lambda: not people.telegram.updates)
        await settled()
        assert people.locked
        assert people.telegram.acknowledged == []
        assert len(people.telegram.messages) == 1
        refused = await running.refusals()
        assert len(refused) == 50
        noted = {"channel": "telegram", "reason": "unknown_chat", "chat": str(STRANGE_CHAT), "sender": "77"}
        assert refused.count(noted) == 1


async def test_the_owner_finds_the_number_of_a_chat_in_the_audit_log(people: People) -> None:
    async with people.running(*unlocking(DONE)) as running:
        people.telegram.write(STRANGE_CHAT, "hello")
        await until(lambda: not people.telegram.updates)
        await running.ask()
        await running.asked_everywhere()
        people.phone.press("Yes")
        await until(lambda: people.phone.text == "Front door is unlocked.")
        rows = [row for entry in await running.audit.entries(10) for row in as_rows(entry)]
    assert rows[-1][2:4] == (f"channel telegram, reason unknown_chat, chat {STRANGE_CHAT}, sender 77", "answer_refused")
    assert rows[0][5] == f"confirm (yes by phone:{PHONE})"


async def test_a_sentence_in_a_chat_is_no_answer(people: People) -> None:
    async with people.running(*unlocking()) as running:
        await running.ask()
        await running.asked_everywhere()
        people.telegram.write(CHAT, "yes")
        await until(lambda: not people.telegram.updates)
        await settled()
        assert people.locked


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[:-1] + ("A" if data[-1] != "A" else "B"),
        lambda data: data[:2],
        lambda data: data + "A",
        lambda data: data.upper(),
        lambda data: data[2:],
        lambda data: "x:" + data[2:],
        lambda data: "y:%",
        lambda data: None,
        lambda data: {"a": 1},
    ],
)
async def test_a_changed_id_counts_for_nothing(people: People, change: object) -> None:
    async with people.running(*unlocking()) as running:
        await running.ask()
        await running.asked_everywhere()
        people.telegram.send_callback(CHAT, change(people.chat.buttons["Yes"]))  # type: ignore[operator]
        action = people.phone.buttons["Yes"]
        people.phone.fire(
            action[: len("HOMEAGENT_YES_")] + str(change("y:" + action[len("HOMEAGENT_YES_") :]))[2:] + "~"
        )  # type: ignore[operator]
        people.phone.fire(change(action))  # type: ignore[operator]
        await settled()
        assert people.locked
        assert people.chat.buttons


async def test_the_number_or_id_of_a_confirmation_opens_nothing_from_outside(people: People) -> None:
    async with people.running(*unlocking()) as running:
        asked = await running.ask()
        await running.asked_everywhere()
        for known in (asked.pending[0].id, str(asked.pending[0].number), asked.turn_id):
            people.telegram.send_callback(CHAT, f"y:{known}")
            people.phone.fire(f"HOMEAGENT_YES_{known}")
        await settled()
        assert people.locked


async def test_what_was_sent_to_one_place_is_not_answered_from_another_channel(people: People) -> None:
    async with people.running(*unlocking()) as running:
        await running.ask()
        await running.asked_everywhere()
        chat, phone = people.chat.buttons["Yes"], people.phone.buttons["Yes"]
        people.phone.fire("HOMEAGENT_YES_" + chat[2:])
        people.telegram.send_callback(CHAT, "y:" + phone.removeprefix("HOMEAGENT_YES_"))
        await until(lambda: people.telegram.acknowledged)
        await settled()
        assert people.locked
        assert [one["reason"] for one in await running.refusals()] == ["asked_elsewhere"] * 2


async def test_each_target_has_a_key_of_its_own_and_none_is_kept(people: People) -> None:
    people.phones = (Target(PHONE), Target(TABLET))
    tablet = Device(people.demo, TABLET)
    async with people.running(*unlocking()) as running:
        await running.ask()
        await running.asked_everywhere()
        await until(lambda: tablet.buttons)
        keys = {
            people.chat.buttons["Yes"].removeprefix("y:"),
            *(device.buttons["Yes"].removeprefix("HOMEAGENT_YES_") for device in (people.phone, tablet)),
        }
        assert len(keys) == 3
        assert all(len(key) >= 32 for key in keys)
        with running.stage.engine.connect() as connection:
            kept = repr(connection.exec_driver_sql("SELECT * FROM sent_questions").all())
            kept += repr(connection.exec_driver_sql("SELECT * FROM confirmations").all())
        assert not [key for key in keys if key in kept]


async def test_it_does_not_count_after_its_time_even_where_nobody_has_told_yet(people: People) -> None:
    async with people.running(*unlocking()) as running:
        await running.ask()
        await running.asked_everywhere()
        chat = people.chat.buttons["Yes"]
        await running.asking.stop()
        running.let_time_run_out(0.0)
    people.telegram.send_callback(CHAT, chat)
    async with people.running() as running:
        await until(lambda: people.telegram.acknowledged)
        assert people.telegram.acknowledged == ["That request is no longer waiting."]
        await settled()
        assert people.locked


async def test_whoever_is_not_asked_any_more_cannot_answer(people: People, others: Device) -> None:
    async with people.running(*unlocking()) as running:
        await running.ask("anna")
        await running.asked_everywhere()
    data, action = people.chat.buttons["Yes"], people.phone.buttons["Yes"]
    people.telegram.send_callback(CHAT, data)
    people.phones = (Target(PHONE, frozenset({"ben"})),)
    people.chats = (Target(str(CHAT), frozenset({"ben"})),)
    async with people.running() as running:
        people.phone.fire(action)
        await until(lambda: people.telegram.acknowledged)
        await until(lambda: not people.phone.shown)
        await until(lambda: not people.chat.buttons)
        assert people.locked
        assert await running.stage.confirmations.waiting("anna", None, 5)


async def test_an_answer_counts_as_the_one_who_was_asked(people: People, others: Device) -> None:
    async with people.running(*unlocking(DONE)) as running:
        asked = await running.ask("anna")
        await running.asked_everywhere()
        assert others.shown == {}
        people.phone.press("Yes")
        await until(lambda: not people.locked)
        await until(lambda: people.phone.text == "Front door is unlocked.")
        done = (await running.audit.entries(1))[0]
        assert done["user_id"] == "anna"
        assert done["conversation_id"] == asked.conversation_id


async def test_events_of_other_apps_and_of_no_shape_are_left_alone(people: People) -> None:
    async with people.running(*unlocking(DONE)) as running:
        await running.ask()
        await running.asked_everywhere()
        for action in ("SILENCE_ALARM", "", None, 5, ["HOMEAGENT_YES_"], "HOMEAGENT_YES_", "HOMEAGENT_YES"):
            people.phone.fire(action)
        await settled()
        assert people.locked
        assert len(await running.refusals()) == 1  # of what began like ours
        people.phone.press("Yes")
        await until(lambda: not people.locked)


@pytest.mark.parametrize(
    "answer",
    [{"ok": True, "result": [1, None, {"update_id": "x"}, {"update_id": 3, "callback_query": []}]}, {"ok": True}, {}],
)
async def test_answers_of_any_shape_from_telegram_are_survived(people: People, answer: dict[str, object]) -> None:
    async with people.running(*unlocking(DONE)) as running:
        people.telegram.answer = answer
        await settled(0.2)
        people.telegram.answer = None
        await running.ask()
        await until(lambda: people.phone.buttons)
        assert running.asking


async def test_a_wrong_token_ends_the_listening_and_nothing_else(
    people: People, caplog: pytest.LogCaptureFixture
) -> None:
    people.token = "123456789:AAHfiqksKZ8WmR2zSjiQ7-wrong-wrong"
    async with people.running(*unlocking()) as running:
        await running.ask()
        await until(lambda: people.phone.buttons)
        await until(lambda: "does not accept the token" in caplog.text)
        polls = people.telegram.polls
        await settled()
        assert people.telegram.polls == polls


async def test_the_token_is_never_logged_or_told(people: People, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    formatter = MaskingFormatter("%(message)s")
    people.telegram.answer = {"ok": False, "error_code": 500, "description": f"no /bot{TOKEN}/getUpdates"}
    async with people.running(*unlocking()) as running:
        await running.ask()
        await until(lambda: people.phone.buttons)
        await until(lambda: "Telegram" in caplog.text)
    people.telegram.url = "http://127.0.0.1:9"
    async with people.running():
        await settled()
    ours = [record for record in caplog.records if record.name.startswith("homeagent")]
    assert not [record for record in ours if TOKEN in record.getMessage()]
    lines = [formatter.format(record) for record in caplog.records]
    assert any("Telegram cannot be reached" in line for line in lines)
    assert not [line for line in lines if TOKEN in line or TOKEN.partition(":")[2] in line]
