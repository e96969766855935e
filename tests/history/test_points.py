"""Change points made fewer, times in a state, readings of meters."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeagent.ha.recorder import HistoryRow
from homeagent.history.numbers import without_resets
from homeagent.history.sums import Aggregate, Stretch, figure, occurrences, sampled, stretches
from homeagent.values.timespan import Span

START = datetime(2026, 5, 4, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def row(minute: int, state: str, **attributes: object) -> HistoryRow:
    return HistoryRow("x.y", state, START + minute * MINUTE, attributes)


@given(st.lists(st.floats(-50, 50).map(str), min_size=1, max_size=200), st.integers(2, 40))
def test_what_is_left_holds_the_ends_and_the_extremes(values, most):
    parts = [Stretch(v, START + i * MINUTE, START + (i + 1) * MINUTE, True) for i, v in enumerate(values)]
    kept = sampled(parts, most)
    assert len(kept) == min(most, len(parts))
    assert kept == sorted(kept, key=lambda p: p.start)
    assert (kept[0], kept[-1]) == (parts[0], parts[-1])
    if most >= 4:
        numbers = [float(p.state) for p in kept]
        assert (min(numbers), max(numbers)) == (min(map(float, values)), max(map(float, values)))


@given(st.lists(st.sampled_from(["on", "off", "idle", "unavailable"]), min_size=1, max_size=60), st.integers(0, 20))
def test_times_in_a_state_agree_with_a_count_by_the_minute(states, begin):
    rows = [row(i, s) for i, s in enumerate(states)]
    span = Span(START + begin * MINUTE, START + 90 * MINUTE)
    found = occurrences(stretches(rows, span), {"on", "idle"})

    minutes, entered, within = 0, 0, False
    for minute in range(90):
        state = states[min(minute, len(states) - 1)]
        if state == "unavailable":
            continue
        inside = state in ("on", "idle")
        if minute >= begin:
            minutes += inside
            entered += inside and not within and minute > begin
            within = inside
        # what was before the span tells nothing of whether it was entered within
    assert sum(o.seconds for o in found) == minutes * 60
    assert sum(o.entered for o in found) == entered


@given(st.lists(st.floats(0, 100), min_size=1, max_size=30), st.integers(0, 29))
def test_a_meter_that_begins_anew_counts_on(steps, reset_at):
    shown, value, counted = [], 0.0, 0.0
    for i, step in enumerate(steps):
        value = step if i == reset_at else value + step
        shown.append(value)
        counted += step if i else 0.0
    rows = [row(i, str(v), last_reset=i >= reset_at) for i, v in enumerate(shown)]
    span = Span(START, START + timedelta(hours=2))
    told = figure(without_resets(rows), span, Aggregate.SUM, meter=True, net=True)
    assert told is not None
    assert abs(told.value - counted) < 1e-6


@pytest.mark.parametrize(
    ("shown", "net", "counted"), [((100, 40), True, -60), ((100, 95), False, -5), ((100, 40, 50), False, 50)]
)
def test_a_net_meter_may_count_down_and_another_begins_anew(shown, net, counted):
    rows = [row(i, str(value)) for i, value in enumerate(shown)]
    span = Span(START, START + timedelta(hours=2))
    assert figure(rows, span, Aggregate.SUM, meter=True, net=net).value == counted


def test_what_is_counted_of_two_days_is_what_each_of_them_counted():
    """A step in the very moment of midnight is the new day's."""
    rows = [row(-60, "10"), row(0, "14"), row(30, "15")]
    days = [Span(START + timedelta(minutes=m), START + timedelta(minutes=m + 60)) for m in (-60, 0)]
    whole = Span(days[0].start, days[1].end)
    told = [figure(rows, span, Aggregate.SUM, meter=True).value for span in (*days, whole)]
    assert told == [0, 5, 5]
