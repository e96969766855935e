"""What the frames of one sentence make of each other: an order that is called off, a condition that the order beside it
only acts under anyhow ("if the lamp is on, turn it off")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from homeagent.domains.states import OPPOSITES
from homeagent.languages.concepts import (
    Chat,
    Complaint,
    Count,
    Heading,
    Particle,
    Question,
    Role,
    StateWord,
    Unit,
    Verb,
)
from homeagent.understanding.clauses import Clause
from homeagent.understanding.frame import ActKind, Feature, Frame, without_refused
from homeagent.understanding.frame_costs import frame
from homeagent.understanding.frames.timed_orders import led_together
from homeagent.understanding.grounding import from_antecedent, members
from homeagent.understanding.noun_phrases import target_of
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


def redundant_condition(clause: Clause) -> Iterator[Frame]:
    """A frame for a condition with every word explained, which says a state that an order may end."""
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
    request = Request(Act.SAY, say=_STATES, states=tuple(sorted(states)))
    found = frame(clause, ActKind.CONDITION, request, explained | clause.of(Question), target)
    if set(found.features) <= {Feature.EXPLAINED, Feature.LEFT_SMALL, Feature.ACROSS_A_MARK, Feature.PART_OF_NAME}:
        ids = frozenset(e.entity_id for p in target.phrases for e in members(p, clause.names))
        yield replace(found, entity_ids=ids)


def fits(condition: Frame, frames: Sequence[Frame]) -> bool:
    """Whether every order beside a condition ends the state that it names, on the same thing: then it changes nothing
    where the condition does not hold.
    """
    assert condition.request is not None
    states = condition.request.states
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


def combined(frames: Sequence[Frame]) -> tuple[Frame, ...] | None:
    """The frames after what is called off and left alone is taken out; None where they contradict each other, as a
    condition that no order fits.
    """
    made = led_together(_without_called_off(without_refused(frames)))
    acts = {f.act for f in made}
    if ActKind.FOLLOWING in acts and acts & {ActKind.ASKING, ActKind.PAST}:
        return None  # "and the TV, is it on?" is one question
    conditions = [f for f in made if f.act is ActKind.CONDITION]
    return made if all(fits(c, made) for c in conditions) else None


def _without_called_off(frames: Sequence[Frame]) -> tuple[Frame, ...]:
    """The frames with the orders before a "never mind" as asides."""
    off = max((i for i, f in enumerate(frames) if _calls_off(f)), default=0)
    return tuple(replace(f, act=ActKind.ASIDE, request=None) if f.acts and i < off else f for i, f in enumerate(frames))


def _calls_off(frame: Frame) -> bool:
    return frame.act is ActKind.CHAT and frame.request is not None and frame.request.say == Chat.NOTHING.value
