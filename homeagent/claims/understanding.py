"""What a clause claims."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from homeagent.brains.local.meaning.facts import FINISHED
from homeagent.claims.being import PERSON, can_be
from homeagent.claims.claim import RESULT, Amount, Aspect, Claim, Deed, Need, Things, Unit
from homeagent.claims.deeds import SUBJECTLESS, deeds_of, deeds_under_way, is_hedged
from homeagent.claims.facts import HOMELESS, shown_in
from homeagent.claims.reading import Clause
from homeagent.claims.things import Around, Wanted, of_a_kind, things_of
from homeagent.claims.words import Frame, Group, Mark
from homeagent.ha.home import State
from indexer.entity import Entity
from indexer.mentions import MentionKind

_LONGEST_BARE = 8
_WHERE = ("home", "not_home")
"""States of people that are places of numbers, too: "33 degrees outside"."""
_LEVELS = ("battery", "battery_charging")
"""Kinds whose states are told by a number, too: "70 percent full"."""
_NEXT_TO_NOTHING = 5.0
"""Watts."""
_UNIT_OF = {aspect: Unit.DEGREE if aspect in (Aspect.TEMPERATURE, Aspect.TARGET) else Unit.PERCENT for aspect in Aspect}


@dataclass(frozen=True, slots=True)
class Read:
    """A clause with what it claims (None: nothing) and whether the speaker is its subject, for the next clause."""

    clause: Clause
    claim: Claim | None
    mine: bool


def read_all(clauses: list[Clause], around: Around, *, asks: bool) -> Iterator[Read]:
    """What each clause of a sentence claims. ``asks``: the sentence is a question."""
    mine, left, last = False, False, None
    ending = clauses[-1]
    open_ended = any(map(_is_open_ended, clauses))
    for place, clause in enumerate(clauses):
        mine = bool(clause.framed(Frame.I)) or (
            mine and not clause.framed(Frame.COPULA) and not clause.marked(Mark.OTHER)
        )
        left = bool(clause.framed(Frame.LEFT)) or (left and not clause.framed())
        claim = None
        if not asks and (clause.tells or clause.framed(Frame.I)) and not _leans(clause, ending):
            claim = claim_of(clause, around, mine=mine, after=last, open_ended=open_ended, left=left)
        before = last or (around.before if clause.marked(Mark.ALSO) else None)
        if claim is None and not asks and before is not None and clause.names and _goes_on(clauses[place:]):
            claim = _likewise(clause, before, around)
        if clause.names:
            around.name(clause)
        last = claim
        around.before = claim or around.before
        yield Read(clause, claim, mine)


def claim_of(
    clause: Clause, around: Around, *, mine: bool, after: Claim | None, open_ended: bool, left: bool
) -> Claim | None:
    """The claim of a clause; ``mine``: the speaker is the subject, here or before. ``after``: what the clause before
    claims; ``open_ended``: the sentence has a condition or a wish; ``left``: the thing is told to be left as it was."""
    deeds = deeds_of(clause, around, mine=mine, after=after) if not left else frozenset()
    if not deeds and not open_ended:
        deeds = deeds_under_way(clause)
    if deeds:
        return _deed_claim(clause, around, deeds, _amounts(clause, after))
    return _state_claim(clause, around, after, left=left, open_ended=open_ended)


def _goes_on(rest: Sequence[Clause]) -> bool:
    """Whether a clause that tells nothing itself goes on with the one before, and is no subject of what follows."""
    if rest[0].tells:  # "so is the back door"
        framed = rest[0].framed()
        return bool(rest[0].marked(Mark.ALSO)) and all(s.concept == Frame.COPULA for s in framed)
    return bool(rest[0].marked(Mark.ALSO)) or len(rest) == 1 or rest[1].names


def _likewise(clause: Clause, last: Claim, around: Around) -> Claim | None:
    """What a clause without a verb claims: the same of other things ("the patio door too")."""
    denies = last.negated or last.things.need is Need.NONE  # "not even the lamp"
    if clause.marked(Mark.HEDGE, Mark.OTHER) or (clause.marked(Mark.NOT) and not denies):
        return None
    if last.deeds and last.deeds <= HOMELESS:
        return None
    wanted = _wanted(clause, around)
    none = last.things.need is Need.NONE and not clause.marked(Mark.ONLY)
    able = _able(last.states, last.amounts, clause, around) if not last.deeds else lambda _: True
    things = things_of(clause, around, replace(wanted, none=none or wanted.none), able)
    return replace(last, things=things, amounts=clause.amounts, count=None)


def _leans(clause: Clause, ending: Clause) -> bool:
    """Whether a clause leaves it to the last one of its sentence whether it was done, as in Korean ("끄고 …세요")."""
    forms = [clause.words[s.last].text for s in clause.of(Group.DEED)]
    if clause.language not in SUBJECTLESS or not forms or not all(map(_is_open_form, forms)):
        return False
    return ending is clause or bool(ending.marked(Mark.HEDGE)) or not ending.of(Group.DEED)


def _is_open_form(word: str) -> bool:
    """Whether a Korean verb joins with "-고" and tells no time: in the past its stem ends in a double s."""
    before = unicodedata.normalize("NFD", word[-2:-1])
    return word.endswith("고") and not before.endswith("\u11bb")


def _is_open_ended(clause: Clause) -> bool:
    """Whether it holds a condition or a wish, apart from the verbs of what is just being done."""
    told = {p for s in clause.of(Group.DOING) for p in s.positions}
    return any(not set(s.positions) <= told for s in clause.marked(Mark.HEDGE))


def _deed_claim(clause: Clause, around: Around, deeds: frozenset[Deed], amounts: tuple[Amount, ...]) -> Claim:
    now = bool(clause.framed(Frame.NOW))
    if deeds <= HOMELESS:
        return Claim(deeds=deeds, now=now)
    wanted = _wanted(clause, around)
    states = tuple(RESULT[deed] for deed in deeds if deed in RESULT)
    able = _able({"default": states}, (), clause, around) if states and wanted.whole else lambda _: True
    return Claim(things_of(clause, around, wanted, able), deeds, amounts=amounts, now=now)


def _amounts(clause: Clause, after: Claim | None) -> tuple[Amount, ...]:
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


def _state_claim(clause: Clause, around: Around, after: Claim | None, *, left: bool, open_ended: bool) -> Claim | None:
    amounts = _amounts(clause, after)
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
    if not is_so and not (clause.names and len(clause.words) <= _LONGEST_BARE):
        return None
    none = any(s.concept == Mark.NONE for s in clause.negations)
    negated = bool(clause.negations) and not none
    counted = clause.counted
    many = counted is not None or clause.marked(Mark.HALF)
    wanted = replace(_wanted(clause, around), whole=True) if many else _wanted(clause, around)
    things = things_of(clause, around, wanted, _able(states, amounts, clause, around))
    placed = clause.marked(Mark.OUTSIDE, Mark.INSIDE)
    if amounts and not things.named and (placed or not things.groups) and not open_ended and _is_of_the_home(clause):
        if placed:
            amounts = tuple(replace(a, aspect=a.aspect or Aspect.TEMPERATURE) for a in amounts)
        things = replace(things, groups=of_a_kind(clause, around, _able({}, amounts, clause, around)))
    if not is_so and things.strange:
        return None
    count = _count(counted, things) if many and not (negated or none) else None
    return Claim(things, frozenset(), states, amounts, negated, bool(clause.framed(Frame.NOW)), count)


def _count(counted: float | None, things: Things) -> int | None:
    """How many of the things are told of; without a number it is half of them."""
    told = counted if counted is not None else len(things.ids) / 2
    return int(told) if told == int(told) and told <= len(things.ids) else None


def _claim_of_none(clause: Clause, around: Around) -> Claim | None:
    """What "you draw nothing from the grid" claims: that something shows no power."""
    if not any(s.concept == Mark.NONE for s in clause.negations) or clause.marked(Mark.HEDGE, Mark.PAST):
        return None
    amounts = (Amount(0.0, Unit.WATT, _NEXT_TO_NOTHING),)
    things = things_of(clause, around, Wanted(), _able({}, amounts, clause, around))
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
        if (state := RESULT.get(Deed(said.concept))) and state not in found.get("default", ()):
            found["default"] = (*found.get("default", ()), state)
    return found


def _able(
    states: Mapping[str, tuple[str, ...]], amounts: Sequence[Amount], clause: Clause, around: Around
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


def _wanted(clause: Clause, around: Around) -> Wanted:
    kinds = {m.kind for m in clause.mentions}
    return Wanted(
        whole=bool(kinds & {MentionKind.EVERY, MentionKind.WHOLE_HOME} or clause.marked(Mark.WHOLE)),
        some=bool(clause.marked(Mark.ANY, Mark.OF)),
        none=any(s.concept == Mark.NONE for s in clause.negations),
        plural=bool(clause.marked(Mark.BOTH)) or around.names.mentions(clause.text, clause.language).plural,
    )
