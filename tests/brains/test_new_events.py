"""Events that are put into a calendar, as they stand in it then, and what is asked for before."""

from __future__ import annotations

from datetime import timedelta

import pytest

from homeagent.demo.server import DemoServer
from tests.brains.talking import Other, phrase

_HOME = """
entities:
  - {name: %s, id: calendar.family}
  - {name: %s, id: calendar.holidays, attributes: {supported_features: []}}
"""
_ONE = "entities: [{name: Family, id: calendar.family}]"


def _events(server: DemoServer) -> list[tuple[int, str, str]]:
    """Each event: in how many days, at what time, and its title."""
    calendar = server.world.devices["calendar.family"]
    today = calendar.world.now().date()
    return [((e["start"].date() - today).days, f"{e['start']:%H:%M}", e["summary"]) for e in calendar.events]


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("en", "add movie night with Lisa to the calendar tomorrow at 8pm", (1, "20:00", "movie night with Lisa")),
        ("en", "put lunch with Sam in the calendar, tomorrow at half past twelve", (1, "12:30", "lunch with Sam")),
        ("de", "Trag in den Kalender ein: übermorgen 18 Uhr Elternabend", (2, "18:00", "Elternabend")),
        ("de", "Setz Mittagessen mit Sam morgen um halb eins in den Kalender", (1, "12:30", "Mittagessen mit Sam")),
        ("fr", "note dans l'agenda : chorale, demain à 19h", (1, "19:00", "chorale")),
        ("es", "apunta peluquería mañana a las 10:15 en el calendario", (1, "10:15", "peluquería")),
        ("nl", "Zet morgenavond acht uur bioscoop met Lisa in de agenda", (1, "20:00", "bioscoop met Lisa")),
        ("ko", "캘린더에 내일 오전 9시 치과 추가해 줘", (1, "09:00", "치과")),
    ],
)
async def test_an_event_is_created_and_told_back(
    other_home: Other, language: str, text: str, wanted: tuple[int, str, str]
) -> None:
    async with other_home(_ONE) as (ask, server):
        answer = (await ask(text, language=language)).response
        assert _events(server) == [wanted]
        assert wanted[1] in answer
        assert wanted[2] in answer
        event = server.world.devices["calendar.family"].events[0]
        assert event["end"] - event["start"] == timedelta(hours=1)


async def test_a_missing_day_or_time_is_asked_for(other_home: Other) -> None:
    async with other_home(_ONE) as (ask, server):
        assert (await ask("put the vet in the calendar for tomorrow")).response == phrase("en", "ask_when")
        assert not _events(server)
        await ask("at 9:30")
        assert _events(server) == [(1, "09:30", "vet")]
        assert (await ask("put book club in the calendar at 8pm")).response == phrase("en", "ask_day")
        await ask("tomorrow")
        assert _events(server)[1:] == [(1, "20:00", "book club")]


async def test_a_calendar_that_takes_no_events_says_so(other_home: Other) -> None:
    async with other_home(_HOME % ("Family", "Holidays")) as (ask, server):
        assert "Holidays" in (await ask("put the vet in the Holidays calendar tomorrow at 9")).response
        assert not server.calls
        await ask("turn the vet on tomorrow")
        assert not _events(server)


@pytest.mark.parametrize(
    "text", ["don't put the vet in the calendar tomorrow at 9", "did you put the vet in the calendar tomorrow at 9?"]
)
async def test_what_is_denied_or_asked_creates_nothing(other_home: Other, text: str) -> None:
    async with other_home(_ONE) as (ask, server):
        await ask(text)
        assert not _events(server)


async def test_what_somebody_is_doing_is_no_calendar(other_home: Other) -> None:
    home = "entities: [{name: Familie, id: calendar.family}, {name: Bureaulamp, id: light.desk, state: 'off'}]"
    async with other_home(home) as (ask, server):
        await ask("doe de bureaulamp even aan, ik zit de belasting te doen", language="nl")
        assert server.world.devices["light.desk"].state == "on"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "put a meeting in the calendar tomorrow from 2 to 4 pm"),
        ("de", "Setz Besprechung morgen von 14 bis 16 Uhr in den Kalender"),
        ("fr", "ajoute une réunion au calendrier demain de 14 h à 16 h"),
        ("es", "apunta una reunión en el calendario mañana desde las 14 hasta las 16"),
        ("nl", "Zet een vergadering morgen van 14 tot 16 uur in de agenda"),
        ("ko", "내일 14시부터 16시까지 회의 캘린더에 추가해 줘"),
    ],
)
async def test_an_event_ends_when_it_was_said_to_end(other_home: Other, language: str, text: str) -> None:
    async with other_home(_ONE) as (ask, server):
        await ask(text, language=language)
        [event] = server.world.devices["calendar.family"].events
        assert (f"{event['start']:%H:%M}", f"{event['end']:%H:%M}") == ("14:00", "16:00")


@pytest.mark.parametrize(
    ("language", "text", "title", "yes"),
    [
        ("en", "put the kettle on tomorrow at 7", "kettle", "yes"),
        ("de", "Setz morgen um 7 Uhr Nudelwasser auf", "Nudelwasser", "ja"),
        ("es", "pon el café mañana a las 7", "café", "sí"),
        ("ko", "내일 7시에 커피 넣어 줘", "커피", "응"),
    ],
)
async def test_what_no_calendar_was_said_for_is_asked_about(
    other_home: Other, language: str, text: str, title: str, yes: str
) -> None:
    async with other_home(_ONE) as (ask, server):
        assert title in (await ask(text, language=language)).response
        assert not _events(server)
        await ask(yes, language=language)
        assert _events(server) == [(1, "07:00", title)]


async def test_no_single_event_stands_for_one_of_every_week(other_home: Other) -> None:
    async with other_home(_ONE) as (ask, server):
        answer = (await ask("put football in the calendar every Tuesday at 6")).response
        assert not _events(server)
        assert answer != phrase("en", "ask_when")
