"""What an incomplete sentence means after the one before it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from homeagent.languages.concepts import Way
from homeagent.understanding.previous_turn import OpenQuestion, PreviousTurn, each
from homeagent.understanding.request import Act, Asked, Request
from tests.understanding.reading import Done, decision, deeds, done


def after(action: str, *entity_ids: str, **parameters: Any) -> PreviousTurn:
    """The turn before did this."""
    request = Request(Act.CONTROL, each(entity_ids), action=action, parameters=parameters)
    several = entity_ids if len(entity_ids) > 1 else ()
    two = entity_ids if len(entity_ids) == 2 else ()
    return PreviousTurn(request, entity_ids, two=two, several=several, changed=entity_ids, lately=(entity_ids,))


READING, FLOOR, COUNTER, CEILING = "light.reading_lamp", "light.floor_lamp", "light.counter", "light.kitchen_ceiling"
BLINDS, HEATING = "cover.blinds", "climate.bedroom"
DIMMED = after("turn_on", READING, brightness_pct=50)
LOWERED = after("turn_on", READING, brightness_step_pct=-10)
BOTH = after("turn_on", COUNTER, CEILING)
ONE_BY_ONE = replace(after("turn_on", CEILING), two=(COUNTER, CEILING))
SET = after("set_value", HEATING, temperature=20)
HALF = after("set_value", BLINDS, position=50)
OFF = after("turn_off", COUNTER, CEILING)


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        # how much
        (SET, "to 18", done("set_value", HEATING, temperature=18)),
        (SET, "a bit more", done("set_value", HEATING, temperature_step=1)),
        (LOWERED, "a bit more", done("turn_on", READING, brightness_step_pct=-10)),
        (LOWERED, "brighter", done("turn_on", READING, brightness_step_pct=10)),
        (DIMMED, "10 less", done("turn_on", READING, brightness_step_pct=-10)),
        (DIMMED, "a bit more, 65", done("turn_on", READING, brightness_pct=65)),
        (DIMMED, "-10", done("turn_on", READING, brightness_step_pct=-10)),
        (DIMMED, "no, 30 percent", done("turn_on", READING, brightness_pct=30)),
        (HALF, "a little further down", done("set_value", BLINDS, position_step=-10)),
        (HALF, "close them", done("close", BLINDS)),
        (after("close", BLINDS), "not all the way, a third open", done("set_value", BLINDS, position=33)),
        (
            after("set_value", "climate.elsewhere", temperature=20),
            "and 19 in the bedroom",
            done("set_value", HEATING, temperature=19),
        ),
        # whom
        (after("turn_on", READING), "and the floor lamp", done("turn_on", FLOOR)),
        (after("turn_on", READING), "the other one too", done("turn_on", FLOOR)),
        (after("turn_on", READING), "turn the other one off", done("turn_off", FLOOR)),
        (BOTH, "both off again", done("turn_off", COUNTER, CEILING)),
        (BOTH, "no, off again in the kitchen", done("turn_off", COUNTER, CEILING)),
        (BOTH, "all of them off", done("turn_off", COUNTER, CEILING)),
        (ONE_BY_ONE, "turn the first one off", done("turn_off", COUNTER)),
        (BOTH, "dim the second one to 30", done("turn_on", CEILING, brightness_pct=30)),
        (BOTH, "not the counter one", done("turn_off", COUNTER)),
        # what of it is to stay
        (OFF, "keep the counter one on though", done("turn_on", COUNTER)),
        (OFF, "except the counter one", done("turn_on", COUNTER)),
        (BOTH, "no, just the counter one", done("turn_off", CEILING)),
        (BOTH, "leave only the counter light", done("turn_off", CEILING)),
        (BOTH, "leave the counter one, turn the other off", done("turn_off", CEILING)),
        (BOTH, "no, the other way round", done("toggle", CEILING, COUNTER)),
        (after("turn_on", READING), "turn the lamp off again", done("turn_off", READING)),
        # further the same way
        (replace(HALF, way=Way.DOWN), "a bit further", done("set_value", BLINDS, position_step=-10)),
        (replace(HALF, way=Way.UP), "a bit further", done("set_value", BLINDS, position_step=10)),
        # once more
        (SET, "again", done("set_value", HEATING, temperature=20)),
    ],
)
def test_it_leans_on_the_turn_before(before: PreviousTurn, text: str, expected: Done) -> None:
    assert deeds(text, last=before.entity_ids, before=before) == [expected]


@pytest.mark.parametrize(("language", "text"), [("de", "mehr bitte"), ("fr", "un peu plus"), ("es", "más")])
def test_more_is_no_mere_courtesy_behind_an_order(language: str, text: str) -> None:
    found = deeds(text, last=DIMMED.entity_ids, before=DIMMED, language=language)
    assert found == [done("turn_on", READING, brightness_step_pct=10)]


@pytest.mark.parametrize("text", ["and in the sauna?", "not the other one", "the other one if it rains", "and?"])
def test_what_leaves_something_over_does_nothing(text: str) -> None:
    assert deeds(text, last=DIMMED.entity_ids, before=DIMMED) == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "is the floor lamp hot?"),
        ("en", "is the floor lamp nice"),
        ("en", "why the floor lamp?"),
        ("de", "ist die Stehlampe heiß?"),
        ("fr", "est-ce que le lampadaire est chaud ?"),
        ("es", "¿está caliente la lámpara de pie?"),
        ("nl", "is de staande lamp heet?"),
    ],
)
def test_a_whole_question_orders_nothing_again(language: str, text: str) -> None:
    assert not deeds(text, before=after("turn_on", READING), language=language)


def test_without_a_turn_before_it_does_nothing() -> None:
    for text in ("again", "the other one", "both off", "and the floor lamp", "to 18"):
        assert not any(deed.entity_ids for deed in deeds(text)), text


def test_an_answer_chooses_from_what_was_offered() -> None:
    request = Request(Act.CONTROL, action="turn_on")
    before = PreviousTurn(waiting=OpenQuestion(request, (READING, FLOOR)))
    for text in ("the reading one", "the first one", "reading lamp please"):
        assert deeds(text, before=before) == [done("turn_on", READING)]
    assert deeds("both of them", before=before) == [done("turn_on", READING, FLOOR)]
    assert deeds("the bedside lamp", before=before) == []


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("the one next to the bed, I mean", ["light.bedside"]),
        ("the floor one", [FLOOR]),
        ("not the floor one", []),
        ("we were reading all day", []),
    ],
)
def test_an_answer_may_describe_what_it_chooses(text: str, chosen: list[str]) -> None:
    lamps = (FLOOR, READING, COUNTER, "light.bedside")
    waiting = OpenQuestion(Request(Act.CONTROL, each(lamps), action="turn_on"), lamps)
    found = deeds(text, before=PreviousTurn(waiting=waiting))
    assert found == [done("turn_on", entity_id) for entity_id in chosen]


def test_a_full_order_is_no_follow_up() -> None:
    assert deeds("turn off the floor lamp", last=BOTH.entity_ids, before=BOTH) == [done("turn_off", FLOOR)]
    assert deeds("turn off all the lights", last=(READING,), before=DIMMED) == [
        done("turn_off", COUNTER, CEILING, FLOOR, READING, "light.bedside")
    ]


def test_what_is_left_is_the_question_before() -> None:
    asked = Request(Act.QUERY, each((READING, FLOOR)), asked=Asked.WHICH, states=("on",))
    found = decision("which ones are left?", before=PreviousTurn(asked, (READING, FLOOR), which=asked)).best
    assert found is not None
    assert [f.request for f in found.asking_for] == [asked]
