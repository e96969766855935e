"""The weather by what is measured of it, and inside held against outside, in the words of six languages."""

from __future__ import annotations

import pytest

from tests.brains.talking import Other, phrase, reached

SHED = """
x-name: Shed
areas: [{{id: loft, name: Loft}}]
entities:
  - name: Loft temperature
    id: sensor.loft
    area: loft
    state: "21.0"
    attributes: {{device_class: temperature, unit_of_measurement: °C}}
  - {{name: Desk lamp, id: light.desk, area: loft, state: "on", attributes: {{supported_color_modes: [onoff]}}}}
  - {{name: Sky, id: weather.sky, state: cloudy, attributes: {{temperature: 8.5, temperature_unit: °C{more}}}}}
"""
CALM = ", humidity: 64, wind_speed: 5, wind_speed_unit: m/s, pressure: 1003, pressure_unit: hPa"
WILD = ", wind_speed: 9, wind_speed_unit: m/s"


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "what's the wind speed", "5 m/s"),
        ("en", "what's the air pressure", "1,003 hPa"),
        ("en", "what's the humidity like outdoors", "64%"),
        ("de", "Wie stark weht der Wind?", "5 m/s"),
        ("de", "Wie hoch ist die Luftfeuchtigkeit draußen?", "64%"),
        ("fr", "Quelle est la vitesse du vent ?", "5 m/s"),
        ("fr", "Quel est le taux d'humidité dehors ?", "64%"),
        ("es", "¿A qué velocidad sopla el viento?", "5 m/s"),
        ("nl", "Hoe hard waait het?", "5 m/s"),
        ("ko", "바람이 얼마나 세게 불어?", "5 m/s"),
        ("ko", "밖에 습도 어때?", "64%"),
    ],
)
async def test_what_is_measured_of_the_weather_is_told_with_its_unit(
    other_home: Other, language: str, text: str, said: str
) -> None:
    async with other_home(SHED.format(more=CALM)) as (ask, server):
        reply = await ask(text, language=language)
        assert said.replace(",", "") in reply.response.replace(",", ""), reply.response
        assert not reached(server)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "is it windy"),
        ("de", "Bläst's draußen stark?"),
        ("fr", "Ça souffle fort dehors ?"),
        ("es", "¿Hace mucho viento?"),
        ("nl", "Staat er veel wind?"),
        ("ko", "바람 많이 불어?"),
    ],
)
async def test_whether_it_is_windy_the_number_decides_in_its_unit(other_home: Other, language: str, text: str) -> None:
    for more, verdict, number in ((CALM, "no", "5 m/s"), (WILD, "yes", "9 m/s")):
        async with other_home(SHED.format(more=more)) as (ask, _):
            said = (await ask(text, language=language)).response
            assert said.startswith(phrase(language, verdict)), said
            assert number in said, said


@pytest.mark.parametrize("text", ["is it windy", "how hard is the wind blowing", "what's the humidity outside"])
async def test_what_the_weather_does_not_tell_is_said_to_be_so(other_home: Other, text: str) -> None:
    async with other_home(SHED.format(more="")) as (ask, _):
        assert (await ask(text)).response == "Sky does not tell that."


@pytest.mark.parametrize(
    ("language", "text", "verdict"),
    [
        ("en", "is it warmer in the loft than outdoors", "yes"),
        ("en", "is it warmer outside than in the loft", "no"),
        ("de", "Ist es draußen kälter als in Loft?", "yes"),
        ("fr", "Est-ce qu'il fait plus chaud dehors que dans Loft ?", "no"),
        ("es", "¿Hace más frío fuera que en Loft?", "yes"),
        ("nl", "Is het buiten kouder dan in de Loft?", "yes"),
        ("ko", "밖이 Loft보다 추워?", "yes"),
    ],
)
async def test_inside_against_outside_is_a_yes_or_a_no_with_both(
    other_home: Other, language: str, text: str, verdict: str
) -> None:
    async with other_home(SHED.format(more="")) as (ask, server):
        said = (await ask(text, language=language)).response.replace(",", ".")
        assert said.startswith(phrase(language, verdict).replace(",", ".")), said
        assert all(f"{n} °C" in said for n in ("21", "8.5")), said
        assert not reached(server)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "how much colder is it outside"),
        ("en", "difference in temperature between outside and the loft"),
        ("de", "Temperaturunterschied zwischen drinnen und draußen?"),
        ("fr", "Différence de température entre dehors et Loft ?"),
        ("es", "¿Cuál es la diferencia de temperatura entre dentro y fuera?"),
        ("nl", "Hoeveel warmer is het binnen dan buiten?"),
        ("ko", "안과 밖의 온도 차이가 얼마야?"),
    ],
)
async def test_how_far_apart_they_are_is_told_where_it_is_asked(other_home: Other, language: str, text: str) -> None:
    async with other_home(SHED.format(more="")) as (ask, server):
        said = (await ask(text, language=language)).response.replace(",", ".")
        assert all(f"{n} °C" in said for n in ("21", "8.5", "12.5")), said
        assert not reached(server)


@pytest.mark.parametrize(
    "text",
    [
        "is it warmer",
        "could you make it warmer in the loft than outside",
        "make it warmer in the loft than outside",
        "turn on the strong lamp",
    ],
)
async def test_what_asks_nothing_of_the_open_air_is_not_answered_by_it(other_home: Other, text: str) -> None:
    async with other_home(SHED.format(more=CALM)) as (ask, _):
        assert "8.5" not in (await ask(text)).response


async def test_whether_it_turns_colder_outside_is_not_held_against_inside(other_home: Other) -> None:
    async with other_home(SHED.format(more=CALM)) as (ask, _):
        assert "21" not in (await ask("is it getting colder outside")).response


async def test_a_sensor_that_is_called_by_name_is_told_before_the_weather(other_home: Other) -> None:
    barometer = """  - name: Air pressure
    id: sensor.air
    state: "987"
    attributes: {device_class: atmospheric_pressure, unit_of_measurement: hPa}
"""
    async with other_home(SHED.format(more=CALM) + barometer) as (ask, _):
        assert "987" in (await ask("what's the air pressure")).response


async def test_one_word_for_the_wind_and_a_fans_speed_means_the_fan_where_there_is_one(other_home: Other) -> None:
    fan = (
        "  - {name: Fan, id: fan.desk, area: loft, state: 'on', attributes: {percentage: 40, supported_features: 1}}\n"
    )
    async with other_home(SHED.format(more=CALM) + fan) as (ask, _):
        assert "40%" in (await ask("풍속이 얼마야?", language="ko")).response
    async with other_home(SHED.format(more=CALM)) as (ask, _):
        assert "5 m/s" in (await ask("풍속이 얼마야?", language="ko")).response
