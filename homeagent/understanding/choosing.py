"""From a sentence to the likeliest whole: clauses of several kinds, one frame each, and how sure that is."""

from __future__ import annotations

import heapq
import itertools
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum

from homeagent.history.when.future_times import Piece, Slot, pieces_of
from homeagent.languages.concepts import Count, Level, Reference, Role, Unit
from homeagent.timers.due import Upon
from homeagent.understanding.clauses import UNITS_OF_TIME, Clause, numbers_of
from homeagent.understanding.frame import ORDERS, ActKind, Feature, Frame
from homeagent.understanding.frame_combination import combined, redundant_condition
from homeagent.understanding.frames.arming import arming
from homeagent.understanding.frames.asides import aside
from homeagent.understanding.frames.clock_and_sun import clock, sun, waking
from homeagent.understanding.frames.comparisons import against, comparing
from homeagent.understanding.frames.control import Stop, bare_stop, control
from homeagent.understanding.frames.follow_ups import following
from homeagent.understanding.frames.history_questions import past
from homeagent.understanding.frames.inside_and_outside import inside_and_outside
from homeagent.understanding.frames.media import making, playing
from homeagent.understanding.frames.no_action import bare, complaint, later, not_there, unknown
from homeagent.understanding.frames.option_orders import offering, options
from homeagent.understanding.frames.removed_items import removed_item
from homeagent.understanding.frames.safety_named import named_in
from homeagent.understanding.frames.safety_questions import safety
from homeagent.understanding.frames.setting import setting
from homeagent.understanding.frames.shopping import shopping
from homeagent.understanding.frames.small_talk import chat
from homeagent.understanding.frames.state_questions import asking
from homeagent.understanding.frames.timed_orders import Ahead, time_understood, timed
from homeagent.understanding.frames.timer_requests import timers
from homeagent.understanding.frames.todo_lists import listing
from homeagent.understanding.frames.weather_and_calendar import calendar, to_come, weather
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.lattice import Choices, lattice
from homeagent.understanding.moods import Mood, goes_on, mood_of, refuses_an_order
from homeagent.understanding.noun_phrases import Phrase, Target
from homeagent.understanding.past_times import Now, named_places, of_the_past
from homeagent.understanding.previous_turn import PreviousTurn
from homeagent.understanding.reference import setting_of
from homeagent.understanding.request import NOT_LATER, Request
from homeagent.understanding.segmentation import Segmentation, clause_boundaries, is_part_of_a_condition, segmentations
from homeagent.understanding.self_corrections import with_self_corrections
from homeagent.understanding.shared_orders import Half, halves
from homeagent.understanding.spans import Cell, Span
from homeagent.understanding.timer_words import timer_words
from homeagent.understanding.tokeniser import Sentence
from homeagent.understanding.weights import Weights, weights
from homeagent.understanding.word_parts import apart, clitics_apart

_MOST_WORDS = 45
_MOST_SECONDS = 0.2
"""So much of the processor a sentence may take; what is found by then competes. Two covers are always read."""
_FAR = 3.0
"""What is so much dearer than the best whole is not read to its end."""
_SURE = frozenset({ActKind.CONTROL, ActKind.SETTING, ActKind.STEPPING, ActKind.LIST, ActKind.FOLLOWING, ActKind.TIMED})
_UNIT_WITHIN = 2
"""So many words behind a number its unit may stand."""
_KEPT_FRAMES, _KEPT_ROWS = 4, 5
_APART = 0.1
"""Of two things that one order is for, so much of what the surer one costs counts beside the other."""
_SET_THERE = 0.1
"""So much dearer is what sets in a room that which was asked about."""


class Verdict(StrEnum):
    """What is done with the best reading: carry it out, ask first, or leave the sentence to other ways."""

    ACT = "act"
    ASK = "ask"
    HAND_OVER = "hand_over"


