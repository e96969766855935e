"""What is ordered and asked of Home Assistant's own timers, where one of these is named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from homeagent.domains import SET_VALUE
from homeagent.domains.dates import KEEPS_A_TIME
from homeagent.history.when.due_times import gathered
from homeagent.history.when.future_times import Slot
from homeagent.languages.concepts import Chat, Heading, Particle, PastWord, Purpose, Question, Reference, Role, Verb
from homeagent.timers.due import After, At
from homeagent.timers.timer import TimerAction, TimerKind
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.alarm_orders import is_for_once
from homeagent.understanding.frames.clause_parts import words_of
from homeagent.understanding.frames.playing_and_making import serving
from homeagent.understanding.frames.timed_orders import Ahead
from homeagent.understanding.frames.timer_clause import MOST_EXPLAINED, TimerClause
from homeagent.understanding.frames.timer_deeds import deed_of, due_of_timer, how_much_longer
from homeagent.understanding.previous_turn import each
from homeagent.understanding.request import TIME_LEFT, Act, Request
from homeagent.understanding.spans import Named, OfKind
from homeagent.understanding.timer_words import Doing, Noun
from indexer.words import normalise

_OF_HOME_ASSISTANTS = {TimerAction.CANCEL: "cancel", TimerAction.PAUSE: "pause", TimerAction.RESUME: "start"}
"""The actions of Home Assistant's timers; `SET` needs a length, or is "start" as for any thing."""
_RUNS = (TimerAction.SET, TimerAction.RESUME)
"""With a length both let it run: "start the pizza timer for 12 minutes"."""
_TIMER = "timer."
TIME, TIME_STEP = "time", "time_step"
"""The parameter that sets it, and by how many seconds it is moved, which is worked out where its state is known."""
_MOVES = (Verb.START, Verb.MAKE, Verb.TURN_ON)
_COSTLY = frozenset({Feature.HEARD, Feature.CORRECTED, Feature.SEVERAL_VERBS, Feature.ACROSS_A_MARK})


def home_assistants_named(clause: Clause, said: TimerClause, ahead: Ahead) -> frozenset[str]:
    """The timers of Home Assistant's that are named; beside the word for a timer, or where it is asked what is left, by
    a part of the name as well ("the pizza is in, start its timer"); else the one that was spoken of last.
    """
    named = [n for _, n in clause.said(Named) if not n.part]
    if whole := frozenset(i for n in named for i in n.entity_ids if i.startswith(_TIMER)):
        return whole
    asks_left = Doing.LEFT in said.does
    if not (said.noun is Noun.TIMER or asks_left):
        return frozenset()
    running = {normalise(name) for name in ahead.running}
    called: set[tuple[str, ...]] = set()
    for i, cell in enumerate(clause.cells):
        places = sorted(words_of(clause, {i}))
        if cell.has(Named) and not said.nouns.issuperset(places):
            own = normalise(said.text(places)) in running
            called |= {() if own else tuple(n.entity_ids) for n in cell.all(Named)}
    ours = clause.last is not None and clause.last.timer is not None
    if not called and clause.antecedent is not None and not ours and (asks_left or not said.pieces):
        called = {tuple(i for p in clause.antecedent.phrases for i in p.entity_ids)}
    ids = next(iter(called)) if len(called) == 1 else ()
    return frozenset(ids) if len(ids) == 1 and ids[0].startswith(_TIMER) else frozenset()


def order_for_home_assistants(clause: Clause, own: frozenset[str], said: TimerClause, ahead: Ahead) -> Iterator[Frame]:
    """What is ordered or asked of a timer of Home Assistant's: "set it for 12 minutes", "how long is left on it?"."""
    told = gathered(said.pieces)
    if told is None or len(own) != 1 or clause.at(Role.NEGATION):
        return
    deed = deed_of(said, told, clause)
    wanted = clause.at(Role.COURTESY, Particle.ON) - clause.of(Question)  # "the pizza is in, timer please"
    if wanted and not (said.pieces or clause.asks) and deed in (TimerAction.LIST, TimerAction.SET):
        yield _frame(clause, own, Request(Act.CONTROL, each(own), action="start"))
        return
    if deed is TimerAction.LIST or (clause.asks and not said.pieces):
        of_past = clause.of(PastWord) or clause.at(Question.OTHER) or Doing.SET in said.does
        if Doing.LEFT in said.does or not of_past:
            yield _frame(clause, own, Request(Act.QUERY, each(own), attribute=TIME_LEFT))
        return
    action = _OF_HOME_ASSISTANTS.get(deed, "") if deed is not None and not said.pieces else ""
    if deed is TimerAction.SET and Doing.SET in said.does and not said.pieces:
        action = "start"
    parameters: dict[str, object] = {}
    more = how_much_longer(said, told)
    if more is not None:
        action, parameters = "change", {"duration": f"{round(more.total_seconds())}s"}
    elif (
        deed in _RUNS
        and not said.more
        and (said.does or not said.rest)
        and isinstance(due := due_of_timer(TimerKind.TIMER, told, ahead), After)
    ):
        action, parameters = "start", {"duration": f"{round(due.wait.total_seconds())}s"}
    if action and not clause.asks:
        yield _frame(clause, own, Request(Act.CONTROL, each(own), action=action, parameters=parameters))


