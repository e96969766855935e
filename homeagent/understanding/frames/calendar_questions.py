"""What is planned on a day, or next; and what is not known of a day to come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from homeagent.languages.concepts import (
    Attribute,
    Clock,
    Complaint,
    DayWord,
    Heading,
    Level,
    ListAction,
    Particle,
    Question,
    Reference,
    Role,
    ShoppingWord,
    Sky,
    StateWord,
    Topic,
    Verb,
)
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import OPEN_WORD, frame
from homeagent.understanding.frames.days_said import (
    PAST_DAYS,
    SMALL,
    asks_only_for_a_day,
    day_as_said,
    day_said,
    day_spoken_of,
)
from homeagent.understanding.frames.question_form import form_of, is_of_the_speaker
from homeagent.understanding.home_names import CALENDARS, LISTS
from homeagent.understanding.noun_phrases import target_of
from homeagent.understanding.request import NOT_AHEAD, Act, Asked, Details, Period, Request, Scope
from homeagent.understanding.spans import Free, InArea, Named, NoPlace, OfKind, OnFloor
from indexer.selector import Selector

_HOURS = 24
_DEEDS = (ListAction.ADD, ListAction.REMOVE, ListAction.NEW, ListAction.WIPE)
_NO_CALENDAR = 0.2
"""So much likelier is any other meaning of "is anything on" in a home without a calendar."""


def calendar(clause: Clause, today: date) -> Iterator[Frame]:
    """A frame for what is planned on a day, or next. A time of day alone is today's."""
    said = clause.at(Topic.CALENDAR) | _what_is_on(clause)
    said |= {i for i, c in enumerate(clause.cells) if c.is_of(CALENDARS)}
    if clause.at(ShoppingWord.BUY) or _is_called(clause, said):
        return
    if said and said <= clause.of(Question) and not (clause.days | clause.times) and _is_within(clause):
        return  # "what is there in the fridge"
    title = _title(clause, said) if clause.names.of_domain(CALENDARS) else []
    if title and not said:
        yield from _titled(clause, title, today)
        return
    if not said or clause.of(Verb) - clause.neutral - clause.at(Verb.HEAR, Topic.UPCOMING) or clause.at(*_DEEDS) - said:
        return
    if clause.at(Reference.THERE) and not clause.days and clause.last is not None and clause.last.domains == (LISTS,):
        return  # "what is on there" is of the list
    others = clause.at(Topic.WEATHER) - said
    cells = said | (clause.of(Question) - others) | clause.days | clause.at(Topic.UPCOMING, Role.STATEMENT, *SMALL)
    cells |= clause.times
    hours = {i for n in clause.numbers if n.unit is None or n.of_time for i in n.cells} - clause.days
    cells |= clause.neutral | hours | clause.at(ListAction.ITEM)
    first = bool(clause.at(Topic.UPCOMING) or clause.at(Question.WHEN))
    period = day_said(clause, today) or day_spoken_of(clause)
    cells |= clause.at(Reference.THEN) if period is not None and not clause.days else set()
    if period is None and (clause.times or hours) and not first:
        period = Period(days_ago=0)
    request = Request(
        Act.QUERY,
        Scope(selector=Selector(domains=(CALENDARS,))),
        asked=Asked.WHEN if first else Asked.VALUE,
        attribute="events",
        period=period,
        details=replace(_hours_said(clause, hours), title=_title_said(clause, title)),
    )
    cells |= set(title)
    weak = 0.0 if clause.of(Question) or clause.asks else 1.0
    if not clause.names.of_domain(CALENDARS):
        weak += _NO_CALENDAR
    extra = {Feature.WEAK_QUESTION: weak, Feature.OPEN_TEXT: OPEN_WORD * len(title)}
    yield frame(clause, ActKind.CALENDAR, request, cells, extra=extra)


def _what_is_on(clause: Clause) -> set[int]:
    """The indexes of the words that ask for what is planned: what the speaker does or has on a day, or what is "on"
    then. Of today only right before the day: "what's on today"; how things are now is asked with the same words.
    """
    on, days = clause.at(Particle.ON), clause.of(DayWord)
    ahead = bool(days - clause.at(DayWord.TODAY))
    if on and form_of(clause) in (Asked.VALUE, Asked.WHICH) and (ahead or days & {i + 1 for i in on}):
        small = (*SMALL, Role.TIME)
        return (
            on
            if all(i in on | days or c.has(Question) or c.says(*small) for i, c in enumerate(clause.cells))
            else set()
        )
    asked = bool(days) and asks_only_for_a_day(clause) and is_of_the_speaker(clause)
    return set(range(len(clause.cells))) if asked and not clause.at(Role.COURTESY) else set()


def _is_called(clause: Clause, said: set[int]) -> bool:
    """Whether it only says the name of a calendar beside another clause: so those are called whom it is named for."""
    whole = not clause.cells[0].first and clause.cells[-1].end == len(clause.tokens)
    asks = (
        clause.asks or clause.of(Question) or clause.days or clause.times or clause.at(Topic.CALENDAR, Topic.UPCOMING)
    )
    return bool(said) and said <= clause.of(Named) - clause.of(OfKind) and not (whole or asks)


def _is_within(clause: Clause) -> bool:
    """Whether it names a place or a thing."""
    placed = any(clause.next_to(i, Role.PLACE) for i in clause.of(Free))
    return placed or bool(clause.of(Named, OfKind, InArea, OnFloor))


