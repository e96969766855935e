"""What is done with a timer, as far as a clause says it, and the time that is set or meant."""

from __future__ import annotations

from datetime import datetime, timedelta

from homeagent.history.when.due_times import Said
from homeagent.history.when.future_times import Clock, Slot
from homeagent.languages.concepts import Clock as ClockWord
from homeagent.languages.concepts import Question
from homeagent.timers.due import After, At, Due
from homeagent.timers.timer import TimerAction, TimerKind
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frames.timed_orders import Ahead
from homeagent.understanding.frames.timer_clause import KINDS, TimerClause
from homeagent.understanding.timer_words import Doing, Noun

_DEEDS = {
    Doing.CANCEL: TimerAction.CANCEL,
    Doing.PAUSE: TimerAction.PAUSE,
    Doing.RESUME: TimerAction.RESUME,
    Doing.SNOOZE: TimerAction.SNOOZE,
    Doing.DISMISS: TimerAction.DISMISS,
}
_HOUR = 60
_DAYS = frozenset({Slot.DAY, Slot.WEEKDAY, Slot.DATE, Slot.DAYS})


def deed_of(said: TimerClause, told: Said, clause: Clause) -> TimerAction | None:
    """What is done with timers: what a verb says, a question for what is left, else to set one; None where nothing is
    said of any.
    """
    times = says_a_time(told)
    does = said.does
    if said.noun is not None and KINDS[said.noun] is TimerKind.ALARM:
        asks = Doing.LEFT in does or clause.of(ClockWord) or clause.at(Question.WHEN)
        if asks and is_vague(told):
            return TimerAction.LIST
    if said.noun is Noun.WAKE:
        return TimerAction.SET
    if Doing.LIST in does and is_vague(told) and not does & {Doing.SET, Doing.CANCEL, Doing.PAUSE, Doing.CHANGE}:
        return TimerAction.LIST  # "which alarms are there for tomorrow"
    if not times and (Doing.LEFT in does or (Doing.LIST in does and not does & {Doing.CANCEL, Doing.PAUSE})):
        return TimerAction.LIST
    for doing in (Doing.RESUME, Doing.SNOOZE, Doing.DISMISS, Doing.PAUSE):
        if doing in does:
            return _DEEDS[doing]
    if Doing.CANCEL in does and (not times or Doing.SET not in does or _led_by(said) is Doing.CANCEL):
        return TimerAction.CANCEL
    moved = bool(said.more & {Doing.LATER, Doing.EARLIER}) and Doing.SET not in does and bool(said.pieces)
    if Doing.CHANGE in does or moved:
        return TimerAction.CHANGE
    if clause.asks and not times and said.noun is not None and Doing.SET not in does:
        return TimerAction.LIST
    if said.noun is None and not does:
        return None
    return TimerAction.SET


def _led_by(said: TimerClause) -> Doing | None:
    """What is ordered first: "cancel the alarm that is set for 8" cancels."""
    return said.verbs[0][0] if said.verbs else None


def says_a_time(told: Said) -> bool:
    """Whether a time was said, more than "today"."""
    return bool(told.keys() - {Slot.DAY, Slot.PART, Slot.DAYS}) or told.get(Slot.DAY) not in (None, 0)


def is_vague(told: Said) -> bool:
    """Whether only a day or a part of one is said, and no time of it."""
    return told.keys() <= {Slot.DAY, Slot.PART, Slot.WEEKDAY, Slot.DATE, Slot.DAYS}


def how_much_longer(said: TimerClause, told: Said) -> timedelta | None:
    """By how much longer it is to run, or later to come; negative: shorter, earlier. A bare number is minutes."""
    lengths = {Slot.LENGTH, Slot.SPAN} | ({Slot.DELAY} if Doing.LATER in said.more else set())
    length = next((v for s in lengths if isinstance(v := told.get(s), timedelta)), None)
    clock = told.get(Slot.CLOCK)
    if isinstance(clock, Clock) and clock.loose and said.more & {Doing.ADD, Doing.LESS}:
        lengths, length = {Slot.CLOCK}, timedelta(minutes=clock.minutes / _HOUR)
    if length is None or told.keys() - lengths or not said.more:
        return None
    if Doing.SET in said.does and not said.more - {Doing.LESS}:
        return None
    return -length if said.more & {Doing.LESS, Doing.EARLIER} else length


def due_of_timer(kind: TimerKind, told: Said, ahead: Ahead) -> Due | None:
    """When one of this kind is due; None where what is told says no time that such a one can have.

    Of a timer a bare number is minutes.
    """
    length = next((v for s in (Slot.LENGTH, Slot.SPAN, Slot.DELAY) if isinstance(v := told.get(s), timedelta)), None)
    clock, number = told.get(Slot.CLOCK), told.get(Slot.NUMBER)
    if kind is TimerKind.TIMER:
        if isinstance(number, float):
            length = length or timedelta(minutes=number)
        if isinstance(clock, Clock) and clock.loose:
            told = {s: v for s, v in told.items() if s is not Slot.CLOCK}
            length = length or timedelta(minutes=clock.minutes / _HOUR)
        if length is not None:
            return After(length) if Slot.CLOCK not in told and length > timedelta() else None
        until = told.get(Slot.UNTIL)
        return ahead.due({Slot.CLOCK: until} if isinstance(until, Clock) else told)
    if length is not None and kind is TimerKind.ALARM and Slot.DELAY not in told and is_an_hour(length, ahead):
        told = {**told, Slot.CLOCK: Clock(round(length.total_seconds() / 60))}
        length = None
    if length is not None and not isinstance(told.get(Slot.CLOCK), Clock):
        return After(length) if not told.keys() - {Slot.LENGTH, Slot.SPAN, Slot.DELAY} else None
    return ahead.due(told, waking=kind is TimerKind.ALARM)


def near_to(before: datetime | None, due: Due, told: Said, ahead: Ahead) -> Due:
    """When it is due instead of ``before`` (in the home's zone): at a time that is told without its day on that day,
    and in the half of the day that is nearer, where both may be meant. As it is where that is over.
    """
    clock = told.get(Slot.CLOCK)
    if before is None or not isinstance(due, At) or not isinstance(clock, Clock) or _DAYS & told.keys():
        return due
    first = datetime.combine(before.date(), due.time, before.tzinfo)
    halves = () if clock.exact or Slot.PART in told else (timedelta(hours=12), timedelta(hours=-12))
    either = [first, *(first + half for half in halves if (first + half).date() == first.date())]
    found = min((at for at in either if at > ahead.now), key=lambda at: abs(at - before), default=None)
    return At(found.time(), found.date()) if found is not None else due


def is_an_hour(length: timedelta, ahead: Ahead) -> bool:
    """Whether so many hours may be said of the clock: "de wekker op 8 uur"."""
    hours = length.total_seconds() / 3600
    return ahead.hour_is_clock and hours >= 1 and (2 * hours).is_integer() and hours <= 24
