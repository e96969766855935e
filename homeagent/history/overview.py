"""What happened at all: of many things those that changed, the most telling first, and of the others how many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from homeagent.ha.recorder import HistoryRow
from homeagent.history.summaries.kinds import ORDER, Kind, Thing
from homeagent.history.summaries.summary import events
from homeagent.history.sums import Stretch, occurrences, stretches
from homeagent.values.timespan import Span, describe_seconds

_PEOPLE = "person"
_LEFT_OUT = frozenset(
    {"device_tracker", "group", "automation", "script", "number", "input_number", "select", "weather"}
)
"""People tell it better than their devices, and members than their group."""


@dataclass(frozen=True, slots=True)
class Happening:
    """A thing that came into a state: ``count`` times, the first and the last of them, ``seconds`` in all."""

    entity_id: str
    state: str
    count: int
    first: datetime
    last: datetime
    seconds: float

    @property
    def time(self) -> str:
        """``seconds`` as people read it: ``1 h 20 min``."""
        return describe_seconds(self.seconds)


def is_worth_telling(thing: Thing) -> bool:
    """Whether a thing is one to which something happens; what only measures or shows a text is none."""
    if thing.domain in _LEFT_OUT or thing.measures or thing.telling.attribute:
        return False
    return bool(thing.telling.rest) or thing.telling.kind is Kind.EVENT


def happenings(things: Sequence[Thing], rows: Mapping[str, Sequence[HistoryRow]], span: Span) -> list[Happening]:
    """What happened to these, a line for each state that one came into, the most telling things first."""
    found = [(ORDER.index(t.telling.kind), h) for t in things for h in _of(t, rows.get(t.entity_id, ()), span)]
    return [h for _, h in sorted(found, key=lambda pair: (pair[0], pair[1].first))]


def is_known(rows: Sequence[HistoryRow], span: Span) -> bool:
    """Whether anything is known of a thing in the span."""
    return any(part.known for part in stretches(rows, span))


def _of(thing: Thing, rows: Sequence[HistoryRow], span: Span) -> Iterator[Happening]:
    if thing.telling.kind is Kind.EVENT:
        yield from _events(thing, rows, span)
        return
    parts = stretches(rows, span)
    words: dict[str, list[str]] = {}
    for part in parts:
        if part.known:
            words.setdefault(thing.telling.word(part.state), []).append(part.state)
    resting = [h for word in words if word in thing.telling.rest for h in _came_to(thing, word, words[word], parts)]
    busy = [h for word in words if word not in thing.telling.rest for h in _came_to(thing, word, words[word], parts)]
    # who has only come home has not left in that time; who left, will have come home
    yield from busy or (resting if thing.domain == _PEOPLE else ())


def _came_to(thing: Thing, word: str, states: Sequence[str], parts: Sequence[Stretch]) -> Iterator[Happening]:
    times = occurrences(parts, set(states))
    if entered := [t for t in times if t.entered]:
        # a cover that went up was "opening" first: what it came to in the end is what it is called
        shown = word if word in states else states[-1]
        seconds = sum(t.seconds for t in times)
        yield Happening(thing.entity_id, shown, len(entered), entered[0].start, entered[-1].start, seconds)


def _events(thing: Thing, rows: Sequence[HistoryRow], span: Span) -> Iterator[Happening]:
    if times := events(thing.telling, rows, span):
        yield Happening(thing.entity_id, "", len(times), times[0], times[-1], 0.0)


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
