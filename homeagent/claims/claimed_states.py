"""The states and numbers that a clause claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from homeagent.claims.claim import RESULT, Amount, Aspect, Claim, ClaimedAction, Things, Unit
from homeagent.claims.claim_words import Frame, Group, Mark
from homeagent.claims.claimed_actions import SUBJECTLESS, is_hedged
from homeagent.claims.clause_reading import Clause
from homeagent.claims.facts import shown_in
from homeagent.claims.state_matching import PERSON, can_be
from homeagent.claims.things import ClaimContext, Wanted, of_a_kind, things_of
from homeagent.domains.states import FINISHED
from homeagent.ha.home import State
from indexer.entity import Entity
from indexer.mentions import MentionKind

_NAMING = (MentionKind.NAME, MentionKind.AREA, MentionKind.FLOOR)
_LONGEST_BARE = 8
_WHERE = ("home", "not_home")
"""States of people that are places of numbers, too: "33 degrees outside"."""
_LEVELS = ("battery", "battery_charging")
"""Kinds whose states are told by a number, too: "70 percent full"."""
_NEXT_TO_NOTHING = 5.0
"""Watts."""
_UNIT_OF = {aspect: Unit.DEGREE if aspect in (Aspect.TEMPERATURE, Aspect.TARGET) else Unit.PERCENT for aspect in Aspect}


def amounts_of(clause: Clause, after: Claim | None) -> tuple[Amount, ...]:
    """The numbers of a clause. One without a unit counts where something tells what it is of: what it is about, the
    clause before, a word like "to"."""
    bare = clause.bare
    if clause.amounts or bare is None or clause.past:
        return clause.amounts
    if clause.marked(Mark.INSIDE, Mark.OUTSIDE) and bare.aspect in (None, Aspect.TEMPERATURE):
        return (replace(bare, unit=Unit.DEGREE),)
    if bare.aspect not in (None, Aspect.TARGET):
        return (replace(bare, unit=_UNIT_OF[bare.aspect]),)
    unit = next((amount.unit for amount in after.amounts), None) if after is not None else None
    place = len(clause.words) - 1
    led = bare.aspect is Aspect.TARGET or any(s.last == place - 1 for s in clause.marked(Mark.LEAD))
    return (replace(bare, unit=unit),) if unit is not None or led else ()


def state_claim(
    clause: Clause, around: ClaimContext, after: Claim | None, *, left: bool, open_ended: bool
) -> Claim | None:
    """The state or number that a clause claims of things; None where it claims none: it hedges, tells of the past, or
    has no form that says what is.

    ``after``: the claim of the clause before; ``left``: it says that things are left as they are; ``open_ended``: it
    need not name a state to be about one.
    """
    amounts = amounts_of(clause, after)
    states = _states(clause, amounts)
    told = [*(s for s in clause.states), *clause.of(Group.DEED)]
    if clause.marked(Mark.WAS) and not left:
        return None
    if not (states or amounts):
        return _claim_of_none(clause, around) if not open_ended else None
    if not states and any(s.first == 0 for s in clause.marked(Mark.INDEFINITE)):  # "a panel delivers 400 watts"
        return None
    if any(is_hedged(clause, s) for s in told) or (not told and clause.marked(Mark.HEDGE)):
        return None
    sensed = any(s.kind not in ("default", PERSON) for s in clause.states)
    told_now = clause.framed(Frame.PASSIVE) and not (clause.marked(Mark.PAST) or around.facts.looked_back)
    senses = sensed and (clause.negations or told_now)  # "I see no movement", "movement is being reported"
    is_so = clause.framed(Frame.COPULA) or clause.language in SUBJECTLESS or senses or left or clause.labelled
    is_so = is_so or (FINISHED in states.get("default", ()) and not clause.framed(Frame.I))  # "a déjà fini"
    is_so = is_so or (after is not None and not after.deeds and not clause.framed())  # "is shut and locked"
    placed = clause.marked(Mark.OUTSIDE, Mark.INSIDE)
    is_so = is_so or bool(placed and amounts)
    if clause.language in SUBJECTLESS and open_ended and not clause.framed(Frame.COPULA) and not states:
        return None
    if not is_so and not (clause.names and len(clause.words) <= _LONGEST_BARE):
        return None
    none = any(s.concept == Mark.NONE for s in clause.negations)
    negated = bool(clause.negations) and not none
    counted = clause.counted
    one = {m.kind for m in clause.mentions} & {MentionKind.EVERY, MentionKind.WHOLE_HOME} == {MentionKind.WHOLE_HOME}
    many = counted is not None or bool(clause.marked(Mark.HALF))
    wanted = wanted_of(clause, around)
    if many or (one and amounts and not wanted.plural):  # "the battery of the house"
        wanted = replace(wanted, whole=many)
    if any(no.last + 1 == every.first for no in clause.negations for every in clause.marked(Mark.WHOLE)):
        wanted = replace(wanted, some=True)  # "not all"
    things = things_of(clause, around, wanted, able_to(states, amounts, clause, around))
    named = any(m.kind in _NAMING for m in clause.mentions) or clause.of(Group.CHORE)
    open_ = not things.groups and not named
    if amounts and (open_ or (placed and not things.named)) and not open_ended and _is_of_the_home(clause):
        if placed:
            amounts = tuple(replace(a, aspect=a.aspect or Aspect.TEMPERATURE) for a in amounts)
        things = replace(things, groups=of_a_kind(clause, around, able_to({}, amounts, clause, around)))
    if not is_so and things.strange:
        return None
    count = _count(counted, things) if many and not (negated or none) else None
    return Claim(things, frozenset(), states, amounts, negated, bool(clause.framed(Frame.NOW)), count)


def _count(counted: float | None, things: Things) -> int | None:
    """How many of the things are told of; without a number it is half of them."""
    told = counted if counted is not None else len(things.ids) / 2
    return int(told) if told == int(told) else None


def _claim_of_none(clause: Clause, around: ClaimContext) -> Claim | None:
    """The claim that a thing shows no power, for a sentence that denies everything measured of it ("you draw nothing
    from the grid").
    """
    if not any(s.concept == Mark.NONE for s in clause.negations) or clause.marked(Mark.HEDGE, Mark.PAST):
        return None
    amounts = (Amount(0.0, Unit.WATT, _NEXT_TO_NOTHING),)
    things = things_of(clause, around, Wanted(), able_to({}, amounts, clause, around))
    return Claim(things, amounts=amounts) if things.named and things.groups else None


def _is_of_the_home(clause: Clause) -> bool:
    """Whether a number without a thing is told as one of the home, and not as the subject of something else
    ("60 percent is fine")."""
    number = max((p for s in clause.of(Group.UNIT) for p in s.positions), default=len(clause.words))
    verb = min((s.first for s in clause.framed(Frame.COPULA)), default=-1)
    if clause.language in SUBJECTLESS:
        return verb >= 0
    return verb < number or verb == len(clause.words) - 1


def _states(clause: Clause, amounts: Sequence[Amount]) -> Mapping[str, tuple[str, ...]]:
    """The raw states that are said, by device class, as `raw_of` takes them."""
    found: dict[str, tuple[str, ...]] = {}
    for said in clause.states:
        where = clause.marked(Mark.OUTSIDE, Mark.INSIDE) and said.concept in _WHERE
        if amounts and (where or said.kind in _LEVELS):
            continue
        found[said.kind] = tuple(dict.fromkeys((*found.get(said.kind, ()), said.concept)))
    inside = [set(s.positions) for s in clause.states]
    for said in clause.of(Group.DEED):
        if any(set(said.positions) < whole for whole in inside):
            continue
        if (state := RESULT.get(ClaimedAction(said.concept))) and state not in found.get("default", ()):
            found["default"] = (*found.get("default", ()), state)
    return found


def able_to(
    states: Mapping[str, tuple[str, ...]], amounts: Sequence[Amount], clause: Clause, around: ClaimContext
) -> Callable[[Entity], bool]:
    """Whether a thing can be in one of the states, or shows a number in the unit that was said."""
    named = {i for m in clause.mentions if m.kind is MentionKind.NAME for i in m.values}

    def able(entity: Entity) -> bool:
        state = around.home.state(entity.entity_id)
        if states and can_be(entity, state, states, named=entity.entity_id in named):
            return True
        return state is not None and any(_shows(amount, entity, state) for amount in amounts)

    return able


def _shows(amount: Amount, entity: Entity, state: State) -> bool:
    """Whether a thing has a number that this one may be."""
    kinds = {aspect for _, aspect, _ in shown_in(amount, entity, state)}
    if amount.aspect in (None, Aspect.TARGET, Aspect.TEMPERATURE):
        return bool(kinds)
    return bool(kinds & {amount.aspect, None})


def wanted_of(clause: Clause, around: ClaimContext) -> Wanted:
    """How many things the clause tells of."""
    kinds = {m.kind for m in clause.mentions}
    return Wanted(
        whole=bool(kinds & {MentionKind.EVERY, MentionKind.WHOLE_HOME} or clause.marked(Mark.WHOLE)),
        some=bool(clause.marked(Mark.ANY, Mark.OF)),
        none=any(s.concept == Mark.NONE for s in clause.negations),
        plural=bool(clause.marked(Mark.BOTH)) or around.names.mentions(clause.text, clause.language).plural,
    )
