"""Timers, alarms and reminders: set, asked for, changed, ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from homeagent.history.when.due_times import Said, gathered
from homeagent.history.when.future_times import Clock, Slot
from homeagent.languages.concepts import Chat, Purpose, Reference, Role, Verb
from homeagent.timers.due import After, Due
from homeagent.timers.timer import TimerAction, TimerKind
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import OPEN_WORD, frame
from homeagent.understanding.frames.awaited_states import awaited
from homeagent.understanding.frames.bare_timers import by_its_name, counted_down, running_name
from homeagent.understanding.frames.clause_parts import tokens_of
from homeagent.understanding.frames.media import serving
from homeagent.understanding.frames.timed_orders import Ahead
from homeagent.understanding.frames.timer_clause import (
    IDLE,
    MOST_EXPLAINED,
    TELLING,
    TimerClause,
    is_loose,
    timer_clause,
    timer_frame,
)
from homeagent.understanding.previous_turn import LastTimer, each
from homeagent.understanding.request import NOT_LATER, Act, Request, Timing
from homeagent.understanding.spans import InArea, Named, OfKind
from homeagent.understanding.timer_words import Becoming, Doing, Noun

_KINDS = {
    Noun.TIMER: TimerKind.TIMER,
    Noun.CLOCK: TimerKind.ALARM,
    Noun.ALARM: TimerKind.ALARM,
    Noun.WAKE: TimerKind.ALARM,
    Noun.REMINDER: TimerKind.REMINDER,
    Noun.REMIND: TimerKind.REMINDER,
    Noun.TELL: TimerKind.REMINDER,
}
_DEEDS = {
    Doing.CANCEL: TimerAction.CANCEL,
    Doing.PAUSE: TimerAction.PAUSE,
    Doing.RESUME: TimerAction.RESUME,
    Doing.SNOOZE: TimerAction.SNOOZE,
    Doing.DISMISS: TimerAction.DISMISS,
}
_GUARDS = frozenset({"alarm_control_panel", "siren"})
_WAKING = (Noun.CLOCK, Noun.ALARM, Noun.WAKE)
_MOST_ASIDE = 1
"""Words beside the name of a timer, where it is asked how long is left."""
_MOST_WORDS = 4
"""Words of a timer's name."""
_HOUR = 60
_COMINGS = frozenset({Becoming.RINGS, Becoming.CAME, Becoming.LEFT, Becoming.SOMEBODY})
_OF_HOME_ASSISTANTS = {TimerAction.CANCEL: "cancel", TimerAction.PAUSE: "pause", TimerAction.RESUME: "start"}
"""The actions of Home Assistant's timers; `SET` needs a length, or is "start" as for any thing."""
_COSTLY = frozenset({Feature.HEARD, Feature.CORRECTED, Feature.SEVERAL_VERBS})
_WEAK_REST = 0.35
"""What a word of a name costs that is not right beside the word for a timer."""


def timers(clause: Clause, ahead: Ahead, last: LastTimer | None) -> Iterator[Frame]:
    """What is said of timers in a clause; ``last``: the timer that was spoken of last."""
    said = timer_clause(clause, ahead)
    if (own := _of_home_assistant(clause)) and said.noun in (Noun.TIMER, None):
        yield from _with_home_assistants(clause, own, said, ahead)
        return
    denied = clause.at(Role.NEGATION) - clause.at(Role.JOIN, Reference.INSTEAD)
    if denied and not last and said.noun is not Noun.REMIND:  # "don't let me forget"
        return
    said = by_its_name(clause, said, ahead)
    if said.noun in TELLING and (upon := _told_upon(clause, said, ahead)) is not None:
        yield upon
        return
    found = _reminded(clause, said, ahead) if said.noun in TELLING else None
    if found is None and said.noun is not Noun.TELL:
        found = _of_timers(clause, said, ahead, last)
    if found is None and (told := gathered(said.pieces)) is not None:
        found = counted_down(clause, said, told, ahead)
    if found is not None:
        yield found


def _of_home_assistant(clause: Clause) -> frozenset[str]:
    """The timers of Home Assistant's that are named."""
    named = [n for _, n in clause.said(Named) if not n.part]
    return frozenset(i for n in named for i in n.entity_ids if i.startswith("timer."))


