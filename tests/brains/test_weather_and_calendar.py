"""The days to come: the weather and what is planned, in the words of six languages."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from homeagent.demo.server import DemoServer
from tests.brains.talking import Ask, Other, reached

TOMORROW = ("8", "12")
"""The ends of tomorrow's temperature in the demo home."""
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "weather tomorrow"),
        ("en", "what's the weather tomorrow"),
        ("en", "how cold will it get tomorrow"),
        ("de", "Wie wird das Wetter morgen?"),
        ("fr", "Quel temps fera-t-il demain ?"),
        ("es", "¿Qué tiempo hará mañana?"),
        ("nl", "Wat voor weer wordt het morgen?"),
        ("ko", "내일 날씨 어때?"),
    ],
)
async def test_the_weather_of_another_day_is_that_days(ask: Ask, demo: DemoServer, language: str, text: str) -> None:
    reply = await ask(text, language=language)
    assert all(f"{end} °C" in reply.response for end in TOMORROW), reply.response
    assert not reached(demo)


@pytest.mark.parametrize(
    ("language", "text", "yes"),
    [
        ("en", "will it rain tomorrow", "Yes"),
        ("en", "do I need an umbrella today", "No"),
        ("de", "Regnet es morgen?", "Ja"),
        ("fr", "Est-ce qu'il va pleuvoir demain ?", "Oui"),
        ("es", "¿Va a llover mañana?", "Sí"),
        ("nl", "Gaat het morgen regenen?", "Ja"),
        ("ko", "내일 비 올까?", "네"),
    ],
)
async def test_rain_is_a_yes_or_a_no(ask: Ask, language: str, text: str, yes: str) -> None:
    assert (await ask(text, language=language)).response.startswith(yes)


async def test_a_weekday_is_the_next_one_and_another_may_follow(ask: Ask) -> None:
    now = datetime.now(ZoneInfo("Europe/Amsterdam"))
    first, second = (WEEKDAYS[(now + timedelta(days=n)).weekday()] for n in (1, 2))
    assert "12 °C" in (await ask(f"how warm will it be on {first}")).response
    assert "15 °C" in (await ask(f"and on {second}?")).response


async def test_a_day_beyond_the_forecast_is_said_to_be_so(ask: Ask) -> None:
    far = WEEKDAYS[(datetime.now(ZoneInfo("Europe/Amsterdam")) + timedelta(days=5)).weekday()]
    assert "no forecast" in (await ask(f"what's the weather on {far}")).response


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn on the hall light tomorrow"),
        ("en", "turn off the hall light on monday"),
        ("de", "Schalte morgen das Hall light aus"),
    ],
)
async def test_nothing_is_done_now_that_was_meant_for_another_day(
    ask: Ask, demo: DemoServer, language: str, text: str
) -> None:
    await ask(text, language=language)
    assert not reached(demo)


async def test_a_lamp_that_is_called_after_the_weather_is_no_other_lamp(ask: Ask, demo: DemoServer) -> None:
    await ask("turn on the rain lamp")
    assert not reached(demo)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "what's on my calendar tomorrow"),
        ("en", "do I have any appointments tomorrow"),
        ("en", "what is planned for tomorrow"),
        ("de", "Welche Termine habe ich morgen?"),
        ("fr", "Qu'est-ce que j'ai de prévu demain ?"),
        ("es", "¿Qué citas tengo mañana?"),
        ("nl", "Welke afspraken heb ik morgen?"),
        ("ko", "내일 일정 알려줘"),
    ],
)
async def test_the_calendar_tells_what_is_planned(ask: Ask, language: str, text: str) -> None:
    reply = await ask(text, language=language)
    assert "Dentist 09:30" in reply.response
    assert "Swimming" not in reply.response


async def test_a_day_without_plans_is_said_to_be_free(ask: Ask) -> None:
    assert "nothing is planned" in (await ask("what's on my calendar the day after tomorrow")).response


async def test_a_home_without_a_calendar_says_so(other_home: Other) -> None:
    home = "x-name: Flat\nareas: [{id: hall, name: Hall}]\nentities: [{name: Lamp, id: light.lamp, area: hall}]\n"
    async with other_home(home) as (ask, _):
        assert "calendars" in (await ask("what's on my calendar tomorrow")).response
