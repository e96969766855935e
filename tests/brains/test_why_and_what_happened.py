"""Why something is so, who did it, what happened at all: asked without a model."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from homeagent.brains.language.responses import Phrases
from homeagent.brains.local.wording import cause_answers
from homeagent.evaluation.history.questions import moment
from homeagent.ha import home_sync
from homeagent.languages.answers import load_answers
from homeagent.understanding.request import Asking, Past, Tell
from tests.brains.talking import phrase, reached

LANGUAGES = ("en", "de", "fr", "es", "nl", "ko")
GARAGE, DOOR, MOTION = "cover.garage_door", "binary_sensor.front_door", "binary_sensor.hall_motion"
TIMES = {"time": "", "count": "", "first": "", "last": ""}


@pytest.fixture
def home(home_assistant):
    return home_assistant.home


@pytest.fixture
def lived(demo, home):
    """Yesterday both were away from 9 to 17, but for Ben at noon; the garage opened at 10 and 16, the door at 18."""
    midnight = home.now().replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)

    def put(entity_id: str, *states: tuple[float, str]) -> None:
        demo.put_history(entity_id, [(midnight + timedelta(hours=hour), state) for hour, state in states])

    put("person.anna", (-24, "home"), (9, "not_home"), (17, "home"))
    put("person.ben", (-24, "home"), (8, "not_home"), (12, "home"), (12.5, "not_home"), (18, "home"))
    put(GARAGE, (-24, "closed"), (10, "open"), (10.1, "closed"), (16, "open"), (16.1, "closed"))
    put(DOOR, (-24, "off"), (18, "on"), (18.1, "off"))
    put(MOTION, (-24, "off"), (14, "on"), (14.1, "off"))
    put("light.hall", (-24, "off"))


async def test_what_happened_while_nobody_was_there(ask, lived):
    reply = await ask("what happened while we were away?")
    assert "12:30" in reply.response  # the last time: Ben came by at noon
    assert "17:00" in reply.response
    assert "Garage door" in reply.response
    assert "16:00" in reply.response
    assert "10:00" not in reply.response
    assert "Front door" not in reply.response


async def test_one_thing_while_nobody_was_there(ask, lived):
    assert phrase("en", "yes") in (await ask("was the garage door opened while we were away?")).response
    assert "No" in (await ask("was the front door opened while we were away?")).response


async def test_who_is_not_exposed_this_moment_is_not_missed(ask, lived, demo, monkeypatch):
    monkeypatch.setattr(home_sync, "EXPOSURE_FRESH", 0.0)
    demo.set_exposed("person.ben", False)
    reply = await ask("was the garage door opened while we were away?")
    assert "10:00" in reply.response  # Anna left at nine


async def test_whose_absence_is_not_known_is_no_answer_about_others(ask, lived):
    reply = await ask("what happened while I was away?")
    assert reply.response == phrase("en", "away_who")


async def test_what_happened_in_a_room_and_then_elsewhere_and_at_another_time(ask, lived):
    assert "14:00" in (await ask("what happened in the hall yesterday?")).response
    assert "Garage door" in (await ask("and in the garage?")).response
    before = (await ask("and the day before yesterday?")).response
    assert phrase("en", "nothing_happened") in before


async def test_a_figure_is_asked_again_of_another_room_and_time(ask, lived):
    await ask("was anybody in the hall yesterday afternoon?")
    assert (await ask("and yesterday morning?")).response.startswith("No")
    await ask("how often did the garage door open yesterday?")
    assert "0 times" in (await ask("and the day before yesterday?")).response


async def test_what_a_thing_was_at_a_moment(ask, lived):
    assert "away" in (await ask("where was Anna yesterday at 10 am?")).response
    assert "home" in (await ask("where was Anna yesterday at 6 pm?")).response


async def test_what_is_now_or_was_of_others_does_not_stand_in_for_it(ask, lived, demo):
    demo.set_state("light.hall", "on")
    for text in ("how long was the generator on yesterday?", "how long was the jacuzzi light on yesterday?"):
        reply = await ask(text)
        assert not any(c.isdigit() for c in reply.response), reply.response


async def test_who_was_there_is_not_told_by_a_sensor(ask, lived):
    reply = await ask("who was in the hall yesterday afternoon?")
    assert phrase("en", "who_unknown") in reply.response
    assert "14:00" in reply.response


async def test_much_is_cut_short(ask, lived, demo, home):
    midnight = home.now().replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)
    lights = [e.entity_id for e in home.exposed() if e.domain == "light"]
    assert len(lights) > 6
    for light in lights:
        demo.put_history(light, [(midnight - timedelta(days=1), "off"), (midnight + timedelta(hours=7), "on")])
    reply = await ask("what happened yesterday?")
    assert reply.response.count(". ") < 8
    assert "more things changed" in reply.response


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("why is the garage door open?", "explain_change"),
        ("who opened the garage door?", "explain_change"),
        ("why was the hall light on at three?", "explain_change"),
        ("what turned the hall light on?", "explain_change"),
    ],
)
async def test_why_is_asked_of_the_tool_that_knows(ask, lived, demo, text, tool):
    reply = await ask(text)
    calls = [call["name"] for step in reply.trace["steps"] for call in step["calls"]]
    assert calls == [tool]
    assert reached(demo) == set()


@pytest.mark.parametrize(
    "text",
    [
        "why don't you turn on the hall light?",
        "why did the sauna come on?",
        "who opened the sauna?",
        "how long was nobody at home yesterday?",
    ],
)
async def test_no_reason_is_given_for_what_is_not_understood(ask, lived, text):
    reply = await ask(text)
    assert not [call for step in reply.trace["steps"] for call in step["calls"]]


def told(**more: Any) -> dict[str, Any]:
    known = {"entity_id": "light.hall", "name": "X", "state": "on", "logbook": True, "causes": []}
    at = {"at": moment(1_700_000_000).isoformat(), "since": moment(1_700_000_000).isoformat()}
    return known | at | more


def cause(kind: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "at": moment(1_700_000_000).isoformat(), "text": "English", **more}


@pytest.mark.parametrize("language", LANGUAGES)
def test_causes_are_told_in_the_language(language, home):
    phrases = Phrases(load_answers(language), None)
    why, who = (Past(tell, (Asking("light.hall", ("on",)),)) for tell in (Tell.WHY, Tell.WHO))
    chain = [
        cause("script", entity_id="script.a", name="Welcome"),
        cause("automation", name="hidden"),
        cause("change", entity_id="binary_sensor.hall_motion", name="Hall motion", detail="on"),
        cause("service", who="person", user="Ada", detail="light.turn_on"),
    ]
    said = cause_answers.words(why, told(causes=chain), home, phrases)
    assert "Welcome" in said
    assert "Hall motion" in said
    assert "hidden" not in said  # the tool's word for it is English
    assert "English" not in said
    assert "{" not in said
    by = cause_answers.words(who, told(causes=chain), home, phrases)
    assert by.index("Ada") < by.index("Welcome")
    unknown = cause_answers.words(who, told(), home, phrases)
    assert phrase(language, "who_unknown") in unknown
    assert phrase(language, "why_unknown") in cause_answers.words(why, told(), home, phrases)
    other = cause_answers.words(why, told(state="off"), home, phrases)
    assert phrase(language, "why_unknown") not in other
    assert phrase(language, "why_nothing").format(name="X") in cause_answers.words(why, told(state=None), home, phrases)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_does_it_is_told_by_what_it_does(language, home):
    phrases = Phrases(load_answers(language), None)
    past = Past(Tell.ACTS, (Asking("light.hall", ("off",)),), source="automation")
    found = [
        {"name": "Night", "does": {"light.hall": ["turn_off"]}, "enabled": False},
        {"name": "Morning", "does": {"light.hall": ["turn_on"]}},
    ]
    said = cause_answers.acting(past, {"found": found}, home, phrases)
    assert "Night" in said
    assert "Morning" not in said
    assert phrase(language, "acts_disabled") in said
    assert "Morning" not in cause_answers.acting(past, {"found": found[1:]}, home, phrases)
