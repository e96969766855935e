"""The days that a clause is about."""

from __future__ import annotations

from datetime import date

from homeagent.languages.concepts import (
    Attribute,
    Clock,
    DayWord,
    Particle,
    Question,
    Reference,
    Role,
    StateWord,
    Verb,
)
from homeagent.understanding.clauses import THINGS, Clause
from homeagent.understanding.frames.question_form import form_of
from homeagent.understanding.request import Asked, Period

_AHEAD = {DayWord.YESTERDAY: -1, DayWord.TODAY: 0, DayWord.TOMORROW: 1, DayWord.AFTER_TOMORROW: 2}
WEEKDAYS = (
    *(DayWord.MONDAY, DayWord.TUESDAY, DayWord.WEDNESDAY, DayWord.THURSDAY),
    *(DayWord.FRIDAY, DayWord.SATURDAY, DayWord.SUNDAY),
)
PAST_DAYS = frozenset({DayWord.YESTERDAY, DayWord.LAST_WEEK})
_WEEK, _MONTH, _SATURDAY = 7, 31, 5
SMALL = (Role.PLACE, Role.COURTESY, Role.FILLER, Role.COPULA)
"""What says nothing of its own beside a day."""


def day_said(clause: Clause, today: date) -> Period | None:
    """The days that a clause says, as `Period`; None where it says none. Days to come count negative."""
    word = next((d for _, d in clause.said(DayWord)), None)
    if word is None and clause.dated is not None:
        return Period(days_ago=(today - clause.dated[0]).days)
    now = today.weekday()
    match word:
        case None:
            return None
        case DayWord.WEEK:
            return Period(days_ago=0, days=_WEEK - now)
        case DayWord.LAST_WEEK:
            return Period(days_ago=now + _WEEK, days=_WEEK)
        case DayWord.NEXT_WEEK:
            return Period(days_ago=now - _WEEK, days=_WEEK)
        case DayWord.MONTH:
            return Period(days_ago=0, days=_MONTH)
        case DayWord.WEEKEND:
            return Period(days_ago=-max(_SATURDAY - now, 0), days=min(2, _WEEK - now))
    ahead = _AHEAD.get(word)
    if ahead is None:
        ahead = (WEEKDAYS.index(word) - now) % _WEEK or _WEEK  # today's name means a week ahead
    return Period(days_ago=-ahead)


def day_spoken_of(clause: Clause) -> Period | None:
    """The day that the turn before was about, where the clause says "then"; None for one that is over, and without."""
    before = clause.last.request if clause.last is not None else None
    if before is None or before.period is None or not clause.at(Reference.THEN, Reference.THERE):
        return None
    told = before.attribute in ("events", "forecast") and before.period.days_ago <= 0
    return before.period if told else None


def day_as_said(clause: Clause) -> str:
    """The words for the day; empty for a weekday, which has a name of its own."""
    place = next((i for i, d in clause.said(DayWord) if d not in WEEKDAYS), None)
    return clause.text(place) if place is not None else ""


def asks_only_for_a_day(clause: Clause) -> bool:
    """Whether it asks what or how, with nothing named but a day at most ("what do I have on friday")."""
    if (
        form_of(clause) not in (Asked.VALUE, Asked.ANY)
        or clause.of(Clock, Attribute)
        or clause.at(Role.NEGATION, *PAST_DAYS)
    ):
        return False
    small = (*SMALL, Role.STATEMENT, Role.PRONOUN, Role.TIME, Role.JOIN, Verb.DO)
    named = clause.of(*THINGS, StateWord, Particle)
    return not named and all(c.has(Question, DayWord) or c.says(*small) for c in clause.cells)
