"""When nobody was at home, by what is recorded of the people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from homeagent.ha.recorder import HistoryRow
from homeagent.history.sums import stretches
from homeagent.values.timespan import Span

_HOME = "home"
_WORTH_TELLING = timedelta(minutes=10)
"""Whoever goes out for less is not "away", unless there is nothing else."""


def last_away(rows: Mapping[str, Sequence[HistoryRow]], span: Span) -> Span | None:
    """The last stretch of the span in which all of these were away; None where there was none.

    Of a person nothing is known of, it is not taken that they were away.
    """
    free: list[Span] = [span]
    for of_one in rows.values():
        gone = [Span(p.start, p.end) for p in stretches(of_one, span) if p.known and p.state != _HOME]
        free = [both for a in free for b in _joined(gone) if (both := _overlap(a, b)) is not None]
    if not rows or not free:
        return None
    long = [s for s in free if s.end - s.start >= _WORTH_TELLING]
    return (long or free)[-1]


def _joined(parts: Sequence[Span]) -> list[Span]:
    """From one zone to the next is away all the same."""
    joined: list[Span] = []
    for part in parts:
        if joined and joined[-1].end == part.start:
            joined[-1] = Span(joined[-1].start, part.end)
        else:
            joined.append(part)
    return joined


def _overlap(a: Span, b: Span) -> Span | None:
    start, end = max(a.start, b.start), min(a.end, b.end)
    return Span(start, end) if start < end else None