def set_to_a_time(clause: Clause, said: TimerClause, ahead: Ahead) -> Frame | None:
    """What sets a time that Home Assistant keeps and that is named ("put the wake-up time at quarter past seven"), or
    sets the one of the turn before to another.
    """
    named = [(i, n) for i, n in clause.said(Named) if len(n.entity_ids) == 1]
    ids = {n.entity_ids[0] for _, n in named if n.entity_ids[0].partition(".")[0] in KEEPS_A_TIME}
    hours = {i for i in clause.at(Purpose.WAKING) if not clause.cells[i].says(Role.TIMER)} if not ids else set()
    if hours:  # "the hour of waking", where the thing has another name for it
        ids = {e.entity_id for e in serving(Purpose.WAKING, clause) if e.domain in KEEPS_A_TIME}
    before = clause.last.request if clause.last is not None and clause.last.fresh else None
    if clause.last is not None and before is not None and TIME in before.parameters and not (named or said.noun):
        ids = {*clause.last.entity_ids}
    told = gathered(said.pieces)
    more = how_much_longer(said, told) if told is not None else None
    of_a_day = told is not None and told.keys() <= {Slot.CLOCK, Slot.PART, Slot.LENGTH, Slot.DAY}
    of_a_day = of_a_day and told is not None and told.get(Slot.DAY) in (None, 0, 1) and not is_for_once(clause)
    due = due_of_timer(TimerKind.ALARM, told, ahead) if told is not None and of_a_day else None
    denied = clause.at(Role.NEGATION) - clause.at(Reference.INSTEAD, Reference.CORRECTS, Role.JOIN)
    ends = said.does & {Doing.CANCEL, Doing.DISMISS}  # "cancel the alarm that is set for 8"
    moves = said.more or not isinstance(due, At)
    if len(ids) != 1 or (more is None if moves else False) or clause.asks or denied or ends:
        return None
    own = hours | {i for i, n in named if n.entity_ids[0] in ids} | clause.of(Verb, Heading) | clause.at(Role.TO)
    others = clause.of(Verb) - clause.neutral - clause.at(*_MOVES, Role.TO)
    if set(said.rest) - words_of(clause, own) or words_of(clause, others) - said.doing:
        return None
    said_time: dict[str, object] = {TIME_STEP: more.total_seconds()} if more is not None else {}
    if isinstance(due, At) and not moves:
        said_time = {TIME: f"{due.time:%H:%M}"}
    return _frame(clause, frozenset(ids), Request(Act.CONTROL, each(ids), action=SET_VALUE, parameters=said_time))


def called_off(clause: Clause, said: TimerClause) -> Frame | None:
    """What puts back the time that the turn before set, where that is cancelled as an alarm is: "cancel the alarm"."""
    last = clause.last
    before = last.request if last is not None and last.fresh else None
    if last is None or before is None or last.undo is None or last.undo.act is Act.SAY:
        return None
    sets = not before.parameters.keys().isdisjoint({TIME, TIME_STEP})
    cancels = Doing.CANCEL in said.does and said.noun in (None, Noun.CLOCK, Noun.ALARM) and not said.pieces
    small = words_of(clause, clause.at(Role.PRONOUN, Chat.NOTHING, Reference.CORRECTS, Reference.UNDO))
    others = words_of(clause, clause.of(OfKind, Named)) - said.nouns - said.doing
    if not (sets and cancels) or clause.asks or set(said.rest) - small or others:
        return None
    ids = [i for group in last.undo.scope.named for i in group]
    return _frame(clause, frozenset(ids), last.undo)


def _frame(clause: Clause, own: frozenset[str], request: Request) -> Frame:
    """The frame of a request that explains the whole clause."""
    made = frame(clause, ActKind.TIMED, request, range(len(clause.cells)))
    features: dict[Feature, float] = {f: v for f, v in made.features.items() if f in _COSTLY}
    return replace(made, entity_ids=own, features={**features, Feature.EXPLAINED: MOST_EXPLAINED})
