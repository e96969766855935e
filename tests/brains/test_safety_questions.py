"""Questions about safety are answered whole: every thing of the kind that was asked about, what is amiss first."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.brains.safety_material import faults, homes, questions, written
from tests.brains.talking import Ask, Other, reached

GUARDED = Path(__file__).with_name("data") / "guarded_home.yaml"
SMOKE = "Bedroom smoke alarm: not available right now. Kitchen smoke alarm and Hall smoke alarm are clear."
AMISS = (
    "Bath floor is reporting water. Nuki is unlocked. Driveway gate and Skylight are open. Iron power is 1800 W. "
    "Bedroom smoke alarm and Bathroom window: not available right now. Everything else is fine."
)


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "nl", "ko"])
@pytest.mark.parametrize("file", ["safety_questions", "safety_questions_more", "safety_questions_third"])
async def test_what_others_ask_is_answered_whole(other_home: Other, language: str, file: str) -> None:
    things = homes()[language]
    asked = [q for q in questions(file) if q.language == language]
    wrong = {}
    async with other_home(written(language, things)) as (ask, demo):
        for question in asked:
            reply = await ask(question.text, language=language, anew=True)
            if found := faults(question, reply.response, things):
                wrong[question.text] = (reply.response, found)
    assert asked
    assert not wrong
    assert not reached(demo)


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "nl", "ko"])
async def test_where_all_is_well_that_is_said(other_home: Other, language: str) -> None:
    """The same home with its back door locked, its window closed, its oven off and its alarm armed."""
    well = {"lock.back_door": "locked", "binary_sensor.bathroom_window": "off", "switch.oven": "off"}
    well["alarm_control_panel.house"] = "armed_home"
    texts = {"en": "Is everything okay?", "de": "Ist alles ok?", "fr": "Tout est en ordre ?", "es": "¿Está todo bien?"}
    text = (texts | {"nl": "Is alles oké?", "ko": "집 안전해?"})[language]
    yes = {"en": "Yes. ", "de": "Ja. ", "fr": "Oui. ", "es": "Sí. ", "nl": "Ja. ", "ko": "네. "}[language]
    async with other_home(written(language, homes()[language], well)) as (ask, _):
        reply = await ask(text, language=language)
    assert reply.response.startswith(yes)
    assert not any(e["name"] in reply.response for e in homes()[language])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("is there smoke?", SMOKE),
        ("is my house burning?", SMOKE),
        ("are the smoke detectors ok?", SMOKE),
        ("is there smoke in the kitchen?", "No, Kitchen smoke alarm is clear."),
        ("is the kitchen smoke alarm going off?", "No, Kitchen smoke alarm is clear."),
        ("did the smoke alarm go off?", f"No alarm is recorded. {SMOKE}"),
        ("is there a gas leak", "No, Stove detector is clear."),
        ("is there carbon monoxide?", "I have no carbon monoxide detector."),
        ("any leaks?", "Yes. Bath floor is reporting water. Sink is dry."),
        ("are the doors locked?", "No. Nuki is unlocked. Back Door is locked."),
        ("aren't the doors locked?", "Nuki is unlocked. Back Door is locked."),
        ("did I forget to lock the doors?", "Yes. Nuki is unlocked. Back Door is locked."),
        ("is the back door locked?", "Yes, Back Door is locked."),
        ("did I lock up?", "No. Nuki is unlocked. Driveway gate and Skylight are open. Back Door is locked."),
        ("are any doors open?", "I have no sensor on a door."),
        ("is the garage open?", "I have no garage door."),
        ("is the gate closed?", "No, Driveway gate is open."),
        ("are the upstairs windows closed?", "No. Skylight is open. Bathroom window: not available right now."),
        ("are the windows downstairs closed?", "Yes, Kitchen window is closed."),
        ("is a window open in the hall?", "I have no sensor on a window in Hall."),
        ("is the bathroom window closed?", "Bathroom window: not available right now."),
        ("which windows are open?", "Skylight is open. Bathroom window: not available right now."),
        ("how many windows are open?", "1: Skylight. Bathroom window: not available right now."),
        (
            "are the doors locked and the windows closed?",
            "No. Nuki is unlocked. Skylight is open. Bathroom window: not available right now. Back Door is locked. "
            "Kitchen window is closed.",
        ),
        ("is the alarm on?", "Yes, Alarm is armed away."),
        ("is the alarm off?", "No, Alarm is armed away."),
        ("is the alarm going off?", "No. Alarm is armed away. Siren is off."),
        ("did I leave the iron on?", "Yes, Iron power is 1800 W."),
        ("is the oven on?", "I have no oven."),
        ("is no window open?", "Skylight is open. Bathroom window: not available right now. Kitchen window is closed."),
        ("is the siren on?", "No, Siren is off."),
        ("can you tell me whether the doors are locked", "No. Nuki is unlocked. Back Door is locked."),
        ("is everything ok?", f"No. {AMISS}"),
        ("can I leave the house?", f"No. {AMISS}"),
        ("is anything wrong?", f"Yes. {AMISS}"),
        ("is everything okay in the bedroom?", "No. Skylight is open. Bedroom smoke alarm: not available right now."),
    ],
)
async def test_what_is_amiss_comes_first(other_home: Other, text: str, said: str) -> None:
    async with other_home(GUARDED.read_text("utf-8")) as (ask, _):
        assert (await ask(text)).response == said


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "is there motion?", "I know no motion sensors."),
        ("en", "is anything charging?", "I know no charging sensors."),
        ("en", "is there a problem?", "I know no problem sensors."),
        ("de", "Bewegt sich etwas?", "Ich kenne keine Bewegungsmelder."),
        ("fr", "Y a-t-il du mouvement ?", "Je ne connais pas de détecteurs de mouvement."),
    ],
)
async def test_another_kind_never_answers(other_home: Other, language: str, text: str, said: str) -> None:
    """Though other sensors are "on"."""
    async with other_home(GUARDED.read_text("utf-8")) as (ask, _):
        assert (await ask(text, language=language)).response == said


async def test_what_was_is_told_from_the_records(other_home: Other) -> None:
    async with other_home(GUARDED.read_text("utf-8")) as (ask, demo):
        now = datetime.now(UTC)
        demo.put_history(
            "binary_sensor.smoke_kitchen",
            [(now - timedelta(hours=30), "off"), (now - timedelta(hours=3), "on"), (now - timedelta(hours=2), "off")],
        )
        reply = await ask("did the smoke alarm go off?")
    assert reply.response.startswith("Yes. Kitchen smoke alarm was detected once")
    assert reply.response.endswith(SMOKE)


@pytest.mark.parametrize(("before", "said"), [("locked", "Yes."), ("unlocked", "No. Yesterday: Nuki was unlocked.")])
async def test_whether_they_all_were_is_told_of_all(other_home: Other, before: str, said: str) -> None:
    """One of them was not, and so the answer is no."""
    async with other_home(GUARDED.read_text("utf-8")) as (ask, demo):
        now = datetime.now(UTC)
        demo.put_history("lock.back", [(now - timedelta(hours=80), "locked")])
        demo.put_history("lock.nuki", [(now - timedelta(hours=80), before), (now - timedelta(minutes=1), "locked")])
        reply = await ask("were the doors locked yesterday?")
    assert reply.response == said


@pytest.mark.parametrize(
    "text",
    [
        "is there smoke in the sauna?",
        "is the window cleaner coming?",
        "can I leave the oven on?",
        "can I go to Berlin?",
    ],
)
async def test_what_is_not_wholly_understood_is_not_answered(other_home: Other, text: str) -> None:
    async with other_home(GUARDED.read_text("utf-8")) as (ask, demo):
        reply = await ask(text)
        assert not reply.response.startswith(("Yes", "No,", "No."))
        assert "Nuki" not in reply.response
        assert not reached(demo)


async def test_it_can_be_gone_on_from(other_home: Other) -> None:
    async with other_home(GUARDED.read_text("utf-8")) as (ask, demo):
        await ask("are the windows closed?")
        assert (await ask("and in the kitchen?")).response == "Yes, Kitchen window is closed."
        assert (await ask("and the skylight?")).response == "No, Skylight is open."
        await ask("are the doors locked?")
        await ask("lock it")
        assert reached(demo) == {"lock.nuki"}


async def test_a_command_beside_the_question_is_done(ask: Ask) -> None:
    reply = await ask("turn off the hall light and tell me if the doors are locked")
    assert reply.response == "Hall light is off. Yes. Front door and Back door lock are locked."
