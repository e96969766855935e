"""Several timers or alarms in one clause: "timers for 5 and 10 minutes", "alarms at 7 and 7:30", "pasta 8 minutes,
sauce 20"."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from homeagent.history.when.due_times import Said
from homeagent.history.when.future_times import Clock, Piece, Slot
from homeagent.languages.concepts import Reference, Role
from homeagent.timers.timer import TimerAction, TimerKind
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import Frame
from homeagent.understanding.frames.clause_parts import words_of
from homeagent.understanding.frames.timed_orders import Ahead
from homeagent.understanding.frames.timer_clause import KINDS, TimerClause, is_loose, timer_frame
from homeagent.understanding.frames.timer_deeds import due_of_timer
from homeagent.understanding.request import Timing

_TIMES = frozenset({Slot.CLOCK, Slot.LENGTH, Slot.SPAN, Slot.DELAY, Slot.NUMBER})
_ON = frozenset({Slot.DAY, Slot.WEEKDAY, Slot.DATE, Slot.DAYS})
"""What says on which day, or days."""
_UNITS = (timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1))
_HOUR = 60
_NO_LIST = (Role.OR, Role.NEGATION, Reference.INSTEAD, Reference.CORRECTS)
"""With one of these two times are not each meant."""
_MOST_NAMES = 3
"""Words of the name of one of several."""


def several_times(said: TimerClause) -> list[Piece]:
    """The pieces that each say a time of their own, where these are several; else none."""
    found = [p for p in said.pieces if p.slot in _TIMES]
    found = [p for p in found if not _counts_them(p, said, len(found) - 1)]
    return found if len(found) > 1 and len({p.value for p in found}) == len(found) else []


def _counts_them(piece: Piece, said: TimerClause, others: int) -> bool:
    """Whether a bare number right behind the word for timers tells how many there are: "타이머 두 개, 3분하고 12분"."""
    behind = max(said.noun_at, default=-2) + 1
    beside = 0 < behind < len(said.tokens) and piece.first <= said.tokens[behind].start < piece.last
    counts = isinstance(piece.value, Clock) and piece.value.loose and piece.value.minutes == others * _HOUR
    return others > 1 and beside and counts


def each_of_several(
    clause: Clause, said: TimerClause, deed: TimerAction, times: Sequence[Piece], ahead: Ahead
) -> Frame | None:
    """One frame for all of them; None where it is not said clearly which kind, name and day is of which time."""
    if deed not in (TimerAction.SET, TimerAction.CANCEL):
        return None
    between = any(c.means(Role.BETWEEN) and not c.means(Role.FILLER) for c in clause.cells)
    if clause.asks or between or clause.at(*_NO_LIST) or said.more or not _are_joined(clause, said, times):
        return None
    stretches = _stretches(clause, said, times)
    kinds, names, days = _kinds(said, stretches), _names(said, stretches, ahead), _days(said.pieces, times)
    lengths = [p for p in times if isinstance(p.value, timedelta)]
    if kinds is None or names is None or days is None or (TimerKind.TIMER in kinds and not lengths):
        return None
    unit = _unit(clause, lengths[0]) if lengths else _UNITS[1]
    timings = []
    for piece, kind, name, day in zip(times, kinds, names, days, strict=True):
        value = _with_unit(piece, kind, unit)
        if kind is TimerKind.ALARM and isinstance(value, timedelta) and len(lengths) < len(times):
            value = Clock(round(value.total_seconds() / 60))  # "réveils à 6 h et 6 h 15"
        told: Said = {Slot.LENGTH: value} if isinstance(value, timedelta) else {**day, Slot.CLOCK: value}
        due = due_of_timer(kind, told, ahead)
        if due is None:
            return None
        sets = deed is TimerAction.SET
        timings.append(Timing(deed, kind, name=name, due=due if sets else None, which=None if sets else due))
    words = sum(len(n.split()) for n in names)
    return timer_frame(clause, replace(timings[0], also=tuple(timings[1:])), float(words))


def _stretches(clause: Clause, said: TimerClause, times: Sequence[Piece]) -> list[range]:
    """The places of the words that belong to each time: up to the conjunction, or the mark, before the next."""
    joins = words_of(clause, clause.at(Role.JOIN))
    ends = [_end_of(said, one, other, joins) + 1 for one, other in pairwise(times)]
    return [range(begin, end) for begin, end in pairwise((0, *ends, len(said.tokens)))]


def _end_of(said: TimerClause, one: Piece, other: Piece, joins: Collection[int]) -> int:
    """The place of the last word that belongs to one of two times: the conjunction, or what it hangs on, or what
    stands before a mark."""
    between = [i for i, t in enumerate(said.tokens) if one.last <= t.start < other.first]
    marked = (i - 1 for i in between if said.tokens[i].mark)
    return max((i for i in between if i in joins), default=next(marked, min(between, default=0) - 1))


def _kinds(said: TimerClause, stretches: Sequence[range]) -> list[TimerKind] | None:
    """The kind of each: of its own noun, else as of the one before. None where a time has nouns of two kinds, or it is
    a reminder's."""
    kinds: list[TimerKind] = []
    for places in stretches:
        own = {KINDS[noun] for noun, at in said.sorts if at in places}
        if len(own) > 1:
            return None
        kinds += own or kinds[-1:] or ([KINDS[said.noun]] if said.noun in KINDS else [])
    return kinds if len(kinds) == len(stretches) and TimerKind.REMINDER not in kinds else None


