"""An order for another time: at a time, after a while, again and again, upon what comes about, or for a while only.

It is read as the clause without the words for that, so that all which can be ordered now can be ordered then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from homeagent.domains import SET_VALUE
from homeagent.domains.actions import OPPOSITE
from homeagent.history.when.due_times import Said, due_of, gathered
from homeagent.history.when.future_times import Clock, Piece, Slot
from homeagent.history.when.time_words import time_words
from homeagent.languages.concepts import Count, Heading, Particle, Role, Verb
from homeagent.timers.due import After, Due, Upon, Weekday
from homeagent.timers.timer import TimerAction, TimerKind
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frames.awaited_states import awaited
from homeagent.understanding.frames.clause_parts import pieces_in, places_of, tokens_of, without
from homeagent.understanding.noun_phrases import Phrase, Target
from homeagent.understanding.request import Act, Request, Timing
from homeagent.understanding.timer_words import TimerWords

Build = Callable[[Clause], Iterable[Frame]]
_HALF_DAYS = 12
_LONGEST_JOIN = 3
"""Words of the longest phrase for "otherwise"."""
_DATED = frozenset({Slot.DAY, Slot.WEEKDAY, Slot.DATE, Slot.DAYS})
_OF_WEEK = frozenset({Slot.DAYS, Slot.WEEKDAY})
_FOR_A_WHILE = frozenset({"turn_on", "mute", "pause"})
"""What a length without a word that tells for what says the end of, and not the beginning."""
_OF_ORDERS = frozenset(Slot) - {Slot.LENGTH, Slot.NUMBER, Slot.AGAIN}
"""What says of an order when it is to be carried out."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """What a sentence says of times to come, the moment at which it is said, in the home's zone, the words for timers,
    and whether one rings."""

    pieces: tuple[Piece, ...]
    now: datetime
    words: TimerWords
    language: str
    rings: bool = False
    running: tuple[str, ...] = ()
    """The names of the timers that run."""

    @property
    def halves(self) -> bool:
        """Whether the hours are counted to twelve."""
        known = time_words(self.language, ahead=True)
        return known is not None and known.clock == _HALF_DAYS

    @property
    def hour_is_clock(self) -> bool:
        """Whether so many hours are a time of the day as well."""
        known = time_words(self.language, ahead=True)
        return known is not None and known.hour_is_clock

    def due(self, said: Said, *, waking: bool = False) -> Due | None:
        """When what was said is due. ``waking``: it wakes somebody, so that a bare hour is one of the morning."""
        return due_of(said, self.now, halves=self.halves, waking=waking)


def timed(clause: Clause, ahead: Ahead, build: Build) -> Iterator[Frame]:
    """The orders of a clause for the time that it says, or for what it waits for."""
    pieces = pieces_in(clause, ahead.pieces)
    own = [p for p in pieces if _tells_when(p, clause)]
    own = own or [p for p in pieces if p.slot is Slot.LENGTH]  # "mute it five minutes"
    places = places_of(clause, own)
    excepts = {i for i in clause.at(Role.EXCEPT) if _leads_to_a_day(clause, i, own)}
    if excepts:
        said = with_exception(own, clause.tokens[clause.cells[min(excepts)].first].start, last=clause.postpositions)
        places = places and places | excepts
    else:
        said = gathered(own)
    if said is not None and places and not _only_tells_the_day(said):
        yield from _later(clause, ahead, said, places, build)
        return
    for waits in awaited(clause, ahead.words):
        rest = without(clause, waits.places) if not waits.now else None
        for found in build(rest) if rest is not None else ():
            other = bool(found.entity_ids) and waits.upon.entity_id not in found.entity_ids
            if found.acts and _is_control(found) and other:
                yield _at(found, waits.upon)


def _leads_to_a_day(clause: Clause, place: int, pieces: Sequence[Piece]) -> bool:
    """Whether an "except" is of a day, small words between them aside."""
    days = places_of(clause, [p for p in pieces if p.slot in _DATED]) or set()
    way = range(place - 1, -1, -1) if clause.postpositions else range(place + 1, len(clause.cells))
    met = (i for i in way if i in days or not clause.cells[i].says(Role.PLACE, Role.ARTICLE, Role.FILLER, Role.AT))
    return next(met, None) in days


def with_exception(pieces: Iterable[Piece], edge: int, *, last: bool) -> Said | None:
    """What is said of times with the days taken out that stand behind an "except" at a character; before it where that
    comes ``last``. None where none stands there, one of them is no weekday, or no day is left.
    """
    pieces = list(pieces)
    behind = [p for p in pieces if (p.first > edge) is not last and p.slot in _DATED]
    if last:
        behind = behind[-1:]
    kept = gathered(p for p in pieces if p not in behind)
    if not behind or kept is None or not {p.slot for p in behind} <= _OF_WEEK or kept.keys() & (_DATED - {Slot.DAYS}):
        return None
    out = [p.value if isinstance(p.value, frozenset) else frozenset({p.value}) for p in behind]
    days = kept.get(Slot.DAYS, frozenset(Weekday))
    on = days.difference(*out) if isinstance(days, frozenset) else frozenset()
    return {**kept, Slot.DAYS: on} if on else None


def _tells_when(piece: Piece, clause: Clause) -> bool:
    if piece.slot is Slot.LENGTH:
        return clause.keeps  # "leave it on an hour"
    clock = piece.value if isinstance(piece.value, Clock) else None
    return piece.slot in _OF_ORDERS and not (
        clock is not None and (clock.loose or _may_be_a_value(clock, piece, clause))
    )


def _may_be_a_value(clock: Clock, piece: Piece, clause: Clause) -> bool:
    """Whether a bare number may tell what something is set to, or by how much it is moved: "put the heating at
    20", "um 10 leiser", "heating up to nineteen"."""
    led = {i for i in clause.at(Role.BY, Role.TO) if _touches(clause, i, piece)}
    steps = bool(led) and bool(clause.of(Heading))
    does = clause.of(Particle, Heading) | clause.of(Verb)
    if not any(not _touches(clause, i, piece) for i in clause.of(Count)):  # "at 7 set it to 20"
        does -= clause.at(Verb.DO)
    return clock.bare and (steps or not does)


