"""A yes where people are: on the phone, in a chat, in the conversation; the first answer counts, the rest are told."""

from __future__ import annotations

import asyncio

import pytest

from homeagent.channels.asking import MOST_AT_ONCE
from homeagent.channels.channel import Target
from homeagent.channels.sent_questions import Sent, SentQuestions
from homeagent.errors import NotFound
from homeagent.turn import Step
from tests.channels.people import ASKED, CHAT, PHONE, TABLET, Device, People, settled, unlocking, until
from tests.turning import control, step

pytestmark = pytest.mark.dear

DONE = Step("Front door is unlocked.")


async def test_a_yes_on_the_phone_opens_and_the_chat_is_told(people: People) -> None:
    async with people.running(*unlocking(DONE)) as running:
        asked = await running.ask()
        await running.asked_everywhere()
        assert people.phone.text == people.chat.text == asked.response == ASKED
        assert people.locked
        people.phone.press("Yes")
        await until(lambda: not people.locked)
        await until(lambda: people.phone.text == "Front door is unlocked.")
        await until(lambda: not people.chat.buttons)
        assert people.chat.text == f"{ASKED}\n\nAnswered elsewhere: yes."
        assert people.phone.buttons == {}
        kept = running.answers(asked.conversation_id)
        assert kept[-1] == "Front door is unlocked."
        told = (await running.audit.entries(1))[0]
        assert (told["approved"], told["answered_on"]) == (True, f"phone:{PHONE}")


async def test_a_yes_in_the_chat_opens_and_the_phone_is_told(people: People) -> None:
    async with people.running(*unlocking(DONE)) as running:
        await running.ask()
        await running.asked_everywhere()
        people.telegram.press(people.chat, "Yes")
        await until(lambda: not people.locked)
        await until(lambda: people.chat.text == f"{ASKED}\n\nFront door is unlocked.")
        await until(lambda: people.phone.text == "Answered elsewhere: yes.")
        await until(lambda: people.telegram.acknowledged == ["Front door is unlocked."])
        assert people.chat.buttons == people.phone.buttons == {}
        assert (await running.audit.entries(1))[0]["answered_on"] == f"telegram:{CHAT}"


async def test_a_yes_that_is_said_is_told_on_both(people: People) -> None:
    async with people.running(*unlocking(DONE)) as running:
        asked = await running.ask()
        await running.asked_everywhere()
        await running.agent.process("yes", conversation_id=asked.conversation_id)
        assert not people.locked
        await until(lambda: people.phone.text == "Answered elsewhere: yes.")
        await until(lambda: people.chat.text.endswith("Answered elsewhere: yes."))


@pytest.mark.parametrize("where", ["phone", "chat", "said"])
async def test_a_no_leaves_it_and_is_told(people: People, where: str) -> None:
    async with people.running(*unlocking()) as running:
        asked = await running.ask()
        await running.asked_everywhere()
        if where == "phone":
            people.phone.press("No")
        elif where == "chat":
            people.telegram.press(people.chat, "No")
        else:
            await running.agent.process("no", conversation_id=asked.conversation_id)
        elsewhere, here = "Answered elsewhere: no.", "All right, I leave it."
        await until(lambda: people.phone.text == (here if where == "phone" else elsewhere))
        await until(lambda: people.chat.text.endswith(here if where == "chat" else elsewhere))
        assert people.locked
        with pytest.raises(NotFound):
            await running.agent.confirm(asked.pending[0].id, True)


