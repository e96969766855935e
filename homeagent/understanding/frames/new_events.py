"""What is to be put into a calendar: "put the dentist in the calendar for Tuesday at 9"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from homeagent.history.when.due_times import Said, gathered
from homeagent.history.when.future_times import Clock, Piece, Slot, Value
from homeagent.languages.concepts import ListAction, Particle, Question, Role, Topic, Verb
from homeagent.timers.due import At
from homeagent.understanding.clauses import THINGS, Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import OPEN_WORD, frame
from homeagent.understanding.frames.clause_parts import pieces_in, places_of
from homeagent.understanding.frames.timed_orders import Ahead
from homeagent.understanding.grounding import Grounded, TargetFit
from homeagent.understanding.home_names import CALENDARS
from homeagent.understanding.request import WHICH_DAY, WHICH_TIME, Act, Request, Scope
from homeagent.understanding.spans import Items
from indexer.selector import Selector

_LENGTH = timedelta(hours=1)
"""How long an event takes of which only the beginning is told."""
_NOON = 12 * 60
"""Minutes."""
_EARLY = time(6)
"""An hour before this is one of the afternoon, unless the part of the day was said."""
_SMALL = (
    *(Role.FILLER, Role.ARTICLE, Role.COURTESY, Role.PLACE, Role.TO, Role.AT, Role.JOIN, Role.STATEMENT),
    *(Role.PRONOUN, Role.SERVED, Question.YESNO, Role.AUXILIARY),
)
"""What stands beside the title of an event, and is none of it."""
_OF_A_DAY = {Slot.DAY, Slot.WEEKDAY, Slot.DATE}
_REPEATED = {Slot.DAYS, Slot.AGAIN, Slot.SUN}
"""What no single event can begin at."""
_NEVER = (Role.NEGATION, Role.CONDITION, Role.OR, Role.REPORT, Role.TOLD)
_NO_CALENDAR_SAID = 1.0


def new_event(clause: Clause, ahead: Ahead) -> Iterator[Frame]:
    """A frame that creates an event, or asks for its day or its time; in a calendar that is named, or with a word for
    events, or by its day and time alone.
    """
    calendars = tuple(e.entity_id for e in clause.names.of_domain(CALENDARS))
    deeds = clause.at(ListAction.ADD, ListAction.NEW)
    asks = clause.asks and not clause.at(Role.COURTESY)
    if not calendars or not deeds or asks or clause.of(Items) or clause.at(*_NEVER):
        return
    pieces = list(_of_the_time(pieces_in(clause, ahead.pieces), clause))
    times, said = places_of(clause, pieces), _with_its_hour(gathered(pieces), ahead)
    if times is None or said is None:
        return
    named = {i for i, cell in enumerate(clause.cells) if cell.is_of(CALENDARS)}
    of_calendars = (named | clause.at(Topic.CALENDAR)) - times
    into = {i for i in of_calendars if _is_led(clause, i)}
    events = of_calendars - into
    wholly = bool(_OF_A_DAY & said.keys()) and Slot.CLOCK in said
    if not into and not (events and said) and not (wholly and clause.at(ListAction.ADD)):
        return
    if not into and clause.of(*THINGS) - named - events - deeds:
        return  # "put the heating on tomorrow at 7"
    deed = deeds - events
    title = list(_title(clause, times | into | deed))
    if not title:
        return
    ids = tuple(dict.fromkeys(i for place in into for i in clause.cells[place].named(CALENDARS)))
    scope = Scope((ids,)) if ids else Scope(selector=Selector(domains=(CALENDARS,)))
    text = " ".join(clause.text(run[0], run[-1]) for run in title)
    grounded = Grounded(scope, TargetFit.EXACT, frozenset(ids or calendars))
    words = sum(len(run) for run in title)
    extra = {Feature.OPEN_TEXT: OPEN_WORD * words + (0.0 if into or events else _NO_CALENDAR_SAID)}
    if said.keys() & _REPEATED or (Slot.UNTIL in said and Slot.CLOCK not in said):
        return
    request = _request(text, scope, said, ahead)
    if request.act is Act.CONTROL and not into and not events:
        request = replace(request, act=Act.SAY, say="suggest")  # "put the kettle on at 7" may be no event
    made = frame(clause, ActKind.PLANNING, request, range(len(clause.cells)), None, grounded, extra)
    yield replace(made, features={f: v for f, v in made.features.items() if f in _KEPT})


def _of_the_time(pieces: list[Piece], clause: Clause) -> Iterator[Piece]:
    """The pieces without parts of days that stand apart from the rest, and so are of the title: "movie night"."""
    text = [(t.start, t.end) for t in clause.tokens]

    def is_beside(part: Piece) -> bool:
        others = [p for p in pieces if p.slot is not Slot.PART]
        gaps = ((min(part.last, p.last), max(part.first, p.first)) for p in others)
        return any(not any(last <= start and end <= first for start, end in text) for last, first in gaps)

    yield from (p for p in pieces if p.slot is not Slot.PART or is_beside(p))


def _with_its_hour(said: Said | None, ahead: Ahead) -> Said | None:
    """What was said, with so many hours as a time of the clock where a language says that so."""
    length = said.get(Slot.LENGTH) if said is not None else None
    if said is None or Slot.CLOCK in said or not ahead.hour_is_clock or not isinstance(length, timedelta):
        return said
    minutes = int(length.total_seconds()) // 60
    if minutes > 2 * _NOON:
        return said
    rest: dict[Slot, Value] = {slot: value for slot, value in said.items() if slot is not Slot.LENGTH}
    rest[Slot.CLOCK] = Clock(minutes, exact=minutes > _NOON)
    return rest


_KEPT = {Feature.OPEN_TEXT, Feature.NEGATED, Feature.CORRECTED, Feature.HEARD}


def _request(summary: str, scope: Scope, said: Said, ahead: Ahead) -> Request:
    """The event with its beginning and its end; the question for what of these is missing."""
    begins: dict[Slot, Value] = {slot: value for slot, value in said.items() if slot is not Slot.UNTIL}
    due = ahead.due(begins) if Slot.CLOCK in said else None
    if not isinstance(due, At):
        return Request(Act.SAY, scope, say=WHICH_TIME, action="create_event")
    if due.day is None:
        return Request(Act.SAY, scope, say=WHICH_DAY, action="create_event")
    start = _moment(due, said)
    length = next((v for slot in (Slot.LENGTH, Slot.SPAN) if isinstance(v := said.get(slot), timedelta)), _LENGTH)
    until = ahead.due({**begins, Slot.CLOCK: said[Slot.UNTIL]}) if Slot.UNTIL in said else None
    end = _moment(until, said) if isinstance(until, At) else start + length
    while end <= start:
        end += timedelta(hours=12)
    parameters = {
        "summary": summary,
        "start_date_time": start.isoformat(" "),
        "end_date_time": end.isoformat(" "),
    }
    return Request(Act.CONTROL, scope, action="create_event", parameters=parameters)


def _moment(due: At, said: Said) -> datetime:
    moment = datetime.combine(due.day or date.max, due.time)
    early = time(0) < due.time < _EARLY and Slot.PART not in said
    return moment + timedelta(hours=12) if early else moment  # nobody has lunch at half past midnight


def _is_led(clause: Clause, place: int) -> bool:
    """Whether a preposition stands before a cell, articles aside, or opens it before a word for a calendar ("in de
    agenda", and not "te doen")."""
    cell, lead = clause.cells[place], place
    phrases = clause.names.pack.phrases
    if Role.PLACE in phrases.get(clause.tokens[cell.first].text, ()):
        return Topic.CALENDAR in phrases.get(clause.tokens[cell.end - 1].text, ())
    while lead and clause.cells[lead - 1].says(Role.ARTICLE) and not clause.next_to(lead, Role.PLACE, Role.TO):
        lead -= 1
    return bool(clause.next_to(lead, Role.PLACE, Role.TO))


def _title(clause: Clause, apart: set[int]) -> Iterator[list[int]]:
    """The indexes of the words of the title, run by run, without the small words around each."""
    run: list[int] = []
    for i in (*range(len(clause.cells)), None):
        if i is not None and i not in apart and not (clause.mark(i) and run and not _trimmed(clause, run)):
            run.append(i)
            continue
        yield from filter(None, [_trimmed(clause, run)])
        run = [i] if i is not None and i not in apart else []


def _trimmed(clause: Clause, run: list[int]) -> list[int]:
    def is_small(place: int) -> bool:
        cell = clause.cells[place]
        return not cell.free and (cell.says(*_SMALL) or cell.has(Particle) or cell.says(Verb.DO))

    while run and is_small(run[0]):
        run = run[1:]
    while run and is_small(run[-1]):
        run = run[:-1]
    return run
