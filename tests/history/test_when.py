"""Times gone by, as people say them."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeagent.history.when.find_times import find_times

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 25, 15, 30, tzinfo=BERLIN)  # a Wednesday

LANGUAGES = ("en", "de", "fr", "es", "nl", "ko")
SAME = {
    # what the phrases of a row mean, and how each language says it, in the order of LANGUAGES
    "24 21:00 - 25 06:00": ("last night", "letzte Nacht", "la nuit dernière", "anoche", "vannacht", "어젯밤에"),
    "24 12:00 - now": (
        "since yesterday noon", "seit gestern Mittag", "depuis hier midi", "desde ayer al mediodía",
        "sinds gistermiddag 12:00", "어제 정오부터",
    ),
    "23 00:00 - now": ("this week", "diese Woche", "cette semaine", "esta semana", "deze week", "이번 주에"),
    "16 00:00 - 23 00:00": (
        "last week", "letzte Woche", "la semaine dernière", "la semana pasada", "vorige week", "지난주에",
    ),
    "18 15:30 - now": (
        "in the last seven days", "in den letzten sieben Tagen", "ces 7 derniers jours", "los últimos siete días",
        "de afgelopen zeven dagen", "최근 7일 동안",
    ),
    "25 12:30 - now": (
        "the last 3 hours", "die letzten 3 Stunden", "les 3 dernières heures", "las últimas 3 horas",
        "de laatste 3 uur", "지난 3시간 동안",
    ),
    "25 14:00 - now": (
        "between 2 and 4", "zwischen 2 und 4", "entre 14h et 16h", "entre las 2 y las 4", "tussen 2 en 4",
        "2시에서 4시 사이에",
    ),
    "24 14:00 - 24 16:00": (
        "yesterday between 2 and 4 pm", "gestern von 14 bis 16 Uhr", "hier entre 14h et 16h",
        "ayer entre las 2 y las 4", "gisteren tussen 14 en 16 uur", "어제 오후 2시부터 4시까지",
    ),
    "23 00:00 - 24 00:00": ("on Monday", "am Montag", "lundi", "el lunes", "op maandag", "월요일에"),
    "23 18:00 - 24 00:00": (
        "on Monday evening", "am Montagabend", "lundi soir", "el lunes 18:00-24:00", "maandagavond", "월요일 저녁에",
    ),
    "23 00:00 - now ": (
        "since Monday", "seit Montag", "depuis lundi", "desde el lunes", "sinds maandag", "월요일부터",
    ),
    "25 05:00 - 25 12:00": (
        "this morning", "heute Morgen", "ce matin", "esta mañana", "vanmorgen", "오늘 아침에",
    ),
    "24 18:00 - 25 00:00": (
        "yesterday evening", "gestern Abend", "hier soir", "ayer 18:00-24:00", "gisteravond", "어제 저녁",
    ),
    "25 00:00 - now": ("today", "heute", "aujourd'hui", "hoy", "vandaag", "오늘"),
    "23 00:00 - 24 00:00 ": (
        "the day before yesterday", "vorgestern", "avant-hier", "anteayer", "eergisteren", "그저께",
    ),
    "22 00:00 - 23 00:00": (
        "3 days ago", "vor 3 Tagen", "il y a trois jours", "hace 3 días", "drie dagen geleden", "3일 전에",
    ),
    "25 14:30 - 25 14:31": (
        "an hour ago", "vor einer Stunde", "il y a une heure", "hace una hora", "een uur geleden", "한 시간 전에",
    ),
    "21 00:00 - 23 00:00": (
        "last weekend", "letztes Wochenende", "le week-end dernier", "el fin de semana pasado", "vorig weekend",
        "지난 주말에",
    ),
}  # fmt: skip
"""Days are of November 2026; an entry with clock times stands where a language has no such word."""


def said(text: str, language: str = "en", now: datetime = NOW, zone: ZoneInfo = BERLIN) -> list[str]:
    found = find_times(text, language, now, zone)
    return [f"{w.start.astimezone(zone):%m-%d %H:%M} - {w.end.astimezone(zone):%m-%d %H:%M}" for w in found]


@pytest.mark.parametrize(
    ("meant", "language", "phrase"),
    [
        (meant.strip(), language, phrase)
        for meant, phrases in SAME.items()
        for language, phrase in zip(LANGUAGES, phrases, strict=True)
        if "-24:00" not in phrase and not phrase.endswith("12:00")
    ],
)
def test_a_phrase_means_the_same_in_every_language(meant, language, phrase):
    start, _, end = meant.partition(" - ")
    wanted = f"11-{start} - {'11-25 15:30' if end == 'now' else f'11-{end}'}"
    assert said(phrase, language) == [wanted]


@pytest.mark.parametrize(
    ("text", "language", "meant"),
    [
        ("how warm was it in October", "en", ["10-01 00:00 - 11-01 00:00"]),
        ("wie warm war es im Oktober", "de", ["10-01 00:00 - 11-01 00:00"]),
        ("10월에 몇 번 열렸어", "ko", ["10-01 00:00 - 11-01 00:00"]),
        ("el 3 de octubre", "es", ["10-03 00:00 - 10-04 00:00"]),
        ("am 3. Oktober", "de", ["10-03 00:00 - 10-04 00:00"]),
        ("seit dem 24.11.2026", "de", ["11-24 00:00 - 11-25 15:30"]),
        ("am 3. Oktober um 14 Uhr", "de", ["10-03 14:00 - 10-03 14:01"]),
        ("on October 3 at 5 pm", "en", ["10-03 17:00 - 10-03 17:01"]),
        ("in der Nacht zum Montag", "de", ["11-22 21:00 - 11-23 06:00"]),
        ("in der Nacht auf Montag", "de", ["11-22 21:00 - 11-23 06:00"]),
        ("in der Nacht von Sonntag auf Montag", "de", ["11-22 21:00 - 11-23 06:00"]),
        ("dans la nuit de dimanche à lundi", "fr", ["11-22 21:00 - 11-23 06:00"]),
        ("la noche del domingo al lunes", "es", ["11-22 21:00 - 11-23 06:00"]),
        ("in de nacht van zondag op maandag", "nl", ["11-22 21:00 - 11-23 06:00"]),
        ("the night from Sunday to Monday", "en", ["11-22 21:00 - 11-23 06:00"]),
        ("last night to 3", "en", ["11-24 21:00 - 11-25 06:00"]),
        ("from 3 to 5 November", "en", ["11-03 00:00 - 11-06 00:00"]),
        ("between the 3rd and the 5th of November", "en", ["11-03 00:00 - 11-06 00:00"]),
        ("vom 3. bis zum 5. November", "de", ["11-03 00:00 - 11-06 00:00"]),
        ("du 3 au 5 novembre", "fr", ["11-03 00:00 - 11-06 00:00"]),
        ("del 3 al 5 de noviembre", "es", ["11-03 00:00 - 11-06 00:00"]),
        ("van 3 tot 5 november", "nl", ["11-03 00:00 - 11-06 00:00"]),
        ("11월 3일부터 5일까지", "ko", ["11-03 00:00 - 11-06 00:00"]),
        ("since the 20th", "en", ["11-20 00:00 - 11-25 15:30"]),
        ("since the 31st", "en", ["10-31 00:00 - 11-25 15:30"]),
        ("since the 29th of February", "en", ["02-29 00:00 - 11-25 15:30"]),
        ("seit dem 28.", "de", ["10-28 00:00 - 11-25 15:30"]),
        ("depuis le 20", "fr", ["11-20 00:00 - 11-25 15:30"]),
        ("desde el 20", "es", ["11-20 00:00 - 11-25 15:30"]),
        ("sinds de 20e", "nl", ["11-20 00:00 - 11-25 15:30"]),
        ("el 24 de noviembre de 2026 a las 5", "es", ["11-24 17:00 - 11-24 17:01"]),
        ("am 24.11. um 14.30 Uhr", "de", ["11-24 14:30 - 11-24 14:31"]),
        ("vom 20.11. bis zum 22.11.", "de", ["11-20 00:00 - 11-23 00:00"]),
        ("on 11/24/2026", "en", ["11-24 00:00 - 11-25 00:00"]),
        ("on 24/11/2026", "en", ["11-24 00:00 - 11-25 00:00"]),
        ("le 24/11/2026", "fr", ["11-24 00:00 - 11-25 00:00"]),
        ("sinds 3-11-2026", "nl", ["11-03 00:00 - 11-25 15:30"]),
        ("2026-11-24", "es", ["11-24 00:00 - 11-25 00:00"]),
        ("2026. 11. 24.", "ko", ["11-24 00:00 - 11-25 00:00"]),
        ("last night at 3:15:30", "en", ["11-25 03:15 - 11-25 03:16"]),
        ("was 192.168.1.10 seen last night", "en", ["11-24 21:00 - 11-25 06:00"]),
        ("from Monday to Wednesday", "en", ["11-23 00:00 - 11-25 15:30"]),
        ("between 11 pm and 2 am", "en", ["11-24 23:00 - 11-25 02:00"]),
        ("last night between 2 and 4", "en", ["11-25 02:00 - 11-25 04:00"]),
        ("last night at 3", "en", ["11-25 03:00 - 11-25 03:01"]),
        ("gestern um 3 Uhr nachts", "de", ["11-24 03:00 - 11-24 03:01"]),
        ("until noon", "en", ["11-25 00:00 - 11-25 12:00"]),
        ("yesterday after 8 pm", "en", ["11-24 20:00 - 11-25 00:00"]),
        ("vor 8 Uhr heute", "de", ["11-25 00:00 - 11-25 08:00"]),
        ("from yesterday noon to this morning", "en", ["11-24 12:00 - 11-25 12:00"]),
        ("how long did it run this week, and last?", "en", ["11-23 00:00 - 11-25 15:30", "11-16 00:00 - 11-23 00:00"]),
        ("diese Woche und letzte", "de", ["11-23 00:00 - 11-25 15:30", "11-16 00:00 - 11-23 00:00"]),
        ("yesterday compared to today", "en", ["11-24 00:00 - 11-25 00:00", "11-25 00:00 - 11-25 15:30"]),
    ],
)
def test_what_a_sentence_means(text, language, meant):
    assert said(text, language) == meant


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("when did the door last open", "en"),
        ("may I know whether it is on", "en"),
        ("set it to 50", "en"),
        ("turn off the light on the 2nd floor", "en"),
        ("mets le chauffage du 2e étage à 21", "fr"),
        ("set the projector to 2.35:1", "en"),
        ("stell die Heizung auf 21.5", "de"),
        ("am 24.12.2026 um 18 Uhr kommt Oma", "de"),
        ("set light 2 to 20 degrees", "en"),
        ("turn it on tomorrow", "en"),
        ("next week", "en"),
        ("in ten minutes", "en"),
        ("mach morgen das Licht an", "de"),
        ("die Lampe", "de"),
        ("le salon à 20 degrés", "fr"),
        ("pon la luz al 50", "es"),
        ("주방 불 켜 줘", "ko"),
        ("내일 켜 줘", "ko"),
    ],
)
def test_what_is_no_time_gone_by_is_none(text, language):
    assert said(text, language) == []


def test_the_words_are_found_where_they_stand():
    text = "was the light on last night?"
    (when,) = find_times(text, "en", NOW, BERLIN)
    assert text[when.first : when.last] == "last night"


def test_a_night_after_midnight_still_runs():
    assert said("last night", now=datetime(2026, 11, 25, 2, 0, tzinfo=BERLIN)) == ["11-24 21:00 - 11-25 02:00"]


@pytest.mark.parametrize(
    ("text", "language", "over"),
    [
        ("last night", "en", True),
        ("letzte Nacht", "de", True),
        ("la nuit dernière", "fr", True),
        ("ayer por la noche", "es", True),
        ("anoche", "es", True),
        ("어젯밤에", "ko", True),
        ("tonight", "en", False),
        ("today", "en", False),
        ("heute Nacht", "de", False),
    ],
)
def test_a_night_that_is_said_to_be_gone_is_over_before_dawn(text, language, over):
    [when] = find_times(text, language, datetime(2026, 11, 25, 2, 0, tzinfo=BERLIN), BERLIN)
    assert when.over is over


@pytest.mark.parametrize(("day", "hours"), [("2026-03-29", 23), ("2026-10-25", 25)])
def test_the_day_of_a_changed_clock_has_its_own_length(day, hours):
    now = datetime.fromisoformat(f"{day}T09:00").replace(tzinfo=BERLIN) + timedelta(days=1)
    (when,) = find_times("yesterday", "en", now, BERLIN)
    assert (when.end - when.start) == timedelta(hours=hours)


def test_the_last_three_hours_are_three_hours_through_a_changed_clock():
    now = datetime(2026, 3, 29, 4, 30, tzinfo=BERLIN)
    (when,) = find_times("the last 3 hours", "en", now, BERLIN)
    assert when.end - when.start == timedelta(hours=3)


ZONES = st.sampled_from(
    ("Europe/Berlin", "America/New_York", "Asia/Seoul", "Australia/Lord_Howe", "America/Santiago", "Asia/Kathmandu")
).map(ZoneInfo)
MOMENTS = st.datetimes(datetime(2019, 1, 1), datetime(2031, 1, 1), timezones=st.just(UTC))


def only(text, language, now, zone):
    found = find_times(text, language, now, zone)
    assert len(found) == 1, text
    return found[0]


@given(MOMENTS, ZONES, st.sampled_from(sorted(SAME)))
def test_every_language_means_the_same_at_any_time_and_place(now, zone, meant):
    phrases = [(la, p) for la, p in zip(LANGUAGES, SAME[meant], strict=True) if ":" not in p and "h" not in p[-6:]]
    found = {
        (w.start, w.end)
        for language, phrase in phrases
        for w in find_times(phrase, language, now, zone)
        if meant != "25 14:00 - now"
    }
    assert len(found) <= 1


@given(MOMENTS, ZONES)
def test_stretches_of_the_calendar_join_without_a_gap(now, zone):
    today, yesterday = only("today", "en", now, zone), only("yesterday", "en", now, zone)
    before = only("the day before yesterday", "en", now, zone)
    assert before.end == yesterday.start
    assert yesterday.end == today.start
    assert today.end == now
    assert yesterday.start.astimezone(zone).date() == now.astimezone(zone).date() - timedelta(days=1)
    assert only("last week", "en", now, zone).end == only("this week", "en", now, zone).start
    assert only("this week", "en", now, zone).start.astimezone(zone).weekday() == 0
    assert only("last month", "en", now, zone).end == only("this month", "en", now, zone).start
    assert only("last year", "en", now, zone).end == only("this year", "en", now, zone).start


@given(MOMENTS, ZONES, st.integers(0, 6))
def test_a_weekday_is_the_latest_that_is_over(now, zone, day):
    names = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    when = only(f"on {names[day]}", "en", now, zone)
    assert when.start.astimezone(zone).weekday() == day
    assert timedelta(0) <= now - when.end < timedelta(days=7, hours=2)


@given(MOMENTS, ZONES, st.integers(1, 12))
def test_a_time_of_day_is_the_latest_that_has_been(now, zone, hour):
    when = only(f"at {hour}", "en", now, zone)
    assert when.instant
    assert timedelta(0) < now - when.start <= timedelta(hours=14)
    assert when.start.astimezone(zone).hour % 12 in (hour % 12, (hour + 1) % 12)  # the clock may skip that hour


TIME_WORDS = ["last", "this", "since", "between", "and", "from", "to", "3", "22:15", "hours", "week", "monday", "night"]
TIME_WORDS += ["noon", "yesterday", "ago", "at", "pm", "until", "october", "2025", "31", "before", "after", "half"]


DIGITS = st.from_regex(r"\A\d[.,:/\d-]{0,10}\Z")


@given(
    st.text(max_size=40)
    | st.lists(DIGITS | st.sampled_from(TIME_WORDS), max_size=7).map(" ".join)
    | st.lists(st.sampled_from(TIME_WORDS), max_size=7).map(" ".join),
    MOMENTS,
    ZONES,
    st.sampled_from(LANGUAGES),
)
def test_any_words_are_stretches_of_the_past_or_nothing(text, now, zone, language):
    for when in find_times(text, language, now, zone):
        assert when.start.tzinfo is not None
        assert when.start < when.end <= now
        assert 0 <= when.first < when.last <= len(text)