def _touches(clause: Clause, place: int, piece: Piece) -> bool:
    tokens = clause.tokens[clause.cells[place].first : clause.cells[place].end]
    return any(t.start < piece.last and piece.first < t.end for t in tokens)


def _only_tells(ordered: Frame) -> bool:
    """Whether nothing is named, what is to be set is guessed, and words are left over: "I usually get up at seven"."""
    unnamed = ordered.target is None or ordered.target.empty
    guessed = {Feature.GUESSED_DIMENSION, Feature.MODE} & ordered.features.keys()
    return unnamed and bool(guessed and {Feature.LEFT_STATEMENT, Feature.LEFT_UNKNOWN} & ordered.features.keys())


def _only_tells_the_day(said: Said) -> bool:
    """Whether no more is said than "today", or a part of the day, as in a greeting."""
    return said.keys() <= {Slot.PART} or (said.keys() == {Slot.DAY} and said[Slot.DAY] == 0)


def _later(clause: Clause, ahead: Ahead, said: Said, places: set[int], build: Build) -> Iterator[Frame]:
    if Slot.SUN in said:  # "when it gets dark"
        told = ahead.words.leads.find([t.text for t in tokens_of(clause)])
        leads = {s.positions[0] + clause.cells[0].first for s in told}
        places = places | {i for i in clause.at(Role.CONDITION) if i + 1 in places and clause.cells[i].first in leads}
    rest = without(clause, places)
    if rest is None:
        return
    only_so_long = Slot.LENGTH in said and not clause.keeps
    span, until = said.get(Slot.SPAN, said.get(Slot.LENGTH)), said.get(Slot.UNTIL)
    if Slot.CLOCK in said and until is not None:
        return  # "from 9 until 11" is two times, and the first is not now
    back = isinstance(span, timedelta) or isinstance(until, Clock)
    if isinstance(span, timedelta):
        due: Due | None = After(span) if len(said) == 1 else None
    elif isinstance(until, Clock):
        due = ahead.due({**{k: v for k, v in said.items() if k is not Slot.UNTIL}, Slot.CLOCK: until})
    else:
        due = ahead.due(said)
    vague = due is None and not back and bool(said.keys() & _DATED)
    if due is None and not vague:
        return
    before, first = max(places) < len(clause.cells) - 1, min(places)
    supposed = [] if back else list(_supposed(rest, ahead))
    for only, found in [*((None, f) for f in build(rest)), *((only, f) for only, one in supposed for f in build(one))]:
        if found.act is ActKind.UNKNOWN:
            yield _not_known(found)
            continue
        ordered = _left_as_it_is(found) if back else found
        known = bool(found.entity_ids) and found.request is not None and found.request.action in _FOR_A_WHILE
        ends_itself = back and found.entity_ids and all(i.startswith("timer.") for i in found.entity_ids)
        if ends_itself or (only_so_long and not known):
            continue
        if _only_tells(found):
            continue
        if first and clause.mark(first):
            apart = ordered.features.get(Feature.ACROSS_A_MARK, 0.0) + 1.0
            ordered = replace(ordered, features={**ordered.features, Feature.ACROSS_A_MARK: apart})
        if ordered.acts and _is_control(ordered) and not _lacks_its_value(ordered):
            yield _at(ordered, due, back=back, leads=before, only=only)