async def test_an_answer_that_is_quicker_than_the_note_of_its_message_is_told_there(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = SentQuestions.is_sent

    async def slowly(self: SentQuestions, sent: Sent, message: str) -> None:
        await asyncio.sleep(1.0)
        await noted(self, sent, message)

    monkeypatch.setattr(SentQuestions, "is_sent", slowly)
    async with people.running(*unlocking(DONE)) as running:
        await running.ask()
        await running.asked_everywhere()
        people.telegram.press(people.chat, "Yes")
        await until(lambda: not people.locked)
        await until(lambda: people.chat.text == f"{ASKED}\n\nFront door is unlocked.")
        assert people.chat.buttons == {}


async def test_two_answers_at_once_do_it_once(people: People) -> None:
    async with people.running(*unlocking(DONE, DONE)) as running:
        await running.ask()
        await running.asked_everywhere()
        people.telegram.press(people.chat, "Yes")
        people.telegram.press(people.chat, "Yes")
        people.phone.fire(people.phone.buttons["Yes"])
        people.phone.fire(people.phone.buttons["Yes"])
        await until(lambda: not people.locked)
        await until(lambda: len(people.telegram.acknowledged) == 2)
        await settled()
        assert people.times_unlocked() == 1


async def test_nobody_answers_in_time(people: People) -> None:
    async with people.running(*unlocking(Step("What?"))) as running:
        asked = await running.ask()
        await running.asked_everywhere()
        chat, phone = people.chat.buttons["Yes"], people.phone.buttons["Yes"]
        running.let_time_run_out()
        await until(lambda: not people.phone.shown)
        await until(lambda: people.chat.text == f"{ASKED}\n\nNobody answered in time, so I left it.")
        people.telegram.send_callback(CHAT, chat)
        people.phone.fire(phone)
        await until(lambda: people.telegram.acknowledged)
        await settled()
        assert people.locked
        kept = running.answers(asked.conversation_id)
        assert kept == [ASKED, "Nobody answered in time, so I left it."]
        late = await running.agent.process("yes", conversation_id=asked.conversation_id)
        assert late.response == "That request is no longer waiting."


async def test_the_time_of_one_question_takes_no_yes_from_another(people: People) -> None:
    garage = [step(control("open", "cover.garage_door")), Step("")]
    async with people.running(*unlocking(*garage, Step("It is open."))) as running:
        asked = await running.ask()
        await running.asked_everywhere()
        running.let_time_run_out()
        await running.agent.process("open the garage", conversation_id=asked.conversation_id)
        await until(lambda: people.telegram.in_chat(CHAT)[0].text.endswith("left it."))
        said = await running.agent.process("yes", conversation_id=asked.conversation_id)
        assert said.response == "It is open."
        assert people.locked


async def test_what_was_asked_for_again_stands_once(people: People) -> None:
    async with people.running(*unlocking(*unlocking())) as running:
        asked = await running.ask()
        await running.asked_everywhere()
        old = people.chat
        await running.ask(conversation_id=asked.conversation_id)
        await until(lambda: len(people.phone.heard) == 2 and len(people.phone.shown) == 1)
        await until(lambda: old.text == f"{ASKED}\n\nThis question no longer stands.")
        await until(lambda: people.chat is not old and people.chat.buttons)


async def test_another_deed_than_was_asked_about_is_asked_about_there_anew(people: People) -> None:
    async with people.running(*unlocking(Step("")), None) as running:
        asked = await running.ask()
        await running.asked_everywhere()
        with running.stage.engine.begin() as connection:
            connection.exec_driver_sql("UPDATE confirmations SET digest = 'another'")
        people.phone.press("Yes")
        await until(lambda: people.phone.buttons)
        await settled()
        assert people.locked
        people.phone.press("Yes")
        await until(lambda: not people.locked)
        assert asked.pending


@pytest.mark.parametrize(
    ("language", "title", "yes", "no", "elsewhere"),
    [
        ("en", "A yes is needed", "Yes", "No", "Answered elsewhere: yes."),
        ("de", "Ein Ja wird gebraucht", "Ja", "Nein", "Anderswo beantwortet: ja."),
        ("fr", "Il faut un oui", "Oui", "Non", "Répondu ailleurs : oui."),
        ("es", "Se necesita un sí", "Sí", "No", "Respondido en otro lugar: sí."),
        ("nl", "Er is een ja nodig", "Ja", "Nee", "Elders beantwoord: ja."),
        ("ko", "동의가 필요합니다", "예", "아니요", "다른 곳에서 답함: 예."),
    ],
)
async def test_it_is_asked_in_the_language_that_it_came_up_in(
    people: People, language: str, title: str, yes: str, no: str, elsewhere: str
) -> None:
    async with people.running(*unlocking(Step("…"))) as running:
        asked = await running.agent.process("…", language=language)
        await running.asked_everywhere()
        assert people.phone.text == people.chat.text == asked.response
        assert people.phone.asking["title"] == title
        assert list(people.phone.buttons) == list(people.chat.buttons) == [yes, no]
        people.phone.press(yes)
        await until(lambda: people.chat.text.endswith(elsewhere))
        assert not people.locked


async def test_a_target_may_have_a_language_of_its_own(people: People) -> None:
    people.phones = (Target(PHONE, language="de"),)
    async with people.running(*unlocking()) as running:
        await running.ask()
        await running.asked_everywhere()
        assert people.phone.text == "Das entriegelt Front door. Soll ich?"
        assert people.chat.text == ASKED


async def test_each_is_asked_what_they_may_answer(people: People) -> None:
    people.phones = (
        Target(PHONE, frozenset({"anna", "household"})),
        Target(TABLET, frozenset({"ben"})),
    )
    people.chats = (Target(str(CHAT), frozenset({"*"})),)
    tablet = Device(people.demo, TABLET)
    async with people.running(*unlocking(*unlocking(), *unlocking())) as running:
        await running.ask("anna")
        await running.asked_everywhere()
        await settled()
        assert len(people.phone.shown) == 1
        assert tablet.shown == {}
        await running.ask("ben")
        await until(lambda: tablet.shown)
        await running.ask()
        await until(lambda: len(people.phone.shown) == 2)
        await until(lambda: len(people.telegram.in_chat(CHAT)) == 3)
        await settled()
        assert len(tablet.shown) == 1


async def test_no_more_stand_at_once_than_one_can_look_through(people: People) -> None:
    script = [one for _ in range(MOST_AT_ONCE + 2) for one in unlocking()]
    async with people.running(*script, Step("…")) as running:
        for _ in range(MOST_AT_ONCE + 2):
            await running.ask()
        await until(lambda: len(people.telegram.in_chat(CHAT)) == MOST_AT_ONCE)
        await settled()
        assert len(people.telegram.in_chat(CHAT)) == len(people.phone.shown) == MOST_AT_ONCE
        people.telegram.press(people.telegram.in_chat(CHAT)[0], "No")
        await until(lambda: len(people.telegram.in_chat(CHAT)) == MOST_AT_ONCE + 1)


async def test_where_it_came_up_it_is_said_what_came_of_an_answer_from_elsewhere(people: People) -> None:
    async with people.running(*unlocking(DONE, *unlocking(DONE))) as running:
        await running.ask(device_id="satellite")
        await running.asked_everywhere()
        people.phone.press("Yes")
        await until(lambda: people.aloud)
        assert people.aloud == [("satellite", "Front door is unlocked.")]
        people.demo.set_state("lock.front_door", "locked")
        asked = await running.ask(device_id="satellite")
        await running.agent.process("yes", conversation_id=asked.conversation_id, device_id="satellite")
        await settled()
        assert len(people.aloud) == 1


# --- what does not arrive, and the service that is started anew


async def test_a_chat_that_cannot_be_reached_holds_up_no_phone_and_is_asked_later(people: People) -> None:
    people.telegram.refused = 1
    async with people.running(*unlocking()) as running:
        await running.ask()
        await until(lambda: people.phone.buttons)
        await until(lambda: people.telegram.in_chat(CHAT))
        assert len(people.telegram.in_chat(CHAT)) == 1


async def test_a_phone_that_is_not_there_holds_up_no_chat(people: People) -> None:
    people.phones = (Target("notify.mobile_app_lost"), Target(PHONE))
    async with people.running(*unlocking()) as running:
        await running.ask()
        await running.asked_everywhere()


async def test_a_restart_in_between_loses_and_repeats_nothing(people: People) -> None:
    async with people.running(*unlocking()) as running:
        asked = await running.ask()
        await running.asked_everywhere()
    people.telegram.press(people.chat, "Yes")  # nobody listens; Telegram keeps it
    await settled()
    assert people.locked
    async with people.running(DONE) as running:
        await until(lambda: not people.locked)
        await until(lambda: people.phone.text == "Answered elsewhere: yes.")
        await until(lambda: people.chat.text == f"{ASKED}\n\nFront door is unlocked.")
        assert len(people.telegram.messages) == 1
        assert people.phone.heard == [ASKED, "Answered elsewhere: yes."]
        kept = running.answers(asked.conversation_id)
        assert kept[-1] == "Front door is unlocked."
    async with people.running():
        await settled()
    assert people.times_unlocked() == 1


async def test_a_phone_answers_after_a_restart(people: People) -> None:
    async with people.running(*unlocking()) as running:
        await running.ask()
        await running.asked_everywhere()
    async with people.running(DONE):
        people.phone.press("Yes")
        await until(lambda: not people.locked)
        await until(lambda: people.phone.text == "Front door is unlocked.")


async def test_what_ran_out_of_time_while_the_service_was_down_is_told(people: People) -> None:
    async with people.running(*unlocking()) as running:
        asked = await running.ask()
        await running.asked_everywhere()
        await running.asking.stop()
        running.let_time_run_out(0.0)
    async with people.running() as running:
        await until(lambda: not people.phone.shown)
        await until(lambda: people.chat.text.endswith("Nobody answered in time, so I left it."))
        await settled()
        kept = running.answers(asked.conversation_id)
        assert kept[-1] == "Nobody answered in time, so I left it."
    async with people.running() as running:
        await settled()
        assert running.answers(asked.conversation_id) == kept


async def test_what_was_being_sent_when_the_service_was_killed_is_asked_anew(people: People) -> None:
    async with people.running(*unlocking()) as running:
        await running.ask()
        await running.asked_everywhere()
        await settled()
        with running.stage.engine.begin() as connection:
            connection.exec_driver_sql("UPDATE sent_questions SET message = NULL")
    old = people.chat
    async with people.running(DONE):
        await until(lambda: people.chat is not old)
        people.telegram.press(old, "Yes")
        await until(lambda: people.telegram.acknowledged)
        assert people.locked
        people.telegram.press(people.chat, "Yes")
        await until(lambda: not people.locked)


# --- the turn that was interrupted


async def test_a_model_that_was_interrupted_goes_on_after_the_yes_also_after_a_restart(people: People) -> None:
    async with people.running(*unlocking(), name="llm") as running:
        asked = await running.ask()
        await running.asked_everywhere()
    lamp = "light.kitchen_ceiling"
    people.demo.set_state(lamp, "off")
    more = [step(control("turn_on", lamp)), Step("The door is open, and there is light.")]
    async with people.running(*more, name="llm") as running:
        people.phone.press("Yes")
        await until(lambda: people.phone.text == "The door is open, and there is light.")
        assert not people.locked
        assert people.demo.state(lamp)["state"] == "on"
        (first, *_) = running.brain.turns
        assert [turn.text for turn in first.gathered.history] == ["unlock the front door"]
        kept = running.answers(asked.conversation_id)
        assert kept[-1] == "The door is open, and there is light."


async def test_a_yes_is_used_up_when_the_model_goes_on(people: People) -> None:
    more = [step(control("open", "cover.garage_door")), Step(""), Step("Both are open.")]
    async with people.running(*unlocking(*more), name="llm") as running:
        await running.ask()
        await running.asked_everywhere()
        people.phone.press("Yes")
        await until(lambda: not people.locked)
        await until(lambda: people.phone.buttons)
        assert "Garage door" in people.phone.asking["message"]
        assert people.demo.state("cover.garage_door")["state"] == "closed"
