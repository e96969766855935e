"""The frames of one clause: what it can be an order, a question or a remark for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from homeagent.history.when.due_times import day_of
from homeagent.history.when.future_times import Slot
from homeagent.languages.concepts import Question, Reference, Role, SafetyWord, Verb
from homeagent.timers.due import Upon
from homeagent.timers.timer import TimerAction
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_combination import redundant_condition
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.arming import arming
from homeagent.understanding.frames.asides import aside
from homeagent.understanding.frames.beside_orders import qualifying
from homeagent.understanding.frames.calendar_questions import calendar, to_come
from homeagent.understanding.frames.clause_parts import pieces_in, places_of
from homeagent.understanding.frames.clock_and_sun import clock, sun, waking
from homeagent.understanding.frames.comparisons import against, comparing
from homeagent.understanding.frames.control import bare_stop, control
from homeagent.understanding.frames.follow_ups import following
from homeagent.understanding.frames.history_questions import past
from homeagent.understanding.frames.inside_and_outside import inside_and_outside
from homeagent.understanding.frames.new_events import new_event
from homeagent.understanding.frames.no_action import bare, complaint, later, not_there, unknown
from homeagent.understanding.frames.option_orders import choosable, offering, options
from homeagent.understanding.frames.playing_and_making import making, playing
from homeagent.understanding.frames.present_conditions import conditional, otherwise
from homeagent.understanding.frames.relayed_orders import relayed
from homeagent.understanding.frames.ringing import silenced
from homeagent.understanding.frames.safety_questions import safety
from homeagent.understanding.frames.setting import setting
from homeagent.understanding.frames.shopping import shopping
from homeagent.understanding.frames.small_talk import chat
from homeagent.understanding.frames.state_questions import asking
from homeagent.understanding.frames.sunlight import sunlight
from homeagent.understanding.frames.timed_orders import Ahead, time_understood, timed
from homeagent.understanding.frames.timer_requests import timers
from homeagent.understanding.frames.todo_lists import listing
from homeagent.understanding.frames.weather_questions import weather
from homeagent.understanding.noun_phrases import Target
from homeagent.understanding.request import NOT_LATER, Asked
from homeagent.understanding.segmentation import is_part_of_a_condition
from homeagent.understanding.sentence_context import SentenceContext

_BUILDERS = (
    *(
        chat,
        aside,
        complaint,
        sunlight,
        sun,
        waking,
        to_come,
        later,
        listing,
        shopping,
        making,
        playing,
        control,
        setting,
    ),
    *(options, asking, past, safety, comparing, against, inside_and_outside, arming, redundant_condition, bare),
)


class ClauseFrames:
    """Builds the frames of the clauses of one sentence. ``spoken_of``: what a bare "stop" may be for, where it names
    nothing.
    """

    def __init__(self, around: SentenceContext, spoken_of: Collection[Target | None]) -> None:
        self._around, self._spoken_of = around, spoken_of

    def frames(self, clause: Clause, ahead: Ahead | None, *, refuses: bool) -> Iterator[Frame]:
        """All that a clause may mean, without costs.

        ``ahead``: what the sentence says of times to come; None: of these nothing is read. ``refuses``: whether it says
        of an order that it is not to be.
        """
        hangs = bool(clause.cells[0].first and clause.at(Reference.THEN))
        advises = _asks_for_advice(clause)
        for found in self._frames(clause, ahead, refuses=refuses):
            if not (advises and (found.acts or found.act in (ActKind.ASKING, ActKind.CLOCK))):
                yield replace(qualifying(clause, found), hangs=hangs)

    def _frames(self, clause: Clause, ahead: Ahead | None, *, refuses: bool) -> Iterator[Frame]:
        if ahead is None:
            yield from self._of_now(clause, refuses=refuses)
            return
        if (silent := silenced(clause, ahead, spoken_of=bool(self._around.last_entities))) is not None:
            yield silent
            return
        last = self._around.last
        of_timers = list(timers(clause, ahead, last.timer if last is not None else None))
        if any(_leaves_out(f) for f in of_timers):
            yield from of_timers
            return
        found = [
            *of_timers,
            *new_event(clause, ahead),
            *timed(clause, ahead, lambda rest: self._of_now(rest, refuses=refuses)),
        ]
        yield from found
        if any(_waits(f) for f in found):
            return  # "tell me when …" does not ask how it is
        understood = any(not f.vetoed and Feature.ASKS not in f.features for f in found)
        lists = any(f.act is ActKind.CLOCK for f in found)  # "which alarms are set" asks for no lock
        clause = _with_its_date(clause, ahead)
        others = (f for f in self._of_now(clause, refuses=refuses) if not (lists and Feature.GUARDED in f.features))

        def told_already(f: Frame) -> bool:
            if f.act is not ActKind.LATER:
                return False
            return understood or (_cannot_wait(f) and not clause.at(Role.CONDITION) and time_understood(clause, ahead))

        yield from (f for f in others if not told_already(f))

    def _of_now(self, clause: Clause, *, refuses: bool) -> Iterator[Frame]:
        """What a clause says but for what is to happen at another time."""
        today = self._around.today
        if (rest := otherwise(clause)) is not None:
            yield from aside(clause) if clause.at(Role.REASON) & clause.at(Role.OTHERWISE) else ()
            yield from (replace(f, otherwise=True) for f in self._of_now(rest, refuses=refuses))
            return
        if is_part_of_a_condition(clause.cells, clause.tokens, postpositions=clause.postpositions):
            yield from redundant_condition(clause)
            yield from conditional(clause, today)
            return
        idle = all(c.says(Role.FILLER) for c in clause.cells) and clause.at(Verb.STOP)
        if idle and clause.cells[-1].end < len(clause.tokens) and not refuses:
            yield frame(clause, ActKind.ASIDE, None, range(len(clause.cells)), extra={Feature.COURTESY: 1.0})
            return  # "halt, nur die Lampe"
        stop = self._around.stop if clause.antecedent in self._spoken_of else None
        if stop is not None and (stopped := tuple(bare_stop(clause, stop, refuses=refuses))):
            yield from stopped
            return
        if any(cell.of_past or cell.of_safety for cell in clause.cells):
            yield from past(clause)
            yield from safety(clause)
            yield from following(clause, today)
            yield from aside(clause) if clause.at(SafetyWord.DOUBT) and clause.at(Role.CONDITION) else ()
            return
        follows = tuple(following(clause, today))
        built = _without_the_value([frame for build in _BUILDERS for frame in build(clause)])
        if (kept := clause.at(Verb.KEEP)) and any(f.acts and kept <= f.explained for f in follows):
            built = [f for f in built if f.act is not ActKind.REFUSAL]  # it is to be again as it was
        if clause.keeps_another:
            built = [f for f in built if f.act not in (ActKind.ASIDE, ActKind.ASKING)]  # "…, the lamp should stay on"
        yield from built
        yield from relayed(clause, lambda rest: self._of_now(rest, refuses=refuses))
        for found in built:
            if Feature.NONE in found.features:
                yield from not_there(clause, found)
        yield from offering(clause, self._around.choices)
        yield from choosable(clause, self._around.choices)
        yield from clock(clause, today)
        yield from weather(clause, today)
        yield from calendar(clause, today)
        yield from follows
        yield from unknown(clause, built)


def _asks_for_advice(clause: Clause) -> bool:
    """Whether it asks what had better be done: then nothing is, and how it is now is no answer."""
    asked = clause.at(Question.ADVICE)
    return bool(asked if clause.asks else asked & {clause.opening, len(clause.cells) - 1})


def _without_the_value(built: Sequence[Frame]) -> list[Frame]:
    """The frames without questions for a value where it is asked whether that is above or below a number."""
    held = {e for f in built if f.request is not None and f.request.details.than is not None for e in f.entity_ids}
    return [f for f in built if not (f.act is ActKind.ASKING and _asks_for_the_value(f) and held & f.entity_ids)]


def _asks_for_the_value(found: Frame) -> bool:
    request = found.request
    return request is not None and request.asked is Asked.VALUE and request.details.than is None


def _with_its_date(clause: Clause, ahead: Ahead) -> Clause:
    """The clause with the one day that it says by its date ("on the 24th of December")."""
    said = [p for p in pieces_in(clause, ahead.pieces) if p.slot is Slot.DATE]
    places = places_of(clause, said)
    day = day_of({Slot.DATE: said[0].value}, ahead.now.date()) if len(said) == 1 else None
    return replace(clause, dated=(day, frozenset(places))) if day is not None and places else clause


def _cannot_wait(frame: Frame) -> bool:
    """Whether it says that there is no waiting for what was said, and so why nothing is done."""
    return frame.request is not None and frame.request.say == NOT_LATER


def _waits(frame: Frame) -> bool:
    """Whether somebody is to be told as soon as something comes about."""
    timing = frame.request.timing if frame.request is not None else None
    return timing is not None and isinstance(timing.due, Upon) and not timing.ordered


def _leaves_out(found: Frame) -> bool:
    """Whether it leaves out a day of a timer: "skip" is then said of no music."""
    timing = found.request.timing if found.request is not None else None
    return timing is not None and timing.deed is TimerAction.SKIP