def _are_joined(clause: Clause, said: TimerClause, times: Sequence[Piece]) -> bool:
    """Whether each time is told apart from the one before: by a conjunction, a mark or its own word for a timer; of
    lengths, and behind a word in the plural, that they are two is enough where what joins hangs on a word."""
    if clause.postpositions:
        return True
    joins = words_of(clause, clause.at(Role.JOIN)) | said.nouns
    for one, other in pairwise(times):
        between = [i for i, t in enumerate(said.tokens) if one.last <= t.start < other.first]
        first = next((t for t in said.tokens if t.start >= one.last), None)
        if first is None or not (joins & {*between} or any(said.tokens[i].mark for i in between) or first.mark):
            return False
    return True


def _unit(clause: Clause, length: Piece) -> timedelta:
    """The unit that a length is told in, which a bare number beside it shares."""
    assert isinstance(length.value, timedelta)
    for number in clause.numbers:
        token = clause.tokens[clause.cells[number.cells[0]].first]
        if number.value and length.first <= token.start < length.last:
            unit = length.value / number.value
            return unit if unit in _UNITS else _UNITS[1]
    return _UNITS[1]


def _with_unit(piece: Piece, kind: TimerKind, unit: timedelta) -> Clock | timedelta:
    """A bare number is so many units of a timer, and an hour of an alarm."""
    if kind is TimerKind.TIMER and isinstance(piece.value, Clock) and (is_loose(piece) or piece.value.bare):
        return unit * (piece.value.minutes / _HOUR)
    if kind is TimerKind.TIMER and isinstance(piece.value, float | int):
        return unit * piece.value
    assert isinstance(piece.value, Clock | timedelta)
    return piece.value


def _days(pieces: Sequence[Piece], times: Sequence[Piece]) -> list[Said] | None:
    """The day of each time: one that is said once is of all of them, one for each is of its own."""
    others = [p for p in pieces if p not in times]
    sorts = [[p for p in others if p.slot in _ON], *([p for p in others if p.slot is s] for s in {*Slot} - _ON)]
    days: list[dict[Slot, object]] = [{} for _ in times]
    for said in filter(None, sorts):
        if len(said) not in (1, len(times)):
            return None
        for n, day in enumerate(days):
            piece = said[n if len(said) > 1 else 0]
            day[piece.slot] = piece.value
    return days  # type: ignore[return-value]


def _names(said: TimerClause, stretches: Sequence[range], ahead: Ahead) -> list[str] | None:
    """The name of each, empty for none; None where one is too long for a name, or two are the same."""
    names = [_name(said, places, ahead) for places in stretches]
    short = all(len(name.split()) <= _MOST_NAMES for name in names)
    return names if short and len({*filter(None, names)}) == sum(map(bool, names)) else None


def _name(said: TimerClause, places: range, ahead: Ahead) -> str:
    rest = [i for i in places if i in said.rest and said.tokens[i].text not in ahead.words.label]
    written = ((i, ahead.words.written_to(said.tokens[i].text)) for i in places if i in said.nouns)
    compound = next((said.tokens[i].raw[:size].rstrip("-") for i, size in written if size), "")
    return said.text(rest) or compound
