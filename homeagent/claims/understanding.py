"""What a clause claims."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from homeagent.brains.local.meaning.states import raw_of
from homeagent.claims.claim import RESULT, Claim, Deed, Need
from homeagent.claims.facts import HOMELESS, measures
from homeagent.claims.reading import Clause
from homeagent.claims.things import Around, Wanted, things_of
from homeagent.claims.words import Frame, Group, Mark, Said
from indexer.entity import Entity
from indexer.mentions import MentionKind

_BARE = 2
"""So many words may stand beside "done" for it to be the whole of what is told."""
_SHORTEST = 3
_LONGEST_BARE = 8
_THINGS = (MentionKind.NAME, MentionKind.AREA, MentionKind.FLOOR, MentionKind.DOMAIN, MentionKind.DEVICE_CLASS)
_VERB_FIRST = frozenset({"en", "es", "fr"})
"""Languages in which what was done is told before the things that it was done to."""
_SUBJECTLESS = frozenset({"ko"})
"""Languages that leave out who did it."""


@dataclass(frozen=True, slots=True)
class Read:
    """A clause with what it claims (None: nothing) and whether the speaker is its subject, for the next clause."""

    clause: Clause
    claim: Claim | None
    mine: bool


def read_all(clauses: list[Clause], around: Around, *, asks: bool) -> Iterator[Read]:
    """What each clause of a sentence claims. ``asks``: the sentence is a question."""
    mine, last = False, None
    ending = clauses[-1]
    open_ended = any(map(_is_open_ended, clauses))
    for place, clause in enumerate(clauses):
        mine = bool(clause.framed(Frame.I)) or (
            mine and not clause.framed(Frame.COPULA) and not clause.marked(Mark.OTHER)
        )
        claim = None
        if not asks and clause.tells and not _leans(clause, ending):
            claim = claim_of(clause, around, mine=mine, after=last, open_ended=open_ended)
        elif not asks and last is not None and clause.names and _goes_on(clauses[place:]):
            claim = _likewise(clause, last, around)
        if clause.names:
            around.name(clause)
        last = claim
        yield Read(clause, claim, mine)


def claim_of(
    clause: Clause, around: Around, *, mine: bool, after: Claim | None = None, open_ended: bool = False
) -> Claim | None:
    """The claim of a clause; ``mine``: the speaker is the subject, here or before. ``after``: what the clause before
    claims; ``open_ended``: the sentence has a condition or a wish."""
    deeds = _deeds(clause, around, mine=mine, after=after)
    if not deeds and not open_ended:
        deeds = _doing(clause)
    if deeds:
        return _deed_claim(clause, around, deeds)
    return _state_claim(clause, around, after)


def _goes_on(rest: Sequence[Clause]) -> bool:
    """Whether a clause without a verb goes on with the one before, and is no subject of what follows."""
    return bool(rest[0].marked(Mark.ALSO)) or len(rest) == 1 or rest[1].names


def _likewise(clause: Clause, last: Claim, around: Around) -> Claim | None:
    """What a clause without a verb claims: the same of other things ("the patio door too")."""
    if clause.marked(Mark.NOT, Mark.HEDGE, Mark.OTHER) or (last.deeds <= HOMELESS and last.deeds):
        return None
    wanted = _wanted(clause, around)
    none = last.things.need is Need.NONE and not clause.marked(Mark.ONLY)
    able = _able(last.states, clause, around) if not last.deeds else lambda _: True
    things = things_of(clause, around, replace(wanted, none=none or wanted.none), able)
    return replace(last, things=things, amounts=clause.amounts)


def _leans(clause: Clause, ending: Clause) -> bool:
    """Whether a clause leaves it to the last one of its sentence whether it was done, as in Korean ("끄고 …세요")."""
    forms = [clause.words[s.last].text for s in clause.of(Group.DEED)]
    if clause.language not in _SUBJECTLESS or not forms or not all(map(_is_open_form, forms)):
        return False
    return ending is clause or bool(ending.marked(Mark.HEDGE)) or not ending.of(Group.DEED)


def _is_open_form(word: str) -> bool:
    """Whether a Korean verb joins with "-고" and tells no time: in the past its stem ends in a double s."""
    before = unicodedata.normalize("NFD", word[-2:-1])
    return word.endswith("고") and not before.endswith("\u11bb")


def _deeds(clause: Clause, around: Around, *, mine: bool, after: Claim | None) -> frozenset[Deed]:
    """The deeds that the clause says were done in this turn, or are promised."""
    if any(s.concept == Mark.NONE for s in clause.negations):
        return frozenset()
    if promised := _promised(clause):
        return promised
    found = [s for s in clause.of(Group.DEED) if not _hedged(clause, s) and not _denied(clause, s)]
    deeds = {Deed(s.concept) for s in found}
    for always in (Deed.SCHEDULED, Deed.LISTED):
        if always in deeds:
            return frozenset({always})
    if others := [s for s in found if s.concept != Deed.DID]:
        return frozenset(Deed(s.concept) for s in others if _was_done(clause, s, around, mine=mine, after=after))
    if found and (_is_bare(clause, found) or (mine and not clause.framed(Frame.COPULA))):
        return frozenset({Deed.DID})
    return frozenset()


def _is_open_ended(clause: Clause) -> bool:
    """Whether it holds a condition or a wish, apart from the verbs of what is just being done."""
    told = {p for s in clause.of(Group.DOING) for p in s.positions}
    return any(not set(s.positions) <= told for s in clause.marked(Mark.HEDGE))


def _doing(clause: Clause) -> frozenset[Deed]:
    """The deeds that are told as just being done. In a final answer nothing is: it was done, or will not be."""
    found = [s for s in clause.of(Group.DOING) if not _denied(clause, s)]
    if clause.marked(Mark.NONE, Mark.OTHER):
        return frozenset()
    now = clause.framed(Frame.NOW) or any(m.kind is MentionKind.AGAIN for m in clause.mentions)
    mine = clause.framed(Frame.I, Frame.PROMISE) or clause.language != "en"
    return frozenset(Deed(s.concept) for s in found if mine or (now and s.first <= 1))


def _promised(clause: Clause) -> frozenset[Deed]:
    promise = clause.framed(Frame.PROMISE) and not clause.negations
    return frozenset(Deed(s.concept) for s in clause.of(Group.PROMISED)) if promise else frozenset()


def _was_done(clause: Clause, deed: Said, around: Around, *, mine: bool, after: Claim | None) -> bool:
    """Whether a form tells that the speaker did it, or that it came about; not that it is so, or that another did."""
    if any(other.first < deed.last for other in clause.marked(Mark.OTHER)):
        return False
    if Deed(deed.concept) in HOMELESS and clause.framed(Frame.COPULA, Frame.PASSIVE):
        return True
    if clause.language in _SUBJECTLESS:
        passive = any(set(s.positions) & set(deed.positions) for s in clause.framed(Frame.PASSIVE))
        return not (passive and (clause.marked(Mark.PAST) or around.facts.looked_back))
    frames = clause.framed(Frame.I, Frame.PASSIVE, Frame.COPULA)
    before = max((f for f in frames if f.first <= deed.first), key=_nearest, default=None)
    if before is None:
        if clause.framed(Frame.COPULA):  # "dass die Tür abgeschlossen ist"
            return False
        if Deed(deed.concept) in HOMELESS and len(clause.words) <= _SHORTEST and deed.concept != Deed.REMEMBERED:
            return True  # "Mensaje enviado."
        if clause.language in _VERB_FIRST and not _opens(clause, deed):  # "y el aire apagado"
            return False
        return mine or (_is_alone(clause, deed) and (after is None or bool(after.deeds)))
    if before.concept == Frame.PASSIVE:
        return not (clause.marked(Mark.PAST) or around.facts.looked_back)
    if before.concept == Frame.COPULA:  # "is now dimmed": no state of its own shows it
        return Deed(deed.concept) not in RESULT and bool(clause.framed(Frame.NOW)) and not clause.amounts
    return before.concept == Frame.I


def _opens(clause: Clause, deed: Said) -> bool:
    """Whether nothing but small words stands before what was done."""
    small = {p for s in clause.said for p in s.positions}
    return all(place in small for place in range(deed.first))


def _nearest(said: Said) -> tuple[int, int]:
    return said.last, len(said.positions)


def _is_alone(clause: Clause, deed: Said) -> bool:
    """Whether a clause without a subject tells of a deed: "Locked the front door.", "Licht eingeschaltet." """
    edge = deed.first == 0 or deed.last == len(clause.words) - 1
    return edge and deed.concept != Deed.REMEMBERED  # "Noted." promises nothing


def _is_bare(clause: Clause, did: list[Said]) -> bool:
    told = {p for s in did for p in s.positions}
    return len(clause.words) - len(told) <= _BARE and not any(m.kind in _THINGS for m in clause.mentions)


def _denied(clause: Clause, said: Said) -> bool:
    """Whether it is told as not done; what stands behind a verb denies something else, but in Korean."""
    return any(clause.language in _SUBJECTLESS or no.first < said.last for no in clause.negations)


def _hedged(clause: Clause, said: Said) -> bool:
    """Whether it is told as possible, wished for or a condition."""
    if clause.language in _SUBJECTLESS:
        return bool(clause.marked(Mark.HEDGE))
    return any(hedge.first < said.last for hedge in clause.marked(Mark.HEDGE))


def _deed_claim(clause: Clause, around: Around, deeds: frozenset[Deed]) -> Claim:
    now = bool(clause.framed(Frame.NOW))
    if deeds <= HOMELESS:
        return Claim(deeds=deeds, now=now)
    wanted = _wanted(clause, around)
    states = tuple(RESULT[deed] for deed in deeds if deed in RESULT)
    able = _able({"default": states}, clause, around) if states and wanted.whole else lambda _: True
    things = things_of(clause, around, wanted, able)
    return Claim(things, deeds, amounts=clause.amounts, now=now)


def _state_claim(clause: Clause, around: Around, after: Claim | None) -> Claim | None:
    states = _states(clause)
    amounts = clause.amounts
    told = [*(s for s in clause.states), *clause.of(Group.DEED)]
    if clause.marked(Mark.WAS) or not (states or amounts):
        return None
    if any(_hedged(clause, s) for s in told) or (not told and clause.marked(Mark.HEDGE)):
        return None
    senses = any(s.kind != "default" for s in clause.states) and clause.negations  # "I see no movement"
    is_so = clause.framed(Frame.COPULA) or clause.language in _SUBJECTLESS or senses
    is_so = is_so or (after is not None and not after.deeds and not clause.framed())  # "is shut and locked"
    if not is_so and not (clause.names and len(clause.words) <= _LONGEST_BARE):
        return None
    none = any(s.concept == Mark.NONE for s in clause.negations)
    negated = bool(clause.negations) and not none
    counted = clause.counted
    wanted = replace(_wanted(clause, around), whole=True) if counted else _wanted(clause, around)
    things = things_of(clause, around, wanted, _able(states, clause, around))
    if not is_so and things.strange:
        return None
    count = int(counted[0]) if counted and states and not (negated or none) else None
    return Claim(things, frozenset(), states, amounts, negated, bool(clause.framed(Frame.NOW)), count)


def _states(clause: Clause) -> Mapping[str, tuple[str, ...]]:
    """The raw states that are said, by device class, as `raw_of` takes them."""
    found: dict[str, tuple[str, ...]] = {}
    for said in clause.states:
        found[said.kind] = tuple(dict.fromkeys((*found.get(said.kind, ()), said.concept)))
    inside = [set(s.positions) for s in clause.states]
    for said in clause.of(Group.DEED):
        if any(set(said.positions) < whole for whole in inside):
            continue
        if (state := RESULT.get(Deed(said.concept))) and state not in found.get("default", ()):
            found["default"] = (*found.get("default", ()), state)
    return found


def _able(states: Mapping[str, tuple[str, ...]], clause: Clause, around: Around) -> Callable[[Entity], bool]:
    """Whether a thing can be in one of the states, or shows a number in the unit that was said."""
    units = {amount.unit for amount in clause.amounts}

    def able(entity: Entity) -> bool:
        if states and raw_of(entity, states):
            return True
        state = around.home.state(entity.entity_id)
        return state is not None and any(unit in units for unit, _, _ in measures(entity, state))

    return able


def _wanted(clause: Clause, around: Around) -> Wanted:
    kinds = {m.kind for m in clause.mentions}
    return Wanted(
        whole=bool(kinds & {MentionKind.EVERY, MentionKind.WHOLE_HOME} or clause.marked(Mark.WHOLE)),
        some=bool(clause.marked(Mark.ANY)),
        none=any(s.concept == Mark.NONE for s in clause.negations),
        plural=bool(clause.marked(Mark.BOTH)) or around.names.mentions(clause.text, clause.language).plural,
    )
