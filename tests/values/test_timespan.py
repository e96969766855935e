"""Spans of time as people and models write them."""

import contextlib
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeagent.errors import InvalidParameters
from homeagent.values.timespan import Span, parse_duration, parse_moment, parse_span

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 5, 6, 13, 30, tzinfo=UTC)  # a Wednesday, 15:30 in Berlin


def span(duration=None, start=None, end=None, now=NOW, zone=BERLIN):
    return parse_span(duration=duration, start=start, end=end, now=now, zone=zone)


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("1h", timedelta(hours=1)),
        ("24h", timedelta(hours=24)),
        ("7d", timedelta(days=7)),
        ("90s", timedelta(seconds=90)),
        ("1h30m", timedelta(minutes=90)),
        ("1.5 hours", timedelta(minutes=90)),
        ("2 weeks", timedelta(weeks=2)),
        ("1 day, 2 hours and 3 min", timedelta(days=1, hours=2, minutes=3)),
        ("01:30:00", timedelta(minutes=90)),
        ("PT1H30M", timedelta(minutes=90)),
        ("P2D", timedelta(days=2)),
    ],
)
def test_a_duration_is_understood(text, length):
    assert parse_duration(text) == length


@pytest.mark.parametrize("text", ["", "h", "5", "5 parsecs", "-1h", "0h", "1h later", "99999d", "P", "nan h"])
def test_what_is_no_duration_is_refused(text):
    with pytest.raises(InvalidParameters):
        parse_duration(text)


def test_today_starts_at_midnight_of_the_home():
    assert span("today") == Span(datetime(2026, 5, 5, 22, tzinfo=UTC), NOW)


def test_yesterday_on_the_day_after_the_clock_changed_has_23_hours():
    monday = datetime(2026, 3, 30, 8, tzinfo=UTC)
    assert span("yesterday", now=monday).seconds == 23 * 3600


def test_weeks_start_on_monday():
    assert span("this week").start == datetime(2026, 5, 3, 22, tzinfo=UTC)
    assert span("last week").seconds == 7 * 86400


def test_a_duration_ends_now():
    assert span("24h") == Span(NOW - timedelta(hours=24), NOW)


def test_from_and_to_are_in_the_homes_time_zone():
    found = span(start="2026-05-01", end="2026-05-02")
    assert found == Span(datetime(2026, 4, 30, 22, tzinfo=UTC), datetime(2026, 5, 2, 22, tzinfo=UTC))
    assert span(start="08:00").start == datetime(2026, 5, 6, 6, tzinfo=UTC)
    assert span(start="2026-05-06T08:00:00+00:00").start == datetime(2026, 5, 6, 8, tzinfo=UTC)


def test_a_duration_hangs_on_from_or_to():
    assert span("2h", start="08:00") == Span(datetime(2026, 5, 6, 6, tzinfo=UTC), datetime(2026, 5, 6, 8, tzinfo=UTC))
    assert span("2h", end="08:00").start == datetime(2026, 5, 6, 4, tzinfo=UTC)


def test_the_future_is_cut_off():
    assert span(start="today", end="today").end == NOW


@pytest.mark.parametrize(
    "given_span",
    [
        {},
        {"end": "2026-05-01"},
        {"duration": "1h", "start": "08:00", "end": "09:00"},
        {"start": "2027-01-01"},
        {"start": "10:00", "end": "09:00"},
        {"start": "0001-01-01"},
        {"start": "9999-12-31", "end": "9999-12-31"},
        {"start": "25:00"},
        {"start": "soon"},
    ],
)
def test_an_impossible_span_is_refused_with_a_reason(given_span):
    with pytest.raises(InvalidParameters) as caught:
        span(**given_span)
    assert str(caught.value)


@given(st.integers(1, 500), st.sampled_from("smhdw"))
def test_every_number_with_a_unit_is_a_duration(number, unit):
    seconds = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}[unit]
    assert parse_duration(f"{number}{unit}").total_seconds() == number * seconds


@given(st.text(max_size=30) | st.from_regex(r"[-p0-9:.t smhdwy]{1,15}", fullmatch=True))
def test_any_text_is_a_duration_or_a_clear_refusal(text):
    with contextlib.suppress(InvalidParameters):
        assert parse_duration(text) > timedelta()


@given(st.text(max_size=30) | st.datetimes().map(str) | st.dates().map(str), st.booleans())
def test_any_text_is_a_moment_or_a_clear_refusal(text, end_of_day):
    with contextlib.suppress(InvalidParameters):
        assert parse_moment(text, NOW, BERLIN, end_of_day=end_of_day).tzinfo is not None


@given(st.none() | st.text(max_size=12), st.none() | st.dates().map(str), st.none() | st.dates().map(str))
def test_every_span_starts_before_it_ends_and_not_in_the_future(duration, start, end):
    try:
        found = span(duration, start, end)
    except InvalidParameters:
        return
    assert found.start < found.end
