"""Timers, alarms and reminders: set, asked for, changed, ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from homeagent.domains.dates import KEEPS_A_TIME
from homeagent.history.when.due_times import Said, gathered
from homeagent.history.when.future_times import Slot
from homeagent.languages.concepts import Chat, Clock, Particle, Purpose, Question, Reference, Role, Verb
from homeagent.timers.due import After
from homeagent.timers.timer import TimerAction, TimerKind
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.alarm_orders import (
    asks_of_an_alarm,
    is_denied,
    is_for_once,
    is_taken_back,
    orders_an_alarm,
    wakes_somebody_else,
)
from homeagent.understanding.frames.bare_timers import by_its_name, counted_down, running_name
from homeagent.understanding.frames.clause_parts import without, words_of
from homeagent.understanding.frames.control import BY_PARTICLE
from homeagent.understanding.frames.days_left_out import day_left_out, days_but
from homeagent.understanding.frames.home_assistants_timers import (
    TIME,
    TIME_STEP,
    called_off,
    home_assistants_named,
    order_for_home_assistants,
    set_to_a_time,
)
from homeagent.understanding.frames.playing_and_making import serving
from homeagent.understanding.frames.reminders import before_an_event, reminded, told_upon
from homeagent.understanding.frames.several_timers import each_of_several, several_times
from homeagent.understanding.frames.timed_orders import Ahead
from homeagent.understanding.frames.timer_clause import (
    IDLE,
    KINDS,
    MOST_EXPLAINED,
    TELLING,
    TimerClause,
    timer_clause,
    timer_frame,
)
from homeagent.understanding.frames.timer_deeds import (
    deed_of,
    due_of_timer,
    how_much_longer,
    is_vague,
    near_to,
    says_a_time,
)
from homeagent.understanding.frames.timer_names import MOST_NAME_WORDS, WAKING, name_of
from homeagent.understanding.previous_turn import LastTimer, each
from homeagent.understanding.request import Act, Request, Timing
from homeagent.understanding.spans import InArea, Items, Named, OfKind
from homeagent.understanding.timer_words import Doing, Noun

_GUARDS = frozenset({"alarm_control_panel", "siren"})
_MOST_ASIDE = 1
"""Words beside the name of a timer, where it is asked how long is left."""


def timers(clause: Clause, ahead: Ahead, last: LastTimer | None) -> Iterator[Frame]:
    """What is said of timers in a clause; ``last``: the timer that was spoken of last."""
    said = timer_clause(clause, ahead)
    of_alarms = [*_read(clause, said, ahead, last)]
    timed = said.noun in WAKING and Slot.CLOCK in (gathered(said.pieces) or {})
    if timed and (is_taken_back(clause, said) or (not of_alarms and is_denied(clause, said))):
        refused = frame(clause, ActKind.REFUSAL, Request(Act.SAY, say="left_alone"), range(len(clause.cells)))
        yield replace(refused, features={Feature.EXPLAINED: MOST_EXPLAINED})
    for found in of_alarms:
        if not _sets_an_alarm(found) or said.noun not in WAKING or orders_an_alarm(clause, said, ahead):
            yield found
        elif asks_of_an_alarm(clause, said, ahead):
            told = timer_frame(clause, Timing(TimerAction.LIST, TimerKind.ALARM))
            yield _or_of_the_home(told, clause, said, ahead)


def _sets_an_alarm(found: Frame) -> bool:
    """Whether it sets or moves an alarm, or the time that the home keeps for waking."""
    timing = found.request.timing if found.request is not None else None
    if timing is None:
        return found.request is not None and not found.request.parameters.keys().isdisjoint({TIME, TIME_STEP})
    return timing.kind is TimerKind.ALARM and timing.deed in (TimerAction.SET, TimerAction.CHANGE)


def _read(clause: Clause, said: TimerClause, ahead: Ahead, last: LastTimer | None) -> Iterator[Frame]:
    taken = {
        p - clause.cells[0].first for i in clause.of(Items) for p in range(clause.cells[i].first, clause.cells[i].end)
    }
    if taken and (said.noun not in TELLING or taken & {*said.noun_at}):
        return  # what is put on a list is no order
    if (own := home_assistants_named(clause, said, ahead)) and said.noun in (Noun.TIMER, None):
        yield from order_for_home_assistants(clause, own, said, ahead)
        return
    if (kept := called_off(clause, said) or set_to_a_time(clause, said, ahead)) is not None:
        yield kept
        return
    whole = (i for _, n in clause.said(Named) if not n.part for i in n.entity_ids)
    if said.pieces and not clause.asks and any(i.partition(".")[0] in KEEPS_A_TIME for i in whole):
        return  # no alarm beside the time that is named
    if (without := day_left_out(clause, said, ahead, last)) is not None:
        yield without
        return
    if clause.at(Role.EXCEPT) and said.noun not in TELLING and says_a_time(gathered(said.pieces) or {}):
        but = days_but(clause, said, ahead)
        yield from (but,) if but is not None else ()
        return
    denied = clause.at(Role.NEGATION) - clause.at(Role.JOIN, Reference.INSTEAD)
    if denied and not last and said.noun is not Noun.REMIND:  # "don't let me forget"
        return
    said = by_its_name(clause, said, ahead)
    if said.noun in TELLING and (upon := told_upon(clause, said, ahead)) is not None:
        yield upon
        return
    found = reminded(clause, said, ahead) if said.noun in TELLING else None
    if found is None and said.noun not in (Noun.TELL, Noun.ANNOUNCE):
        found = _of_timers(clause, said, ahead, last)
    if found is None and (told := gathered(said.pieces)) is not None:
        found = counted_down(clause, said, told, ahead)
    if found is not None:
        yield _or_of_the_home(found, clause, said, ahead)


def _of_timers(clause: Clause, said: TimerClause, ahead: Ahead, last: LastTimer | None) -> Frame | None:
    kind = KINDS.get(said.noun) if said.noun is not None else None
    times = several_times(said)
    told = gathered(times[:1] if times else said.pieces)
    if told is None:
        return None
    deed = deed_of(said, told, clause)
    if times:
        plain = deed is not None and kind is not None and not _two_orders(clause, said)
        return each_of_several(clause, said, deed, times, ahead) if plain and deed else None
    if kind is None:
        return _without_a_noun(clause, said, told, deed, ahead, last)
    if _two_orders(clause, said):
        return None
    texts = [t.text for t in said.tokens]
    awaits = bool(ahead.words.leads.find(texts)) and bool(ahead.words.becomes.find(texts))
    if deed is None or awaits or _may_guard(clause, said, told, deed):
        return None
    if deed is TimerAction.LIST:
        said = replace(said, small=said.small | _asking(clause))
    name, price = name_of(said, deed, ahead)
    if said.label:
        if (deed is TimerAction.SET and not said.more) or (deed is not TimerAction.LIST and said.rest):
            return None
        if len(said.rest) > _MOST_ASIDE or (deed is TimerAction.LIST and Doing.LEFT not in said.does):
            return None
    elif deed is not TimerAction.SET:
        name = running_name(name, ahead)
    if deed is TimerAction.LIST:
        name, price = ("", 0.0) if said.noun is Noun.WAKE else (name, price)  # "when do you wake me"
        timing = Timing(deed, kind, name=name)
        return timer_frame(clause, timing, price)
    if deed is TimerAction.SET and said.noun in WAKING and (of := before_an_event(clause, said, told, kind)):
        return of
    if deed in (TimerAction.SET, TimerAction.CHANGE):
        more = how_much_longer(said, told)
        if more is not None:
            there = running_name(name, ahead)
            return timer_frame(clause, Timing(TimerAction.CHANGE, kind, name=there, more=more), price)
        due = due_of_timer(kind, told, ahead)
        if due is None and deed is TimerAction.CHANGE and not said.pieces:
            return None
        if due is None and said.pieces and not is_vague(told):
            return None
        return timer_frame(clause, Timing(deed, kind, name=name, due=due), price)
    if says_a_time(told) and deed is TimerAction.CANCEL and not is_vague(told):
        which = due_of_timer(kind, told, ahead)
        return timer_frame(clause, Timing(deed, kind, name=name, which=which), price) if which is not None else None
    if says_a_time(told) and deed is not TimerAction.CANCEL:
        return None if deed is not TimerAction.SNOOZE else _snoozed(clause, kind, told)
    return timer_frame(clause, Timing(deed, kind, name=name, every=said.every), price)


def _or_of_the_home(found: Frame, clause: Clause, said: TimerClause, ahead: Ahead) -> Frame:
    """The frame, that may mean what wakes people in the home instead: where a time is set, moved or slept longer than,
    the only time that Home Assistant keeps for that. Not where another alarm is to be ("an alarm for 7")."""
    timing = found.request.timing if found.request is not None else None
    if timing is None or timing.name or timing.also or timing.kind not in (TimerKind.ALARM, None):
        return found
    wakes = serving(Purpose.WAKING, clause)
    if timing.deed is not TimerAction.LIST:
        if timing.kind is None and Doing.SNOOZE not in said.does:
            return found
        wakes = [e for e in wakes if e.domain in KEEPS_A_TIME]
        another = said.noun is not Noun.WAKE and _means_another(said, ahead)
        if len(wakes) != 1 or another or wakes_somebody_else(clause) or is_for_once(clause):
            return found
    elif timing.kind is None:
        return found
    scope = each(e.entity_id for e in wakes)
    return replace(found, request=replace(found.request, scope=scope)) if wakes and found.request else found


def _means_another(said: TimerClause, ahead: Ahead) -> bool:
    """Whether a word right beside the noun says that it is none of those that are there."""
    places = ahead.words.another.matches([t.text for t in said.tokens], said.timed)
    beside = {p + step for p in said.noun_at for step in (-1, 1)}
    return any(not beside.isdisjoint(m.positions) for m in places)


def _asking(clause: Clause) -> set[int]:
    """The places of the words that ask something, which are no name."""
    return words_of(clause, clause.of(Question, Clock))


def _two_orders(clause: Clause, said: TimerClause) -> bool:
    """Whether two different things are ordered, with "and" between them: "set an alarm for 7 and turn off the lamp"."""
    joins = words_of(clause, clause.at(Role.JOIN))
    asked = said.noun_at[0] if said.noun in TELLING and not clause.postpositions else 0
    if any(i < join < asked for i in said.rest for join in joins):
        return True  # "add milk to the list and remind me to …"
    behind = [i for i in said.rest if joins and min(joins) < i] if said.noun not in TELLING else []
    if behind and clause.of(Verb) and _names_a_thing(clause, behind):
        return True  # "set an alarm and turn on the lamp"
    return any(
        first is not second and any(at < join < other for join in joins)
        for first, at in said.verbs
        for second, other in said.verbs
    )


def _snoozed(clause: Clause, kind: TimerKind | None, told: Said) -> Frame | None:
    length = told.get(Slot.LENGTH) or told.get(Slot.SPAN) or told.get(Slot.DELAY)
    if not isinstance(length, timedelta):
        return None
    return timer_frame(clause, Timing(TimerAction.SNOOZE, kind, due=After(length)))


def _without_a_noun(
    clause: Clause, said: TimerClause, told: Said, deed: TimerAction | None, ahead: Ahead, last: LastTimer | None
) -> Frame | None:
    """What leans on the timer that was spoken of, or that rings."""
    rest = said.rest
    if Doing.LEFT in said.does and last is not None:  # "how much is left"
        rest = [i for i in rest if i not in _asking(clause)]
    if deed is TimerAction.DISMISS and not ahead.rings:
        return None
    if deed in (TimerAction.SNOOZE, TimerAction.DISMISS) and not rest:
        return _snoozed(clause, None, told) or timer_frame(clause, Timing(deed))
    more = how_much_longer(said, told) if not rest else None
    if more is not None:
        if last is None:
            put_off = more > timedelta() and Slot.LENGTH in told and Doing.LATER not in said.more
            return timer_frame(clause, Timing(TimerAction.SNOOZE, due=After(more))) if put_off else None
        return timer_frame(clause, Timing(TimerAction.CHANGE, last.kind, more=more, timer_id=last.timer_id))
    if said.asks_left and deed is TimerAction.LIST and not (said.pieces or rest or last or clause.of(Named, OfKind)):
        return timer_frame(clause, Timing(TimerAction.LIST), 1.0)
    if last is None or (deed is TimerAction.CANCEL and not said.pieces and _does_it_now(clause, last)):
        return None
    undoes = clause.at(Reference.UNDO) and not (said.pieces or clause.of(Named, OfKind, InArea))
    if last.fresh and last.changed and undoes:
        back = Timing(TimerAction.CHANGE, last.kind, more=-last.moved, timer_id=last.timer_id) if last.moved else None
        return timer_frame(clause, back) if back is not None else None
    behind = _behind_a_no(clause)
    if last.fresh and not last.changed and _takes_back(behind):
        return timer_frame(behind, Timing(TimerAction.CANCEL, last.kind, timer_id=last.timer_id))
    name, price = name_of(said, TimerAction.SET, ahead)
    if deed is TimerAction.CANCEL:
        small = words_of(clause, clause.at(Reference.ONES, Chat.NOTHING))
        rest = [i for i in rest if i not in small and clause.cells[0].first + i >= behind.cells[0].first]
    if rest:
        another = (said.more or clause.cells[0].says(Role.JOIN)) and told and not _names_a_thing(clause, rest)
        due = due_of_timer(last.kind, told, ahead) if another and last.kind is not TimerKind.ACTION else None
        if due is None or len(rest) > MOST_NAME_WORDS:
            return None
        return timer_frame(clause, Timing(TimerAction.SET, last.kind, name=name, due=due), price)
    which = due_of_timer(last.kind, told, ahead) if deed is TimerAction.CANCEL and not is_vague(told) else None
    if which is not None:
        return timer_frame(clause, Timing(TimerAction.CANCEL, last.kind, which=which))  # "delete the one at seven"
    if deed is TimerAction.LIST and Doing.LEFT in said.does and not said.pieces:
        timing = Timing(TimerAction.LIST, last.kind, timer_id=last.timer_id)
        return timer_frame(clause, timing)
    if deed in (TimerAction.CANCEL, TimerAction.PAUSE, TimerAction.RESUME) and not said.pieces:
        plain = clause.at(Role.PRONOUN) or deed is not TimerAction.CANCEL
        found = Timing(deed, last.kind, every=said.every, timer_id="" if said.every else last.timer_id)
        return timer_frame(behind, found) if plain or last.fresh else None
    due = due_of_timer(last.kind, told, ahead) if said.pieces else None
    whole = clause.cells[0].first == 0 and clause.cells[-1].end == len(clause.tokens)
    if due is None or not last.fresh or not whole or (last.kind is TimerKind.ACTION and Slot.LENGTH in told):
        return None
    joined = clause.cells[0].says(Role.JOIN) or Doing.SET in said.does
    if joined and not clause.at(Reference.INSTEAD, Role.NEGATION) and Doing.CHANGE not in said.does:
        if last.kind is TimerKind.ACTION:
            return None
        return timer_frame(clause, Timing(TimerAction.SET, last.kind, due=due), 0.0)
    due = near_to(last.due, due, told, ahead)
    return timer_frame(clause, Timing(TimerAction.CHANGE, last.kind, due=due, timer_id=last.timer_id))


def _does_it_now(clause: Clause, last: LastTimer) -> bool:
    """Whether it orders what was set for later ("no, turn it off now"), and does not call that off."""
    said = {v.value for _, v in clause.said(Verb)} | {
        BY_PARTICLE[p].value for _, p in clause.said(Particle) if p in BY_PARTICLE
    }
    return last.fresh and not said.isdisjoint(last.does)


def _names_a_thing(clause: Clause, rest: Sequence[int]) -> bool:
    """Whether one of these tokens is of a thing or a place of the home: then something is ordered for that."""
    return not words_of(clause, clause.of(Named, OfKind, InArea)).isdisjoint(rest)


def _behind_a_no(clause: Clause) -> Clause:
    """The clause without a "no", a "leave it" or the like that a mark parts from the rest of it."""
    leads = range(next((i for i in range(1, len(clause.cells)) if clause.mark(i)), 0))
    said = clause.at(Reference.CORRECTS, Chat.NOTHING, Verb.KEEP)
    beside = said | clause.at(Role.PRONOUN, *IDLE)
    return (without(clause, leads) if said.intersection(leads) and beside.issuperset(leads) else None) or clause


def _takes_back(clause: Clause) -> bool:
    """Whether nothing is said but that what was said before is not to be: "never mind", "undo that"."""
    back = clause.at(Chat.NOTHING, Reference.UNDO)
    return bool(back) and all(i in back or c.means(*IDLE, Role.PRONOUN) for i, c in enumerate(clause.cells))


def _may_guard(clause: Clause, said: TimerClause, told: Said, deed: TimerAction) -> bool:
    """Whether the alarm that guards the home may be meant."""
    if said.noun is not Noun.ALARM or clause.at(Verb.ARM, Verb.DISARM):
        return said.noun is Noun.ALARM
    sets = deed in (TimerAction.SET, TimerAction.CHANGE) and says_a_time(told)
    ends = deed is TimerAction.CANCEL and Slot.CLOCK in told  # "the alarm for 8"; "off in ten minutes" is of the guard
    if deed is TimerAction.LIST and (Doing.LEFT in said.does or clause.of(Clock)):
        return False
    noun = said.tokens[said.noun_at[0]].start
    of_a_time = any(p.slot is Slot.CLOCK and p.last <= noun for p in said.pieces)  # "the 7 o'clock alarm"
    return not (sets or ends or of_a_time) and any(e.domain in _GUARDS for e in clause.names.entities)
