"""What nothing is done for: another time, a "don't", a complaint, an aside, what the home has not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from homeagent.brains.local.meaning.later import NOT_LATER
from homeagent.brains.local.meaning.request import Act, Request, Scope
from homeagent.languages.concepts import (
    Amount,
    Colour,
    Complaint,
    Count,
    DayWord,
    Dimension,
    Heading,
    Level,
    ListDeed,
    Mode,
    Particle,
    Question,
    Role,
    StateWord,
    Topic,
    Unit,
    Verb,
    White,
)
from homeagent.understanding.clauses import Clause
from homeagent.understanding.features import frame
from homeagent.understanding.frame import ORDERS, ActKind, Feature, Frame
from homeagent.understanding.grounding import members
from homeagent.understanding.phrases import target_of
from homeagent.understanding.spans import Free, InArea, Named, NoPlace, OfKind, OnFloor
from indexer.selector import Selector

_OF_AN_ORDER = (
    *(Verb, Particle, Heading, Dimension, Level, Colour, White, Mode, Amount, DayWord, Count, Unit, StateWord),
)
_OF_A_WISH = (*_OF_AN_ORDER, Named, InArea, OnFloor, OfKind, NoPlace, ListDeed)
_WISHED = (Role.NEGATION, Role.EXCEPT, Role.EVERY, Role.EVERYTHING, Role.OR, Role.TIME, Role.HERE, Role.WHOLE_HOME)
_TELLING = 3
"""Fewer words are a thing that is named, not something that is told."""
_LEFT_ALONE = "left_alone"
_BROUGHT_BY = {
    Particle.ON: "turn_on",
    Particle.OFF: "turn_off",
    Particle.OPENED: "open",
    Particle.CLOSED: "close",
    Particle.LOCKED: "lock",
    Particle.UNLOCKED: "unlock",
}
"""The action that leads to a state."""
_REMEDIES: Mapping[Complaint, tuple[str, str, Mapping[str, Any]]] = {
    Complaint.DARK: ("light", "turn_on", {}),
    Complaint.BRIGHT: ("light", "turn_on", {"brightness_step_pct": -10}),
    Complaint.COLD: ("climate", "set_value", {"temperature_step": 1}),
    Complaint.HOT: ("climate", "set_value", {"temperature_step": -1}),
    Complaint.LOUD: ("media_player", "set_value", {"volume_step_pct": -10}),
    Complaint.QUIET: ("media_player", "set_value", {"volume_step_pct": 10}),
}
"""What could be done about a complaint: domain, action, parameters."""
_HARMLESS = frozenset({Verb.DO, Verb.HEAR, Verb.CLEAN, Verb.PLAY, Verb.MAKE})
"""Verbs that open what is told as often as an order."""
_OF_ITS_VALUE = (Feature.GUESSED_DIMENSION, Feature.ODD_VALUE, Feature.MODE, Feature.WITHOUT_VERB, Feature.INCAPABLE)
_TOLD_OR_ASKED = frozenset({Feature.ASKS, Feature.DESCRIBES, Feature.NEGATED, Feature.CONDITIONAL, Feature.FOR_LATER})
_ADDRESS = 2
"""A name that is called is at most so many words."""


def later(clause: Clause) -> Iterator[Frame]:
    """An order for another time, under a condition, or not to be done: understood, and told that it is not done."""
    orders = bool(clause.of(Verb, Particle, Heading))
    opening = clause.cells[clause.opening]
    asks = opening.has(Question) and not opening.says(Role.COURTESY) and not opening.has(Verb)
    times = clause.times | clause.at(Role.TIMER) | (clause.of(DayWord) - clause.at(DayWord.TODAY))
    if orders and not asks:
        times |= clause.at(Role.CONDITION)
    work = clause.of(*_OF_AN_ORDER) | clause.at(Role.EXCEPT, Topic.MEDIA)
    if clause.at(Verb.ARM, Verb.DISARM):
        times -= clause.at(Role.TIMER)  # it is no alarm clock that is armed
    if times and (orders or clause.at(Role.TIMER)):
        cells = times | work | clause.at(Role.PLACE, Role.AT)
        yield _told(clause, ActKind.LATER, NOT_LATER, cells)
    negation = clause.at(Role.NEGATION, Verb.KEEP) if clause.keeps else clause.at(Role.NEGATION)
    if negation and orders and not asks:
        told = _told(clause, ActKind.REFUSAL, _LEFT_ALONE, negation | work)
        yield _kept(clause, told) or told


def _kept(clause: Clause, told: Frame) -> Frame | None:
    """What is to be kept in a state: where a thing is in another one, it is asked whether it is to be brought there."""
    state = next((a for p, a in _BROUGHT_BY.items() if clause.particles(p)), None)
    ids = {i for p in target_of(clause, told.explained).phrases for i in p.entity_ids}
    target = target_of(clause, clause.at(Verb.KEEP) | clause.of(Particle))
    found = {e.entity_id for p in target.phrases for e in members(p, clause.names)} | ids
    if not clause.keeps or state is None or not found or told.request is None:
        return None
    scope = Scope(tuple((i,) for i in sorted(found)), every=True)
    return replace(told, request=replace(told.request, scope=scope, action=state))


def _told(clause: Clause, act: ActKind, phrase: str, cells: set[int]) -> Frame:
    target = target_of(clause, cells)
    # whom it would have been for does not matter, hence no unknown word of a phrase either
    return frame(clause, act, Request(Act.SAY, say=phrase), cells | target.cells | target.unknown)


def complaint(clause: Clause) -> Iterator[Frame]:
    """How it is somewhere: nothing is done, what could be is offered."""
    for place, said in clause.said(Complaint):
        describes = clause.at(Role.COPULA) and not clause.cells[clause.opening].has(Question)
        at_its_end = clause.postpositions and place == len(clause.cells) - 1
        told = describes or at_its_end or clause.at(Role.STATEMENT, Role.HERE)
        if clause.asks or not told or (clause.postpositions and clause.cells[place].says(Role.REASON)):
            continue
        domain, action, parameters = _REMEDIES[said]
        small = clause.at(Role.STATEMENT, Role.COPULA, Role.PRONOUN, Role.HERE, Topic.MEDIA)
        cells = {place} | clause.neutral | small | clause.of(Amount, Dimension)
        target = target_of(clause, cells)
        areas = target.areas or ((clause.area_id,) if clause.area_id else ())
        request = Request(
            Act.SAY,
            Scope(selector=Selector(domains=(domain,), area_ids=areas)),
            action=action,
            parameters=parameters,
            say="suggest",
            words={"what": said.value},
        )
        yield frame(clause, ActKind.COMPLAINT, request, cells, target)


def aside(clause: Clause) -> Iterator[Frame]:
    """A reason, a courtesy, a name that is called, a word about how things are: explained, and nothing to do.

    What holds a condition, a timer, or a negation of something to do is never an aside.
    """
    doing = clause.of(Verb) - clause.at(*_HARMLESS)
    negated = clause.at(Role.NEGATION) and clause.of(Verb) and not clause.at(Role.STATEMENT)
    if clause.at(Role.CONDITION, Role.TIMER, Role.REPORT) or negated:
        return
    content = [i for i, c in enumerate(clause.cells) if not c.means(Role.COURTESY, Role.FILLER, Role.JOIN)]
    if content and clause.postpositions and _ends_with_an_order(clause):
        return
    against = _sort_of_aside(clause, content)
    if against is None:
        return
    opening = next((i for i, c in enumerate(clause.cells) if not c.says(Role.JOIN, Role.REASON)), 0)
    joined = {i + 1 for i in clause.at(Role.JOIN) if i}
    asked = {i + 1 for i in clause.at(Role.COURTESY) if i} & clause.of(Verb)
    asked |= {i for i in clause.at(Role.STATEMENT) if i > min(clause.of(Complaint), default=i)}
    if opening in doing or joined & doing or (asked and not clause.postpositions):
        against[Feature.ASIDE_VERB] = 1.0
    if clause.numbers:
        against[Feature.ASIDE_NUMBER] = 1.0
    yield frame(clause, ActKind.ASIDE, None, range(len(clause.cells)), extra=against)


def _ends_with_an_order(clause: Clause) -> bool:
    """Whether the verb at the end, or the one before a courtesy there, says what is to be done."""
    for cell in reversed(clause.cells):
        if cell.has(Verb, Heading, ListDeed) and not cell.says(Role.REASON) and not cell.means(Role.STATEMENT):
            return not cell.means(Role.COURTESY, Role.FILLER)
        if not cell.means(Role.COURTESY, Role.FILLER):
            return False
    return False


def _sort_of_aside(clause: Clause, content: list[int]) -> dict[Feature, float] | None:
    """What sort of aside it is, with what it costs; None where it is none."""
    cells = clause.cells
    if not content:
        return {Feature.COURTESY: 1.0}
    if clause.asks and all(cells[i].says(Role.NEGATION) for i in content):
        return {Feature.COURTESY: 1.0}  # "…, no?"
    reasons, statements = clause.at(Role.REASON), clause.at(Role.STATEMENT)
    opening = next((i for i, c in enumerate(cells) if not c.says(Role.JOIN, Role.REASON)), 0)
    if cells[0].says(Role.PLACE) and not cells[0].says(Role.REASON, Role.STATEMENT):
        return None
    last = len(cells) - 1
    first_reason = min(reasons, default=len(cells) + 1)
    if (last in reasons or not first_reason) if clause.postpositions else first_reason <= 1:
        return {Feature.REASON: 1.0}
    if clause.asks and not cells[0].first and cells[0].has(Question):
        return None
    if complaints := clause.of(Complaint):
        ordered = bool(clause.of(Heading) - complaints)  # "lower, it is too hot"
        return {Feature.COMPLAINT: 1.0, Feature.ASIDE_VERB: float(ordered)}
    if statements and (min(statements) <= opening + 1 or (clause.postpositions and last in statements)):
        things = sum(
            c.has(Named, InArea, OfKind) and not c.says(Role.STATEMENT) and not c.has(Complaint) for c in cells
        )
        return {Feature.STATEMENT: 1.0, Feature.ASIDE_WORD: float(len(content)), Feature.ASIDE_THING: float(things)}
    if len(content) <= _ADDRESS and all(cells[i].free for i in content):
        return {Feature.ADDRESS: float(len(content))}
    if _only_tells(clause, content):
        return {Feature.STATEMENT: 1.0, Feature.ASIDE_WORD: float(len(content))}
    return None


def _only_tells(clause: Clause, content: list[int]) -> bool:
    """Whether a clause with words that nothing explains holds nothing that a wish could be made of: no order, value or
    thing, nothing taken out or called off, and no other time. It has to be long enough to say something of its own.

    It ends the sentence: on what stands before an order, that order may hang ("it would have sufficed to …").
    """
    cells = clause.cells
    if cells[-1].end != len(clause.tokens):
        return False
    if clause.asks or clause.times or cells[0].says(Role.JOIN) or clause.of(*_OF_A_WISH) or clause.at(*_WISHED):
        return False
    if cells[clause.opening].has(Question) or any(f.quoted for _, f in clause.said(Free)):
        return False
    return len(cells) >= _TELLING and any(cells[i].free for i in content)


def unknown(clause: Clause, wanted: Sequence[Frame] = ()) -> Iterator[Frame]:
    """An order for something that the home has not: it is told what is not known.

    ``wanted``: what the clause may order. What is meant but for the unknown words may have been meant.
    """
    orders = clause.of(Verb, Particle, Heading)
    free = sorted(i for i, c in enumerate(clause.cells) if c.free)
    target = target_of(clause, orders)
    if not orders or not (target.unknown or (free and target.empty)):
        return
    span = sorted(target.unknown) or free
    behind = [max(p.cells) for p in target.phrases if min(p.cells) == span[-1] + 1]
    before = [min(p.cells) for p in target.phrases if max(p.cells) + 1 == span[0]]
    first, last = min([span[0], *before]), max([span[-1], *behind])
    words = {"text": clause.text(first, last), "of": "", "in": ""}
    cells = orders | set(free) | set(range(first, last + 1)) | target.cells
    request = Request(Act.SAY, say="unknown_device", words=words)
    strangers = {Feature.STRANGER: float(len(free) or 1)}
    known = [f for f in wanted if f.act in ORDERS and f.acts and Feature.UNKNOWN_IN_PHRASE in f.features]
    known = [f for f in known if _TOLD_OR_ASKED.isdisjoint(f.features)]
    for order in known:
        said = replace(order.request, act=Act.SAY, say="unknown_device", words=words) if order.request else request
        odd = {f: v for f, v in order.features.items() if f in _OF_ITS_VALUE}
        yield frame(clause, ActKind.UNKNOWN, said, cells | order.explained, extra={**odd, **strangers})
    if not known:
        yield frame(clause, ActKind.UNKNOWN, request, cells, extra=strangers)
