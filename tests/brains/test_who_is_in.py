"""Whether anybody is in is asked of the people of the home, however the question goes on."""

from __future__ import annotations

import pytest

from tests.brains.talking import Other

_HOME = """
entities:
  - {name: Anna, id: person.anna, state: home}
  - {name: Ben, id: person.ben, state: not_home}
"""


@pytest.mark.parametrize(
    ("language", "text", "told"),
    [
        ("en", "is anybody at home?", "Anna"),
        ("de", "ist gerade jemand im Haus?", "Anna"),
        ("fr", "il y a quelqu'un à la maison ?", "Anna"),
        ("es", "¿hay alguien en casa?", "Anna"),
        ("nl", "is er nu iemand in huis?", "Anna"),
        ("ko", "지금 집에 누구 있어?", "Anna"),
    ],
)
async def test_the_people_are_told(other_home: Other, language: str, text: str, told: str) -> None:
    async with other_home(_HOME) as (ask, _):
        assert told in (await ask(text, language=language)).response


async def test_no_sensor_is_missed_where_people_are_known(other_home: Other) -> None:
    async with other_home(_HOME) as (ask, _):
        assert "sensor" not in (await ask("is there anybody in the house?")).response


async def test_what_somebody_is_wanted_for_is_no_zone(other_home: Other) -> None:
    async with other_home(_HOME) as (ask, _):
        reply = await ask("¿hay alguien en casa que pueda sacar al gato?", language="es")
        assert not reply.response.startswith("No.")
