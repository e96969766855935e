"""When something is next due: by the home's own clock, through the changes of summer time, by the sun."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from homeagent.timers.due import After, At, AtSun, Due, Every, Sun, Upon, Weekday, as_json, from_json
from homeagent.timers.next_time import next_time
from homeagent.timers.timer_errors import InThePast, NoSun, TooFarAhead

BERLIN = ZoneInfo("Europe/Berlin")
DAILY = frozenset(Weekday)


def local(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN).astimezone(UTC)


def due_after(due: Due, text: str, sun: datetime | None = None) -> str:
    found = next_time(due, local(text), BERLIN, lambda _: sun)
    assert found is not None
    return found.astimezone(BERLIN).isoformat(timespec="minutes")


def test_a_time_of_day_is_the_next_one_that_the_clock_shows() -> None:
    assert due_after(At(time(18)), "2026-06-01T17:59") == "2026-06-01T18:00+02:00"
    assert due_after(At(time(18)), "2026-06-01T18:00") == "2026-06-02T18:00+02:00"


def test_days_of_the_week_are_those_of_the_home() -> None:
    weekdays = Every(time(7), frozenset({Weekday.MONDAY, Weekday.FRIDAY}))
    assert due_after(weekdays, "2026-06-01T07:00") == "2026-06-05T07:00+02:00"
    assert due_after(weekdays, "2026-06-05T08:00") == "2026-06-08T07:00+02:00"
    # 23:30 in Berlin on a Sunday is still Sunday, though UTC and others count otherwise
    assert due_after(Every(time(0, 15), frozenset({Weekday.MONDAY})), "2026-05-31T23:30") == "2026-06-01T00:15+02:00"


def test_a_time_that_the_clock_skips_comes_as_long_after_the_change() -> None:
    assert due_after(Every(time(2, 30), DAILY), "2026-03-29T01:00") == "2026-03-29T03:30+02:00"
    assert due_after(Every(time(2, 30), DAILY), "2026-03-29T03:30") == "2026-03-30T02:30+02:00"


def test_a_time_that_the_clock_shows_twice_comes_once() -> None:
    nightly = Every(time(2, 30), DAILY)
    assert due_after(nightly, "2026-10-25T01:00") == "2026-10-25T02:30+02:00"
    first = local("2026-10-25T02:30")
    again = next_time(nightly, first, BERLIN, lambda _: None)
    assert again is not None
    assert again.astimezone(BERLIN).isoformat() == "2026-10-26T02:30:00+01:00"


def test_seven_oclock_stays_seven_oclock_through_the_change() -> None:
    assert due_after(Every(time(7), DAILY), "2026-03-28T07:00") == "2026-03-29T07:00+02:00"
    assert due_after(Every(time(7), DAILY), "2026-10-24T07:00") == "2026-10-25T07:00+01:00"


def test_ten_minutes_are_ten_minutes_through_the_change() -> None:
    assert due_after(After(timedelta(minutes=10)), "2026-03-29T01:55") == "2026-03-29T03:05+02:00"


def test_the_sun_with_an_offset_before_and_after() -> None:
    set_today, set_tomorrow = local("2026-06-01T21:20"), local("2026-06-02T21:21")
    before, after = AtSun(Sun.SUNSET, -timedelta(minutes=30)), AtSun(Sun.SUNSET, timedelta(minutes=30))
    assert due_after(before, "2026-06-01T12:00", set_today) == "2026-06-01T20:50+02:00"
    assert due_after(before, "2026-06-01T21:00", set_today) == "2026-06-02T20:50+02:00"
    # the sun has set, the home tells tomorrow's: half an hour after today's is still to come
    assert due_after(after, "2026-06-01T21:30", set_tomorrow) == "2026-06-01T21:51+02:00"
    fridays = AtSun(Sun.SUNSET, days=frozenset({Weekday.FRIDAY}))
    assert due_after(fridays, "2026-06-01T12:00", set_today) == "2026-06-05T21:20+02:00"


def test_what_cannot_be_is_told_by_name() -> None:
    with pytest.raises(InThePast):
        due_after(At(time(8), date(2026, 6, 1)), "2026-06-01T09:00")
    with pytest.raises(TooFarAhead):
        due_after(At(time(8), date(2027, 7, 1)), "2026-06-01T09:00")
    with pytest.raises(TooFarAhead):
        due_after(After(timedelta(days=400)), "2026-06-01T09:00")
    with pytest.raises(NoSun):
        due_after(AtSun(Sun.SUNRISE), "2026-06-01T09:00")


@pytest.mark.parametrize(
    "due",
    [
        After(timedelta(seconds=90.5)),
        At(time(7, 5)),
        At(time(7, 5, 30), date(2026, 6, 1)),
        Every(time(7), frozenset({Weekday.MONDAY, Weekday.SUNDAY})),
        AtSun(Sun.SUNSET, -timedelta(minutes=15), frozenset({Weekday.FRIDAY})),
        Upon("sensor.washer", "idle"),
    ],
)
def test_a_due_is_the_same_after_the_database(due: Due) -> None:
    assert from_json(as_json(due)) == due


def test_a_sun_that_was_told_weeks_ago_still_sets() -> None:
    told = local("2026-05-01T20:40")
    assert due_after(AtSun(Sun.SUNSET), "2026-06-01T17:00", sun=told) == "2026-06-01T20:40+02:00"
