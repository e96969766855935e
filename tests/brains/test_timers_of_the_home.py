"""A timer of Home Assistant's is started where what it is for is told, and a timer is asked for."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.brains.talking import Other

_HOME = """
entities:
  - {name: %s, id: timer.pizza, attributes: {duration: "0:12:00"}}
"""
SAID = {
    "en": ("Pizza timer", "just shoved the pizza in, timer please", "the pizza just went in, time it"),
    "de": ("Pizza-Timer", "die Pizza ist drin, Timer an", "starte die Zeit für die Pizza"),
    "fr": (
        "Minuteur pizza",
        "la pizza est au four, lance le chrono",
        "je viens de mettre la pizza, minuteur s'il te plaît",
    ),
    "es": (
        "Temporizador pizza",
        "pizza dentro, temporizador por favor",
        "la pizza está dentro, pon el reloj en marcha",
    ),
    "nl": ("Pizzatimer", "pizza zit erin, timer graag", "start de tijd voor de pizza"),
    "ko": ("피자 타이머", "피자 들어갔어, 타이머 부탁해", "피자 방금 넣었어, 시간 좀 재 줘"),
}


@pytest.mark.parametrize("language", SAID)
async def test_it_is_started_by_what_it_is_for(other_home: Other, language: str) -> None:
    name, *texts = SAID[language]
    async with other_home(_HOME % name) as (ask, server):
        for text in texts:
            reply = (await ask(text, language=language)).response
            assert language == "en" or " active" not in reply
        assert [(c.entity_id, c.service) for c in server.calls] == [("timer.pizza", "start")] * 2
        assert all(c.data.get("duration") in (None, timedelta(), timedelta(minutes=12)) for c in server.calls)