def _with_home_assistants(clause: Clause, own: frozenset[str], said: TimerClause, ahead: Ahead) -> Iterator[Frame]:
    """What is ordered of one of Home Assistant's timers: "set the pizza timer for 12 minutes", "cancel it"."""
    told = gathered(said.pieces)
    if told is None or len(own) != 1 or clause.asks or clause.at(Role.NEGATION):
        return
    deed = _deed(said, told, clause)
    action = _OF_HOME_ASSISTANTS.get(deed, "") if deed is not None and not said.pieces else ""
    parameters: dict[str, Any] = {}
    if deed is TimerAction.SET and not said.more and isinstance(due := _due(TimerKind.TIMER, told, ahead), After):
        action, parameters = "start", {"duration": f"{round(due.wait.total_seconds())}s"}
    if action:
        request = Request(Act.CONTROL, each(own), action=action, parameters=parameters)
        made = frame(clause, ActKind.TIMED, request, range(len(clause.cells)))
        features: dict[Feature, float] = {f: v for f, v in made.features.items() if f in _COSTLY}
        yield replace(made, entity_ids=own, features={**features, Feature.EXPLAINED: MOST_EXPLAINED})


def _reminded(clause: Clause, said: TimerClause, ahead: Ahead) -> Frame | None:
    """ "Remind me to … at …": all but the time is what is to be told."""
    edge = min(said.noun_at) if clause.postpositions else max(said.noun_at)
    behind = range(edge + 1, len(said.tokens)) if not clause.postpositions else range(edge)
    before = [i for i in said.rest if i not in behind] if not clause.postpositions else []
    if before and not any(i in behind for i in said.rest):  # "… at eight, remind me"
        before, behind = [], range(min(said.noun_at))
    told = gathered(p for p in said.pieces if p.slot not in (Slot.NUMBER,) and not is_loose(p))
    if told is None or before:
        return None
    led, label = _label(said, [i for i in behind if i not in said.timed], ahead)
    beyond = max(said.timed, default=-1) + 1
    led = led or (beyond in behind and said.tokens[beyond].text in ahead.words.label)  # "tell grandma at nine that …"
    due = _due_of_reminder(told, ahead)
    counts = told.keys() == {Slot.DELAY} or (told.keys() == {Slot.LENGTH} and max(said.timed) < edge)
    if said.noun is Noun.TELL and not label and counts and not clause.asks:
        return timer_frame(clause, Timing(TimerAction.SET, TimerKind.TIMER, due=due))
    if said.noun is Noun.TELL and (not (due or told) or not (led or behind.stop <= said.noun_at[0]) or not label):
        return None
    if said.noun is Noun.TELL and (clause.asks or (due is None and _is_vague(told))):  # "tell me what is on tomorrow"
        return None
    timing = Timing(TimerAction.SET, TimerKind.REMINDER, name=label, due=due)
    return timer_frame(clause, timing, open_words=len(label.split()) / 2)


def _due_of_reminder(told: Said, ahead: Ahead) -> Due | None:
    length = told.get(Slot.LENGTH) or told.get(Slot.SPAN)
    if isinstance(length, timedelta) and len(told) == 1:
        return After(length)
    if isinstance(length, timedelta) and Slot.CLOCK not in told and _is_a_clock(length, ahead):
        told = {**told, Slot.CLOCK: Clock(round(length.total_seconds() / 60))}  # "morgen 8 uur"
    return ahead.due(told)


def _label(said: TimerClause, places: Sequence[int], ahead: Ahead) -> tuple[bool, str]:
    """Whether something leads it, and what is to be remembered, as it was said."""
    inside, led = list(places), False
    while inside and (led or inside[0] not in said.articles):
        leads = said.tokens[inside[0]].text in ahead.words.label
        if not leads and (led or inside[0] not in said.small):
            break
        if led and inside[0] in said.articles:
            break
        led = led or leads
        inside.pop(0)
    text = "".join(f"{t.gap if n else ''}{t.raw}" for n, t in enumerate(said.tokens[i] for i in inside)).strip(" ,.!?")
    for ending in ahead.words.label_ends:
        if text.endswith(ending) and len(text) > len(ending):
            return True, text[: -len(ending)].strip()
    return led, text