@dataclass(frozen=True, slots=True)
class SentenceContext:
    """What a sentence is read against: the home's names, the speaker's area, the ids spoken of last, the date, what the
    retrieved things can be set to, what a bare "stop" means now, and the previous turn.
    """

    names: HomeNames
    today: date
    area_id: str | None = None
    last_entities: tuple[str, ...] = ()
    choices: Choices = field(default_factory=dict)
    stop: Stop | None = None
    last: PreviousTurn | None = None
    now: Now | None = None
    """None: of the past, and of times to come, nothing is read."""
    rings: bool = False
    """Whether a timer rings now."""
    timer_names: tuple[str, ...] = ()
    """What the timers that run are called."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """One frame for each clause, and the sum of their costs."""

    frames: tuple[Frame, ...]
    cost: float

    @property
    def asking_for(self) -> tuple[Frame, ...]:
        """The frames to be answered or carried out: without asides and conditions, and beside an order without small
        talk and complaints.
        """
        beside = {ActKind.ASIDE, ActKind.CONDITION}
        if any(f.acts for f in self.frames):
            beside |= {ActKind.CHAT, ActKind.COMPLAINT}
        return tuple(f for f in self.frames if f.act not in beside)

    @property
    def talks(self) -> bool:
        """Whether it asks for nothing but a small-talk answer."""
        return bool(self.asking_for) and all(f.act is ActKind.CHAT for f in self.asking_for)

    @property
    def effect(self) -> frozenset[tuple[object, ...]]:
        """What it would do, whatever the words: readings with one effect are one."""
        return frozenset(effect for f in self.asking_for for effect in f.effects)


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict on a sentence. ``best`` is None where no reading was found."""

    verdict: Verdict
    best: Understanding | None = None
    sure: bool = False
    """Whether these are orders whose words are explained so well that no other reading has to be looked for."""
    done: tuple[Frame, ...] = ()
    """Of what is asked about the orders that are carried out, whatever the answer is."""

    @property
    def doubtful(self) -> bool:
        """Whether a frame that counts is doubtful, or there is none."""
        return self.best is None or any(f.doubtful for f in self.best.asking_for)


@dataclass(frozen=True, slots=True)
class _Row:
    """The frames chosen for the clauses so far, and what "it" refers to after them."""

    cost: float
    frames: tuple[Frame, ...] = ()
    antecedent: Target | None = None
    mood: Mood | None = None
    """What the clause before does."""

    def followed_by(self, frame: Frame) -> _Row:
        """The row with one more frame at its end."""
        told = frame.target is not None and not frame.target.empty and not frame.target.pronoun
        behind = frame.target if told and frame.act in _SPOKEN_OF else self.antecedent
        return _Row(self.cost + frame.cost, (*self.frames, frame), behind, mood_of(frame))


def understand(sentence: Sentence, around: SentenceContext) -> list[Understanding]:
    """All readings found within the limits of words and time, cheapest first, no two with the same effect."""
    if not sentence.tokens or len(sentence.tokens) > _MOST_WORDS:
        return []
    words = clitics_apart(with_self_corrections(sentence, around.names), around.names)
    found = sorted(_Reader(words, around).read(), key=lambda u: u.cost)
    distinct: dict[frozenset[tuple[object, ...]], Understanding] = {}
    for understanding in found:
        distinct.setdefault(understanding.effect, understanding)
    return list(distinct.values())


def guards_named(sentence: Sentence, around: SentenceContext) -> Request | None:
    """A query for the states of the things that guard the home and are named in a question that was not understood as a
    whole; None where it names none.
    """
    if not sentence.tokens or len(sentence.tokens) > _MOST_WORDS:
        return None
    words = apart(clitics_apart(sentence, around.names), around.names)
    behind = around.names.pack.postpositions
    return named_in(
        [
            Clause(
                cover.cells,
                words.tokens,
                around.names,
                words.asks,
                around.area_id,
                numbers=numbers_of(cover.cells, words.tokens, postpositions=behind),
            )
            for cover in segmentations(lattice(words, around.names))
        ]
    )


