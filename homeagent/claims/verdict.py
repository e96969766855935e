"""The verdict on a claim: whether the turn's calls and the live states bear it out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from homeagent.claims.claim import RESULT, Amount, Aspect, Claim, ClaimedAction, Judged, Need, Unit, Verdict
from homeagent.claims.clause_reading import fits
from homeagent.claims.facts import shown_in
from homeagent.claims.state_matching import is_in
from homeagent.claims.things import ClaimContext
from homeagent.domains.states import raw_of


def judge(claim: Claim, around: ClaimContext) -> Judged:
    """What is known of a claim. Reads live states; quick."""
    if claim.deeds:
        judged = _deed(claim, around)
        return Judged(Verdict.SUPPORTED, claim) if judged.untrue and _was_done_before(claim, around) else judged
    things = claim.things
    if not things.groups:
        came = claim.now and claim.states and not around.facts.changed and not around.facts.looked_back
        return Judged(Verdict.UNSUPPORTED if came and things.strange else Verdict.NO_CLAIM, claim)
    holds = _holds(claim, around)
    if claim.count is not None:
        right = [i for i in things.ids if holds(i)]
        same = len(right) == claim.count
        return Judged(
            Verdict.SUPPORTED if same else Verdict.CONTRADICTED, claim, () if same else tuple(right or things.ids)
        )
    wrong = [i for group in things.groups for i in _wrong(group, things.need, holds, negated=claim.negated)]
    if not wrong:
        return Judged(Verdict.SUPPORTED, claim)
    return Judged(Verdict.CONTRADICTED, claim, tuple(dict.fromkeys(wrong)))


def _wrong(group: Sequence[str], need: Need, holds: Callable[[str], bool | None], *, negated: bool) -> list[str]:
    """Those of a group that make the statement untrue; none where it is true, or nothing can tell."""
    known = {i: held for i in group if (held := holds(i)) is not None}
    if need is Need.NONE:
        return [i for i, held in known.items() if held]
    right = [i for i, held in known.items() if held is not negated]
    if need is Need.ANY and right:
        return []
    return [i for i in known if i not in right]


def _holds(claim: Claim, around: ClaimContext) -> Callable[[str], bool | None]:
    """Whether all that is told holds of a thing; None where nothing can tell."""

    def holds(entity_id: str) -> bool | None:
        told = (_in_state(entity_id, claim, around), _shows(entity_id, claim.amounts, around, deed=False))
        known = [one for one in told if one is not None]
        return all(known) if known else None

    return holds


def _in_state(entity_id: str, claim: Claim, around: ClaimContext) -> bool | None:
    entity, state = around.home.entity(entity_id), around.home.state(entity_id)
    if entity is None or state is None:
        return None
    return is_in(entity, state, claim.states)


def _shows(entity_id: str, amounts: Iterable[Amount], around: ClaimContext, *, deed: bool) -> bool | None:
    """Whether a thing shows each of the numbers, or was set to it; None where it shows none of that unit."""
    entity, state = around.home.entity(entity_id), around.home.state(entity_id)
    if entity is None or state is None:
        return None
    verdicts: list[bool] = []
    for amount in amounts:
        shown = shown_in(amount, entity, state)
        wished = (deed or amount.aspect is Aspect.TARGET) and amount.unit in (Unit.DEGREE, None)
        kind = Aspect.TARGET if wished else amount.aspect
        shown = [one for one in shown if one[1] is kind] or shown
        if shown:
            verdicts.append(any(fits(amount, value, unit) for unit, _, value in shown))
    return all(verdicts) if verdicts else None


def _deed(claim: Claim, around: ClaimContext) -> Judged:
    facts, things = around.facts, claim.things
    listed = claim.deeds == {ClaimedAction.LISTED} and any(i.startswith("todo.") for i in (*facts.done, *facts.seen))
    if claim.deeds & facts.homeless or listed:
        return Judged(Verdict.SUPPORTED, claim)
    if claim.deeds == {ClaimedAction.DID}:
        good = bool(facts.done) and not (facts.waiting and not facts.done)
        return Judged(Verdict.SUPPORTED if good else Verdict.UNSUPPORTED, claim, tuple(facts.left))
    done = [i for i in facts.done if claim.deeds & facts.done[i]]
    if not done:
        return Judged(Verdict.UNSUPPORTED, claim, things.ids if things.named else tuple(facts.left))
    if not things.named:
        return _amounts_of_deed(claim, done, around)
    if not things.groups and things.absent and not any(i.partition(".")[0] in things.absent for i in done):
        return Judged(Verdict.UNSUPPORTED, claim)
    wrong: list[str] = []
    reached: list[str] = []
    for group in things.groups:
        hit = [i for i in group if i in done]
        reached += hit
        if not hit:
            wrong += group
        elif things.need is Need.ALL:
            wrong += [i for i in group if i not in done and not _is_so_anyway(i, claim, around)]
    if wrong and facts.much and all(_is_so_anyway(i, claim, around) for i in wrong):
        wrong = []
    if wrong:
        return Judged(Verdict.UNSUPPORTED, claim, tuple(dict.fromkeys(wrong)))
    return _amounts_of_deed(claim, reached, around)


def _was_done_before(claim: Claim, around: ClaimContext) -> bool:
    """Whether an earlier turn of the conversation did it, and it still is so: "yes, I turned it off"."""
    if claim.deeds & around.facts.homeless_earlier:
        return True
    ids = claim.things.ids
    return bool(ids) and all(i in around.facts.earlier and _is_so_anyway(i, claim, around) for i in ids)


def _amounts_of_deed(claim: Claim, done: Sequence[str], around: ClaimContext) -> Judged:
    if not claim.amounts:
        return Judged(Verdict.SUPPORTED, claim)
    shown = {i: told for i in done if (told := _shows(i, claim.amounts, around, deed=True)) is not None}
    if not shown or any(shown.values()) or any(_was_asked(i, claim.amounts, around) for i in done):
        return Judged(Verdict.SUPPORTED, claim)
    return Judged(Verdict.CONTRADICTED, claim, tuple(shown))


def _was_asked(entity_id: str, amounts: Iterable[Amount], around: ClaimContext) -> bool:
    """Whether a number is a step by which the thing was moved: "raised by 2 degrees"."""
    steps = [value for key, value in around.facts.asked.get(entity_id, {}).items() if "step" in key]
    return any(abs(abs(step) - amount.value) < 0.01 for step in steps for amount in amounts)


def _is_so_anyway(entity_id: str, claim: Claim, around: ClaimContext) -> bool:
    """Whether a thing is as the deed would have left it: it had to be done to the others of its set only."""
    entity, state = around.home.entity(entity_id), around.home.state(entity_id)
    if entity is None or state is None:
        return False
    wanted = tuple(RESULT[deed] for deed in claim.deeds if deed in RESULT)
    return state.state in raw_of(entity, {"default": wanted, entity.device_class or "": wanted})
