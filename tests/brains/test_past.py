"""Questions about what was, answered without a model."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.brains.talking import phrase, pressed, reached

GARAGE, DOOR, MOTION = "cover.garage_door", "binary_sensor.front_door", "binary_sensor.hall_motion"


def yesterday(home, hour: float) -> datetime:
    midnight = home.now().replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)
    return midnight + timedelta(hours=hour)


@pytest.fixture
def home(home_assistant):
    return home_assistant.home


@pytest.fixture
def lived(demo, home):
    """Yesterday the garage opened at 8:00 and 17:30, and somebody was in the hall at 14:00."""
    at = [(0.0, "closed"), (8.0, "open"), (8.25, "closed"), (17.5, "open"), (18.0, "closed")]
    demo.put_history(GARAGE, [(yesterday(home, hour), state) for hour, state in [(-24, "closed"), *at]])
    moved = [(-24, "off"), (14.0, "on"), (14.1, "off")]
    demo.put_history(MOTION, [(yesterday(home, hour), state) for hour, state in moved])
    demo.put_history("light.hall", [(yesterday(home, -24), "off")])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("how often did the garage door open yesterday?", "2 times"),
        ("how long was the garage door open yesterday?", "45 minutes"),
        ("how long was the garage door open yesterday between 5 pm and 6 pm?", "30 minutes"),
        ("when was the garage door first opened yesterday?", "08:00"),
        ("was the garage door open yesterday morning?", phrase("en", "yes")),
        ("has the garage door been open yesterday?", phrase("en", "yes")),
        ("was the garage door open all day yesterday?", "No. Garage door was open for 45 minutes."),
        ("did the garage door stay closed yesterday morning?", "No. Garage door was closed for 6 hours 45 minutes."),
        ("did the garage door stay closed all yesterday evening?", "Yes. Garage door was closed for 6 hours."),
        ("when was the garage door last open, and for how long?", "It lasted 30 minutes."),
        ("on which day was the garage door last open?", "17:30"),
        ("was anybody in the hall yesterday afternoon?", phrase("en", "yes")),
        ("was anybody in the hall yesterday morning?", "No"),
    ],
)
async def test_the_past_is_told(ask, lived, text, said):
    reply = await ask(text)
    assert said in reply.response
    assert not reply.question


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "how long was the garage door open yesterday?", "For 3 hours of that time nothing is known"),
        ("en", "did the garage door open yesterday morning?", "For 2 hours of that time nothing is known"),
        ("de", "Wie lange war Garage door gestern offen?", "Für 3 Stunden dieser Zeit ist davon nichts bekannt"),
    ],
)
async def test_what_is_not_known_of_a_time_is_told_with_it(ask, demo, home, language, text, said):
    at = [(-24, "closed"), (10, "unavailable"), (13, "closed"), (17.5, "open"), (18.0, "closed")]
    demo.put_history(GARAGE, [(yesterday(home, hour), state) for hour, state in at])
    assert said in (await ask(text, language=language)).response


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "was the front door locked yesterday evening?"),
        ("en", "did the door stay locked all yesterday evening?"),
        ("de", "War die Tür gestern Abend abgeschlossen?"),
        ("es", "¿Estuvo cerrada con llave la puerta ayer por la tarde?"),
        ("fr", "La porte était-elle verrouillée hier soir ?"),
        ("nl", "Was de deur gisteravond op slot?"),
    ],
)
async def test_whether_a_door_was_locked_its_lock_tells(ask, demo, home, language, text):
    """A door that was closed need not have been locked."""
    demo.put_history(DOOR, [(yesterday(home, -24), "off")])
    for lock in [e.entity_id for e in home.exposed() if e.domain == "lock"]:
        # The demo home's own past may end with a lock that was locked yesterday at 17:33.
        demo.put_history(lock, [(yesterday(home, -24), "unlocked"), (yesterday(home, 17.75), "unlocked")])
    reply = await ask(text, language=language)
    assert not reply.response.startswith(phrase(language, "yes").removesuffix(".")), reply.response
    assert reply.response.startswith(phrase(language, "no").removesuffix(".")), reply.response


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "how long has the garage door been closed?", "hours"),
        ("de", "seit wann ist Garage door zu?", "Stunden"),
        ("nl", "hoe lang is Garage door al dicht?", "uur"),
    ],
)
async def test_since_when_outlives_a_restart_of_home_assistant(ask, demo, home, language, text, said):
    """After one, every state is as old as it."""
    closed = home.now() - timedelta(hours=15)
    demo.put_history(GARAGE, [(closed - timedelta(hours=1), "open"), (closed, "closed")])
    assert said in (await ask(text, language=language)).response


async def test_since_when_before_anything_is_recorded(ask, demo, home):
    demo.put_history(GARAGE, [(yesterday(home, -24 * 20), "closed")])
    assert "at least 10 days" in (await ask("how long has the garage door been closed?")).response


async def test_two_periods_are_told_beside_each_other(ask, lived):
    reply = await ask("how often did the garage door open yesterday and the day before yesterday?")
    assert "2 times" in reply.response
    assert "0 times" in reply.response


async def test_what_is_no_longer_recorded_is_said_to_be_gone(ask, lived, home):
    reply = await ask("how often did the garage door open in the year 2020?")
    assert (yesterday(home, -24)).date().isoformat() in reply.response
    assert "times" not in reply.response


@pytest.mark.parametrize(
    "text",
    [
        "how often did the sauna run last week?",
        "was the garage door of the neighbours open yesterday?",
        "did the garage door squeak last night?",
    ],
)
async def test_what_is_not_understood_is_no_figure_about_something_else(ask, lived, text):
    reply = await ask(text)
    assert not any(c.isdigit() for c in reply.response)
    assert not reply.response.startswith(("Yes", "No,"))


async def test_what_is_now_does_not_answer_for_a_time_that_is_over(ask, lived, demo, home_assistant):
    await pressed(demo, home_assistant, "light.hall", "on")
    reply = await ask("did the hall light burn the day before yesterday?")
    assert not reply.response.startswith("Yes")


async def test_a_question_about_the_past_does_nothing(ask, lived, demo):
    await ask("did the garage door open yesterday?")
    await ask("was the hall light turned on yesterday?")
    assert reached(demo) == set()


async def test_an_order_is_still_an_order(ask, lived, demo):
    await ask("turn off the hall light")
    assert reached(demo) == {"light.hall"}
