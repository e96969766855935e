"""A thing's day as a summary that can be found: in words and figures, from its recorded states.

Pure: rows in, a summary out. A summary is bounded in length however much happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from homeagent.ha.recorder import HistoryRow, StatisticsRow
from homeagent.history import numbers
from homeagent.history.numbers import as_number, in_words, measured
from homeagent.history.summaries.days import clock, day_span
from homeagent.history.summaries.kinds import ORDER, Kind, Telling, Thing, noise
from homeagent.history.summaries.spells import MOST_WORDS, Spell, by_word, spells, tell_gaps, tell_word
from homeagent.history.sums import Stretch, attribute_rows, stretches
from homeagent.values.timespan import Span, describe_seconds

_MOST_TIMES = 6
_MOST_TEXTS = 6
"""A text with more values than this in a day is told by how often it changed."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A day of one thing.

    ``text`` says what happened, without the thing's name and the day; ``gist`` the same without figures and times.
    ``quiet``: nothing happened that is worth finding. ``figures``: numbers and ISO times for programs. ``points``:
    recorded changes that it rests on.
    """

    kind: Kind
    text: str = ""
    gist: str = ""
    quiet: bool = True
    figures: Mapping[str, Any] = field(default_factory=dict)
    points: int = 0


def summarise(
    thing: Thing, rows: Sequence[HistoryRow], day: date, zone: ZoneInfo, *, until: datetime | None = None
) -> Summary:
    """The day from state changes. ``until``: the moment it is, for a day that is not over.

    The first row may be from before the day: the state at its start.
    """
    span, running = _told_span(day, zone, until)
    points = sum(span.start < row.at < span.end for row in rows)
    if thing.telling.kind is Kind.EVENT:
        return _events(thing.telling, rows, span, zone)
    if thing.counts_up:
        return _metered(numbers.metered(rows, span, only_rises=thing.state_class == "total_increasing"), thing, points)
    if thing.measures or _all_numbers(thing, rows):
        return _measured(numbers.measured(rows, span), thing, span, zone, points)
    return _states(thing.telling, rows, span, zone, running, points)


def summarise_statistics(thing: Thing, rows: Sequence[StatisticsRow], day: date, zone: ZoneInfo) -> Summary:
    """The day from long-term statistics, for what measures or counts."""
    span = day_span(day, zone)
    within = [row for row in rows if span.start <= row.start < span.end]
    if thing.counts_up:
        return _metered(numbers.metered_in_statistics(within), thing, len(rows))
    return _measured(numbers.measured_in_statistics(within), thing, span, zone, len(rows))


def _told_span(day: date, zone: ZoneInfo, until: datetime | None) -> tuple[Span, bool]:
    whole = day_span(day, zone)
    if until is None or until >= whole.end:
        return whole, False
    return Span(whole.start, max(until, whole.start)), True


def _states(
    telling: Telling, rows: Sequence[HistoryRow], span: Span, zone: ZoneInfo, running: bool, points: int
) -> Summary:
    found = [s for s in spells(stretches(rows, span), telling) if s.seconds > 0]
    times = by_word(found)
    if not times:
        return Summary(Kind.NOTHING, points=points)
    beside = tell_attributes(telling, rows, span, zone, running)
    gaps = tell_gaps(found, span, zone)
    told = [t for t in times.values() if t.word not in telling.rest]
    quiet = not beside.first and (not told or (len(times) == 1 and not any(t.count for t in told)))
    facts: dict[str, Mapping[str, Any]] = beside.figures | {
        "seconds": {t.word: round(t.seconds) for t in times.values()},
        "count": {t.word: t.count for t in times.values() if t.count},
        "first": {t.word: _first(t.spells) for t in times.values() if t.count},
        "last": {t.word: _last(t.spells) for t in times.values() if t.count},
    }
    if telling.kind is Kind.TEXT and len(times) > _MOST_TEXTS:
        return _changing_text(found, zone, gaps, points)
    if told:
        words = [tell_word(t, telling, span, zone, running) for t in told[:MOST_WORDS]]
        gist = [telling.begun.get(t.word, t.word) for t in told[:MOST_WORDS]]
        if len(told) > MOST_WORDS:
            words.append(f"{len(told) - MOST_WORDS} more states")
    else:
        [rest] = list(times)[:1]
        words = [f"{rest} {'as far as recorded' if gaps else 'so far' if running else 'all day'}"]
        gist = [rest]
    words, gist = [*beside.first, *words, *beside.then, *gaps], [*beside.gist, *gist]
    return _summary(telling.kind, words, gist, quiet, _bounded(facts), points)


def _changing_text(found: Sequence[Spell], zone: ZoneInfo, gaps: Sequence[str], points: int) -> Summary:
    known = [s for s in found if s.word is not None]
    changes, last = sum(s.entered for s in known), known[-1]
    words = [f"text changed {changes} times", f'last to "{last.word}" at {clock(last.start, zone)}']
    gist = [f"text changed, {last.word}"]
    return _summary(Kind.TEXT, [*words, *gaps], gist, False, {"changes": changes}, points)


def events(telling: Telling, rows: Sequence[HistoryRow], span: Span) -> list[datetime]:
    """The moments in the span that states (or an attribute) tell of, each once: a restart writes them again."""
    return sorted({at for row in rows if (at := _moment(row, telling)) and span.start <= at < span.end})


def _events(telling: Telling, rows: Sequence[HistoryRow], span: Span, zone: ZoneInfo) -> Summary:
    """States (or an attribute) that are moments: each one in the span is something that happened."""
    moments = events(telling, rows, span)
    name = telling.begun.get("", "")
    if not moments:
        known = any(row.at < span.end for row in rows)
        return Summary(telling.kind, telling.begun.get("none", ""), name) if known else Summary(Kind.NOTHING)
    often = "once" if len(moments) == 1 else f"{len(moments)} times"
    times = [clock(at, zone) for at in moments]
    if len(times) > _MOST_TIMES:
        times = [*times[: _MOST_TIMES // 2], "…", *times[-_MOST_TIMES // 2 :]]
    facts = {"count": len(moments), "first": moments[0].isoformat(), "last": moments[-1].isoformat()}
    return _summary(telling.kind, [f"{name} {often}: {', '.join(times)}"], [name], False, facts, len(moments))


def _measured(found: numbers.Measured | None, thing: Thing, span: Span, zone: ZoneInfo, points: int) -> Summary:
    if found is None:
        return Summary(Kind.NOTHING, points=points)
    unit = f" {thing.unit}" if thing.unit else ""
    low, high, mean = (in_words(v) for v in (found.low, found.high, found.mean))
    quiet = found.high - found.low < noise(thing.device_class, found.mean) or found.high == found.low
    if low == high:
        words = [f"steady at {mean}{unit}"]
    else:
        words = [f"{low}–{high}{unit}, mean {mean}"]
        words.append(f"lowest {clock(found.low_at, zone)}, highest {clock(found.high_at, zone)}")
    missing = span.seconds - found.seconds
    if missing > max(600.0, span.seconds / 50):
        words.append(f"not recorded for {describe_seconds(missing)}")
    facts = {
        "min": found.low,
        "min_at": found.low_at.isoformat(),
        "max": found.high,
        "max_at": found.high_at.isoformat(),
        "mean": found.mean,
        "last": found.last,
        "seconds": round(found.seconds),
        "unit": thing.unit,
    }
    return _summary(Kind.MEASURED, words, ["measured"], quiet, facts, points)


def _metered(found: numbers.Metered | None, thing: Thing, points: int) -> Summary:
    if found is None:
        return Summary(Kind.NOTHING, points=points)
    unit = f" {thing.unit}" if thing.unit else ""
    words = [f"counted {in_words(found.change)}{unit}"]
    if found.resets:
        words.append("began anew " + ("once" if found.resets == 1 else f"{found.resets} times"))
    facts = {"change": found.change, "resets": found.resets, "seconds": round(found.seconds), "unit": thing.unit}
    return _summary(Kind.METERED, words, ["counted"], not found.change, facts, points)


def _summary(
    kind: Kind, words: Sequence[str], gist: Sequence[str], quiet: bool, facts: Mapping[str, object], points: int
) -> Summary:
    return Summary(kind, "; ".join(words), ", ".join(gist), quiet, facts, points)


def _all_numbers(thing: Thing, rows: Sequence[HistoryRow]) -> bool:
    """A sensor that never said it measures, and yet has many values that are all numbers."""
    if thing.domain != "sensor":
        return False
    values = {row.state for row in rows[: 10 * _MOST_TEXTS]}
    count = sum(as_number(v) is not None for v in values)
    return count > _MOST_TEXTS and len(values) - count <= 2


def _moment(row: HistoryRow, telling: Telling) -> datetime | None:
    text = row.state if telling.attribute is None else row.attributes.get(telling.attribute)
    try:
        at = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return at if at.tzinfo else None


def _bounded(facts: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    """Only the words that held longest: texts may be many."""
    return {name: dict(list(of_word.items())[:_MOST_TEXTS]) for name, of_word in facts.items() if of_word}


def _first(some: Sequence[Spell]) -> str:
    return next(s.start for s in some if s.entered).isoformat()


def _last(some: Sequence[Spell]) -> str:
    return next(s.start for s in reversed(some) if s.entered).isoformat()


_MOST = 8
_LONGEST = 700
"""Characters."""


def summarise_area(things: Iterable[tuple[str, Summary]]) -> Summary:
    """The day of an area from those of its things, each with its name. Quiet where all of them are."""
    worth = [(name, s) for name, s in things if not s.quiet]
    if not worth:
        return Summary(Kind.AREA)
    worth.sort(key=lambda told: (ORDER.index(told[1].kind), told[0]))
    lines: list[str] = []
    length = 0
    for name, summary in worth[:_MOST]:
        line = f"{name}: {summary.text.partition('; ')[0]}"
        if lines and length + len(line) > _LONGEST:
            break
        lines.append(line)
        length += len(line) + 2
    if len(worth) > len(lines):
        lines.append(f"{len(worth) - len(lines)} more things")
    gist = ", ".join(f"{name} {summary.gist}" for name, summary in worth[: len(lines)])
    facts = {"things": len(worth)}
    return Summary(Kind.AREA, "; ".join(lines), gist[:_LONGEST], False, facts, sum(s.points for _, s in worth))


_MOST_SETTINGS = 6


@dataclass(frozen=True, slots=True)
class AttributeHistory:
    """``first``: what is told before the state; ``then``: after it. ``gist``: without figures."""

    first: Sequence[str] = ()
    then: Sequence[str] = ()
    gist: Sequence[str] = ()
    figures: dict[str, Any] = field(default_factory=dict)


def tell_attributes(
    telling: Telling, rows: Sequence[HistoryRow], span: Span, zone: ZoneInfo, running: bool
) -> AttributeHistory:
    """From rows with attributes; nothing where the kind of thing has no such attributes, or the thing shows none."""
    first: list[str] = []
    then: list[str] = []
    gist: list[str] = []
    figures: dict[str, Any] = {}
    if telling.does is not None:
        times = by_word(spells(stretches(attribute_rows(rows, telling.does), span), telling))
        done = [t for t in times.values() if t.word not in telling.idle]
        first, gist = [tell_word(t, telling, span, zone, running) for t in done], [t.word for t in done]
        figures |= {"does": {t.word: round(t.seconds) for t in done}} if done else {}
    if telling.measures is not None and (shown := measured(attribute_rows(rows, telling.measures), span)) is not None:
        low, high, mean = (in_words(v) for v in (shown.low, shown.high, shown.mean))
        then.append(f"measured {low if low == high else f'{low}–{high}'}{telling.unit}, mean {mean}")
        figures["measured"] = {"min": shown.low, "max": shown.high, "mean": shown.mean}
    if telling.set_to is not None and (settings := _settings(attribute_rows(rows, telling.set_to), span)):
        then.append(_tell_settings(settings, telling.unit, zone))
    return AttributeHistory(first, then, gist, figures)


def _settings(rows: Sequence[HistoryRow], span: Span) -> list[Stretch]:
    return [part for part in stretches(rows, span) if as_number(part.state) is not None]


def _tell_settings(settings: Sequence[Stretch], unit: str, zone: ZoneInfo) -> str:
    """``set to 17°, 21° from 06:30 on, 17° from 22:00 on``."""
    told = [
        f"{in_words(float(s.state))}{unit}" + (f" from {clock(s.start, zone)} on" if s.entered else "")
        for s in settings[:_MOST_SETTINGS]
    ]
    left = len(settings) - len(told)
    return f"set to {', '.join(told)}" + (f", and {left} more times" if left else "")