def decide(found: Sequence[Understanding], by: Weights | None = None) -> Decision:
    """What to do with the readings: act on the best where it is cheap enough and no other is near; where it is dearer,
    or a rival acts differently, ask, and do the part that is sure (`Decision.done`); else hand over.
    """
    if not found:
        return Decision(Verdict.HAND_OVER)
    limits = (by or weights()).decision
    best = found[0]
    wanted = best.asking_for
    if not wanted:
        # it only tells, or is said to be answered in kind
        talk = next((u for u in found if u.talks and u.cost <= best.cost + limits.talk), None)
        return Decision(Verdict.ACT if talk else Verdict.HAND_OVER, talk or best)
    dearest = max(f.cost for f in wanted)
    beside = best.cost - sum(f.cost for f in wanted)
    if any(f.vetoed for f in wanted) or beside > limits.beside or _contradict(wanted):
        return Decision(Verdict.HAND_OVER, best)
    rivals = [u for u in found[1:] if u.cost - best.cost < limits.margin]
    rival = rivals[0] if rivals else None
    unsure = rival is not None and any(f.acts for f in (*wanted, *rival.asking_for))
    if dearest > limits.act or unsure:
        done = _sure_part(wanted, rivals)
        if not done and dearest > limits.ask:
            return Decision(Verdict.HAND_OVER, best)
    if any(f.refuses for f in wanted) and (len(wanted) > 1 or dearest > limits.act or unsure):
        return Decision(Verdict.HAND_OVER, best)
    if dearest > limits.act or unsure:
        return Decision(Verdict.ASK, best, done=done)
    sure = dearest <= limits.sure and all(_may_be_sure(f) for f in wanted)
    return Decision(Verdict.ACT, best, sure)


def _sure_part(wanted: Sequence[Frame], rivals: Sequence[Understanding]) -> tuple[Frame, ...]:
    """The orders that are carried out although the rest is asked about: sure ones that no near rival reading
    contradicts. Empty where the rest is anything but unknown things and orders for known ones.
    """
    done = tuple(f for f in wanted if _is_done(f) and not any(_disputes(u, f) for u in rivals))
    rest = [f for f in wanted if f not in done]
    told = (f.act is ActKind.UNKNOWN or (f.act in ORDERS and f.acts and f.entity_ids) for f in rest)
    return done if all(told) else ()


def _may_be_sure(frame: Frame) -> bool:
    """Whether no other way need be tried: an order, or a question for the items of a list, without
    doubtful features.
    """
    shows = frame.act is ActKind.ASKING and frame.request is not None and frame.request.attribute == "items"
    return (frame.act in _SURE or shows) and not frame.doubtful


def _disputes(rival: Understanding, frame: Frame) -> bool:
    """Whether a reading acts at nearly the same cost and without what the order does."""
    acting = [f for f in rival.asking_for if f.acts]
    near = any(f.cost - frame.cost < weights().decision.margin for f in acting)
    return near and not set(frame.effects) <= rival.effect


def _is_done(frame: Frame) -> bool:
    """Whether a frame is an order that is carried out as it stands: nothing forbids it, the home can do it, and it
    costs little enough.
    """
    return frame.acts and not frame.vetoed and not frame.refuses and frame.cost <= weights().decision.act


def _contradict(frames: Sequence[Frame]) -> bool:
    """Whether two frames set the same parameter of one thing to different values ("to green and red")."""
    values: dict[tuple[str, str], object] = {}
    return any(
        values.setdefault((entity_id, parameter), value) != value
        for frame in frames
        if frame.acts and frame.request is not None and frame.act is not ActKind.LIST
        for parameter, value in frame.request.parameters.items()
        for entity_id in frame.entity_ids
    )


