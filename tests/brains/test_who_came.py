"""Who came and went is asked of people's own records, and whether anybody came in of the door that was named."""

from __future__ import annotations

import pytest

from tests.brains.talking import phrase
from tests.brains.test_past import yesterday

_WHO = [
    ("en", "who came home yesterday evening?"),
    ("de", "Wer ist gestern Abend nach Hause gekommen?"),
    ("fr", "Qui est rentré hier soir ?"),
    ("es", "¿Quién llegó a casa ayer por la noche?"),
    ("nl", "Wie kwam er gisteravond thuis?"),
    ("ko", "어제 저녁에 누가 집에 왔어?"),
]


@pytest.mark.parametrize(("language", "text"), _WHO)
async def test_who_came_home_is_told_by_name_and_time(ask, demo, home_assistant, language, text):
    home = home_assistant.home
    at = [(-24, "home"), (8, "not_home"), (21.25, "home")]
    demo.put_history("person.anna", [(yesterday(home, hour), state) for hour, state in at])
    demo.put_history("person.ben", [(yesterday(home, -24), "not_home")])
    for sensor in ("binary_sensor.hall_motion", "binary_sensor.study_occupancy"):
        demo.put_history(sensor, [(yesterday(home, -24), "off"), (yesterday(home, 21.3), "on")])
    said = (await ask(text, language=language)).response
    assert "Anna" in said
    assert "21:15" in said
    assert "occupancy" not in said
    assert said.split()[0].rstrip(",.") not in {phrase(language, key).rstrip(",.") for key in ("yes", "no")}


async def test_who_was_there_before_the_time_begins_is_not_denied(ask, demo, home_assistant):
    demo.put_history("person.anna", [(yesterday(home_assistant.home, -24), "home")])
    said = (await ask("who came home yesterday evening?")).response
    assert "Anna was at home." in said


@pytest.mark.parametrize(("opened", "start"), [(21.0, "Yes"), (12.0, "No")])
async def test_whether_anyone_came_in_the_door_tells(ask, demo, home_assistant, opened, start):
    at = [(-24, "off"), (opened, "on"), (opened + 0.1, "off")]
    door = [(yesterday(home_assistant.home, hour), state) for hour, state in at]
    demo.put_history("binary_sensor.front_door", door)
    said = (await ask("did anyone come in through the front door yesterday evening?")).response
    assert said.startswith(start)
    assert "Front door contact" in said
