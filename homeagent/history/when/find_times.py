"""The stretches of time that a sentence names, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from homeagent.history.when.atoms import Atom
from homeagent.history.when.resolve_times import Interval, Resolver, is_bare
from homeagent.history.when.time_words import TimeWords, Token, parted, time_words, tokens
from homeagent.understanding.tokeniser import tokenise

_OPENERS = ("between", "from", "since", "until", "before", "after")
_MARKERS = (*_OPENERS, "to", "and")
_HALF_DAY = 12 * 60
_DAYS = (None, "day")
_INSTANT = timedelta(minutes=1)
_HOUR = timedelta(hours=1)
_WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class When:
    """A stretch of time and where the sentence says it: aware, UTC, half-open, ``end`` not after now.

    ``instant``: a moment was named, and the stretch is the minute that begins with it. ``over``: it has ended, or is
    said as one that is gone ("last night", before dawn). ``first`` and ``last`` are offsets of characters.
    """

    start: datetime
    end: datetime
    instant: bool
    over: bool
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Marker:
    """A word between two times, such as "since", "to", "and"."""

    kind: str
    first: int
    last: int


Item = Atom | Marker


def find_times(
    text: str, language: str, now: datetime, zone: ZoneInfo, taken: Sequence[tuple[int, int]] = ()
) -> list[When]:
    """Every stretch of the past that is named, as it is meant at ``now`` (aware) in ``zone``.

    ``taken``: from where to where in the text something is named that is no time. Empty where the language is none of
    `languages`. A time to come is no stretch of the past.
    """
    known = time_words(language)
    if known is None:
        return []
    words = parted(tokenise(text).tokens, known)
    free = [not any(w.start < end and start < w.end for start, end in taken) for w in words]
    resolver = Resolver(now, zone, known.clock)
    found: list[When] = []
    for run in tokens(words, known, free):
        for interval, first, last in _Run(_items(run, known), known, resolver).periods():
            end = min(interval.end, now)
            over = interval.gone or interval.end < now
            if interval.start < end:
                found.append(When(interval.start, end, interval.instant, over, words[first].start, words[last].end))
    return found


class _Run:
    """Words for time that stand side by side."""

    def __init__(self, items: list[Item], known: TimeWords, resolver: Resolver) -> None:
        self._items = _in_front(items) if known.postfix else items
        self._known = known
        self._resolver = resolver
        self._at = 0

    def periods(self) -> list[tuple[Interval, int, int]]:
        found: list[tuple[Interval, int, int]] = []
        unit: str | None = None
        while self._at < len(self._items):
            start = self._at
            interval, atoms = self._next(unit)
            self._at = max(self._at, start + 1)
            if interval is not None and atoms:
                said = self._items[start : self._at]
                found.append((interval, min(i.first for i in said), max(i.last for i in said)))
                unit = next((a.unit for a in atoms if a.mod and a.unit), unit)
        return found

    def _next(self, unit: str | None) -> tuple[Interval | None, list[Atom]]:
        """The next stretch. ``unit`` is what a bare "last" after another stretch leaves out."""
        lead = self._atom()
        if lead is not None:
            night = lead.part == "night" and lead.day is None and lead.weekday is None
            if night and (weekday := self._night_before()) is not None:
                return self._resolver.interval(replace(lead, weekday=weekday, mod=None)), [lead]
            opener = self._kind()
            inner = self._peek_atom(1)
            if opener in _OPENERS and inner is not None and lead.names_day and not inner.names_day:
                self._at += 1
                interval, atoms = self._opened(str(opener), lead)
                return interval, [lead, *atoms]
            if unit and lead.mod in ("this", "last") and lead.unit is None and set(lead.said) == {"mod"}:
                lead = replace(lead, unit=unit)
            return self._resolver.interval(lead.finished(self._known, clocky=False)), [lead]
        kind = self._kind()
        self._at += 1
        return self._opened(kind, None) if kind in _OPENERS else (None, [])

    def _night_before(self) -> int | None:
        """The weekday on which a night begins that is "to Monday", or "from Sunday to Monday"; passes these by."""
        if self._kind() == "to" and (day := self._peek_atom(1)) is not None and day.weekday is not None:
            self._at += 2
            return (day.weekday - 1) % 7
        if self._kind() == "from" and (day := self._peek_atom(1)) is not None and self._peek_atom(3) is not None:
            self._at += 4
            return day.weekday
        return None

    def _opened(self, opener: str, lead: Atom | None) -> tuple[Interval | None, list[Atom]]:
        first = self._atom()
        if first is None:
            return None, []
        if opener in ("between", "from"):
            return self._range(opener, first, lead)
        if opener == "since":
            if self._kind() == "until" and (second := self._peek_atom(1)) is not None:
                self._at += 2
                return self._between(first, second, lead), [first, second]
            done = first.finished(self._known, clocky=True, since=True).with_day_of(lead)
            found = self._resolver.interval(done, since=True)
            return (Interval(found.start, self._resolver.now) if found else None), [first]
        done = first.finished(self._known, clocky=True).with_day_of(lead)
        return self._half_open(opener, done), [first]

    def _range(self, opener: str, first: Atom, lead: Atom | None) -> tuple[Interval | None, list[Atom]]:
        joints = ("and",) if opener == "between" else ("to", "until")
        if self._kind() not in joints or (second := self._peek_atom(1)) is None:
            done = first.finished(self._known, clocky=False).with_day_of(lead)
            return self._resolver.interval(done), [first]
        self._at += 2
        return self._between(first, second, lead), [first, second]

    def _between(self, first: Atom, second: Atom, lead: Atom | None) -> Interval | None:
        first, second = _like_date(first, second), _like_date(second, first)
        start, end = (a.finished(self._known, clocky=True).with_day_of(lead) for a in (first, second))
        start, end = start.with_day_of(end), end.with_day_of(start)
        start = _like_end(start, end)
        a = self._resolver.interval(start)
        if a is None:
            return None
        if end.is_clock and not end.names_day:
            return Interval(a.start, self._resolver.following(a.start, end))
        b = self._resolver.interval(end, ahead=True)
        if b is None:
            return None
        last = b.start if b.instant else b.end
        if last <= a.start and end.is_clock:
            last = self._resolver.following(a.start, replace(end, exact=True))
        while last <= a.start and end.weekday is not None:
            last = self._resolver.day_of(last + _WEEK - _HOUR).end
        return Interval(a.start, last) if a.start < last else None

    def _half_open(self, opener: str, atom: Atom) -> Interval | None:
        found = self._resolver.interval(atom)
        if found is None:
            return None
        if opener == "after":
            begin = found.start if found.instant else found.end
            until = self._resolver.day_of(begin).end if found.instant and atom.names_day else self._resolver.now
            return Interval(begin, until) if begin < self._resolver.now else None
        end = found.end if opener == "until" and not found.instant else found.start
        return Interval(self._resolver.day_of(end - _INSTANT).start, end)

    def _atom(self) -> Atom | None:
        if self._at < len(self._items) and isinstance(item := self._items[self._at], Atom):
            self._at += 1
            return item
        return None

    def _peek_atom(self, ahead: int) -> Atom | None:
        at = self._at + ahead
        item = self._items[at] if at < len(self._items) else None
        return item if isinstance(item, Atom) else None

    def _kind(self) -> str | None:
        item = self._items[self._at] if self._at < len(self._items) else None
        return item.kind if isinstance(item, Marker) else None


def _like_date(atom: Atom, other: Atom) -> Atom:
    """The bare number that is joined to a date is a day of that month: "from 3 to 5 November"."""
    if other.date is None or other.is_clock or set(atom.said) - {"number", "unit", "date"} or atom.unit not in _DAYS:
        return atom
    day = atom.date if atom.date is not None else int(atom.number or 0)
    month = atom.month if atom.month is not None else other.month
    return replace(atom, date=day, number=None, unit=None, month=month, year=other.year)


def _like_end(start: Atom, end: Atom) -> Atom:
    """What the end of a stretch says of the half of the day holds for its start: "between 2 and 4 pm"."""
    if not is_bare(start) or end.minute_of_day is None:
        return start
    if end.exact or end.minute_of_day > _HALF_DAY:
        return replace(start, exact=True)
    if end.meridiem and (start.minute_of_day or 0) % _HALF_DAY <= end.minute_of_day % _HALF_DAY:
        return replace(start, meridiem=end.meridiem)
    return start


def _items(run: Sequence[Token], known: TimeWords) -> list[Item]:
    items: list[Item] = []
    atom: Atom | None = None
    for i, token in enumerate(run):
        settled = _settled(token, run, i, known, bound=any(isinstance(m, Marker) and m.kind == "from" for m in items))
        if settled.kind == "to" and items and _kind_of(items[-1]) == "until":
            continue  # "bis zum"
        if settled.kind in _MARKERS:
            items.append(Marker(settled.kind, token.first, token.last))
            atom = None
        elif settled.kind != "filler" and (atom is None or not atom.take(settled)):
            atom = Atom(first=token.first)
            if atom.take(settled):
                items.append(atom)
    return items


def _settled(token: Token, run: Sequence[Token], at: int, known: TimeWords, *, bound: bool) -> Token:
    """A word with two meanings, by what stands beside it; ``bound``: a "from" that is one went before."""
    if token.kind == "morning_or_next":
        led = at > 0 and run[at - 1].kind in ("day", "weekday", "this", "last", "from", "to", "and", "since")
        return replace(token, kind="part", value="morning") if led else replace(token, kind="next")
    if token.kind == "ago_or_before":
        near = run[max(0, at - 2) : at] if known.postfix else run[at + 1 : at + 3]
        counted = any(t.kind == "unit" for t in near) and any(t.kind == "number" for t in near)
        return replace(token, kind="ago" if counted else "before")
    night = any(t.value == "night" for t in run[:at])
    if token.kind == "into":
        return replace(token, kind="to" if night else "filler")
    if token.kind == "to" and not known.postfix and not bound and not night:
        return replace(token, kind="at")
    if token.kind == "from":
        joined = at > 0 and run[at - 1].kind in ("number", "date", "month") and at + 1 < len(run)
        dated = joined and run[at + 1].kind in ("month", "number")  # "el 24 de noviembre de 2026"
        if dated or not any(t.kind in ("to", "into", "until") for t in run[at + 1 :]):
            return replace(token, kind="filler")
    return token


def _in_front(items: Sequence[Item]) -> list[Item]:
    """Words that follow the time they belong to, put before it: "2 from 4 until" as "from 2 to 4"."""
    ordered: list[Item] = []
    for item in items:
        before = ordered[-1] if ordered else None
        if isinstance(item, Atom) or item.kind == "and" or not isinstance(before, Atom):
            ordered.append(item)
        elif item.kind == "to":
            ordered[-1:] = [replace(item, kind="from"), before]
        elif item.kind == "between" and len(ordered) >= 3 and _kind_of(ordered[-2]) == "and":
            ordered[-3:] = [item, *ordered[-3:]]
        elif len(ordered) >= 3 and isinstance(opener := ordered[-3], Marker) and opener.kind in ("from", "since"):
            ordered[-3] = replace(opener, kind="from")
            ordered[-1:] = [replace(item, kind="to"), before]
        else:
            ordered[-1:] = [item, before]
    return ordered


def _kind_of(item: Item) -> str:
    return item.kind if isinstance(item, Marker) else ""
