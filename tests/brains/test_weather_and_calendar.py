"""The days to come: the weather and what is planned, in the words of six languages."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from homeagent.demo.server import DemoServer
from tests.brains.talking import Ask, Other, phrase, reached

TOMORROW = ("8", "12")
"""The ends of tomorrow's temperature in the demo home."""
_YESTERDAY_AND_TOMORROW = """
x-name: Flat
areas: [{id: hall, name: Hall}]
entities:
  - name: Family
    id: calendar.family
    x-events:
      - {summary: Bazaar, start: -7d 10:00, hours: 1}
      - {summary: Choir, start: -1d 20:00, hours: 2}
      - {summary: Dentist, start: +1d 09:30, hours: 1}
"""
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


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "which day will be the warmest?"),
        ("de", "an welchem Tag wird es am wärmsten?"),
        ("fr", "quel jour fera-t-il le plus chaud ?"),
        ("es", "¿qué día de la semana hará más calor?"),
        ("nl", "welke dag wordt het het warmst?"),
        ("ko", "무슨 요일이 제일 따뜻해?"),
    ],
)
async def test_of_several_days_the_warmest_is_told_alone(ask: Ask, language: str, text: str) -> None:
    said = (await ask(text, language=language)).response
    assert "15 °C" in said
    assert said.count("°C") == 2


async def test_a_day_beyond_the_forecast_is_said_to_be_so(ask: Ask) -> None:
    far = WEEKDAYS[(datetime.now(ZoneInfo("Europe/Amsterdam")) + timedelta(days=5)).weekday()]
    assert "no forecast" in (await ask(f"what's the weather on {far}")).response


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn on the hall light tomorrow"),
        ("en", "turn off the hall light on monday"),
        ("en", "turn off the hall light next week"),
        ("en", "turn on the hall light and turn off the kitchen ceiling next week"),
        ("de", "Schalte morgen das Hall light aus"),
        ("de", "Schalte das Hall light nächste Woche aus"),
        ("fr", "éteins Hall light la semaine prochaine"),
        ("es", "apaga Hall light la semana que viene"),
        ("es", "enciende Hall light por la mañana"),
        ("nl", "doe Hall light volgende week uit"),
        ("ko", "다음 주에 Hall light 꺼줘"),
    ],
)
async def test_nothing_is_done_now_that_was_meant_for_another_day(
    ask: Ask, demo: DemoServer, language: str, text: str
) -> None:
    reply = await ask(text, language=language)
    assert not reached(demo)
    assert any(phrase(language, told) in reply.response for told in ("no_timer", "ask_when"))


async def test_a_day_in_what_goes_on_a_list_is_kept_with_it(ask: Ask, demo: DemoServer) -> None:
    assert "plumber next week" in (await ask("add call the plumber next week to the shopping list")).response
    assert reached(demo) == {"todo.shopping_list"}


@pytest.mark.parametrize("text", ["turn it off tomorrow", "remind me on sunday", "is it locked on sunday"])
async def test_what_names_a_day_after_the_weather_need_not_be_about_the_weather(
    ask: Ask, demo: DemoServer, text: str
) -> None:
    assert "°C" in (await ask("what's the weather tomorrow")).response
    assert "°C" not in (await ask(text)).response
    assert not reached(demo)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "is the front door locked tomorrow"),
        ("en", "will the front door be locked on saturday"),
        ("de", "Ist die Front door morgen abgeschlossen?"),
        ("fr", "La porte Front door est-elle verrouillée demain ?"),
        ("es", "¿Está Front door bloqueada mañana?"),
        ("nl", "Is Front door morgen op slot?"),
        ("ko", "내일 Front door 잠겨 있어?"),
    ],
)
async def test_how_a_thing_will_be_is_not_told_from_how_it_is(ask: Ask, language: str, text: str) -> None:
    assert (await ask(text, language=language)).response == phrase(language, "not_ahead")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "is the rain barrel full"),
        ("de", "Ist der Regenschirm Ständer voll?"),
        ("fr", "Le bac à pluie est-il plein ?"),
        ("es", "¿Está lleno el depósito de lluvia?"),
        ("nl", "Is de regen ton vol?"),
        ("ko", "우산 꽂이 가득 찼어?"),
    ],
)
async def test_a_thing_that_is_called_after_the_weather_is_no_weather(ask: Ask, language: str, text: str) -> None:
    assert "°C" not in (await ask(text, language=language)).response


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("what's the weather and what time is it", ("°C", ":")),
        ("will it rain tomorrow and is the front door locked", ("°C", "Front door is locked")),
        ("what's on my calendar tomorrow and is the front door locked", ("Dentist", "Front door is locked")),
    ],
)
async def test_what_is_asked_beside_the_weather_is_answered_too(ask: Ask, text: str, both: tuple[str, str]) -> None:
    response = (await ask(text)).response
    assert all(part in response for part in both), response


@pytest.mark.parametrize(
    ("language", "text", "day"),
    [
        ("en", "what was on my calendar yesterday", "Yesterday"),
        ("de", "Was stand gestern in meinem Kalender?", "Gestern"),
        ("fr", "Qu'est-ce que j'avais de prévu hier ?", "Hier"),
        ("es", "¿Qué citas tuve ayer?", "Ayer"),
        ("nl", "Wat stond er gisteren in mijn agenda?", "Gisteren"),
        ("ko", "어제 일정 뭐였어?", "어제"),
    ],
)
async def test_what_was_planned_yesterday_is_told_of_yesterday(
    other_home: Other, language: str, text: str, day: str
) -> None:
    async with other_home(_YESTERDAY_AND_TOMORROW) as (ask, _):
        response = (await ask(text, language=language)).response
    assert "Choir" in response
    assert day in response
    assert "Dentist" not in response


async def test_last_week_is_the_week_that_has_gone(other_home: Other) -> None:
    async with other_home(_YESTERDAY_AND_TOMORROW) as (ask, _):
        response = (await ask("what was on my calendar last week")).response
    assert "Bazaar" in response
    assert "Dentist" not in response


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