def _told_upon(clause: Clause, said: TimerClause, ahead: Ahead) -> Frame | None:
    """ "Tell me when …": a reminder that waits for what comes about."""
    tokens = tokens_of(clause)
    offset = clause.cells[0].first
    for found in awaited(clause, ahead.words):
        waits = {p - offset for p in found.tokens}
        spots = ahead.words.spots([t.text for t in tokens], waits)
        nouns = [s for s in spots if s.section == "kinds"]
        if found.whether or not nouns or Noun(nouns[0].concept) not in TELLING:
            continue
        at = {p for s in nouns for p in s.positions}
        others = [i for i in range(len(tokens)) if i not in at | waits]
        rest = [i for i in others if i not in said.small | said.doing | said.timed]
        label = _label(said, others, ahead)[1] if rest else ""
        name = label or "".join(f"{t.gap if n else ''}{t.raw}" for n, t in enumerate(tokens[p] for p in sorted(waits)))
        timing = Timing(TimerAction.SET, TimerKind.REMINDER, name=name, due=found.upon)
        return timer_frame(clause, timing, open_words=len(rest))
    spots = ahead.words.upon.matches([t.text for t in tokens])
    if any(s.section == "upon" for s in spots) and _COMINGS & {s.concept for s in spots}:
        # it is known what leads it, and not what it is
        told = frame(clause, ActKind.LATER, Request(Act.SAY, say=NOT_LATER), range(len(clause.cells)))
        return replace(told, features={Feature.EXPLAINED: MOST_EXPLAINED})
    return None


def _of_timers(clause: Clause, said: TimerClause, ahead: Ahead, last: LastTimer | None) -> Frame | None:
    kind = _KINDS.get(said.noun) if said.noun is not None else None
    told = gathered(said.pieces)
    if told is None:
        return None
    deed = _deed(said, told, clause)
    if kind is None:
        return _without_a_noun(clause, said, told, deed, ahead, last)
    if _two_orders(clause, said):
        return None
    awaits = {"upon", "becomes"} <= {s.section for s in ahead.words.upon.matches([t.text for t in said.tokens])}
    if deed is None or awaits or _may_guard(clause, said, told, deed):
        return None
    name, price = _name(said, deed, ahead)
    if said.label:
        if (deed is TimerAction.SET and not said.more) or (deed is not TimerAction.LIST and said.rest):
            return None
        if len(said.rest) > _MOST_ASIDE or (deed is TimerAction.LIST and Doing.LEFT not in said.does):
            return None
    elif deed is not TimerAction.SET:
        name = running_name(name, ahead)
    if deed is TimerAction.LIST:
        if kind is TimerKind.ALARM and Doing.LEFT in said.does and serving(Purpose.WAKING, clause):
            price += 3.0  # a thing of the home tells it, too
        timing = Timing(deed, kind, name=name, asks_left=Doing.LEFT in said.does)
        return timer_frame(clause, timing, price)
    if deed in (TimerAction.SET, TimerAction.CHANGE):
        more = _more(said, told, kind)
        if more is not None:
            there = running_name(name, ahead)
            return timer_frame(clause, Timing(TimerAction.CHANGE, kind, name=there, more=more), price)
        due = _due(kind, told, ahead)
        if due is None and deed is TimerAction.CHANGE and not said.pieces:
            return None
        if due is None and said.pieces and not _is_vague(told):
            return None
        return timer_frame(clause, Timing(deed, kind, name=name, due=due), price)
    if _times(told) and deed is TimerAction.CANCEL and not _is_vague(told):
        which = _due(kind, told, ahead)
        return timer_frame(clause, Timing(deed, kind, name=name, which=which), price) if which is not None else None
    if _times(told) and deed is not TimerAction.CANCEL:
        return None if deed is not TimerAction.SNOOZE else _snoozed(clause, kind, told)
    return timer_frame(clause, Timing(deed, kind, name=name, every=said.every), price)


