"""What recorded states add up to."""

import itertools
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeagent.ha.recorder import HistoryRow, StatisticsRow
from homeagent.history.sums import (
    Aggregate,
    attribute_rows,
    figure,
    figure_from_statistics,
    is_numeric,
    known_seconds,
    shares,
    stretches,
)
from homeagent.values.timespan import Span, describe_seconds

START = datetime(2026, 5, 4, tzinfo=UTC)
HOUR = Span(START, START + timedelta(hours=1))


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def rows(*points: tuple[float, str]) -> list[HistoryRow]:
    return [HistoryRow("sensor.x", state, at(minutes)) for minutes, state in points]


def test_an_average_is_weighted_by_time():
    """45 minutes of 20 and 15 of 30 are 22.5, not 25."""
    found = figure(rows((-5, "20"), (45, "30")), HOUR, Aggregate.AVG)
    assert found is not None
    assert found.value == pytest.approx(22.5)


def test_unavailable_time_is_a_gap_and_no_zero():
    history = rows((0, "20"), (15, "unavailable"), (45, "30"))
    found = figure(history, HOUR, Aggregate.AVG)
    assert found is not None
    assert found.value == pytest.approx(25)
    assert known_seconds(stretches(history, HOUR)) == 30 * 60
    assert figure(history, HOUR, Aggregate.MIN).value == 20  # type: ignore[union-attr]


def test_extremes_include_the_value_from_before_and_say_when():
    history = rows((-100, "5"), (20, "50"), (30, "9"))
    low, high = figure(history, HOUR, Aggregate.MIN), figure(history, HOUR, Aggregate.MAX)
    assert low is not None
    assert high is not None
    assert (low.value, low.at) == (5, START)
    assert (high.value, high.at) == (50, at(20))


def test_count_and_sum_are_of_what_was_recorded_within():
    history = rows((-1, "5"), (10, "1"), (20, "2"), (30, "unknown"), (40, "4"))
    assert figure(history, HOUR, Aggregate.COUNT).value == 3  # type: ignore[union-attr]
    assert figure(history, HOUR, Aggregate.SUM).value == 7  # type: ignore[union-attr]


def test_a_meter_adds_what_it_counted_over_a_reset():
    history = rows((-1, "100"), (10, "103"), (20, "0"), (30, "2"))
    assert figure(history, HOUR, Aggregate.SUM, meter=True).value == pytest.approx(5)  # type: ignore[union-attr]


def test_nothing_known_is_no_number():
    assert figure([], HOUR, Aggregate.AVG) is None
    assert figure(rows((0, "unavailable")), HOUR, Aggregate.AVG) is None
    assert figure(rows((0, "nan"), (5, "inf")), HOUR, Aggregate.MAX) is None


def test_time_and_count_per_state():
    found = shares(stretches(rows((-10, "off"), (10, "on"), (20, "off"), (50, "on")), HOUR))
    assert (found["off"].seconds, found["off"].count) == (40 * 60, 1)
    assert (found["on"].seconds, found["on"].count) == (20 * 60, 2)
    assert list(found) == ["off", "on"]


def test_a_gap_within_a_state_is_not_a_new_entering():
    found = shares(stretches(rows((0, "off"), (10, "on"), (20, "unavailable"), (30, "on")), HOUR))
    assert found["on"].count == 1
    assert found["on"].seconds == 40 * 60
    assert "unavailable" not in found


def test_neighbours_of_one_state_are_one_stretch():
    assert len(stretches(rows((0, "on"), (10, "on"), (20, "off")), HOUR)) == 2


def test_numbers_and_texts_are_told_apart():
    assert is_numeric(stretches(rows((0, "1.5"), (5, "unavailable")), HOUR))
    assert not is_numeric(stretches(rows((0, "on")), HOUR))
    assert not is_numeric(stretches(rows((0, "unknown")), HOUR))


def test_an_attribute_has_a_history_too():
    history = [HistoryRow("climate.x", "heat", at(m), {"current_temperature": t}) for m, t in ((0, 20), (30, 22))]
    assert figure(attribute_rows(history, "current_temperature"), HOUR, Aggregate.AVG).value == 21  # type: ignore[union-attr]
    assert figure(attribute_rows(history, "nothing"), HOUR, Aggregate.AVG) is None


def test_statistics_are_weighted_by_their_period():
    def row(start: float, end: float, mean: float) -> StatisticsRow:
        return StatisticsRow("sensor.x", at(start), at(end), mean=mean, min=mean - 1, max=mean + 1, change=2)

    stats = [row(0, 60, 10), row(60, 180, 40)]
    assert figure_from_statistics(stats, Aggregate.AVG, meter=False).value == pytest.approx(30)  # type: ignore[union-attr]
    assert figure_from_statistics(stats, Aggregate.MIN, meter=False).value == 9  # type: ignore[union-attr]
    assert figure_from_statistics(stats, Aggregate.MAX, meter=False).at == at(60)  # type: ignore[union-attr]
    assert figure_from_statistics(stats, Aggregate.SUM, meter=True).value == 4  # type: ignore[union-attr]
    assert figure_from_statistics(stats, Aggregate.COUNT, meter=False) is None


@pytest.mark.parametrize(
    ("seconds", "words"), [(5, "5 s"), (59.7, "1 min"), (3599, "1 h"), (11100, "3 h 5 min"), (187200, "2 d 4 h")]
)
def test_lengths_of_time_in_words(seconds, words):
    assert describe_seconds(seconds) == words


POINTS = st.lists(
    st.tuples(st.floats(-30, 90), st.sampled_from(["1", "2.5", "-3", "unavailable", "unknown", "on"])), max_size=12
)


@given(POINTS)
def test_stretches_fill_the_span_from_the_first_row_without_overlap(points):
    parts = stretches(rows(*points), HOUR)
    assert all(a.end == b.start and a.state != b.state for a, b in itertools.pairwise(parts))
    assert all(HOUR.start <= p.start <= p.end <= HOUR.end for p in parts)
    if parts:
        assert parts[-1].end == HOUR.end
    assert sum(s.seconds for s in shares(parts).values()) == pytest.approx(known_seconds(parts))


@given(POINTS)
def test_an_average_lies_between_the_extremes(points):
    history = rows(*points)
    average = figure(history, HOUR, Aggregate.AVG)
    if average is not None:
        low, high = figure(history, HOUR, Aggregate.MIN), figure(history, HOUR, Aggregate.MAX)
        assert low.value - 1e-9 <= average.value <= high.value + 1e-9  # type: ignore[union-attr]
