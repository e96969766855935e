"""What is said after something was done or told: taken back by a no or by its meaning, asked on in the same room."""

from __future__ import annotations

from pathlib import Path

import pytest

from homeagent.brains.consent import takes_back
from homeagent.demo.server import DemoServer
from homeagent.ha.connection import HomeAssistant
from homeagent.intents.intent import Intent
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


async def test_what_opens_is_taken_back_by_no_no(
    demo: DemoServer, home_assistant: HomeAssistant, tmp_path: Path
) -> None:
    async with talking(home_assistant, tmp_path, Guessing(Intent.STOP, 1.0)) as say:
        demo.set_state("lock.front_door", "unlocked")
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
