"""Timers that are not called so: a length with what it is for, and one that runs and is spoken of by its name alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from homeagent.history.when.due_times import Said
from homeagent.history.when.future_times import Slot
from homeagent.languages.concepts import Colour, Role
from homeagent.timers.due import After
from homeagent.timers.timer import TimerAction, TimerKind
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import Frame
from homeagent.understanding.frames.clause_parts import words_of
from homeagent.understanding.frames.timed_orders import Ahead
from homeagent.understanding.frames.timer_clause import IDLE, TimerClause, timer_frame
from homeagent.understanding.request import Timing
from homeagent.understanding.spans import InArea, Named, OfKind
from homeagent.understanding.timer_words import Doing, Noun
from indexer.words import normalise

_LONGEST = timedelta(days=1)
_MOST_LED, _MOST_APART, _MOST_BESIDE = 4, 3, 1
"""Words of a name behind a word that leads it, before a comma, and right beside the length."""
_ENDING = 2
"""Letters by which two forms of one name differ: "egg", "eggs"."""
_SHORTEST = 3


def counted_down(clause: Clause, said: TimerClause, told: Said, ahead: Ahead) -> Frame | None:
    """A timer that is not called so: nothing stands beside a length but a name that is none of the home's, or a verb
    that sets one. "Eggs, six minutes"; "a quarter of an hour for the cake"."""
    length = told.get(Slot.LENGTH) or told.get(Slot.SPAN)
    asks = clause.asks and Doing.SET not in said.does
    if asks or said.noun is not None or len(told) != 1 or not isinstance(length, timedelta):
        return None
    if not timedelta() < length <= _LONGEST or not said.does <= {Doing.SET, Doing.GIVE} or said.more:
        return None
    if any(t.text in ahead.words.lasts for t in said.tokens):
        return None
    rest = said.rest
    if not _is_plain(clause, said, ahead) or (not rest and Doing.SET not in said.does):
        return None
    if rest and not _may_be_for(said, rest, ahead):
        return None
    name = said.text(range(rest[0], rest[-1] + 1)) if rest else ""
    timing = Timing(TimerAction.SET, TimerKind.TIMER, name=name, due=After(length))
    return timer_frame(clause, timing, len(rest) + 1.0)


def _is_plain(clause: Clause, said: TimerClause, ahead: Ahead) -> bool:
    """Whether every word is of the time, of the verb, small, or unknown to the home and the language."""
    told = said.timed | said.doing
    named, free = clause.of(Named, OfKind, InArea), any(c.free for c in clause.cells)
    for i, cell in enumerate(clause.cells):
        places = words_of(clause, {i})
        led = all(said.tokens[p].text in ahead.words.label or p in said.small for p in places)
        unknown = (cell.free and not cell.says(Role.STATEMENT)) or (
            cell.has(Colour) and free and not named
        )  # "green tea"
        if not (unknown or cell.means(*IDLE) or places <= told or led):
            return False
    return True


def _may_be_for(said: TimerClause, rest: Sequence[int], ahead: Ahead) -> bool:
    """Whether these words stand as a name does beside its length: led to, apart by a comma, or one right beside."""
    first, last = min(said.timed), max(said.timed)
    if rest[0] > last:
        leads = [i for i in range(last, rest[0]) if said.tokens[i].text in ahead.words.label]
        led = any(i not in said.articles for i in leads)
        alone = len(rest) <= _MOST_BESIDE and not said.does
        return len(rest) <= _MOST_LED if led else alone
    if rest[-1] > first or said.does:
        return False
    if said.tokens[first].mark:
        return len(rest) <= _MOST_APART
    return len(rest) <= _MOST_BESIDE and not any(i < rest[0] for i in said.small)


def by_its_name(clause: Clause, said: TimerClause, ahead: Ahead) -> TimerClause:
    """The clause with the name of one that runs as what is spoken of: "how long have my potatoes got"."""
    if said.noun is not None or not ahead.running:
        return said
    texts = [t.text for t in said.tokens]
    for name in ahead.running:
        words = normalise(name).split()
        for i in range(len(texts) - len(words) + 1):
            places = range(i, i + len(words))
            if said.timed.isdisjoint(places) and all(map(_alike, texts[i : i + len(words)], words)):
                own = [c for i, c in enumerate(clause.cells) if not words_of(clause, {i}).isdisjoint(places)]
                if not any(c.has(OfKind, InArea) or any(not n.part for n in c.all(Named)) for c in own):
                    return replace(
                        said, noun=Noun.TIMER, noun_at=tuple(places), nouns=frozenset(places), label=name,
                        doing=said.doing - frozenset(places), small=said.small - frozenset(places),
                    )  # fmt: skip
    return said


def running_name(name: str, ahead: Ahead) -> str:
    """The name as the one that runs has it, where that differs by an ending only."""
    alike = (n for n in ahead.running if n and _alike(normalise(name), normalise(n)))
    return next(alike, name)


def _alike(said: str, word: str) -> bool:
    short, long = sorted((said, word), key=len)
    return said == word or (len(short) >= _SHORTEST and long.startswith(short) and len(long) - len(short) <= _ENDING)
