"""What is said after something was asked, done or told: put right, taken back, asked on in the same room."""

from __future__ import annotations

from pathlib import Path

import pytest

from homeagent.brains.consent import takes_back
from homeagent.brains.local.frame_plans import FramePlanner
from homeagent.demo.server import DemoServer
from homeagent.ha.connection import HomeAssistant
from homeagent.intents.intent import Intent
from homeagent.understanding.put_right import put_right
from tests.brains.talking import pressed
from tests.brains.test_second_reading import Guessing, talking

CLOSED = "close the living room blinds"


@pytest.mark.parametrize(
    ("language", "said", "meant_for_nothing"),
    [
        ("en", ("no, don't", "oh no, forget that", "actually don't"), ("no", "no thanks", "oh no", "never mind")),
        ("de", ("nein, doch nicht", "nee, lass das", "nein, bitte nicht"), ("nein", "nein danke", "schon gut")),
        ("fr", ("non, laisse tomber", "non non, ne fais pas ça"), ("non", "non merci")),
        ("es", ("no, déjalo", "no no, no lo hagas"), ("no", "no gracias")),
        ("nl", ("nee, laat maar", "o nee, vergeet het maar"), ("nee", "nee bedankt", "laat maar")),
        ("ko", ("아니, 하지 마", "아니 아니, 됐어"), ("아니", "됐어")),
    ],
)
def test_what_takes_back_declines_twice(
    language: str, said: tuple[str, ...], meant_for_nothing: tuple[str, ...]
) -> None:
    assert all(takes_back(text, language) for text in said)
    assert not any(takes_back(text, language) for text in meant_for_nothing)


async def test_a_no_to_what_was_done_takes_it_back(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.STOP, 1.0)) as say:
        await say(CLOSED)
        assert demo.state("cover.living_room_blinds")["state"] == "closed"
        await say("no, don't")
        assert demo.state("cover.living_room_blinds")["state"] == "open"
        await say("is the front door locked?")
        await say("no, don't")
        assert demo.state("cover.living_room_blinds")["state"] == "open"


@pytest.mark.parametrize("said", ["no thanks", "no, the moon is full", "no, the kitchen light"])
async def test_a_no_that_may_be_meant_for_something_else_takes_nothing_back(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path, said: str
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.STOP, 1.0)) as say:
        await say(CLOSED)
        await say(said)
    assert demo.state("cover.living_room_blinds")["state"] == "closed"


async def test_what_opens_is_taken_back_by_no_no(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.STOP, 1.0)) as say:
        await pressed(demo, home_assistant, "lock.front_door", "unlocked")
        await say("lock the front door")
        reply = await say("no, don't")
        assert (demo.state("lock.front_door")["state"], bool(reply.question)) == ("locked", True)


@pytest.mark.parametrize(
    ("share", "said", "state"),
    [
        (0.9, "we like the view, restore them please", "open"),
        (0.9, "we like the view, restore the living room blinds", "open"),
        (0.4, "we like the view, restore them please", "closed"),
        (0.9, "if we like the view, restore them please", "closed"),
        (0.9, "restore them in an hour", "closed"),
        (0.9, "whatever you do, don't restore them", "closed"),
        (0.9, "shall we restore them?", "closed"),
        (0.9, "we like the view, restore the bedroom curtain", "closed"),
    ],
)
async def test_a_reason_in_front_takes_nothing_from_what_it_is_for(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path, share: float, said: str, state: str
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.UNDO, share)) as say:
        await say(CLOSED)
        await say(said)
    assert demo.state("cover.living_room_blinds")["state"] == state


async def test_what_was_put_on_a_list_and_is_named_again_is_taken_off(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path
) -> None:
    def items() -> str:
        return str(getattr(demo.world.devices["todo.shopping_list"], "items", ()))

    async with talking(home_assistant, tmp_path, Guessing(Intent.LIST_REMOVE, 0.9), lists=True) as say:
        await say("add apples and pears to the shopping list")
        await say("pears grow in the garden, those can go")
    assert ("apples" in items(), "pears" in items()) == (True, False)