def _supposed(clause: Clause, ahead: Ahead) -> Iterator[tuple[Upon, Clause]]:
    """What has to be so at the time of an order, by every way to part it from that, and the order without it."""
    for told in awaited(clause, ahead.words):
        if told.so and not _has_another_way(clause) and (order := without(clause, told.places)) is not None:
            spoken = Target(phrases=(Phrase(entity_ids=(told.upon.entity_id,)),))
            yield told.upon, replace(order, antecedent=spoken, last=None)


def _has_another_way(clause: Clause) -> bool:
    """Whether the sentence says what is to be where that is not so ("…, otherwise …"): of that only one may wait."""
    phrases, texts = clause.names.pack.phrases, [t.text for t in clause.tokens]
    said = (" ".join(texts[i:end]) for i in range(len(texts)) for end in range(i + 1, i + 1 + _LONGEST_JOIN))
    return any(Role.OTHERWISE in phrases.get(phrase, ()) for phrase in said)


def _not_known(frame: Frame) -> Frame:
    """What is not known now is not known then. Whatever may be chosen instead is not done at once."""
    request = frame.request
    if request is None:
        return frame
    return replace(frame, request=Request(Act.SAY, say=request.say, about=request.about))


def time_understood(clause: Clause, ahead: Ahead) -> bool:
    """Whether the time that a clause says for its order is one that can be waited for."""
    pieces = pieces_in(clause, ahead.pieces)
    said = gathered([p for p in pieces if _tells_when(p, clause)])
    return said is not None and bool(places_of(clause, pieces)) and not _only_tells_the_day(said)


def _is_control(frame: Frame) -> bool:
    return frame.request is not None and frame.request.act is Act.CONTROL


def _lacks_its_value(frame: Frame) -> bool:
    """Whether it orders to set something and says to what nowhere: what was taken for the time is the value."""
    return frame.request is not None and frame.request.action == SET_VALUE and not frame.request.parameters


def _left_as_it_is(frame: Frame) -> Frame:
    """What is to be left in a state for a while is brought there: "leave the light on for an hour"."""
    request = frame.request
    if frame.act is not ActKind.REFUSAL or request is None or not request.action:
        return frame
    features: dict[Feature, float] = {f: v for f, v in frame.features.items() if f is not Feature.NEGATED}
    return replace(frame, request=replace(request, act=Act.CONTROL, say=""), features=features)


def _at(frame: Frame, due: Due | None, *, back: bool = False, leads: bool = False, only: Upon | None = None) -> Frame:
    assert frame.request is not None
    ordered = (frame.request,)
    timing = Timing(TimerAction.SET, TimerKind.ACTION, due=due, only=only, ordered=ordered, back=back, leads=leads)
    return replace(frame, act=ActKind.TIMED, request=Request(Act.TIMER, timing=timing), then=(frame.effect,))


def _takes_back(other: Frame, frame: Frame, timing: Timing) -> bool:
    """Whether it says once more what happens at the end: "… for an hour, then off again"."""
    own = other.request
    actions = {OPPOSITE.get(r.action) for r in timing.ordered}
    same = other.entity_ids <= frame.entity_ids
    return own is not None and own.act is Act.CONTROL and own.action in actions and same and not own.parameters


def led_together(frames: Sequence[Frame]) -> tuple[Frame, ...]:
    """A time that opens a sentence is of all that is ordered behind it, one that ends it of what is before it, where
    that is of other things: "at 7 turn on the heater and open the blinds"."""
    made = list(frames)
    for i, frame in enumerate(frames):
        timing = frame.request.timing if frame.request is not None else None
        if timing is None or timing.kind is not TimerKind.ACTION:
            continue
        if timing.back:
            if i + 1 < len(made) and _takes_back(made[i + 1], frame, timing):
                made[i + 1] = replace(made[i + 1], act=ActKind.ASIDE, request=None)
            continue
        beside = range(i + 1, len(frames)) if timing.leads else range(i - 1, -1, -1)
        ordered, ids, then = list(timing.ordered), set(frame.entity_ids), list(frame.then)
        for k in beside:
            other = made[k]
            if other.act is ActKind.ASIDE:
                continue
            own = other.request
            if own is None or own.act is not Act.CONTROL or own.scope.either or ids & other.entity_ids:
                break
            ordered.insert(len(ordered) if timing.leads else 0, own)
            ids |= other.entity_ids
            then.append(other.effect)
            made[k] = replace(other, act=ActKind.ASIDE, request=None)
        joint = replace(timing, ordered=tuple(ordered))
        made[i] = replace(frame, request=replace(frame.request or Request(Act.TIMER), timing=joint))
        made[i] = replace(made[i], entity_ids=frozenset(ids), then=tuple(then))
    return tuple(made)
