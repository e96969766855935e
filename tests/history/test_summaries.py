"""A day in words and figures, as people read it."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeagent.ha.recorder import HistoryRow, StatisticsRow
from homeagent.history.overview import happenings
from homeagent.history.summaries.days import clock, day_of, day_span
from homeagent.history.summaries.kinds import Kind, Thing, thing_of
from homeagent.history.summaries.summary import Summary, summarise, summarise_area, summarise_statistics
from indexer.entity import Entity, EntityCategory

BERLIN = ZoneInfo("Europe/Berlin")
DAY = date(2026, 5, 4)
BEFORE = "before"


def rows(*points: tuple[str, str], day: date = DAY, zone: ZoneInfo = BERLIN, **attributes: str) -> list[HistoryRow]:
    """Local times of the day; ``before`` is the evening before it."""
    found = []
    for at, state in points:
        hour, minute = (0, -120) if at == BEFORE else map(int, at.split(":"))
        midnight = datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)
        moment = (
            midnight + timedelta(minutes=minute)
            if at == BEFORE
            else datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone).astimezone(UTC)
        )
        found.append(HistoryRow("x.y", state, moment, attributes))
    return found


def told(thing: Thing, *points: tuple[str, str], until: str | None = None) -> Summary:
    now = rows((until, ""))[0].at if until else None
    return summarise(thing, rows(*points), DAY, BERLIN, until=now)


DOOR = Thing("binary_sensor.garage", "garage_door")
LAMP = Thing("light.hall")
TEMPERATURE = Thing("sensor.t", "temperature", "°C", "measurement")
ENERGY = Thing("sensor.e", "energy", "kWh", "total_increasing")


def test_a_door_is_told_by_its_openings():
    summary = told(DOOR, (BEFORE, "off"), ("7:31", "on"), ("7:33", "off"), ("12:00", "on"), ("12:20", "off"))
    assert summary.text == "opened 2 times for 22 min in all: 07:31–07:33, 12:00–12:20"
    assert not summary.quiet
    assert (summary.kind, summary.gist, summary.points) == (Kind.OPENING, "opened", 4)
    assert summary.figures["count"] == {"open": 2, "closed": 2}


def test_nothing_happening_is_quiet():
    assert told(DOOR, (BEFORE, "off")).text == "closed all day"
    assert told(DOOR, (BEFORE, "on")).text == "open all day"
    assert told(DOOR, (BEFORE, "off")).quiet
    assert told(DOOR, (BEFORE, "on")).quiet


def test_a_lamp_by_how_long_it_was_on():
    summary = told(LAMP, (BEFORE, "on"), ("0:10", "off"), ("20:00", "on"), ("22:00", "off"))
    assert summary.text == "on once for 2 h 10 min in all: until 00:10, 20:00–22:00"


def test_a_person_by_when_they_were_away():
    summary = told(Thing("person.ada"), (BEFORE, "home"), ("8:05", "not_home"), ("17:40", "home"))
    assert summary.text == "away once for 9 h 35 min: 08:05–17:40"
    assert summary.kind is Kind.PRESENCE


def test_a_temperature_by_range_and_mean_weighted_by_time():
    summary = told(TEMPERATURE, (BEFORE, "20"), ("18:00", "24"))
    assert summary.text == "20–24 °C, mean 21; lowest 00:00, highest 18:00"
    assert summary.figures["mean"] == pytest.approx(21)


def test_a_small_movement_is_noise():
    assert told(TEMPERATURE, (BEFORE, "21.3"), ("12:00", "21.5")).quiet
    assert not told(TEMPERATURE, (BEFORE, "21.3"), ("12:00", "22.5")).quiet


def test_a_gap_is_no_value():
    summary = told(TEMPERATURE, (BEFORE, "20"), ("6:00", "unavailable"), ("18:00", "22"))
    assert summary.text == "20–22 °C, mean 21; lowest 00:00, highest 18:00; not recorded for 12 h"
    door = told(DOOR, (BEFORE, "on"), ("3:00", "unavailable"), ("4:10", "on"), ("5:00", "off"))
    assert door.text == "open for 3 h 50 min in all: until 03:00, 04:10–05:00; not available 03:00–04:10"
    assert told(DOOR, (BEFORE, "off"), ("3:00", "unknown"), ("4:10", "off")).text.startswith(
        "closed as far as recorded"
    )


def test_a_meter_that_begins_anew():
    summary = told(ENERGY, (BEFORE, "10"), ("6:00", "11"), ("8:00", "0.5"), ("9:00", "2"))
    assert summary.text == "counted 3 kWh; began anew once"
    falling = Thing("sensor.net", "energy", "kWh", "total")
    assert told(falling, (BEFORE, "10"), ("6:00", "11"), ("8:00", "9")).text == "counted -1 kWh"


def test_a_meters_ripple_is_no_new_start():
    assert told(ENERGY, (BEFORE, "10"), ("6:00", "9.9"), ("8:00", "10.4")).figures["change"] == pytest.approx(0.4)


def test_a_text_that_keeps_changing_is_bounded():
    points = [(f"{h}:{m}", f"text number {h} {m} " + "x" * 200) for h in range(24) for m in range(0, 60, 5)]
    summary = told(Thing("sensor.news"), *points)
    assert summary.text.startswith("text changed 287 times; last to")
    assert len(summary.text) < 200


def test_few_texts_are_told_by_their_time():
    summary = told(Thing("sensor.washer"), (BEFORE, "idle"), ("9:00", "washing"), ("10:00", "idle"))
    assert summary.text == "idle once for 23 h in all: until 09:00, from 10:00 on; washing once for 1 h: 09:00–10:00"


def test_presses_and_runs_are_moments():
    at = rows(("7:00", ""), ("19:30", ""))
    pressed = [HistoryRow("button.b", r.at.isoformat(), r.at) for r in at]
    assert summarise(Thing("button.b"), pressed, DAY, BERLIN).text == "pressed 2 times: 07:00, 19:30"
    ran = [HistoryRow("automation.a", "on", r.at, {"last_triggered": r.at.isoformat()}) for r in at]
    assert summarise(Thing("automation.a"), ran, DAY, BERLIN).text == "ran 2 times: 07:00, 19:30"
    assert summarise(Thing("automation.a"), rows((BEFORE, "on")), DAY, BERLIN).text == "did not run"


def test_much_movement_is_told_in_spells():
    points = [(BEFORE, "off")]
    for hour in (7, 12, 20):
        points += [(f"{hour}:{m}", "on" if m % 2 else "off") for m in range(1, 41)]
    summary = told(Thing("binary_sensor.hall", "motion"), *points)
    assert summary.text == "motion 60 times for 1 h in all: 07:01–07:40, 12:01–12:40, 20:01–20:40"


def test_the_day_that_runs_is_told_until_now():
    summary = told(DOOR, (BEFORE, "off"), ("9:00", "on"), until="10:30")
    assert summary.text == "opened once for 1 h 30 min: since 09:00"
    assert told(DOOR, (BEFORE, "off"), until="10:30").text == "closed so far"


def test_nothing_recorded_is_nothing_told():
    assert told(DOOR).kind is Kind.NOTHING
    assert told(TEMPERATURE, (BEFORE, "unavailable")).kind is Kind.NOTHING


def test_a_record_that_begins_late_says_so():
    assert told(DOOR, ("14:00", "off"), ("15:00", "on"), ("15:05", "off")).text.endswith("recorded from 14:00 on")


def test_local_days_through_changes_of_the_clock():
    spring, autumn = day_span(date(2026, 3, 29), BERLIN), day_span(date(2026, 10, 25), BERLIN)
    assert spring.seconds == 23 * 3600
    assert autumn.seconds == 25 * 3600
    lamp = rows((BEFORE, "on"), day=date(2026, 10, 25))
    assert summarise(LAMP, lamp, date(2026, 10, 25), BERLIN).figures["seconds"] == {"on": 25 * 3600}


def test_the_hour_that_comes_twice_is_told_apart():
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert clock(first, BERLIN) == "02:30 CEST"
    assert clock(first + timedelta(hours=1), BERLIN) == "02:30 CET"
    assert clock(first + timedelta(hours=2), BERLIN) == "03:30"


def test_a_day_whose_midnight_is_skipped():
    cairo = ZoneInfo("Africa/Cairo")
    span = day_span(date(2026, 4, 24), cairo)
    assert span.seconds == 23 * 3600
    assert span.start == day_span(date(2026, 4, 23), cairo).end


def test_statistics_tell_what_points_no_longer_can():
    start = day_span(DAY, BERLIN).start
    hours = [start + timedelta(hours=h) for h in range(24)]
    stats = [
        StatisticsRow("s", h, h + timedelta(hours=1), mean=20 + i % 2, min=19 + i % 2, max=21 + i % 2, change=0.5)
        for i, h in enumerate(hours)
    ]
    assert summarise_statistics(TEMPERATURE, stats, DAY, BERLIN).text.startswith("19–22 °C, mean 20.5")
    assert summarise_statistics(ENERGY, stats, DAY, BERLIN).text == "counted 12 kWh"


def test_what_has_no_history_worth_telling():
    assert thing_of(Entity("update.router", "Router"), None) is None
    assert thing_of(Entity("sensor.rssi", "RSSI", device_class="signal_strength"), None) is None
    assert thing_of(Entity("sensor.boot", "Boot", device_class="timestamp"), None) is None
    assert thing_of(Entity("sensor.t", "T", category=EntityCategory.DIAGNOSTIC), None) is None
    assert thing_of(Entity("light.hall", "Hall", hidden=True), None) is None
    assert thing_of(Entity("light.hall", "Hall"), None) == LAMP


def test_an_area_tells_its_most_telling_things_first():
    door = told(DOOR, (BEFORE, "off"), ("7:31", "on"), ("7:33", "off"))
    lamp = told(LAMP, (BEFORE, "off"), ("20:00", "on"), ("22:00", "off"))
    quiet = told(LAMP, (BEFORE, "off"))
    summary = summarise_area([("Lamp", lamp), ("Spare lamp", quiet), ("Gate", door)])
    assert summary.text == "Gate: opened once for 2 min: 07:31–07:33; Lamp: on once for 2 h: 20:00–22:00"
    assert summarise_area([("Spare lamp", quiet)]).quiet


def test_a_thermostat_tells_what_it_did_how_warm_it_was_and_what_it_was_set_to():
    points = (
        (BEFORE, "idle", 18.0, 17),
        ("6:30", "heating", 18.0, 21),
        ("8:00", "idle", 21.0, 21),
        ("22:00", "idle", 20.0, 17),
    )
    some = [
        replace(
            rows((at, "heat"))[0], attributes={"hvac_action": does, "current_temperature": now, "temperature": goal}
        )
        for at, does, now, goal in points
    ]
    summary = summarise(Thing("climate.c"), some, DAY, BERLIN)
    assert summary.text == (
        "heating once for 1 h 30 min: 06:30–08:00; heat all day; measured 18–21°, mean 19.9; "
        "set to 17°, 21° from 06:30 on, 17° from 22:00 on"
    )
    assert summary.gist == "heating, heat"
    assert not summary.quiet
    plain = summarise(Thing("climate.c"), rows((BEFORE, "heat")), DAY, BERLIN)
    assert (plain.text, plain.quiet) == ("heat all day", True)


def test_a_press_is_no_new_one_because_home_assistant_started_again():
    """It writes the state, which is the time of the last press, anew."""
    bell, pressed = Thing("input_button.bell"), f"{DAY - timedelta(days=1)}T09:00:00+00:00"
    some = rows((BEFORE, pressed), ("3:01", pressed))
    yesterday, today = (day_span(day, BERLIN) for day in (DAY - timedelta(days=1), DAY))
    assert summarise(bell, some, DAY, BERLIN).text == "not pressed"
    assert not happenings([bell], {bell.entity_id: some}, today)
    assert [h.count for h in happenings([bell], {bell.entity_id: some}, yesterday)] == [1]


@pytest.mark.dear
def test_a_hundred_thousand_points_come_to_one_line():
    start = day_span(DAY, BERLIN).start
    many = [HistoryRow("s", f"{20 + i % 7}", start + timedelta(seconds=0.8 * i)) for i in range(100_000)]
    summary = summarise(TEMPERATURE, many, DAY, BERLIN)
    assert summary.figures["mean"] == pytest.approx(23, abs=0.1)
    assert len(summary.text) < 100


minutes = st.integers(-600, 26 * 60)
states = st.sampled_from(
    ["on", "off", "unavailable", "unknown", "", "21", "22.5", "-3", "nan", "inf", "some text", "é" * 300]
)
points = st.lists(st.tuples(minutes, states), max_size=60)
things = st.sampled_from(
    [
        DOOR, LAMP, TEMPERATURE, ENERGY, Thing("person.a"), Thing("sensor.text"), Thing("climate.c"), Thing("scene.s"),
        Thing("cover.c"), Thing("automation.a"), Thing("number.n"), Thing("sensor.n", None, "kWh", "total"),
    ]
)  # fmt: skip
days = st.sampled_from([DAY, date(2026, 3, 29), date(2026, 10, 25)])


def _history(some: list[tuple[int, str]], day: date) -> list[HistoryRow]:
    start = day_span(day, BERLIN).start
    return [HistoryRow("x.y", state, start + timedelta(minutes=m)) for m, state in sorted(some, key=lambda p: p[0])]


@given(points, things, days, st.one_of(st.none(), st.integers(0, 1500)))
def test_any_history_is_told_in_bounds(some, thing, day, now):
    until = day_span(day, BERLIN).start + timedelta(minutes=now) if now is not None else None
    summary = summarise(thing, _history(some, day), day, BERLIN, until=until)
    assert len(summary.text) < 900
    assert bool(summary.text) == (summary.kind is not Kind.NOTHING)
    seconds = summary.figures.get("seconds", 0)
    whole = sum(seconds.values()) if isinstance(seconds, dict) else seconds
    assert whole <= day_span(day, BERLIN).seconds + 1


@given(points, days)
def test_means_lie_between_the_extremes(some, day):
    summary = summarise(TEMPERATURE, _history(some, day), day, BERLIN)
    if summary.kind is Kind.MEASURED:
        f = summary.figures
        assert f["min"] <= f["mean"] <= f["max"]
        assert day_of(datetime.fromisoformat(f["min_at"]), BERLIN) == day


def test_a_meters_step_at_midnight_counts_once():
    first, second = rows(("23:59", "5"), ("23:59", "5"))[0], rows((BEFORE, "8"), day=DAY + timedelta(days=1))[0]
    midnight = HistoryRow("s", "8", second.at + timedelta(hours=2))
    changes = [
        summarise(ENERGY, [first, midnight], day, BERLIN).figures["change"] for day in (DAY, DAY + timedelta(days=1))
    ]
    assert changes == [0, 3]


@given(st.lists(st.tuples(st.integers(0, 48 * 60 - 1), st.integers(0, 50)), min_size=1, max_size=40))
def test_what_a_meter_counts_on_two_days_adds_up(some):
    start = day_span(DAY, BERLIN).start
    readings = dict(some)
    history = [HistoryRow("s", str(v), start + timedelta(minutes=m)) for m, v in sorted(readings.items())]
    first, second = (
        summarise(ENERGY, history, day, BERLIN).figures.get("change", 0.0) for day in (DAY, DAY + timedelta(days=1))
    )
    values = [float(v) for _, v in sorted(readings.items())]
    rises = sum(b if b < 0.9 * a else b - a for a, b in itertools.pairwise(values))
    assert first + second == pytest.approx(rises)
