"""Reminders: "remind me to … at …", "tell me when …"; and what everybody is to be told at once."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from homeagent.history.when.due_times import Said, gathered
from homeagent.history.when.future_times import Clock, Slot
from homeagent.languages.concepts import Courteous, Reference, Role
from homeagent.timers.due import After, At, Due
from homeagent.timers.timer import TimerAction, TimerKind
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.frame_costs import OPEN_WORD, frame
from homeagent.understanding.frames.awaited_states import awaited
from homeagent.understanding.frames.clause_parts import places_of, tokens_of, without, words_of
from homeagent.understanding.frames.timed_orders import Ahead
from homeagent.understanding.frames.timer_clause import MOST_EXPLAINED, TELLING, TimerClause, is_loose, timer_frame
from homeagent.understanding.frames.timer_deeds import is_an_hour, is_vague
from homeagent.understanding.frames.timer_names import label_of
from homeagent.understanding.request import ANNOUNCE, NOT_LATER, Act, Request, Timing
from homeagent.understanding.timer_words import Becoming, Noun
from indexer.words import words

_WAITS = frozenset({Slot.CLOCK, Slot.DELAY})
_SMALL = (Role.FILLER, Role.PRONOUN, Role.ARTICLE, Role.COURTESY, Role.TO)
_LONGEST = 3
"""Words that say "before"."""
_COMINGS = frozenset({Becoming.RINGS, Becoming.CAME, Becoming.LEFT, Becoming.SOMEBODY})


def reminded(clause: Clause, said: TimerClause, ahead: Ahead) -> Frame | None:
    """A reminder: all but the time is what is to be told. A verb of telling sets one only with both, or with a length
    alone a timer."""
    if said.noun is Noun.ANNOUNCE and not _begins_with_a_time(clause, said):
        return _announced(clause, said)
    edge = min(said.noun_at) if clause.postpositions else max(said.noun_at)
    behind = range(edge + 1, len(said.tokens)) if not clause.postpositions else range(edge)
    before = [i for i in said.rest if i not in behind] if not clause.postpositions else []
    if before and not any(i in behind for i in said.rest):  # "… at eight, remind me"
        before, behind = [], range(min(said.noun_at))
    told = gathered(p for p in said.pieces if p.slot not in (Slot.NUMBER,) and not is_loose(p))
    if told is None or before:
        return None
    led, label = label_of(said, [i for i in behind if i not in said.timed], ahead)
    beyond = max(said.timed, default=-1) + 1
    led = led or (beyond in behind and said.tokens[beyond].text in ahead.words.label)  # "tell grandma at nine that …"
    due = _due_of_reminder(told, ahead)
    if (of_event := before_an_event(clause, said, told, TimerKind.REMINDER)) is not None:
        return of_event
    counts = told.keys() == {Slot.DELAY} or (told.keys() == {Slot.LENGTH} and max(said.timed) < edge)
    if said.noun is Noun.TELL and not label and counts and not clause.asks:
        return timer_frame(clause, Timing(TimerAction.SET, TimerKind.TIMER, due=due))
    if said.noun is Noun.TELL and (not (due or told) or not (led or behind.stop <= said.noun_at[0]) or not label):
        return None
    if said.noun is Noun.TELL and (clause.asks or (due is None and is_vague(told))):  # "tell me what is on tomorrow"
        return None
    timing = Timing(TimerAction.SET, TimerKind.REMINDER, name=label, due=due)
    return timer_frame(clause, timing, open_words=len(label.split()) / 2)


def _words_behind_before(clause: Clause, said: TimerClause) -> set[str] | None:
    """What says before what it is, where the time is so long before something ("an hour before the dentist"); None
    where it is not.
    """
    pack, first = clause.names.pack.phrases, max(said.timed, default=-1) + 1
    ends = (first + n for n in range(_LONGEST, 0, -1) if first + n <= len(said.tokens))
    leads = (e for e in ends if Reference.BEFORE in pack.get(" ".join(t.text for t in said.tokens[first:e]), ()))
    before = any(p.before for p in said.pieces) and not clause.postpositions
    led = next(leads, None)
    behind = (i for i in said.rest if before and i >= (led or first))  # none: "stell ihn zehn Minuten vor"
    if (end := led or next(behind, None)) is None:
        return None
    rest = (said.tokens[i].text for i in said.rest if i not in range(first, end))
    return {word for word in rest if not {*_SMALL} & {*pack.get(word, ())} and word not in clause.names.pack.separable}


def before_an_event(clause: Clause, said: TimerClause, told: Said, kind: TimerKind) -> Frame | None:
    """A reminder or an alarm so long before the event that was told of right before; that it cannot be, where none was.
    None where it is not to be before anything."""
    wait, of = next(iter(told.values()), None), _words_behind_before(clause, said)
    if not told.keys() <= {Slot.LENGTH, Slot.SPAN} or not isinstance(wait, timedelta) or of is None:
        return None
    if kind is TimerKind.ALARM and said.more and not of:
        return None  # "half an hour earlier than usual"
    event = clause.last.event if clause.last is not None else None
    if event is None or not of <= set(words(event.title)):
        later = frame(clause, ActKind.LATER, Request(Act.SAY, say=NOT_LATER), range(len(clause.cells)))
        return replace(later, features={Feature.EXPLAINED: MOST_EXPLAINED})
    at = event.starts - wait
    return timer_frame(clause, Timing(TimerAction.SET, kind, name=event.title, due=At(at.time(), at.date())))


def _begins_with_a_time(clause: Clause, said: TimerClause) -> bool:
    """Whether a time stands right beside the word for announcing: "tell everyone at nine that …" waits, and what is
    told of a time does not: "announce that we leave at nine"."""
    said_at = [
        i for i, t in enumerate(said.tokens) for p in said.pieces if p.slot in _WAITS and p.first <= t.start < p.last
    ]
    return (0 if clause.postpositions else max(said.noun_at) + 1) in said_at


def _announced(clause: Clause, said: TimerClause) -> Frame | None:
    """An order to tell everybody what stands behind the word for that, or before it where the verb comes last."""
    last = max(said.noun_at)
    behind = range(last) if clause.postpositions else range(last + 1, len(said.tokens))
    places = [i for i in behind if i not in said.noun_at]
    pack = clause.names.pack
    while places and (
        Courteous.THAT in pack.courteous.get(word := said.tokens[places[0]].text, ())
        or Role.TO in pack.phrases.get(word, ())
    ):
        places.pop(0)  # "that we leave", "to come down"
    message = said.text(places)
    if clause.asks or not message or (not clause.postpositions and set(range(last)) - said.noun_at_and_small):
        return None
    request = Request(Act.CONTROL, action=ANNOUNCE, parameters={"message": message})
    made = frame(clause, ActKind.TIMED, request, range(len(clause.cells)))
    return replace(
        made, features={Feature.EXPLAINED: MOST_EXPLAINED, Feature.OPEN_TEXT: OPEN_WORD * len(message.split()) / 2}
    )


def _due_of_reminder(told: Said, ahead: Ahead) -> Due | None:
    length = told.get(Slot.LENGTH) or told.get(Slot.SPAN)
    if isinstance(length, timedelta) and len(told) == 1:
        return After(length)
    if isinstance(length, timedelta) and Slot.CLOCK not in told and is_an_hour(length, ahead):
        told = {**told, Slot.CLOCK: Clock(round(length.total_seconds() / 60))}  # "morgen 8 uur"
    return ahead.due(told)


def told_upon(clause: Clause, said: TimerClause, ahead: Ahead) -> Frame | None:
    """A reminder that waits for what comes about, or that is told at a time only where something is so then; that it
    cannot be waited for, where only what leads that is known.
    """
    tokens = tokens_of(clause)
    offset = clause.cells[0].first
    timed = gathered(p for p in said.pieces if p.slot is not Slot.NUMBER and not is_loose(p)) or {}
    due = _due_of_reminder(timed, ahead) if timed else None
    rest = without(clause, places_of(clause, said.pieces) or ()) if due is not None else clause
    for found in awaited(rest, ahead.words) if rest is not None else ():
        waits = {p - offset for p in found.tokens} - (said.timed if due is not None else set())
        nouns = ahead.words.nouns.find([t.text for t in tokens], waits)
        if not nouns or nouns[0].says not in TELLING or (due is not None and not found.so):
            continue
        leads = due is not None and (nouns[0].says is Noun.REMIND or nouns[0].positions[0] > min(waits))
        if found.whether and not leads:  # "tell me if it is open"
            continue
        at = {p for s in nouns for p in s.positions}
        others = [i for i in range(len(tokens)) if i not in at | waits]
        open_words = [i for i in others if i not in said.small | said.doing | said.timed]
        label = label_of(said, [i for i in others if i not in said.timed], ahead)[1] if open_words else ""
        if due is not None:  # told as it is then
            waits -= words_of(clause, (i for i in clause.at(Role.CONDITION) if clause.cells[i].means(Role.CONDITION)))
        name = label or "".join(f"{t.gap if n else ''}{t.raw}" for n, t in enumerate(tokens[p] for p in sorted(waits)))
        only = found.upon if due is not None else None
        timing = Timing(TimerAction.SET, TimerKind.REMINDER, name=name, due=due or found.upon, only=only)
        return timer_frame(clause, timing, open_words=len(open_words))
    texts = [t.text for t in tokens]
    if ahead.words.leads.find(texts) and _COMINGS & {s.says for s in ahead.words.becomes.find(texts)}:
        # it is known what leads it, and not what it is
        told = frame(clause, ActKind.LATER, Request(Act.SAY, say=NOT_LATER), range(len(clause.cells)))
        return replace(told, features={Feature.EXPLAINED: MOST_EXPLAINED})
    return None
