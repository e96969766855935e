"""Values, places, exceptions and pronouns: each word is read once, and as what it is."""

from __future__ import annotations

import pytest

from homeagent.understanding.deciding import Verdict
from homeagent.understanding.request import Act
from tests.understanding.reading import Done, decision, deeds, done

KITCHEN = ("light.kitchen_ceiling", "light.counter")
LIVING = ("light.floor_lamp", "light.reading_lamp")


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("dim the floor lamp to 30 percent", done("turn_on", "light.floor_lamp", brightness_pct=30)),
        ("dim the floor lamp by 30 percent", done("turn_on", "light.floor_lamp", brightness_step_pct=-30)),
        ("lower the bedroom thermostat to 18", done("set_value", "climate.bedroom", temperature=18)),
        ("lower the bedroom thermostat by 2 degrees", done("set_value", "climate.bedroom", temperature_step=-2)),
        ("turn the tv up a bit", done("set_value", "media_player.tv", volume_step_pct=10)),
        ("make the floor lamp a lot brighter", done("turn_on", "light.floor_lamp", brightness_step_pct=20)),
        ("lower the living room blinds", done("close", "cover.blinds")),
        ("close the living room blinds completely", done("set_value", "cover.blinds", position=0)),
        ("set the living room blinds to half", done("set_value", "cover.blinds", position=50)),
        ("set the volume of the kitchen speaker to max", done("set_value", "media_player.speaker", volume_level=1)),
        (
            "bedside lamp warm white at 40 percent",
            done("turn_on", "light.bedside", color_temp_kelvin=2700, brightness_pct=40),
        ),
    ],
)
def test_what_a_value_is_for(text: str, want: Done) -> None:
    found = deeds(text)
    assert [(d.entity_ids, d.parameters) for d in found] == [(want.entity_ids, want.parameters)]


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("turn the lights off in the kitchen", done("turn_off", *KITCHEN)),
        ("in the kitchen, turn off the lights", done("turn_off", *KITCHEN)),
        ("turn off the lights in the kitchen and the living room", done("turn_off", *KITCHEN, *LIVING)),
        ("turn off the kitchen and living room lights", done("turn_off", *KITCHEN, *LIVING)),
        ("turn off the lights downstairs", done("turn_off", *KITCHEN, *LIVING)),
        ("lights off in the lounge except the reading lamp", done("turn_off", "light.floor_lamp")),
        ("turn off all lights but the bedside lamp", done("turn_off", *KITCHEN, *LIVING)),
        ("turn on the bed side lamp", done("turn_on", "light.bedside")),
        ("turn on the raeding lamp", done("turn_on", "light.reading_lamp")),
        ("trun on the reading lamp", done("turn_on", "light.reading_lamp")),
    ],
)
def test_whom_it_is_for(text: str, want: Done) -> None:
    assert deeds(text) == [want]


def test_all_but_one_spares_that_one() -> None:
    for text in ("turn off all but the tv", "turn off everything but the tv"):
        assert all("media_player.tv" not in d.entity_ids for d in deeds(text)), text


def test_of_two_slips_it_is_asked() -> None:
    assert decision("trun on the raeding lamp").verdict is Verdict.ASK


def test_a_pronoun_means_what_was_spoken_of_last() -> None:
    assert deeds("turn on the floor lamp and make it red")[-1] == done("turn_on", "light.floor_lamp", color="red")
    assert deeds("turn it off", last=("media_player.tv",)) == [done("turn_off", "media_player.tv")]


def test_each_value_goes_to_its_own_thing() -> None:
    assert deeds("make the floor lamp red and the bedside lamp blue") in (
        [],
        [done("turn_on", "light.floor_lamp", color="red"), done("turn_on", "light.bedside", color="blue")],
    )


@pytest.mark.parametrize(
    ("text", "attribute", "entity_id"),
    [
        ("how warm is it in the bedroom", "", "sensor.bedroom_temperature"),
        ("what's the temperature in the bedroom?", "", "sensor.bedroom_temperature"),
        ("could you tell me how bright the floor lamp is", "brightness", "light.floor_lamp"),
        ("is the bedroom window open?", "", "binary_sensor.window"),
        ("what is on my shopping list today?", "items", "todo.shopping"),
    ],
)
def test_questions_ask_one_thing(text: str, attribute: str, entity_id: str) -> None:
    best = decision(text).best
    assert best is not None
    (frame,) = best.asking_for
    assert frame.request is not None
    assert (frame.request.act, frame.request.attribute) == (Act.QUERY, attribute)
    assert frame.entity_ids == {entity_id}


def test_the_place_of_the_speaker_is_here() -> None:
    assert deeds("turn off the lights in here", area_id="kitchen") == [done("turn_off", *KITCHEN)]
