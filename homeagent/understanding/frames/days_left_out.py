"""One day of an alarm or a timer that repeats is left out: "skip tomorrow", "no alarm tomorrow", "not on friday"."""

from __future__ import annotations

from homeagent.history.when.due_times import day_of, gathered
from homeagent.history.when.future_times import Slot
from homeagent.languages.concepts import Reference, Role, SafetyWord, Verb
from homeagent.timers.timer import TimerAction, TimerKind
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import Feature, Frame
from homeagent.understanding.frames.bare_timers import running_name
from homeagent.understanding.frames.clause_parts import words_of
from homeagent.understanding.frames.timed_orders import Ahead, with_exception
from homeagent.understanding.frames.timer_clause import TimerClause, timer_frame
from homeagent.understanding.frames.timer_deeds import due_of_timer
from homeagent.understanding.previous_turn import LastTimer
from homeagent.understanding.request import Timing
from homeagent.understanding.timer_words import Doing, Noun

_DAYS = {Slot.DAY, Slot.WEEKDAY, Slot.DATE, Slot.PART}
_KINDS = {
    Noun.TIMER: TimerKind.TIMER,
    Noun.CLOCK: TimerKind.ALARM,
    Noun.ALARM: TimerKind.ALARM,
    Noun.WAKE: TimerKind.ALARM,
    Noun.REMINDER: TimerKind.REMINDER,
}
_SMALL = (Role.NEGATION, Role.EXCEPT, SafetyWord.NONE, Role.JOIN, Role.STATEMENT, Reference.INSTEAD, Verb.DO, Verb.KEEP)


def day_left_out(clause: Clause, said: TimerClause, ahead: Ahead, last: LastTimer | None) -> Frame | None:
    """The frame that leaves out the day that is said; None where nothing is left out, or nothing tells of which timer.

    A negation alone is enough of what wakes, and right behind an order for a timer.
    """
    skips, denies = Doing.SKIP in said.does, bool(clause.at(Role.NEGATION, Role.EXCEPT, SafetyWord.NONE))
    told = gathered(said.pieces)
    if clause.asks or not (skips or denies) or told is None or not told.keys() <= _DAYS:
        return None
    kind = _KINDS.get(said.noun) if said.noun is not None else None
    day = day_of(told, ahead.now.date())
    if (said.noun is not None and kind is None) or said.does - {Doing.SKIP, Doing.LEFT} or said.more:
        return None
    if day is None and not (skips and (kind or (last is not None and last.fresh))):
        return None
    small = words_of(clause, clause.at(*_SMALL))
    rest = [i for i in said.rest if i not in small]
    if kind is not None:
        wakes = said.noun in (Noun.CLOCK, Noun.ALARM, Noun.WAKE)
        name = running_name(said.text(rest), ahead) if rest else ""
        if not (skips or wakes) or (rest and not name):
            return None
        timing = Timing(TimerAction.SKIP, kind, name=name, day=day)
    elif last is not None and not rest and (skips or last.fresh):
        timing = Timing(TimerAction.SKIP, last.kind, timer_id=last.timer_id if last.fresh else "", day=day)
    else:
        return None
    found = timer_frame(clause, timing)
    return found.without(Feature.NEGATED)


def days_but(clause: Clause, said: TimerClause, ahead: Ahead) -> Frame | None:
    """The frame for an alarm that rings on all days, or on those that are said, but some: "every day except Sunday".
    None where more is said."""
    excepts = clause.at(Role.EXCEPT)
    places = words_of(clause, excepts)
    if not places or said.noun is None or _KINDS.get(said.noun) is not TimerKind.ALARM or said.more:
        return None
    told = with_exception(said.pieces, said.tokens[min(places)].start, last=clause.postpositions)
    small = places | words_of(clause, clause.at(*_SMALL))
    if told is None or any(i not in small for i in said.rest):
        return None
    due = due_of_timer(TimerKind.ALARM, told, ahead)
    if due is None or said.does - {Doing.SET}:
        return None
    found = timer_frame(clause, Timing(TimerAction.SET, TimerKind.ALARM, due=due))
    return found.without(Feature.NEGATED)