def _two_orders(clause: Clause, said: TimerClause) -> bool:
    """Whether two different things are ordered, with "and" between them: "set an alarm for 7 and turn off the lamp"."""
    offset = clause.cells[0].first
    joins = [c.first - offset for c in clause.cells if c.says(Role.JOIN)]
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
    if deed is TimerAction.DISMISS and not ahead.rings:
        return None
    if deed in (TimerAction.SNOOZE, TimerAction.DISMISS) and not rest:
        return _snoozed(clause, None, told) or timer_frame(clause, Timing(deed))
    length = told.get(Slot.LENGTH)
    added = isinstance(length, timedelta) and told.keys() == {Slot.LENGTH} and said.more and not rest
    if added and isinstance(length, timedelta) and said.noun is None:
        sign = -1 if Doing.LESS in said.more else 1
        if last is None:
            return timer_frame(clause, Timing(TimerAction.SNOOZE, due=After(length))) if sign > 0 else None
        return timer_frame(clause, Timing(TimerAction.CHANGE, last.kind, more=sign * length, timer_id=last.timer_id))
    if said.asks_left and deed is TimerAction.LIST and not (said.pieces or rest or last or clause.of(Named, OfKind)):
        return timer_frame(clause, Timing(TimerAction.LIST, asks_left=True), 1.0)
    if last is None:
        return None
    if last.fresh and _takes_back(clause):
        return timer_frame(clause, Timing(TimerAction.CANCEL, last.kind, timer_id=last.timer_id))
    name, price = _name(said, TimerAction.SET, ahead)
    if rest:
        another = (said.more or clause.cells[0].says(Role.JOIN)) and told and not _names_a_thing(clause, rest)
        due = _due(last.kind, told, ahead) if another and last.kind is not TimerKind.ACTION else None
        if due is None or len(rest) > _MOST_WORDS:
            return None
        return timer_frame(clause, Timing(TimerAction.SET, last.kind, name=name, due=due), price)
    if deed is TimerAction.LIST and Doing.LEFT in said.does and not said.pieces:
        timing = Timing(TimerAction.LIST, last.kind, asks_left=True, timer_id=last.timer_id)
        return timer_frame(clause, timing)
    if deed in (TimerAction.CANCEL, TimerAction.PAUSE, TimerAction.RESUME) and not said.pieces:
        plain = clause.at(Role.PRONOUN) or deed is not TimerAction.CANCEL
        found = Timing(deed, last.kind, every=said.every, timer_id="" if said.every else last.timer_id)
        return timer_frame(clause, found) if plain or last.fresh else None
    due = _due(last.kind, told, ahead, loose=True) if said.pieces else None
    whole = clause.cells[0].first == 0 and clause.cells[-1].end == len(clause.tokens)
    if due is None or not last.fresh or not whole or (last.kind is TimerKind.ACTION and Slot.LENGTH in told):
        return None
    joined = clause.cells[0].says(Role.JOIN) or Doing.SET in said.does
    if joined and not clause.at(Reference.INSTEAD, Role.NEGATION) and Doing.CHANGE not in said.does:
        if last.kind is TimerKind.ACTION:
            return None
        return timer_frame(clause, Timing(TimerAction.SET, last.kind, due=due), 0.0)
    return timer_frame(clause, Timing(TimerAction.CHANGE, last.kind, due=due, timer_id=last.timer_id))


def _names_a_thing(clause: Clause, rest: Sequence[int]) -> bool:
    """Whether one of these tokens is of a thing or a place of the home: then something is ordered for that."""
    offset = clause.cells[0].first
    things = [c for c in clause.cells if c.has(Named, OfKind, InArea)]
    return any(c.first <= p + offset < c.end for c in things for p in rest)


def _takes_back(clause: Clause) -> bool:
    """Whether nothing is said but that what was said before is not to be: "never mind", "undo that"."""
    back = clause.at(Chat.NOTHING, Reference.UNDO)
    return bool(back) and all(i in back or c.means(*IDLE, Role.PRONOUN) for i, c in enumerate(clause.cells))


def _deed(said: TimerClause, told: Said, clause: Clause) -> TimerAction | None:
    times = _times(told)
    does = said.does
    if said.noun is Noun.WAKE:
        return TimerAction.LIST if Doing.LEFT in does and not times else TimerAction.SET
    if Doing.LIST in does and _is_vague(told) and not does & {Doing.SET, Doing.CANCEL, Doing.PAUSE, Doing.CHANGE}:
        return TimerAction.LIST  # "which alarms are there for tomorrow"
    if not times and (Doing.LEFT in does or (Doing.LIST in does and not does & {Doing.CANCEL, Doing.PAUSE})):
        return TimerAction.LIST
    for doing in (Doing.RESUME, Doing.SNOOZE, Doing.DISMISS, Doing.PAUSE):
        if doing in does:
            return _DEEDS[doing]
    if Doing.CANCEL in does and (not times or Doing.SET not in does or _led_by(said) is Doing.CANCEL):
        return TimerAction.CANCEL
    if Doing.CHANGE in does:
        return TimerAction.CHANGE
    if clause.asks and not times and said.noun is not None and Doing.SET not in does:
        return TimerAction.LIST
    if said.noun is None and not does:
        return None
    return TimerAction.SET


def _led_by(said: TimerClause) -> Doing | None:
    """What is ordered first: "cancel the alarm that is set for 8" cancels."""
    return said.verbs[0][0] if said.verbs else None


def _times(told: Said) -> bool:
    """Whether a time was said, more than "today"."""
    return bool(told.keys() - {Slot.DAY, Slot.PART, Slot.DAYS}) or told.get(Slot.DAY) not in (None, 0)


