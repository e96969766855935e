"""The weather and what is planned, by days."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import date

from homeagent.domains.weather import SKIES
from homeagent.languages.concepts import (
    Attribute,
    Clock,
    Complaint,
    Concept,
    DayWord,
    Dimension,
    Extreme,
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
    Unit,
    Verb,
    Way,
)
from homeagent.understanding.clauses import THINGS, Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import OPEN_WORD, frame
from homeagent.understanding.frames.outdoors import contrasts, is_of_a_fan, measure_said
from homeagent.understanding.frames.outside import sensor_outside
from homeagent.understanding.frames.question_form import form_of
from homeagent.understanding.frames.weather_measures import measured
from homeagent.understanding.home_names import CALENDARS, LISTS
from homeagent.understanding.noun_phrases import Target, target_of
from homeagent.understanding.past_times import is_past
from homeagent.understanding.request import NOT_AHEAD, Act, Asked, Details, Period, Request, Scope
from homeagent.understanding.spans import Free, InArea, Named, NoPlace, OfKind, OnFloor
from indexer.selector import Selector

_LOOKED_AHEAD = 7
"""So many days a forecast is looked through for when it will be so."""
_WEATHER = "weather"
_AHEAD = {DayWord.YESTERDAY: -1, DayWord.TODAY: 0, DayWord.TOMORROW: 1, DayWord.AFTER_TOMORROW: 2}
_WEEKDAYS = (
    *(DayWord.MONDAY, DayWord.TUESDAY, DayWord.WEDNESDAY, DayWord.THURSDAY),
    *(DayWord.FRIDAY, DayWord.SATURDAY, DayWord.SUNDAY),
)
_PAST = frozenset({DayWord.YESTERDAY, DayWord.LAST_WEEK})
_WEEK, _MONTH, _SATURDAY, _DAY = 7, 31, 5, 24
_ENDS = (0, 100)
"""Levels in percent that are the end of a scale: "the maximum"."""
_DEEDS = (ListAction.ADD, ListAction.REMOVE, ListAction.NEW, ListAction.WIPE)
_NO_CALENDAR = 0.2
"""So much likelier is any other meaning of "is anything on" in a home without a calendar."""
_SMALL = (Role.PLACE, Role.COURTESY, Role.FILLER, Role.COPULA)


def weather(clause: Clause, today: date) -> Iterator[Frame]:
    """A frame for the weather now or on a day; a question about warmth is one where it names a day or the open air, and
    no area.
    """
    skies = list(clause.said(Sky))
    outdoors = clause.at(Topic.OUTDOORS) if clause.names.of_domain(_WEATHER) else set()
    warmth = clause.at(Complaint.COLD, Complaint.HOT, Attribute.TEMPERATURE)
    peak = _peak(clause)
    topic = clause.at(Topic.WEATHER) | _how_it_will_be(clause) | peak.keys()
    if contrasts(clause) or is_of_a_fan(clause):
        return
    if clause.last is not None and clause.last.orders and not (clause.asks or clause.of(Question)):
        topic -= clause.at(Reference.AGAIN)  # one word for both, in Dutch
    days, times = clause.days, clause.times
    measure = measure_said(clause)
    if not (topic or skies or measure or (warmth and (days or outdoors))) or clause.at(*_PAST):
        return
    goes_on = clause.last is not None and not (clause.of(Question, Sky) | days) and topic <= clause.at(Topic.OUTDOORS)
    period = day_said(clause, today) or day_spoken_of(clause)
    if period is not None and not days:
        days = clause.at(Reference.THEN, Reference.THERE)
    if period is None and times:
        period = Period(days_ago=0)
    if measure and (period is None or (days <= clause.at(DayWord.TODAY) and form_of(clause) is Asked.VALUE)):
        yield measured(clause, measure, topic | outdoors | days | times)
        return
    warm = clause.at(Attribute.TEMPERATURE) or not (skies or clause.names.of_domain(_WEATHER) or _says_more(clause))
    if warm and topic and period is None and (sensors := _outdoors(clause)):
        cells = topic | clause.of(Question) | clause.at(Attribute.TEMPERATURE)
        request = Request(Act.QUERY, Scope((sensors,)), asked=Asked.VALUE)
        yield frame(clause, ActKind.WEATHER, request, cells, _place(clause, cells))
        return
    states = tuple(dict.fromkeys(raw for _, sky in skies for raw in SKIES[sky.value]))
    named = {i for i, n in clause.said(Named) if all(e.startswith(f"{_WEATHER}.") for e in n.entity_ids)}
    asked = clause.of(Question) - (clause.at(Topic.CALENDAR) - topic)
    cells = topic | outdoors | warmth | named | days | times | clause.of(Sky) | asked
    cells |= clause.at(Verb.HEAR, Role.STATEMENT, *_SMALL)
    until = clause.at(Verb.STOP, Verb.START) if skies and clause.at(Question.WHEN) else set()
    cells |= until | (clause.at(Role.TO, Role.PRONOUN) if until else set())
    states = () if until else states  # "when does it stop raining": no yes and no no
    if not clause.of(Particle) - topic - outdoors:
        cells |= clause.neutral  # "zet hem weer uit" is an order
    rain = any(sky is Sky.RAIN for _, sky in skies)
    last, sky = len(clause.cells) - 1, min((i for i, _ in skies), default=0)
    # behind the sky it leads a condition: "is it raining when I leave"
    when = any(i < sky or i == last or not clause.cells[i].says(Role.CONDITION) for i in clause.at(Question.WHEN))
    comes = bool(states and when and period is None)
    which = {*peak.values()} if period is None or period.days > 1 else set()
    cells |= peak.keys() | clause.at(Clock.DATE, Unit.DAY) if peak else set()
    period = Period(days=_LOOKED_AHEAD) if comes or (peak and period is None) else period
    request = Request(
        Act.QUERY,
        Scope(selector=Selector(domains=(_WEATHER,))),
        asked=Asked.WHEN if comes else which.pop() if which else Asked.YESNO if states else Asked.VALUE,
        states=states,
        attribute="forecast" if period is not None else "weather",
        period=period,
        details=Details(when=day_as_said(clause), rain=rain),
    )
    weak = not (clause.of(Question) or clause.asks or topic)
    extra = {Feature.WEAK_QUESTION: 1.0} if weak or goes_on else {}
    yield frame(clause, ActKind.WEATHER, request, cells, _place(clause, cells), extra=extra)


def _peak(clause: Clause) -> dict[int, Asked]:
    """The words for the warmest or the coldest of the days to come, by their indexes; empty where it asks for none, or
    where a thing or a place is named."""
    asks_day = clause.at(Clock.DATE) | (clause.at(Unit.DAY) if clause.at(Question.WHICH, Question.VALUE) else set())
    ahead = clause.of(DayWord) - clause.at(DayWord.TODAY)
    if clause.at(*_PAST) or len(clause.at(*_WEEKDAYS)) > 1:
        return {}  # of the days to come, and of all of them
    asks = clause.asks or clause.of(Question) or asks_day
    if not (asks_day or ahead) or not asks or clause.of(Named, InArea, OnFloor) or not clause.names.of_domain(_WEATHER):
        return {}
    ways = {i: e.way for i, e in clause.said(Extreme) if e.attribute in (None, Attribute.TEMPERATURE)}
    ways |= {i: Way.UP if level.percent else Way.DOWN for i, level in clause.said(Level) if level.percent in _ENDS}
    if asks_day:
        ways |= {i: h.way for i, h in clause.said(Heading) if h.dimension is Dimension.TEMPERATURE}
    if ways and is_past(clause.tokens, clause.names.pack.language):
        return {}
    return {i: Asked.HIGHEST if way is Way.UP else Asked.LOWEST for i, way in ways.items()}


def asks_only_for_a_day(clause: Clause) -> bool:
    """Whether it asks what or how, with nothing named but a day at most ("what do I have on friday")."""
    if (
        form_of(clause) not in (Asked.VALUE, Asked.ANY)
        or clause.of(Clock, Attribute)
        or clause.at(Role.NEGATION, *_PAST)
    ):
        return False
    small = (*_SMALL, Role.STATEMENT, Role.PRONOUN, Role.TIME, Role.JOIN, Verb.DO)
    named = clause.of(*THINGS, StateWord, Particle)
    return not named and all(c.has(Question, DayWord) or c.says(*small) for c in clause.cells)


def _subjects(clause: Clause) -> Iterator[frozenset[Concept]]:
    """What each word that may be a subject can stand for, words within phrases included."""
    said = clause.names.pack.phrases
    tokens = clause.tokens[clause.cells[0].first : clause.cells[-1].end]
    found = (frozenset(said.get(t.text, ())) for t in tokens)
    return (meant for meant in found if meant & {Role.STATEMENT, Role.PRONOUN})


def is_of_the_speaker(clause: Clause) -> bool:
    """Whether a subject is there that tells of oneself ("I", "we") and stands for nothing spoken of."""
    return any(Role.STATEMENT in said and Role.PRONOUN not in said for said in _subjects(clause))


def _how_it_will_be(clause: Clause) -> set[int]:
    """The indexes of all words where it is only asked how "it" will be on a day: that is the weather."""
    ahead = clause.of(DayWord) - clause.at(DayWord.TODAY)
    if not ahead or not asks_only_for_a_day(clause) or is_of_the_speaker(clause):
        return set()
    return set(range(len(clause.cells))) if any(Role.PRONOUN in said for said in _subjects(clause)) else set()


def _what_is_on(clause: Clause) -> set[int]:
    """The indexes of the words that ask for what is planned: what the speaker does or has on a day, or what is "on"
    then. Of today only right before the day: "what's on today"; how things are now is asked with the same words.
    """
    on, days = clause.at(Particle.ON), clause.of(DayWord)
    ahead = bool(days - clause.at(DayWord.TODAY))
    if on and form_of(clause) in (Asked.VALUE, Asked.WHICH) and (ahead or days & {i + 1 for i in on}):
        small = (*_SMALL, Role.TIME)
        return (
            on
            if all(i in on | days or c.has(Question) or c.says(*small) for i, c in enumerate(clause.cells))
            else set()
        )
    asked = bool(days) and asks_only_for_a_day(clause) and is_of_the_speaker(clause)
    return set(range(len(clause.cells))) if asked and not clause.at(Role.COURTESY) else set()


def _says_more(clause: Clause) -> bool:
    """Whether it speaks of anything but the weather."""
    small = (*_SMALL, Role.STATEMENT, Role.JOIN)
    return not all(c.says(Topic.WEATHER, *small) or c.has(Question, Attribute) for c in clause.cells)


def _place(clause: Clause, cells: AbstractSet[int]) -> Target | None:
    """The target of a question about the weather; None where it names a thing, which the weather leaves unexplained."""
    target = target_of(clause, cells)
    of_things = target is not None and any(p.entity_ids or p.kinds for p in target.phrases)
    return None if of_things else target


def _outdoors(clause: Clause) -> tuple[str, ...]:
    """The sensor of the air outside that is called so; in a home that knows no weather else one in a room outside."""
    found = sensor_outside(clause, Attribute.TEMPERATURE.value, by_name=bool(clause.names.of_domain(_WEATHER)))
    return (found.entity_id,) if found is not None else ()


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
    cells = said | (clause.of(Question) - others) | clause.days | clause.at(Topic.UPCOMING, Role.STATEMENT, *_SMALL)
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
    if (clause.of(*known) - small) or conditions or clause.at(*_PAST, Role.TIMER, Question.OTHER):
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
    values = [n.value for n in clause.numbers if n.cells[0] in cells and n.value <= _DAY]
    if not values:
        return Details(when=day_as_said(clause))
    return Details(when=clause.text(min(cells), max(cells)), hours=(min(values), max(values)))


def to_come(clause: Clause) -> Iterator[Frame]:
    """A frame that says that a future state is not known ("is the door locked tomorrow")."""
    times = (clause.of(DayWord) - clause.at(*_PAST, DayWord.TODAY)) | clause.at(Role.TIME)
    whether = clause.of(Question) or clause.asks
    states = (clause.of(StateWord) - clause.at(Role.PLACE)) | clause.at(Attribute.FINISHED)
    when = clause.at(Question.WHEN) and clause.at(Attribute.FINISHED)
    topic = clause.at(Topic.CALENDAR, Topic.WEATHER) | clause.of(Sky)
    if not whether or not states or not (times or when) or topic:
        return
    cells = times | states | clause.of(Question) | clause.at(*_SMALL)
    target = target_of(clause, cells)
    if not target.empty and not target.unknown:
        yield frame(clause, ActKind.LATER, Request(Act.SAY, say=NOT_AHEAD), cells, target)


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
    return Period(days_ago=-(_until(word, now) if ahead is None else ahead))


def day_spoken_of(clause: Clause) -> Period | None:
    """The day that the turn before was about, where the clause says "then"; None for one that is over, and without."""
    before = clause.last.request if clause.last is not None else None
    if before is None or before.period is None or not clause.at(Reference.THEN, Reference.THERE):
        return None
    told = before.attribute in ("events", "forecast") and before.period.days_ago <= 0
    return before.period if told else None


def _until(weekday: DayWord, now: int) -> int:
    """Days until the next such weekday; today's name means a week ahead."""
    return (_WEEKDAYS.index(weekday) - now) % _WEEK or _WEEK


def day_as_said(clause: Clause) -> str:
    """The words for the day; empty for a weekday, which has a name of its own."""
    place = next((i for i, d in clause.said(DayWord) if d not in _WEEKDAYS), None)
    return clause.text(place) if place is not None else ""