@pytest.mark.parametrize(
    ("language", "first", "then"),
    [
        ("en", "turn on the bedroom light", "and how warm is the heating set?"),
        ("de", "turn on the bedroom light", "und auf was steht die Heizung?"),
        ("fr", "turn on the bedroom light", "et le chauffage est réglé sur combien ?"),
        ("es", "turn on the bedroom light", "¿y a cuánto está puesta la calefacción?"),
        ("nl", "turn on the bedroom light", "en hoe staat de verwarming ingesteld?"),
        ("ko", "turn on the bedroom light", "난방은 몇 도로 설정돼 있어?"),
    ],
)
async def test_a_question_without_its_room_is_about_the_room_before(
    home_assistant: HomeAssistant, tmp_path: Path, language: str, first: str, then: str
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.STOP, 0.1)) as say:
        await say(first)
        answer = (await say(then, language)).response
    assert "Living" not in answer
    assert "Bedroom" in answer


@pytest.mark.parametrize(
    ("language", "before", "said", "meant"),
    [
        ("en", "wake me at twenty past five", "oh no wait, ten to six", "wake me at ten to six"),
        ("de", "ich muss um fünf raus", "ach nee, halb sechs", "ich muss um halb sechs raus"),
        ("fr", "réveille-moi à cinq heures", "non, à six heures", "réveille-moi à six heures"),
        ("es", "despiértame a las cinco", "no, espera, a las seis", "despiértame a las seis"),
        ("nl", "maak me om vijf uur wakker", "nee wacht, half zes", "maak me om half zes wakker"),
        ("ko", "다섯 시에 일어나야 해", "아니다, 여섯 시에", "여섯 시에 일어나야 해"),
        ("en", "set the blinds to 300 percent", "make it forty", "set the blinds to forty percent"),
        ("de", "Heizung auf 200", "22 meine ich", "Heizung auf 22"),
        ("en", "we're out of butter", "no, margarine I mean", "we're out of margarine"),
        ("en", "we're out of butter", "margarine is enough", None),
        ("en", "unlock the front door", "no, the garage is open", None),
        ("en", "unlock the front door", "no, if the garage is open", None),
        ("en", "wake me at five", "is it six?", None),
    ],
)
def test_what_is_said_to_a_question_puts_right_what_was_asked_for(
    home_assistant: HomeAssistant, language: str, before: str, said: str, meant: str | None
) -> None:
    names = FramePlanner(home_assistant.home).names(language)
    assert names is not None
    assert put_right(before, said, names) == meant


async def test_a_correction_of_what_waits_is_asked_about_anew(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.CORRECT, 0.5)) as say:
        await say("open the garage door")
        reply = await say("no, the driveway gate I mean")
        assert ("gate" in reply.response.lower(), bool(reply.question)) == (True, True)
        await say("yes")
    states = demo.state("cover.garage_door")["state"], demo.state("cover.driveway_gate")["state"]
    assert (states[0], states[1] in ("open", "opening")) == ("closed", True)


@pytest.mark.parametrize(
    ("language", "order", "yes"),
    [
        ("en", "go ahead and turn on the bedroom light", "yes"),
        ("en", "yes turn on the bedroom light", "yes"),
        ("de", "mach das Bedroom light an", "ja"),
        ("fr", "vas-y, allume Bedroom light", "oui"),
        ("es", "venga, enciende Bedroom light", "sí"),
        ("nl", "doe Bedroom light aan", "ja"),
        ("ko", "그래 Bedroom light 켜 줘", "응"),
    ],
)
async def test_an_order_for_another_thing_is_no_answer_however_it_begins(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path, language: str, order: str, yes: str
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.STOP, 0.1)) as say:
        await pressed(demo, home_assistant, "light.bedroom", "off")
        await say("unlock the front door")
        await say(order, language)
        assert demo.state("light.bedroom")["state"] == "on"
        await say(yes, language)
    assert demo.state("lock.front_door")["state"] == "locked"


@pytest.mark.parametrize(
    ("first", "then", "due"),
    [
        ("remind me tomorrow at six pm to ring Leo", "no, half past six", "tomorrow at 18:30"),
        ("remind me tomorrow at six am to ring Leo", "no, half past six", "tomorrow at 06:30"),
        ("remind me tomorrow at six pm to ring Leo", "no, at 7 in the morning", "tomorrow at 07:00"),
    ],
)
async def test_another_time_is_on_the_day_and_in_the_half_of_it_that_were_said(
    home_assistant: HomeAssistant, tmp_path: Path, first: str, then: str, due: str
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.CORRECT, 0.5)) as say:
        await say(first)
        assert due in (await say(then)).response
