"""A condition that the order beside it only acts under anyhow: "if the lamp is on, turn it off"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from homeagent.domains.states import OPPOSITES
from homeagent.languages.concepts import Complaint, Count, Heading, Particle, Question, Role, StateWord, Unit, Verb
from homeagent.understanding.clauses import Clause
from homeagent.understanding.features import frame
from homeagent.understanding.frame import ActKind, Feature, Frame
from homeagent.understanding.grounding import from_antecedent, members
from homeagent.understanding.phrases import target_of
from homeagent.understanding.request import Act, Request

_ENDED_BY: Mapping[str, frozenset[str]] = {
    "on": frozenset({"turn_off", "stop", "pause"}),
    "playing": frozenset({"turn_off", "stop", "pause"}),
    "off": frozenset({"turn_on", "start"}),
    "open": frozenset({"close"}),
    "closed": frozenset({"open"}),
    "unlocked": frozenset({"lock"}),
    "locked": frozenset({"unlock"}),
}
"""Which actions end a state: where it is not so, they change nothing."""
_SMALL = (Role.CONDITION, Role.NEGATION, Role.COPULA, Role.FILLER, Role.JOIN, Role.STATEMENT, Role.HERE, Role.COURTESY)
_ANYTHING = "default"
"""The class of states that any thing may have."""
_STATES = "states"


def met(clause: Clause) -> Iterator[Frame]:
    """How a thing has to be, with no word that nothing explains; `settled` tells whether an order fits it."""
    conditions, said = clause.at(Role.CONDITION), clause.of(StateWord)
    verbs = clause.of(Verb, Heading) - clause.of(StateWord, Particle) - conditions
    if not conditions or not said or verbs or clause.times or clause.of(Count, Unit, Complaint):
        return
    joined = clause.at(Role.JOIN) - clause.leading_joins
    if joined and max(joined) >= min(said | clause.at(Role.COPULA, Role.STATEMENT)):
        return  # "if it is on and nobody is here": another condition
    explained = {i for i, c in enumerate(clause.cells) if c.says(*_SMALL)} | said | clause.of(Particle)
    target = target_of(clause, explained - clause.at(Role.HERE))
    sorts = {_ANYTHING} if target.empty else None  # "is home" is said of somebody
    states = {
        raw
        for _, word in clause.said(StateWord)
        for sort, raw in word.raw
        if raw in _ENDED_BY and (sorts is None or sort in sorts)
    }
    if clause.at(Role.NEGATION):
        states = {OPPOSITES[s] for s in states if s in OPPOSITES}
    if target.pronoun or target.empty:
        target = from_antecedent(target, clause.antecedent)
    request = Request(Act.SAY, say=_STATES, words={_STATES: " ".join(sorted(states))})
    found = frame(clause, ActKind.CONDITION, request, explained | clause.of(Question), target)
    if set(found.features) <= {Feature.EXPLAINED, Feature.LEFT_SMALL, Feature.ACROSS_A_MARK, Feature.PART_OF_NAME}:
        ids = frozenset(e.entity_id for p in target.phrases for e in members(p, clause.names))
        yield replace(found, entity_ids=ids)


def fits(condition: Frame, frames: Sequence[Frame]) -> bool:
    """Whether all that is ordered beside a condition ends the state that it asks for, of the thing that it names."""
    assert condition.request is not None
    states = condition.request.words[_STATES].split()
    ordered = [f for f in frames if f.acts and f.request is not None]
    ending = {action for s in states for action in _ENDED_BY[s]}
    unnamed = condition.target is None or not condition.target.phrases
    return bool(ordered) and all(
        f.request is not None
        and f.request.action in ending
        and bool(f.entity_ids)
        and (unnamed or f.entity_ids <= condition.entity_ids)
        for f in ordered
    )
