"""What a clause claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from homeagent.claims.claim import RESULT, Amount, Claim, ClaimedAction, Need
from homeagent.claims.claim_words import Frame, Group, Mark
from homeagent.claims.claimed_actions import SUBJECTLESS, actions_of, actions_under_way
from homeagent.claims.claimed_states import able_to, amounts_of, state_claim, wanted_of
from homeagent.claims.clause_reading import Clause
from homeagent.claims.facts import HOMELESS
from homeagent.claims.things import ClaimContext, things_of
from indexer.normalise import decomposed


@dataclass(frozen=True, slots=True)
class Read:
    """A clause with what it claims (None: nothing) and whether the speaker is its subject, for the next clause."""

    clause: Clause
    claim: Claim | None
    mine: bool


def read_all(clauses: list[Clause], around: ClaimContext, *, asks: bool) -> Iterator[Read]:
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
    clause: Clause, around: ClaimContext, *, mine: bool, after: Claim | None, open_ended: bool, left: bool
) -> Claim | None:
    """The claim of a clause; ``mine``: the speaker is the subject, here or before. ``after``: what the clause before
    claims; ``open_ended``: the sentence has a condition or a wish; ``left``: the thing is told to be left as it was."""
    deeds = actions_of(clause, around, mine=mine, after=after) if not left else frozenset()
    if not deeds and not open_ended:
        deeds = actions_under_way(clause)
    if deeds:
        return _deed_claim(clause, around, deeds, amounts_of(clause, after))
    return state_claim(clause, around, after, left=left, open_ended=open_ended)


def _goes_on(rest: Sequence[Clause]) -> bool:
    """Whether a clause that tells nothing itself goes on with the one before, and is no subject of what follows."""
    if rest[0].tells:  # "so is the back door"
        framed = rest[0].framed()
        return bool(rest[0].marked(Mark.ALSO)) and all(s.concept == Frame.COPULA for s in framed)
    return bool(rest[0].marked(Mark.ALSO)) or len(rest) == 1 or rest[1].names


def _likewise(clause: Clause, last: Claim, around: ClaimContext) -> Claim | None:
    """What a clause without a verb claims: the same of other things ("the patio door too")."""
    denies = last.negated or last.things.need is Need.NONE  # "not even the lamp"
    if clause.marked(Mark.HEDGE, Mark.OTHER) or (clause.marked(Mark.NOT) and not denies):
        return None
    if last.deeds and last.deeds <= HOMELESS:
        return None
    wanted = wanted_of(clause, around)
    none = last.things.need is Need.NONE and not clause.marked(Mark.ONLY)
    able = able_to(last.states, last.amounts, clause, around) if not last.deeds else lambda _: True
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
    before = decomposed(word[-2:-1])
    return word.endswith("고") and not before.endswith("\u11bb")


def _is_open_ended(clause: Clause) -> bool:
    """Whether it holds a condition or a wish, apart from the verbs of what is just being done."""
    told = {p for s in clause.of(Group.DOING) for p in s.positions}
    return any(not set(s.positions) <= told for s in clause.marked(Mark.HEDGE))


def _deed_claim(
    clause: Clause, around: ClaimContext, deeds: frozenset[ClaimedAction], amounts: tuple[Amount, ...]
) -> Claim:
    now = bool(clause.framed(Frame.NOW))
    if deeds <= HOMELESS:
        return Claim(deeds=deeds, now=now)
    wanted = wanted_of(clause, around)
    states = tuple(RESULT[deed] for deed in deeds if deed in RESULT)
    able = able_to({"default": states}, (), clause, around) if states and wanted.whole else lambda _: True
    return Claim(things_of(clause, around, wanted, able), deeds, amounts=amounts, now=now)