class _Reader:
    """Reads one sentence. Frames of a stretch of cells are built once and kept."""

    def __init__(self, sentence: Sentence, around: SentenceContext) -> None:
        self._sentence = apart(sentence, around.names)
        self._around = around
        self._weights = weights()
        self._known: dict[tuple[tuple[Cell, ...], bool, Target | None, Mood | None], list[Frame]] = {}
        self._least = math.inf
        self._until = time.thread_time() + _MOST_SECONDS
        self._last = self._spoken_of(around.last_entities)
        changed = around.last.changed if around.last is not None else None
        self._changed = self._spoken_of(changed or ()) or self._last
        self._set_there = self._spoken_of(setting_of(around.last_entities, around.names))
        self._refuses = False
        self._ahead: Ahead | None = None

    def _spoken_of(self, ids: Sequence[str]) -> Target | None:
        phrases = tuple(Phrase(entity_ids=(i,)) for i in ids if i in self._around.names.by_id)
        return Target(phrases=phrases) if phrases else None

    def read(self) -> Iterator[Understanding]:
        behind, courteous = self._around.names.pack.postpositions, self._around.names.pack.courteous
        for count, cover in enumerate(self._covers()):
            self._refuses = self._refuses or refuses_an_order(cover.cells)
            for cut in clause_boundaries(cover.cells, self._sentence.tokens, postpositions=behind, courteous=courteous):
                if count > 1 and time.thread_time() > self._until:
                    return
                yield from self._rows(cover, cut)

    def _covers(self) -> Iterator[Segmentation]:
        """The cheapest segmentations: the best one of present meanings, then those with spans that only ask about the
        past, then the rest.
        """
        around, sentence = self._around, self._sentence
        found = lattice(sentence, around.names, around.choices)
        self._ahead = self._to_come(named_places(found))
        known = {(s.first, s.end) for spans in found for s in spans}
        past = of_the_past(sentence, around.names.pack.language, around.now, found) if around.now is not None else ()
        together: list[Span] = []
        for span in tuple(past):
            (found[span.first] if (span.first, span.end) in known else together).append(span)
        likeliest, *others = segmentations(found)
        yield likeliest
        for span in together:
            found[span.first].append(span)
        yield from (c for c in segmentations(found) if any(cell.of_past for cell in c.cells)) if together else ()
        yield from others

    def _to_come(self, named: set[int]) -> Ahead | None:
        """What the sentence says of times to come, but for what is part of a name."""
        language, now, tokens = self._around.names.pack.language, self._around.now, self._sentence.tokens
        words = timer_words(language) if now is not None else None
        if now is None or words is None:
            return None
        taken = [(tokens[i].start, tokens[i].end) for i in sorted(named)]
        found = pieces_of(self._sentence.text, language, taken)
        pieces = tuple(p for p in found if not self._counts(p))
        running = tuple(filter(None, self._around.timer_names))
        return Ahead(pieces, now.moment.astimezone(now.zone), words, language, self._around.rings, running)

    def _counts(self, piece: Piece) -> bool:
        """Whether what looks like a time of the clock counts something else: "um zwei Grad", "at 20 percent"."""
        phrases = self._around.names.pack.phrases
        behind = [t.text for t in self._sentence.tokens if t.start >= piece.last][:_UNIT_WITHIN]
        if behind and not any(isinstance(c, Count | Level) for c in phrases.get(behind[0], ())):
            behind = behind[:1]  # "um einen halben Grad"
        units = [u for word in behind for u in phrases.get(word, ()) if isinstance(u, Unit)]
        return piece.slot is Slot.CLOCK and bool(units) and not UNITS_OF_TIME & {*units}

    def _rows(self, cover: Segmentation, cut: tuple[int, ...]) -> Iterator[Understanding]:
        features = {
            Feature.BROKEN_NAME: float(cover.broken_names),
            Feature.CUT: float(len(cut)),
            Feature.DEARER_COVER: cover.cost,
        }
        cost = self._weights.cost(features)
        rows = [_Row(cost, antecedent=self._last)]
        if self._set_there is not None:
            rows.append(_Row(cost + _SET_THERE, antecedent=self._set_there))
        bounds = (0, *cut, len(cover.cells))
        for first, end in itertools.pairwise(bounds):
            longer = []
            for row in rows:
                cells = cover.cells[first:end]
                mood = goes_on(row.mood, cover.cells[:first], cells)
                last = end == len(cover.cells)
                longer += [row.followed_by(f) for f in self._frames(cells, last, row.antecedent, mood)]
                for one, other in halves(cells, self._sentence.tokens):
                    longer += self._shared(row, one, other, last=last)
            rows = heapq.nsmallest(_KEPT_ROWS, longer, key=lambda r: r.cost)
            if not rows or rows[0].cost > self._least + _FAR:
                return
        self._least = min([self._least, *(r.cost for r in rows if combined(r.frames) is not None)])
        for row in rows:
            if (frames := combined(row.frames)) is not None:
                yield Understanding(frames, row.cost)

    def _shared(self, row: _Row, one: Half, other: Half, *, last: bool) -> Iterator[_Row]:
        """The row with an order for each of two things, one of them known: it costs little more than the dearer."""
        for first in self._frames(one, last, row.antecedent, None):
            for second in self._frames(other, last, row.antecedent, None):
                both = (first, second)
                if any(_is_done(f) for f in both) and all(f.act in _SHARED and not f.vetoed for f in both):
                    longer = row.followed_by(first).followed_by(second)
                    yield replace(
                        longer, cost=row.cost + max(f.cost for f in both) + _APART * min(f.cost for f in both)
                    )

    def _frames(self, cells: tuple[Cell, ...], last: bool, antecedent: Target | None, mood: Mood | None) -> list[Frame]:
        """The cheapest frames of a clause; ``mood`` is what it takes over from the clause before."""
        key = (cells, last, antecedent, mood)
        if key not in self._known:
            tokens = self._sentence.tokens
            end = cells[-1].end
            asks = self._sentence.asks if last else "?" in tokens[end].mark
            before = self._around.last if antecedent is self._last else None
            if before is not None and any(c.says(Reference.AGAIN) for c in cells):
                antecedent = self._changed  # "turn it back on": what was off already stays off
            if mood in (Mood.ASKS, Mood.ORDERS):
                asks = mood is Mood.ASKS
            clause = Clause(
                cells,
                tokens,
                self._around.names,
                asks,
                self._around.area_id,
                antecedent,
                numbers_of(cells, tokens, postpositions=self._around.names.pack.postpositions),
                before,
                mood is Mood.TELLS,
            )
            found = [replace(f, cost=self._weights.cost(f.features, f.act)) for f in self._built(clause)]
            self._known[key] = heapq.nsmallest(_KEPT_FRAMES, found, key=lambda f: f.cost)
        return self._known[key]

    def _built(self, clause: Clause) -> Iterator[Frame]:
        ahead = self._ahead
        if ahead is None:
            yield from self._of_now(clause)
            return
        last = self._around.last
        found = [
            *timers(clause, ahead, last.timer if last is not None else None),
            *timed(clause, ahead, self._of_now),
        ]
        yield from found
        if any(_waits(f) for f in found):
            return  # "tell me when …" does not ask how it is
        understood = any(not f.vetoed and Feature.ASKS not in f.features for f in found)
        waited = not clause.at(Role.CONDITION) and time_understood(clause, ahead)
        lists = any(f.act is ActKind.CLOCK for f in found)  # "which alarms are set" asks for no lock
        others = (f for f in self._of_now(clause) if not (lists and Feature.GUARDED in f.features))
        yield from (f for f in others if not (f.act is ActKind.LATER and (understood or (waited and _cannot_wait(f)))))

    def _of_now(self, clause: Clause) -> Iterator[Frame]:
        """What a clause says but for what is to happen at another time."""
        if is_part_of_a_condition(clause.cells, clause.tokens):
            yield from redundant_condition(clause)
            return
        today = self._around.today
        stop = self._around.stop if clause.antecedent in (self._last, self._changed) else None
        if stop is not None and (stopped := tuple(bare_stop(clause, stop, refuses=self._refuses))):
            yield from stopped
            return
        if any(cell.of_past or cell.of_safety for cell in clause.cells):
            yield from past(clause)
            yield from safety(clause)
            yield from following(clause, today)
            return
        built = [frame for build in _BUILDERS for frame in build(clause)]
        yield from built
        for found in built:
            if Feature.NONE in found.features:
                yield from not_there(clause, found)
        yield from offering(clause, self._around.choices)
        yield from clock(clause, today)
        yield from weather(clause, today)
        yield from calendar(clause, today)
        yield from following(clause, today)
        yield from unknown(clause, built)


def _cannot_wait(frame: Frame) -> bool:
    """Whether it says that there is no waiting for what was said, and so why nothing is done."""
    return frame.request is not None and frame.request.say == NOT_LATER


def _waits(frame: Frame) -> bool:
    """Whether somebody is to be told as soon as something comes about."""
    timing = frame.request.timing if frame.request is not None else None
    return timing is not None and isinstance(timing.due, Upon) and not timing.ordered


_SHARED = frozenset({ActKind.CONTROL, ActKind.SETTING, ActKind.STEPPING, ActKind.UNKNOWN})
_SPOKEN_OF = ORDERS | {
    *(ActKind.ASKING, ActKind.PAST, ActKind.COMPLAINT, ActKind.ASIDE, ActKind.CONDITION, ActKind.FOLLOWING),
    ActKind.REFUSAL,
}
_BUILDERS = (
    *(
        chat,
        aside,
        complaint,
        sun,
        waking,
        to_come,
        later,
        listing,
        removed_item,
        shopping,
        making,
        playing,
        control,
        setting,
    ),
    *(options, asking, past, safety, comparing, against, inside_and_outside, arming, redundant_condition, bare),
)