def _title(clause: Clause, said: set[int]) -> list[int]:
    """The indexes of the words of an event: unexplained ones, where it asks when that is, a preposition leads them or a
    word for an event follows ("with Tom", "the dentist appointment").
    """
    free = [i for i, f in clause.said(Free) if clause.cells[i].free and not (f.adverb or f.quoted)]
    if not said or clause.at(Question.WHEN):
        return free if said or _asks_when(clause) else []
    leads = (Role.WITH, Role.PLACE)
    close = [i for i in free if i + 1 in said or clause.next_to(i, *leads) or any(k in said for k in (i - 1, i - 2))]
    return free if close else []


def _asks_when(clause: Clause) -> bool:
    """Whether it asks when something is, or whether it is on a day, with nothing else named that is known."""
    known = (Named, OfKind, InArea, OnFloor, NoPlace, Sky, StateWord, Particle, Heading, Level, Complaint, Attribute)
    small = clause.at(Role.STATEMENT, Role.PRONOUN, Role.FILLER, Role.PLACE, Role.COPULA)
    conditions = clause.at(Role.CONDITION) - clause.at(Question.WHEN)
    if (clause.of(*known) - small) or conditions or clause.at(*PAST_DAYS, Role.TIMER, Question.OTHER):
        return False
    if clause.at(Topic.WEATHER, Topic.SUNRISE, Topic.SUNSET, Role.NEGATION):
        return False
    clock = [c for i in clause.of(Clock) for c in clause.cells[i + 1 : i + 2]]
    if _asks_of_it(clause) or not _opens_the_question(clause):
        return False  # "what time is it in Oslo", "mute it when we leave"
    if clause.at(Question.WHEN) or any(c.says(Role.COPULA, Question.YESNO) for c in clock):
        return True
    if clause.postpositions and clause.of(Clock) == {len(clause.cells) - 1}:
        return True  # "수영 수업 몇 시야"
    together = any(clause.next_to(i, Role.WITH) for i in clause.of(Free)) and bool(clause.at(Question.ANY))
    return (together or bool(clause.of(DayWord))) and _asks_of_oneself(clause)


def _asks_of_it(clause: Clause) -> bool:
    """Whether a pronoun is there, alone or within a longer word, that is no article."""
    said = clause.names.pack.phrases
    tokens = clause.tokens[clause.cells[0].first : clause.cells[-1].end]
    return any(Role.PRONOUN in (meant := said.get(t.text, ())) and Role.ARTICLE not in meant for t in tokens)


def _opens_the_question(clause: Clause) -> bool:
    """Whether only small words stand before the question word; with the verb last it may stand anywhere."""
    asked = min(clause.at(Question.WHEN) | clause.of(Clock), default=0)
    small = (Role.COURTESY, Role.FILLER, Role.JOIN, Role.STATEMENT, Role.ARTICLE, Role.COPULA)
    before = clause.cells[:asked]
    return clause.postpositions or all(c.free or c.says(*small) or c.has(Question) for c in before)


def _asks_of_oneself(clause: Clause) -> bool:
    """Whether it opens with a verb and the speaker as its subject ("am I …", "do we …", never "is it …")."""
    opening, *behind = clause.cells[clause.opening :]
    last = clause.names.pack.phrases.get(clause.tokens[opening.end - 1].text, ())
    subject = Role.STATEMENT in last or any(c.says(Role.STATEMENT) for c in behind[:1])
    return opening.says(Question.YESNO) and subject


def _titled(clause: Clause, title: Sequence[int], today: date) -> Iterator[Frame]:
    """A frame for when an event is, by its title alone ("when is the dentist")."""
    period = day_said(clause, today)
    request = Request(
        Act.QUERY,
        Scope(selector=Selector(domains=(CALENDARS,))),
        asked=Asked.WHEN,
        attribute="events",
        period=period,
        details=Details(when=day_as_said(clause), title=_title_said(clause, title)),
    )
    kept = clause.at(Role.OR, Role.EXCEPT) | {i for n in clause.numbers for i in n.cells} - clause.days
    cells = set(range(len(clause.cells))) - kept
    yield frame(clause, ActKind.CALENDAR, request, cells, extra={Feature.OPEN_TEXT: OPEN_WORD * len(title)})


def _title_said(clause: Clause, title: Sequence[int]) -> str:
    return " ".join(clause.text(i) for i in title)


def _hours_said(clause: Clause, cells: set[int]) -> Details:
    """The hours that a question is limited to, and how they, or else the day, were said."""
    values = [n.value for n in clause.numbers if n.cells[0] in cells and n.value <= _HOURS]
    if not values:
        return Details(when=day_as_said(clause))
    return Details(when=clause.text(min(cells), max(cells)), hours=(min(values), max(values)))


def to_come(clause: Clause) -> Iterator[Frame]:
    """A frame that says that a future state is not known ("is the door locked tomorrow")."""
    times = (clause.of(DayWord) - clause.at(*PAST_DAYS, DayWord.TODAY)) | clause.at(Role.TIME)
    whether = clause.of(Question) or clause.asks
    states = (clause.of(StateWord) - clause.at(Role.PLACE)) | clause.at(Attribute.FINISHED)
    when = clause.at(Question.WHEN) and clause.at(Attribute.FINISHED)
    topic = clause.at(Topic.CALENDAR, Topic.WEATHER) | clause.of(Sky)
    if not whether or not states or not (times or when) or topic:
        return
    cells = times | states | clause.of(Question) | clause.at(*SMALL)
    target = target_of(clause, cells)
    if not target.empty and not target.unknown:
        yield frame(clause, ActKind.LATER, Request(Act.SAY, say=NOT_AHEAD), cells, target)
