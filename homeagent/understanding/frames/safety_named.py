"""What a question names of what guards the home, though not every word of it is understood.

It judges nothing, says no yes or no, and never answers an order. That a thing is named is not enough: the sentence must
ask, and the words around must tell that it is a thing of this home, and that its state matters.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from homeagent.languages.concepts import (
    Heading,
    ListAction,
    Question,
    Reference,
    Role,
    SafetyKind,
    SafetySign,
    SafetyWord,
    ShoppingWord,
    StateWord,
    Verb,
)
from homeagent.languages.concepts import SafetyState as Is
from homeagent.safety.guards import HAZARDS, WATCHING, kind_of, lock_of, members_of
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frames.safety_questions import checked
from homeagent.understanding.frames.safety_words import SAID_OF, kinds_said, said_in
from homeagent.understanding.grounding import members
from homeagent.understanding.noun_phrases import target_of
from homeagent.understanding.request import Act, Asked, Request, SafetyQuestion, Scope
from homeagent.understanding.spans import Cell, InArea, Named, NoPlace, OfKind, OnFloor
from indexer.entity import Entity
from indexer.selector import Selector

_WATCHED = WATCHING | {SafetyKind.MOTION, SafetyKind.PRESENCE}
_STUFF = frozenset({SafetyKind.GAS, SafetyKind.FIRE})
"""What is spoken of at large, too: "the gas is dearer"."""
_ASKS_OTHERWISE = (Question.VALUE, Question.WHEN, Question.HOW_LONG, Question.HOW_MANY, Question.OTHER)
_SMALL = (Role.ARTICLE, Role.FILLER, Role.PRONOUN)
_LEADING = (Role.PLACE, Role.TO, Role.WITH)


def named_in(clauses: Sequence[Clause]) -> Request | None:
    """A query for the states of the safety things that a sentence names, from the first of its segmentations that asks
    for some; None for orders and where none is asked about.
    """
    if not clauses or _orders(clauses[0]) or any(c.at(SafetyWord.AT_LARGE) or _is_told_of(c) for c in clauses):
        return None
    asking = (c for c in clauses if _asks(c) and not _orders(c))
    return next((found for c in asking if (found := _named(c)) is not None), None)


def _named(clause: Clause) -> Request | None:
    language = clause.names.pack.language
    said = said_in(clause)
    target = target_of(clause, said.cells | clause.of(Question))
    things = [e for p in target.phrases if p.entity_ids for e in members(p, clause.names)]
    whole = (c.get(Named) for c in clause.cells if not any(kinds_said(c)))
    things += [clause.names.by_id[i] for n in whole if n is not None and not n.part for i in n.entity_ids]
    named = {e.entity_id: e for e in things if kind_of(SAID_OF, e, language) is not None}
    own = list(_own_kinds(clause, said.states))
    called = [k for e in named.values() if (k := kind_of(SAID_OF, e, language)) is not None]
    kinds = checked((*own, *called), said.states)
    if SafetyKind.PRESENCE in kinds:
        kinds = (*kinds, SafetyKind.MOTION)
    if not kinds or (SafetyKind.ALARM in kinds and clause.numbers):
        return None  # "did I set an alarm for six"
    place = Selector(area_ids=target.areas, floor_ids=target.floors)
    found = {kind: members_of(kind, clause.names.entities, language) for kind in kinds}
    if SafetyKind.LOCK in kinds and named:
        its = lock_of(named.values(), clause.names.entities)  # a door that was named stands for its own lock alone
        if its is not None or SafetyKind.LOCK not in own:
            found[SafetyKind.LOCK] = tuple(e for e in found[SafetyKind.LOCK] if e is its)
        kinds = tuple(k for k in kinds if k is not SafetyKind.LOCK or found[k])
    meant = {kind: _meant(kind, found[kind], named, place) for kind in kinds}
    ids = dict.fromkeys(e.entity_id for of_kind in meant.values() for e in of_kind)
    if ids:  # what is elsewhere only is not lacking
        kinds, place = tuple(k for k in kinds if meant[k] or not found[k]), Selector()
    scope = Scope(tuple((i,) for i in ids), place, every=True)
    return Request(Act.QUERY, scope, asked=Asked.VALUE, safety=SafetyQuestion(language, kinds, None, second=True))


def _meant(
    kind: SafetyKind, things: tuple[Entity, ...], named: dict[str, Entity], place: Selector
) -> tuple[Entity, ...]:
    """The things of a kind that are named, else those in the place. A detector elsewhere tells
    nothing about the place.
    """
    there = tuple(e for e in things if place.matches(e))
    return tuple(e for e in things if e.entity_id in named) or there or (() if kind in _WATCHED else things)


def _parts(clause: Clause) -> list[range]:
    """The stretches of cells between marks."""
    starts = [0, *(i for i in range(1, len(clause.cells)) if clause.mark(i))]
    return [range(a, b) for a, b in itertools.pairwise([*starts, len(clause.cells)])]


def _orders(clause: Clause) -> bool:
    """Whether it may be an order: a verb opens a part that names something, or one stands with a courtesy."""
    cells = clause.cells
    deeds = {
        i
        for i in clause.of(Verb, Heading, ListAction) - clause.at(Verb.KEEP, Role.STATEMENT, Role.FILLER)
        if not cells[i].has(StateWord, Is, Question, SafetyKind, SafetySign)
        and not any(c.says(Role.STATEMENT, Role.AUXILIARY) for c in cells[max(0, i - 2) : i])
    }
    if deeds and clause.at(Role.COURTESY, SafetyWord.MAY):
        return True
    naming = (p for p in _parts(clause) if any(cells[i].has(Named, OfKind, SafetyKind, SafetySign) for i in p))
    return any(_opening(clause, part) in deeds for part in naming)


def _opening(clause: Clause, part: range) -> int:
    return next((i for i in part if not clause.cells[i].says(Role.JOIN, Role.FILLER, Role.ARTICLE)), part.start)


def _asks(clause: Clause) -> bool:
    """Whether it asks about a state, and not for general knowledge."""
    openings = [_opening(clause, part) for part in _parts(clause)]
    if any(_asks_otherwise(clause.cells[i]) for i in openings):
        return False
    marked = clause.asks or any("?" in clause.mark(i) for i in range(1, len(clause.cells)))
    questions = clause.of(Question)
    opens = not questions.isdisjoint(openings) or (clause.postpositions and bool(questions))
    return marked or opens or bool(clause.at(SafetyWord.DOUBT))


def _asks_otherwise(cell: Cell) -> bool:
    return cell.says(*_ASKS_OTHERWISE) and not cell.says(Question.YESNO, Question.ANY)


def _is_told_of(clause: Clause) -> bool:
    """Whether a state belongs to another noun behind it, with postpositions ("the shop that closed its door")."""
    cells = clause.cells
    states = clause.of(StateWord, Is) if clause.postpositions else set()
    behind = (cells[i + 1] for i in states if i + 1 < len(cells) and not clause.mark(i + 1))
    others = (c for c in behind if not (_says_more(c) or any(kinds_said(c)) or c.says(*_SMALL)))
    return any(c.free or c.has(OfKind, Reference, ShoppingWord) for c in others)


def _own_kinds(clause: Clause, states: frozenset[Is]) -> Iterator[SafetyKind]:
    """The kinds that are certainly this home's: a sign of danger, a state that the kind can have, or words like "still"
    and "forgot" beside it.
    """
    matters = clause.at(SafetyWord.STILL, SafetyWord.DOUBT, SafetyWord.FORGOT, Reference.AGAIN)
    for i, cell in enumerate(clause.cells):
        sign = cell.has(SafetySign)
        for kind in kinds_said(cell):
            if _is_elsewhere(clause, i, sign=sign):
                continue
            if sign or states & SAID_OF[kind] or (kind in HAZARDS and kind not in _STUFF) or matters:
                yield kind


def _is_elsewhere(clause: Clause, place: int, *, sign: bool) -> bool:
    """Whether the words around make the kind part of another noun, or place it outside the home ("oven gloves", "the
    gate at Heathrow").
    """
    cells = clause.cells
    part = next(p for p in _parts(clause) if place in p)
    if any(cells[i].has(NoPlace) for i in part) and not any(cells[i].has(InArea, OnFloor, Named) for i in part):
        return True
    behind = [i for i in range(place + 1, part.stop) if not cells[i].means(*_SMALL)]
    unknown = {i for i in behind if (cells[i].free or cells[i].has(ShoppingWord)) and not _says_more(cells[i])}
    led = {i for i in unknown if any(c.says(Role.PLACE) for c in cells[max(place + 1, i - 2) : i])}
    if sign:
        return any(clause.tokens[cells[i].first].raw[0].isupper() for i in led)
    if led:
        return True
    before = next((i for i in range(place - 1, part.start - 1, -1) if not cells[i].means(*_SMALL)), None)
    leads = before is not None and not _says_more(cells[before]) and cells[before].says(*_LEADING)
    return place + 1 in unknown or (leads and not clause.postpositions)


def _says_more(cell: Cell) -> bool:
    """Whether a cell has a reading of safety or of a state."""
    return cell.has(Is, SafetyKind, SafetySign, SafetyWord, StateWord)