def _is_vague(told: Said) -> bool:
    return told.keys() <= {Slot.DAY, Slot.PART, Slot.WEEKDAY, Slot.DATE, Slot.DAYS}


def _may_guard(clause: Clause, said: TimerClause, told: Said, deed: TimerAction) -> bool:
    """Whether the alarm that guards the home may be meant."""
    if said.noun is not Noun.ALARM or clause.at(Verb.ARM, Verb.DISARM):
        return said.noun is Noun.ALARM
    sets = deed in (TimerAction.SET, TimerAction.CHANGE) and _times(told)
    ends = deed is TimerAction.CANCEL and Slot.CLOCK in told  # "the alarm for 8"; "off in ten minutes" is of the guard
    if deed is TimerAction.LIST and Doing.LEFT in said.does:
        return False
    noun = said.tokens[said.noun_at[0]].start
    of_a_time = any(p.slot is Slot.CLOCK and p.last <= noun for p in said.pieces)  # "the 7 o'clock alarm"
    return not (sets or ends or of_a_time) and any(e.domain in _GUARDS for e in clause.names.entities)


def _more(said: TimerClause, told: Said, kind: TimerKind) -> timedelta | None:
    """By how much longer it is to run."""
    length = told.get(Slot.LENGTH) or told.get(Slot.SPAN)
    if not isinstance(length, timedelta) or told.keys() - {Slot.LENGTH, Slot.SPAN}:
        return None
    adds = said.more & {Doing.ADD, Doing.LESS} and (Doing.SET not in said.does or Doing.ADD in said.does)
    if not adds:
        return None
    return -length if Doing.LESS in said.more else length


def _due(kind: TimerKind, told: Said, ahead: Ahead, *, loose: bool = False) -> Due | None:
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
    if length is not None and kind is TimerKind.ALARM and Slot.DELAY not in told and _is_a_clock(length, ahead):
        told = {**told, Slot.CLOCK: Clock(round(length.total_seconds() / 60))}
        length = None
    if length is not None and not isinstance(told.get(Slot.CLOCK), Clock):
        return After(length) if not told.keys() - {Slot.LENGTH, Slot.SPAN, Slot.DELAY} else None
    return ahead.due(told, waking=kind is TimerKind.ALARM)


def _is_a_clock(length: timedelta, ahead: Ahead) -> bool:
    """Whether so many hours may be said of the clock: "de wekker op 8 uur"."""
    hours = length.total_seconds() / 3600
    return ahead.hour_is_clock and hours >= 1 and (2 * hours).is_integer() and hours <= 24


def _beside(said: TimerClause, deed: TimerAction) -> tuple[list[int], int]:
    """The places of the words that may be the name, and how many others stand apart from it by a mark: "no, wait,
    the alarm at seven"."""
    rest = said.rest
    if not said.noun_at:
        return rest, 0
    noun = said.noun_at[0]
    part = [sum(bool(t.mark) for t in said.tokens[: i + 1]) for i in range(len(said.tokens))]
    timed = {part[i] for i in said.timed}
    near = [i for i in rest if part[i] == part[noun]]
    if not near and deed is TimerAction.SET and said.noun not in _WAKING:
        near = rest
    elif not near:
        near = [i for i in rest if part[i] in timed and i > noun]
    return near, len(rest) - len(near)


def _name(said: TimerClause, deed: TimerAction, ahead: Ahead) -> tuple[str, float]:
    """What it is called, or for, and what so many words of it cost."""
    if said.label:
        return said.label, float(len(said.rest))
    rest, aside = _beside(said, deed)
    while rest and said.tokens[rest[0]].text in ahead.words.label:
        rest.pop(0)
    while rest and said.tokens[rest[-1]].text in ahead.words.label:
        rest.pop()
    written = [(i, n) for i in sorted(said.nouns) if (n := ahead.words.written_to(said.tokens[i].text))]
    if written and not rest:
        place, size = written[0]
        return said.tokens[place].raw[:size].rstrip("-"), 0.2
    if not rest:
        return "", float(aside)
    first, last = rest[0], rest[-1]
    inside = [i for i in range(first, last + 1) if i not in said.timed | said.nouns]
    text = "".join(f"{t.gap if n else ''}{t.raw}" for n, t in enumerate(said.tokens[i] for i in inside))
    apart = sum(i in said.nouns | said.timed | said.doing for i in range(first, last + 1))
    price = len(rest) + aside + (_WEAK_REST * apart + 10 * (len(rest) > _MOST_WORDS)) / OPEN_WORD
    return text.strip(" ,.!?-"), price
