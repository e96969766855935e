"""What an order waits for, once: that a thing opens, closes, is done, that somebody comes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from homeagent.domains.states import AT_REST, raw_states
from homeagent.languages.concepts import Attribute, Particle, PastWord, Question, Role, StateWord, Verb
from homeagent.safety.guards import LOCK
from homeagent.timers.due import Upon
from homeagent.understanding.clauses import Clause
from homeagent.understanding.endings import without_endings
from homeagent.understanding.frames.clause_parts import tokens_of, without
from homeagent.understanding.grounding import from_antecedent, members
from homeagent.understanding.history_targets import state_after
from homeagent.understanding.noun_phrases import Target, target_of
from homeagent.understanding.timer_words import Becoming, Found, Lead, TimerWords, timer_words
from indexer.entity import Entity
from indexer.words import normalise

_ENDED = {"vacuum": "docked", "lawn_mower": "docked", "media_player": "idle", "timer": "idle"}
"""The state in which a thing is done, where that is not "off"."""
_RESTING = {"idle": 1, "standby": 1, "ready": 1, "off": 2}
"""States in which a machine merely rests: the higher the less they say that it has come to its end."""
_DOCKED = "docked"
_SWITCHED = frozenset({"binary_sensor", "switch", "input_boolean", "climate", "fan", "light"})


@dataclass(frozen=True, slots=True)
class Awaited:
    """What comes about, and the words that say so: ``places`` of cells, ``tokens`` of the sentence.

    ``so``: it may be how it is already ("if the lamp is on"). ``now``: it may as well be asked whether it is so now.
    ``whether``: behind a verb of telling that is all that is asked.
    """

    upon: Upon
    places: frozenset[int]
    tokens: range
    so: bool = False
    now: bool = False
    whether: bool = False


def awaited(clause: Clause, words: TimerWords) -> Iterator[Awaited]:
    """What comes about, by every way to part it from what is ordered."""
    denying = _denying(clause)
    for first, end, begins in _stretches(clause, words):
        tokens = range(clause.cells[first].first, clause.cells[end - 1].end)
        if not denying.isdisjoint(tokens):
            continue
        places = frozenset(range(first, end))
        told = without(clause, set(range(len(clause.cells))) - places)
        if told is None:
            continue
        becoming = _becoming(told, words)
        beside = without(clause, places)
        if (found := _comes_about(told, becoming, beside, words)) is not None:
            texts = [t.text for t in tokens_of(told)]
            by_whom = words.by_whom.find(texts)  # then it comes about, and is not so already
            state = bool(told.of(StateWord)) or _is_there(told, becoming, texts)
            state = state and not told.at(Attribute.FINISHED) and not by_whom
            leads = any(s.says is Lead.IF for s in words.leads.find(texts))
            so = state and (leads or clause.postpositions)  # one suffix for "if" and "when"
            now = so and (leads or not becoming)
            whether = state and bool(words.whether.find(texts))
            yield Awaited(found, places, range(begins, tokens.stop), so, now, whether)


def asks_how_it_is(clause: Clause, leads: Collection[int]) -> bool:
    """Whether one of the conditions that begin at these places is led by a word that may ask how it is now ("if"), and
    not by one that only waits ("as soon as").
    """
    words = timer_words(clause.names.pack.language)
    texts = [t.text for t in tokens_of(clause)]
    found = words.leads.find(texts) if words is not None else ()
    said = {s.positions[0] + clause.cells[0].first for s in found if s.says is Lead.IF}
    return any(said.intersection(range(clause.cells[i].first, clause.cells[i].end)) for i in leads)


def _is_there(told: Clause, becoming: Sequence[Found[Becoming]], texts: Sequence[str]) -> bool:
    """Whether it says that somebody is there or is gone, and not that somebody comes or goes."""
    said = told.names.pack.phrases
    of_people = [b for b in becoming if b.says in (Becoming.CAME, Becoming.LEFT)]
    return any(Role.COPULA in said.get(texts[p], ()) for b in of_people for p in b.positions)


def _stretches(clause: Clause, words: TimerWords) -> Iterator[tuple[int, int, int]]:
    """From where to where it may be told, and its first token: from the word that leads it to a mark or an end, or as
    far as may be."""
    count = len(clause.cells)
    texts = [t.text for t in tokens_of(clause)]
    offset = clause.cells[0].first
    if clause.postpositions:
        hanging = {s.positions[-1] + offset for s in words.becomes.find(texts)}
        for i in range(count - 1):
            last = clause.cells[i].end - 1
            if clause.cells[i].says(Role.CONDITION) or (last in hanging and texts[last - offset].endswith(words.ends)):
                for first in range(i + 1):
                    yield first, i + 1, clause.cells[first].first
        return
    leads = [s.positions[0] + offset for s in words.leads.find(texts)]
    for i, cell in enumerate(clause.cells):
        begins = next((p for p in leads if cell.first <= p < cell.end), None)
        if begins is None:
            continue
        if i or begins > cell.first:
            yield i, count, begins
            if not all(c.says(Role.JOIN, Role.FILLER) for c in clause.cells[:i]) or begins > cell.first:
                continue
        marks = [k for k in range(i + 1, count) if clause.mark(k)]
        for end in marks or range(i + 2, count):
            yield i, end, begins


def _becoming(told: Clause, words: TimerWords) -> Sequence[Found[Becoming]]:
    """What is said to come about. A verb within a phrase that says of a state that it is not so says nothing of its
    own: "is not locked" holds "locks"."""
    said, first = told.names.pack.phrases, told.cells[0].first
    denied: set[int] = set()
    for cell in (told.cells[i] for i in told.of(StateWord)):
        places = range(cell.first, cell.end)
        if any(Role.NEGATION in said.get(told.tokens[p].text, ()) for p in places):
            denied.update(p - first for p in places)
    return [f for f in words.becomes.find([t.text for t in tokens_of(told)]) if not denied.issuperset(f.positions)]


def _comes_about(
    told: Clause, becoming: Sequence[Found[Becoming]], beside: Clause | None, words: TimerWords
) -> Upon | None:
    """The one thing of which it is told that it comes into a state. ``beside``: what is ordered."""
    if len(becoming) > 1:
        return None
    texts = [t.text for t in tokens_of(told)]
    offset = told.cells[0].first
    leads = (*words.leads.find(texts), *words.whether.find(texts), *words.by_whom.find(texts))
    said = {p + offset for at in (*(s.positions for s in becoming), *(s.positions for s in leads)) for p in at}
    cells = {i for i, c in enumerate(told.cells) if said.intersection(range(c.first, c.end))}
    if not becoming:
        return _in_a_state(told, cells, beside)
    what = becoming[0].says
    small = told.at(Role.COPULA, Role.FILLER, Role.CONDITION) | told.of(Question)
    rest = [i for i in range(len(told.cells)) if i not in cells]
    target = target_of(told, cells | small)
    if any(i not in target.cells and not told.cells[i].says(*_SMALL) for i in rest if i not in small):
        return None
    things = [
        e for p in target.phrases for e in members(p, told.names, accepts=lambda e: bool(_state(e, what, told, words)))
    ]
    if not target.phrases and what is Becoming.RINGS:
        things = [e for e in told.names.entities if _is_a_doorbell(e, words)]
    found = _one(things, [_state(e, what, told, words) for e in things])
    return found or _in_a_state(told, cells - told.of(StateWord), beside)


def _denying(clause: Clause) -> frozenset[int]:
    """The tokens that deny, within a longer phrase, too ("nicht da")."""
    phrases, names = clause.names.pack.phrases, clause.names
    denying = clause.at(Role.NEGATION) - clause.at(Role.JOIN)
    found = {p for i in denying for p in range(clause.cells[i].first, clause.cells[i].end)}
    for p in range(clause.cells[0].first, clause.cells[-1].end):
        text = clause.tokens[p].text
        said = (phrases.get(text, ()), *(roles for _, roles in without_endings(text, names)))
        if any(Role.NEGATION in roles and Role.JOIN not in roles for roles in said):
            found.add(p)
    return frozenset(found)


_SMALL = (Role.FILLER, Role.ARTICLE, Role.CONDITION, Role.JOIN, Role.PRONOUN, Role.PLACE, Role.COPULA, Role.AUXILIARY)


def _in_a_state(told: Clause, cells: set[int], beside: Clause | None) -> Upon | None:
    """How it is then, in words for states: "when the lamp is on". "It" is what is named beside it, else what was spoken
    of before.
    """
    states = told.of(StateWord)
    done = told.at(Attribute.FINISHED)
    if not (states or done):
        return None
    small = told.at(Role.COPULA, Role.FILLER, Role.CONDITION) | told.of(Particle, Verb, Question)
    target = target_of(told, cells | states | done | small)
    explained = cells | states | done | small | target.cells
    if any(i not in explained and not c.says(*_SMALL) for i, c in enumerate(told.cells)):
        return None
    if not target.phrases:
        named = target_of(beside, set()) if beside is not None else Target()
        target = from_antecedent(target, named if named.phrases else told.antecedent)
    raw = {state for _, word in told.said(StateWord) for _, state in word.raw}
    things = [e for p in target.phrases for e in members(p, told.names)]
    reached = []
    for e in things:
        known = list(raw_states(e, sorted(raw)))
        reached.append(_done(e, told) if done and not known else next(iter(known), ""))
    return _one(things, reached)


def _one(things: Sequence[Entity], states: Sequence[str]) -> Upon | None:
    found = {(e.entity_id, s) for e, s in zip(things, states, strict=True) if s}
    return Upon(*found.pop()) if len(found) == 1 else None


def _state(entity: Entity, what: Becoming, told: Clause, words: TimerWords) -> str:
    """The state that it comes into; empty where it cannot. What a lock is on tells not whether it is open."""
    if what in (Becoming.OPENED, Becoming.CLOSED) and entity.domain == LOCK:
        return ""
    if what is Becoming.FINISHED:
        return _done(entity, told)
    if what is Becoming.DOCKED:
        return _DOCKED if _ENDED.get(entity.domain) == _DOCKED else ""
    if what is Becoming.RINGS:
        return "on" if _is_a_doorbell(entity, words) else ""
    return next(iter(state_after(PastWord(what.value), entity)), "")


def _done(entity: Entity, told: Clause) -> str:
    """In what state a machine is that has come to its end."""
    if entity.domain == "sensor":
        offered = told.names.attributes(entity.entity_id).get("options") or ()
        ends = [o for o in map(str, offered) if o.casefold() in AT_REST - {"none"}]
        return min(ends, key=lambda option: _RESTING.get(option.casefold(), 0), default="")
    return _ENDED.get(entity.domain, "off" if entity.domain in _SWITCHED else "")


def _is_a_doorbell(entity: Entity, words: TimerWords) -> bool:
    named = [normalise(name) for name in entity.names]
    return entity.domain == "binary_sensor" and any(bell in name for bell in words.doorbell for name in named)
